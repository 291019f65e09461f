#include <array>

#include "diagnosis/subjects.hpp"

namespace envgen::diagnosis {
namespace {

constexpr std::array rows{
    Diagnosis{
        .id = "python-contradicted",
        .title = "What Python says of itself is not what lies there",
        .cause =
            "The program that answers by the name of Python is another one than that of the environment (a script, a double), or "
            "a module that is found first stands in for the framework.",
        .fix = "Look at what PATH and PYTHONPATH find first, and remove what does not belong there; or rebuild the image.",
        .commands = "command -v python python3\n"
                    "python3 -c 'import os, torch; print(os.__file__, torch.__file__)'",
        .source = "envgen src/validate/agreement.cpp",
        .proof = Proof::source_read,
        .patterns = R"(what Python says is not what lies there)",
    },
    Diagnosis{
        .id = "externally-managed",
        .title = "The system's Python is not for pip",
        .cause = "Debian 12, Ubuntu 23.04 and later (and images of them) mark their Python as managed by the distribution (PEP "
                 "668).",
        .fix = "Use a virtual environment; within an image, where nothing else lives, the mark may be passed.",
        .commands = "python3 -m venv .venv && .venv/bin/pip install PACKAGE\n"
                    "PIP_BREAK_SYSTEM_PACKAGES=1 pip install PACKAGE",
        .source = "DIAGNijmegen/rse-grand-challenge#4765, rocker-org/rocker-versioned2#670, ggml-org/llama.cpp#15004",
        .proof = Proof::thread,
        .patterns = R"(externally-managed-environment
This environment is externally managed
is externally managed * uv)",
    },
    Diagnosis{
        .id = "index-login",
        .title = "A package index or a channel refuses the login",
        .cause = "The server answers 401 or 403: the password or token is missing, wrong or expired, or may not read this path. "
                 "Some servers say so of an address that does not exist, too.",
        .fix = "Try the login by itself. Keep it in a netrc, which pip, uv, conda and curl read, and not in the address, which "
               "ends up in logs and images; a build of an image is given it as a secret. A token of anaconda.org that has "
               "expired is removed by logging out.",
        .commands = "curl --netrc --head https://INDEX/simple/\n"
                    "docker build --secret id=netrc,src=$HOME/.netrc .\n"
                    "anaconda logout && anaconda login",
        .source =
            "uv 0.13.9 and pip 23.2 against a server that answers so; pip 23.2 _internal/network/auth.py; conda/conda#5064, "
            "conda/conda#11638, astral-sh/uv#13216, pypa/pip#6884",
        .proof = Proof::thread,
        .patterns = R"(could not be queried due to a lack of valid authentication credentials
returned a 403 Forbidden error. Check that the index URL
HTTP status client error (401 Unauthorized) for url !! huggingface
HTTP status client error (403 Forbidden) for url !! huggingface
401 Error, Credentials not correct for
HTTP error 401 while getting
HTTP error 403 while getting
CondaHTTPError: HTTP 401
CondaHTTPError: HTTP 403
you are using invalid credentials for this channel)",
        .hides = "torch-no-wheel",
    },
    Diagnosis{
        .id = "numpy-abi",
        .title = "NumPy 2 with packages that were built for NumPy 1",
        .cause = "torch before 2.3 and other packages were compiled against NumPy 1, and NumPy 2 is installed.",
        .fix = "Hold NumPy below 2, or take releases that were built for NumPy 2.",
        .commands = "pip install 'numpy<2'",
        .source = "pytorch/pytorch#135013, pytorch/pytorch#107302, pyg-team/pytorch-frame#525",
        .proof = Proof::thread,
        .patterns = R"(A module that was compiled using NumPy 1.x cannot be run in
_ARRAY_API not found
Numpy is not available
Failed to initialize NumPy
numpy.dtype size changed, may indicate binary incompatibility
numpy.core.multiarray failed to import)",
    },
    Diagnosis{
        .id = "torch-no-wheel",
        .title = "No wheel of that torch fits this Python or platform",
        .cause = "pip knows no wheel of the release for this Python, system or index: Python is too new or too old for it, "
                 "glibc too old, or a version with +cuXXX is asked from the package index.",
        .fix = "Let envgen name the Python and the index that the release has.",
        .commands = "python3 --version\n"
                    "envgen show torch 2.3\n"
                    "envgen resolve --torch 2.3",
        .source = "pytorch/pytorch#130249, pytorch/pytorch#156856, astral-sh/uv#8344",
        .proof = Proof::thread,
        .patterns = R"(Could not find a version that satisfies the requirement torch
No matching distribution found for torch
Because torch * has no wheels with a matching Python
there is no version of torch==
torch * doesn't have a source distribution or wheel for the current platform)",
    },
    Diagnosis{
        .id = "conda-no-cuda",
        .title = "conda sees no driver while it solves",
        .cause = "conda takes the CUDA build only where it sees a driver (the virtual package __cuda); a docker build or a "
                 "login node has none.",
        .fix = "State the CUDA of the machine that the environment is for.",
        .commands = "CONDA_OVERRIDE_CUDA=12.8 conda install -c conda-forge pytorch-gpu\n"
                    "conda info | grep __cuda",
        .source = "conda-forge/pytorch-cpu-feedstock#364, mamba-org/micromamba-docker#620, conda/conda#14761",
        .proof = Proof::thread,
        .patterns = R"(nothing provides __cuda
__cuda * which is missing on the system
feature:|@/linux-64::__cuda
requires __cuda)",
    },
    Diagnosis{
        .id = "conda-no-torch",
        .title = "The pytorch conda channel ends at 2.5.1",
        .cause = "That channel has no torch since 2.6.",
        .fix = "pytorch-gpu of conda-forge, or wheels.",
        .commands = "conda install -c conda-forge pytorch-gpu\n"
                    "envgen resolve --torch 2.6 --installer conda",
        .source = "pytorch/pytorch#138506",
        .proof = Proof::thread,
        .patterns = R"(PackagesNotFoundError * pytorch==2.
nothing provides requested pytorch ==2.
nothing provides requested pytorch 2.
pytorch-cuda * does not exist (perhaps a typo)",
    },
    Diagnosis{
        .id = "pkg-resources",
        .title = "setuptools without pkg_resources, or Python without distutils",
        .cause = "Python 3.12 dropped distutils, and newer setuptools dropped pkg_resources; the package still imports one of "
                 "them (torch before 2.9 does when it compiles extensions).",
        .fix = "Hold setuptools below 82, and build without isolation.",
        .commands = "pip install 'setuptools<82' wheel\n"
                    "pip install --no-build-isolation PACKAGE",
        .source = "nerfstudio-project/gsplat#899, pytorch/pytorch#69894",
        .proof = Proof::thread,
        .patterns = R"(No module named 'pkg_resources'
No module named 'distutils'
module 'distutils' has no attribute 'version')",
    },
    Diagnosis{
        .id = "weights-only",
        .title = "torch.load refuses a checkpoint that holds more than weights",
        .cause = "Since torch 2.6 weights_only=True is the default, and the file holds other Python objects.",
        .fix = "For a file that you trust: weights_only=False, or torch.serialization.add_safe_globals.",
        .commands = "python3 -c 'import torch; torch.load(\"FILE\", weights_only=False)'",
        .source = "the release notes of PyTorch 2.6",
        .proof = Proof::documented,
        .patterns = R"(Weights only load failed
UnpicklingError: Weights only)",
    },
    Diagnosis{
        .id = "dynamo-python",
        .title = "torch.compile does not know this Python yet",
        .cause = "torch.compile follows a new Python one or two releases of torch later: 3.11 from 2.1, 3.12 from 2.4, 3.13 "
                 "from 2.6, 3.14 from 2.10 on.",
        .fix = "A newer torch, an older Python, or no torch.compile (TORCHDYNAMO_DISABLE=1).",
        .commands = "TORCHDYNAMO_DISABLE=1 python3 TRAIN.py\n"
                    "envgen resolve --python 3.12",
        .source = "pytorch/pytorch#120233, pytorch/pytorch#144048, pytorch/pytorch#93467, pytorch/pytorch#156856",
        .proof = Proof::thread,
        .patterns = R"(Dynamo is not supported on Python
torch.compile is not supported on Python
Python 3.11+ not yet supported for torch.compile
Python 3.12+ not yet supported for torch.compile)",
    },
};

}  // namespace

std::span<const Diagnosis> python_failures() { return rows; }

}  // namespace envgen::diagnosis
