"""`python -m tfdata_lint`."""

import os
import sys

# Python puts the working directory first, where a `json.py` of the user would be taken for Python's own.
if sys.path[0] == os.getcwd():
    del sys.path[0]

from tfdata_lint.cli import console

if __name__ == "__main__":
    console()
