"""Load this folder as a package under a name that no user's module has, and run the job."""

import importlib.util
import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
NAME = "_tfdata_lint_agent"


def _load() -> None:
    spec = importlib.util.spec_from_file_location(
        NAME, os.path.join(FOLDER, "__init__.py"), submodule_search_locations=[FOLDER]
    )
    assert spec
    assert spec.loader
    package = importlib.util.module_from_spec(spec)
    sys.modules[NAME] = package
    spec.loader.exec_module(package)


if __name__ == "__main__":
    # Python has put this folder in front; the target's own comes there instead.
    sys.path.pop(0)
    _load()
    if sys.argv[1] == "--warm":
        importlib.import_module(NAME + ".warm").main(int(sys.argv[2]))
        sys.exit()
    if sys.argv[1] == "--copies":
        importlib.import_module(NAME + ".isolation").main(*sys.argv[2:])
        sys.exit()
    importlib.import_module(NAME + ".session").main(sys.argv[1], *map(int, sys.argv[2:]))
