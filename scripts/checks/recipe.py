"""Builds a recipe for conda and runs its tests, by rattler-build's own library.

usage: recipe.py FILE CHANNEL OUT
"""

import sys
import warnings

import rattler_build

recipe, channel, out = sys.argv[1:]
warnings.simplefilter("ignore", DeprecationWarning)  # of build_recipes: the way that replaces it has no choice of channels yet
rattler_build.build_recipes([recipe], channel=[channel], output_dir=out, use_sharded=False, use_zstd=False, use_bz2=False)
