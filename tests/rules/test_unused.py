"""What no file of a project runs is advice, as far as that is seen."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from tfdata_lint import Settings, lint_paths

USED = """\
import tensorflow as tf


def load(files):
    return tf.data.Dataset.from_tensor_slices(files).map(
        lambda name: tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(name), 3), (512, 512))
    )


def make(files):
    return load(files).shuffle(10_000).batch(32)
"""
OLD = """\


def make_old(files):
    return load(files).shuffle(10_000).batch(32)
"""
RUN = """\


model.fit(make(FILES))
"""


def severities(folder: Path, *, in_project: bool = True, **files: str) -> dict[str, str]:
    """Of each finding of TFD308, by its function."""
    if in_project:
        (folder / ".git").mkdir(exist_ok=True)
    for name, text in files.items():
        file = folder.joinpath(*name.replace("__init", "\0init").split("__")).with_suffix(".py")
        file = Path(str(file).replace("\0init", "__init__"))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    found: dict[str, str] = {}
    for report in lint_paths([str(folder)], Settings(select=("TFD308",))):
        lines = Path(report.path).read_text().splitlines()
        for diagnostic in report.diagnostics:
            above = lines[: diagnostic.place.row]
            name = next(line for line in reversed(above) if line.lstrip().startswith("def "))
            found[name.split()[1].partition("(")[0]] = diagnostic.severity
            assert ("no file of the project" in diagnostic.cost) == (diagnostic.severity == "advice")
    return found


def test_a_function_that_nothing_names_is_advice(tmp_path: Path) -> None:
    assert severities(tmp_path, data=USED + OLD, train="from data import make\n\nmake([])\n") == {
        "make": "warning",
        "make_old": "advice",
    }


def test_in_a_script_too(tmp_path: Path) -> None:
    assert severities(tmp_path, train=USED + OLD + RUN) == {"make": "warning", "make_old": "advice"}


@pytest.mark.parametrize(
    "other",
    [
        "from data import make, make_old",
        "import data\n\nmakes = {'old': data.make_old}",
        "import data\n\nmake = getattr(data, config.make)",
        "import data\nimport fire\n\nfire.Fire(data)",
        "import data  # make_old makes another one",
    ],
)
def test_a_function_that_may_be_named_stays_a_warning(tmp_path: Path, other: str) -> None:
    found = severities(tmp_path, data=USED + OLD, train=f"from data import make\n{other}\n")
    assert found["make_old"] == "warning"


def test_a_module_that_is_imported_whole_is_asked_for_the_name(tmp_path: Path) -> None:
    assert severities(tmp_path, data=USED + OLD, train="import data\n\ndata.make([])\n") == {
        "make": "warning",
        "make_old": "advice",
    }


def test_what_only_unused_functions_name_is_unused(tmp_path: Path) -> None:
    pair = OLD + "\n\ndef train_old(files):\n    return make_old(files) or train_old(files[1:])\n"
    assert severities(tmp_path, train=USED + pair + RUN) == {"make": "warning", "make_old": "advice"}
    assert severities(tmp_path, train=USED + pair + "\n\ntrain_old(FILES)\n" + RUN)["make_old"] == "warning"


def test_a_fault_that_nothing_runs_is_advice(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    wrong = "\n\ndef again(images):\n    return tf.data.Dataset.from_tensor_slices(images).batch(8, size=8)\n"
    for call, severity in (("", "advice"), ("\n\nagain(IMAGES)\n", "error")):
        (tmp_path / "train.py").write_text(USED + wrong + RUN + call)
        (report,) = lint_paths([str(tmp_path)], Settings(select=("TFD417",)))
        assert [diagnostic.severity for diagnostic in report.diagnostics] == [severity]


@pytest.mark.parametrize("folder", ["third_party", "vendor", "deprecated_tutorials", "archive"])
def test_nobody_changes_retired_code_or_that_of_others_for_time(tmp_path: Path, folder: str) -> None:
    file = tmp_path / folder / "train.py"
    file.parent.mkdir()
    file.write_text(USED + RUN)
    (report,) = lint_paths([str(tmp_path)], Settings(select=("TFD308",)))
    assert [diagnostic.severity for diagnostic in report.diagnostics] == ["advice"]


def test_a_method_of_a_class_that_inherits_nothing(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    trainer = (
        "import tensorflow as tf\n\n\nclass Trainer{}:\n    def run(self, images):\n"
        "        return tf.data.Dataset.from_tensor_slices(images).batch(8, size=8)\n\n\n"
        "def main():\n    trainer = Trainer()\n    # trainer.run(IMAGES)\n\n\nmain()\n"
    )
    for bases in ("", "(object)", "(Base)"):
        (tmp_path / "train.py").write_text(trainer.format(bases))
        (report,) = lint_paths([str(tmp_path)], Settings(select=("TFD417",)))
        severity = "error" if bases == "(Base)" else "advice"
        assert [diagnostic.severity for diagnostic in report.diagnostics] == [severity]


def test_a_file_that_nothing_runs_says_nothing(tmp_path: Path) -> None:
    assert severities(tmp_path, data=USED + OLD) == {"make": "warning", "make_old": "warning"}


def test_a_module_that_nothing_imports_beside_one_that_is_is_left_over(tmp_path: Path) -> None:
    files = {"models____init__": "", "models__old": USED + OLD, "models__new": "def build(): ...\n"}
    assert severities(tmp_path, **files, train="import json\n")["make"] == "warning"
    assert severities(tmp_path, train="from models.new import build\n")["make"] == "advice"
    for line in (
        "import importlib\n\nold = importlib.import_module(f'models.{name}')\n",
        "from models.old import make\n",
    ):
        assert severities(tmp_path, train=f"from models.new import build\n{line}")["make"] == "warning"


@pytest.mark.parametrize("other", ["kept = getattr(self, 'kept', None)", "options = vars(args)", "print(locals())"])
def test_what_names_no_functions_leaves_them_unused(tmp_path: Path, other: str) -> None:
    found = severities(tmp_path, data=USED + OLD, train="from data import make\n\nmake([])\n", other=f"{other}\n")
    assert found["make_old"] == "advice"


def test_without_a_project_nothing_is_said_about_use(tmp_path: Path) -> None:
    files = {"train": USED + OLD + RUN, "data__setup": "def prepare(): ...\n"}
    assert severities(tmp_path, **files)["make_old"] == "advice"
    (tmp_path / ".git").rmdir()
    assert severities(tmp_path, in_project=False, **files)["make_old"] == "warning"


def test_a_package_may_be_for_others(tmp_path: Path) -> None:
    files = {"lib____init__": "", "lib__data": USED + OLD, "lib__train": "from lib.data import make\n"}
    assert severities(tmp_path, **files)["make_old"] == "advice"
    (tmp_path / "setup.py").write_text("from setuptools import setup\n\nsetup()\n")
    assert severities(tmp_path, **files)["make_old"] == "warning"


def test_methods_count_by_their_own_names(tmp_path: Path) -> None:
    text = """\


    class Data{}:
        def make(self, files):
            return load(files).shuffle(10_000).batch(32)

        def make_old(self, files):
            return load(files).shuffle(10_000).batch(32)


    model.fit(Data().make(FILES))
    """
    text = USED.partition("def make")[0] + dedent(text)
    assert severities(tmp_path, train=text.format("")) == {"make": "warning", "make_old": "advice"}
    # A base may call them.
    assert severities(tmp_path, train=text.format("(Base)"))["make_old"] == "warning"
