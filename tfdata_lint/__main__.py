"""`python -m tfdata_lint`."""

import sys

from tfdata_lint.cli import main

if __name__ == "__main__":
    sys.exit(main())
