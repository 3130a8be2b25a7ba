"""What only an option opens that is off by default, and that nothing in the project switches on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfdata_lint import Settings, lint_paths

IMAGES = """\
import random
import tensorflow as tf

class Images:
    def __init__(self, size, flip=False):
        self.size = size
        self.flip = flip

    def read(self, name):
        image = tf.io.decode_jpeg(tf.io.read_file(name))
        if self.flip:
            if random.random() > 0.5:
                image = tf.image.flip_left_right(image)
        return image
"""
MODEL = """\
import tensorflow as tf
from images import Images

class Model:
    def __init__(self, args):
        self.flip = args.flip

    def train(self, names):
        images = Images(64, self.flip)
        return tf.data.Dataset.from_tensor_slices(names).map(images.read, num_parallel_calls=tf.data.AUTOTUNE)
"""
MAIN = """\
import argparse
from model import Model

def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--flip", type=bool, default=False)
    return parser.parse_args()

Model(parse_args()).train(["a.jpg"])
"""
#: A module whose `map` runs one element at a time.
SLOW = """\
import argparse
import tensorflow as tf

def parse(record):
    return tf.image.random_flip_left_right(tf.io.decode_jpeg(record))

parser = argparse.ArgumentParser()
parser.add_argument("--show-every", type=int, default=-1)
parser.add_argument("--seed", type=int)
parser.add_argument("--policy", default="none")
parser.add_argument("--mixed", action="store_true")
parser.add_argument("--train", action="store_true")
parser.add_argument("--kind", type=int, default=0)
parser.add_argument("--cached", type=bool, default=True)
args = parser.parse_args()
def shown():
    return tf.data.TFRecordDataset("a").map(parse).batch(8)
if {test}:
    model.fit(shown(), epochs=9)
"""


def told(folder: Path, code: str, files: dict[str, str]) -> list[tuple[str, str, str]]:
    """Severity, confidence and the option of the findings of a rule in a project."""
    for name, text in {".git/HEAD": "", **files}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    found = [one for report in lint_paths([folder], Settings(select=(code,))) for one in report.diagnostics]
    return [(one.severity, one.confidence, one.cost.partition("; only with ")[2]) for one in found]


def images(folder: Path, **files: str) -> list[tuple[str, str, str]]:
    modules = {"images.py": IMAGES, "model.py": MODEL, "main.py": MAIN}
    return told(folder, "TFD203", modules | {name.replace("_", "."): text for name, text in files.items()})


def test_an_error_is_a_likely_warning_that_names_the_option(tmp_path: Path) -> None:
    assert images(tmp_path) == [("warning", "likely", "`flip`, which is off by default")]


@pytest.mark.parametrize(
    "files",
    [
        {"README_md": "Run `python main.py --flip True`."},
        {"train_sh": "python main.py \\\n  --flip=1\n"},
        {"job_yaml": "flip: true\n"},
        {"main_py": MAIN.replace("False", "True")},
        {"main_py": MAIN.replace("\nModel(parse_args())", "args = parse_args()\nargs.flip = 1 > 0\nModel(args)")},
        {"other_py": "from images import Images\nImages(32, True)\n"},
        {"main_py": MAIN.replace("default=False", "default=FLIPS")},
    ],
)  # fmt: skip
def test_what_may_switch_it_on_leaves_the_error(tmp_path: Path, files: dict[str, str]) -> None:
    assert images(tmp_path, **files) == [("error", "proven", "")]


@pytest.mark.parametrize("text", ["--flip=false", "flip: false", "`--no-flip`", "flips=True"])
def test_what_leaves_it_off_says_nothing(tmp_path: Path, text: str) -> None:
    assert images(tmp_path, README_md=text)[0][0] == "warning"


@pytest.mark.parametrize(
    ("test", "option"),
    [
        ("args.show_every > 0", "show_every"),
        ("args.seed is not None", "seed"),
        ("args.policy != 'none'", "policy"),
        ("args.policy == 'flips'", "policy"),
        ("args.mixed", "mixed"),
        ("len(names) > 1 and args.mixed", "mixed"),
        ("args.mixed or args.seed is not None", "seed"),
        ("not (args.mixed and args.seed is None)", ""),
        ("args.mixed or len(names) > 1", ""),
        ("not args.mixed", ""),
        ("args.seed is None", ""),
        ("args.policy == 'none'", ""),
        ("args.seed != 0", ""),
        # What the program is run for, and one of several ways.
        ("args.train", ""),
        ("args.kind == 1", ""),
        ("not args.cached", ""),
    ],
)
def test_a_warning_about_time_is_advice(tmp_path: Path, test: str, option: str) -> None:
    ((severity, _, cost),) = told(tmp_path, "TFD102", {"slow.py": SLOW.format(test=test)})
    assert severity == ("advice" if option else "warning")
    assert cost == (f"`{option}`, which is off by default" if option else "")


SETTINGS = """\
import tensorflow as tf

def parse(record):
    return tf.image.random_flip_left_right(tf.io.decode_jpeg(record))

def inputs(params):
    seed = params.get("seed")
    is_fixed = seed is not None
    ds = tf.data.TFRecordDataset("a")
    return ds.map(parse).batch(8) if is_fixed else ds.batch(8)
"""


@pytest.mark.parametrize(
    ("files", "severity"),
    [
        ({}, "advice"),
        ({"small.json": '{"seed": null}'}, "advice"),
        ({"small.json": '{"seed": 0}'}, "warning"),
        ({"more.py": "from inputs import inputs\nparams['seed'] = chosen()\ninputs(params)\n"}, "warning"),
        # Others write the settings of a package.
        ({"__init__.py": "", "setup.py": ""}, "warning"),
    ],
)  # fmt: skip
def test_a_key_that_no_configuration_has_is_off(tmp_path: Path, files: dict[str, str], severity: str) -> None:
    files = {"train.py": "from inputs import inputs\ninputs(read())\n"} | files
    assert [one[0] for one in told(tmp_path, "TFD102", {"inputs.py": SETTINGS, **files})] == [severity]
