"""`python -m envgen`: the program itself, with its own exit status."""

import os
import sys

from ._program import program


def main() -> None:
    try:
        os.execv(program(), ["envgen", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"envgen: {error}")


if __name__ == "__main__":
    main()
