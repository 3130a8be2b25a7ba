"""What a fix leaves without a use is taken away only where no other file of the project can use it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from rows import each

from tfdata_lint import Settings, lint_paths
from tfdata_lint.config.target import Target
from tfdata_lint.lint.reports import Fixing

LIBRARY = """\
import tensorflow as tf
import tensorflow.data.experimental as tde
from tensorflow.data.experimental import unbatch

rows = tf.data.Dataset.range(8).batch(2).apply(tde.unbatch()).batch(4).apply(unbatch())
"""


def notebook(*rows: str, indent: int | None = 1) -> str:
    cell = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": [*rows]}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=indent)


USERS: Mapping[str, dict[str, str]] = {
    "a name": {"main.py": "from lib import tde\n"},
    "all names": {"main.py": "from lib import *\n"},
    "an attribute": {"main.py": "import lib\n\nprint(lib.unbatch)\n"},
    "several rows": {"main.py": "from lib import (\n    rows,\n    unbatch,\n)\n"},
    "a package": {"data/__init__.py": "from ..lib import tde\n"},
    "a module that is searched for": {"main.py": "import importlib\n\nfind = importlib.import_module\n"},
    "a file that is run": {"main.py": 'import runpy\n\nnames = runpy.run_path("lib" + ".py")\n'},
    "code that is executed": {"main.py": 'exec(open("/".join(["lib" + ".py"])).read())\n'},
    "a notebook": {"look.ipynb": notebook("import numpy as np\n", "from lib import tde\n")},
    "a notebook in one row": {"look.ipynb": notebook("import numpy as np\n", "from lib import tde\n", indent=None)},
    "a notebook that runs it": {"look.ipynb": notebook("%run lib\n")},
}
OTHERS: Mapping[str, dict[str, str]] = {
    "nobody": {},
    "a module of its own": {"main.py": "import tensorflow as tf\n\nlibrary = tf.io\n"},
    "a comment about another word": {"main.py": "# The library is elsewhere.\n"},
    "a notebook of its own": {"look.ipynb": notebook("import numpy as np\n", "print(np.ones(3))\n")},
}


def fixed(folder: Path, files: Mapping[str, str]) -> str:
    for name, text in {"pyproject.toml": "", "lib.py": LIBRARY, **files}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    settings = Settings(target_tensorflow=Target((2, 16)))
    reports = list(lint_paths([str(folder / "lib.py")], settings, Fixing(unsafe=False, needless=True)))
    assert [d.code for report in reports for d in report.fixed] == ["TFD702", "TFD702"]
    return (folder / "lib.py").read_text()


@each("user", USERS)
def test_an_import_stays_where_another_file_may_use_it(user: str, tmp_path: Path) -> None:
    text = fixed(tmp_path, USERS[user])
    assert "import tensorflow.data.experimental as tde\n" in text
    assert "import unbatch\n" in text


@each("other", OTHERS)
def test_an_import_goes_where_nobody_can(other: str, tmp_path: Path) -> None:
    text = fixed(tmp_path, OTHERS[other])
    assert "experimental" not in text


def test_no_project_begins_above(tmp_path: Path) -> None:
    """A script above a folder makes it a package, be it marked as a project or not."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "lib.py").write_text(LIBRARY)
    (tmp_path / "main.py").write_text("from src.lib import tde\n")
    settings = Settings(target_tensorflow=Target((2, 16)))
    list(lint_paths([str(tmp_path / "src" / "lib.py")], settings, Fixing(unsafe=False, needless=True)))
    assert "as tde" in (tmp_path / "src" / "lib.py").read_text()


def test_names_that_are_looked_up_stay(tmp_path: Path) -> None:
    for look_up in ("globals()['t' + 'de']", "eval('t' + 'de')", "vars(sys.modules[__name__])"):
        (tmp_path / "lib.py").write_text(f"{LIBRARY}found = {look_up}\n")
        settings = Settings(target_tensorflow=Target((2, 16)))
        list(lint_paths([str(tmp_path / "lib.py")], settings, Fixing(unsafe=False, needless=True)))
        assert "as tde" in (tmp_path / "lib.py").read_text()


def test_no_name_is_added_that_others_import(tmp_path: Path) -> None:
    """A new `tf` would take the place of that of who imports all names."""
    (tmp_path / "pyproject.toml").write_text("")
    library = (
        "from tensorflow.data import TFRecordDataset\nfrom tensorflow.io import decode_jpeg\n\n"
        "for batch in TFRecordDataset(['a']).map(decode_jpeg).batch(8):\n    decode_jpeg(batch, 3)\n"
    )
    for user, is_added in (("import lib\n", True), ("from lib import *\n", False)):
        (tmp_path / "lib.py").write_text(library)
        (tmp_path / "main.py").write_text(user)
        settings = Settings(target_tensorflow=Target((2, 4)))
        list(lint_paths([str(tmp_path / "lib.py")], settings, Fixing(unsafe=True, needless=True)))
        assert ("import tensorflow as tf" in (tmp_path / "lib.py").read_text()) == is_added
