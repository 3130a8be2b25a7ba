"""Which TensorFlow a project declares, and what `--show-settings` says of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tfdata_lint.config.requirements import highest, lowest, tensorflow_of
from tfdata_lint.config.settings.model import keys
from tfdata_lint.config.settings.reading import Configuration
from tfdata_lint.config.target import NEWEST, Target
from tfdata_lint.pipeline.project.eras import target_of
from tfdata_lint.source.module import load

Project = Callable[[Mapping[str, str | bytes]], Path]


@pytest.fixture(autouse=True)
def _nothing_known() -> None:
    tensorflow_of.cache_clear()


def found(path: str = "train.py") -> str:
    target = Configuration().for_file(path).target_for(path)
    return f"{target} from {target.origin}" if target.is_declared else f"{target}, {target.origin}"


NOTHING = "2.21, assumed"


def poetry(lines: str) -> dict[str, str]:
    return {"pyproject.toml": f"[tool.poetry.dependencies]\n{lines}\n"}


def pep621(*requirements: str, more: str = "") -> dict[str, str]:
    return {"pyproject.toml": f"[project]\nname = 'x'\ndependencies = {json.dumps(requirements)}\n{more}"}


@pytest.mark.parametrize(
    ("specifier", "expected"),
    [
        (">=2.8,<3", (2, 8)),
        (">= 2.9.1 , != 2.10.0", (2, 9)),
        ("~=2.10", (2, 10)),
        ("==2.15.*", (2, 15)),
        ("===2.15.0+local", (2, 15)),
        (">2.4", (2, 4)),
        (">=2", (2, 0)),
        (">=2.16.0rc0", (2, 16)),
        ("(>=2.4)", (2, 4)),
        ("==2.15.0 --hash=sha256:0a1b2c", (2, 15)),
        ("^2.11", (2, 11)),
        ("~2.11.1", (2, 11)),
        ("2.11.1", (2, 11)),
        (">=2.8 <3", (2, 8)),
        ("^2.8 || ^3.0", (2, 8)),
        ("=2.10.0=gpu_py39h1", (2, 10)),
        (" 2.10.0 mkl_py39", (2, 10)),
        ("", None),
        ("*", None),
        ("<3", None),
        ("<2 || >=2.8", None),
    ],
)
def test_the_lowest_version_of_a_range(specifier: str, expected: tuple[int, int] | None) -> None:
    assert lowest(specifier) == expected


@pytest.mark.parametrize(
    ("specifier", "expected"),
    [
        ("<2", (1, 15)),
        ("<2.0", (1, 15)),
        ("<2.11", (2, 10)),
        ("<2.11.0rc0", (2, 10)),
        ("<2.16.1", (2, 16)),
        ("<=2.10", (2, 10)),
        ("!=2.4,<2.9,<=2.15", (2, 8)),
        ("<2 || <2.4", (2, 3)),
        ("<2 || >=2.8", None),
        ("<3", None),
        ("<=2.99", None),
        ("!=2.5", None),
        ("==2.10.*", (2, 10)),
        ("==2.21.0", (2, 21)),
        ("~=2.10", None),
        ("~=2.10.1", (2, 10)),
        ("~2.11", (2, 11)),
        ("2.8 || 2.11", (2, 11)),
        ("^2.8", None),
        (">=2.8,<3", None),
        ("", None),
    ],
)
def test_the_highest_version_of_a_range(specifier: str, expected: tuple[int, int] | None) -> None:
    assert highest(specifier) == expected


@pytest.mark.tensorflow
def test_nobody_runs_a_newer_one() -> None:
    import tensorflow

    assert Target.parse(tensorflow.__version__, "installed").version <= NEWEST


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (pep621("numpy", "tensorflow[and-cuda]>=2.8,<2.12"), "2.8 from pyproject.toml, project.dependencies"),
        (
            pep621("TensorFlow>=2.16; python_version >= '3.12'", "tensorflow>=2.9; python_version < '3.12'"),
            "2.21, assumed: pyproject.toml, project.dependencies allows 2.9 and later",
        ),
        (
            pep621(more="[project.optional-dependencies]\ntf = ['tensorflow-cpu==2.6']"),
            "2.6 from pyproject.toml, project.optional-dependencies.tf",
        ),
        (
            pep621(more="[dependency-groups]\ntest = [{include-group = 'x'}, 'tensorflow==2.12.0']"),
            "2.12 from pyproject.toml, dependency-groups.test",
        ),
        (
            pep621(more="[tool.pdm.dev-dependencies]\ntest = ['tensorflow==2.7']"),
            "2.7 from pyproject.toml, tool.pdm.dev-dependencies.test",
        ),
        (poetry('tensorflow = "~2.11"'), "2.11 from pyproject.toml, tool.poetry.dependencies"),
        (
            poetry('tensorflow = {version = "2.13", extras = ["and-cuda"], optional = true}'),
            "2.13 from pyproject.toml, tool.poetry.dependencies",
        ),
        (
            poetry('tensorflow = [{version = "2.15"}, {version = "2.13", platform = "darwin"}]'),
            "2.13 from pyproject.toml, tool.poetry.dependencies",
        ),
        (
            poetry('tensorflow = {git = "https://example.org/tf.git"}'),
            "2.21, assumed: pyproject.toml, tool.poetry.dependencies names no version",
        ),
        (
            {"pyproject.toml": '[tool.poetry.group.dev.dependencies]\ntensorflow = "2.14"'},
            "2.14 from pyproject.toml, tool.poetry.group.dev.dependencies",
        ),
        (
            {"setup.cfg": "[options]\ninstall_requires =\n    numpy\n    tensorflow==2.3\n"},
            "2.3 from setup.cfg, install_requires",
        ),
        ({"setup.cfg": "[options.extras_require]\ntf =\n    tensorflow==2.3\n"}, "2.3 from setup.cfg, tf"),
        ({"requirements.txt": "tensorflow-gpu\n"}, "2.11 from requirements.txt:1"),
        ({"requirements.in": "numpy\ntensorflow==2.1.0\n"}, "2.1 from requirements.in:2"),
        ({"setup.py": "setup(install_requires=['numpy',\n  'tensorflow-gpu==2.7.0'])\n"}, "2.7 from setup.py:2"),
        ({"setup.py": "NEEDS = BASE + ['tensorflow==2.4']\nsetup(install_requires=NEEDS)\n"}, "2.4 from setup.py:1"),
        (
            {"setup.py": "r = {'install': ['tensorflow==2.5']}\ni = r['install']\nsetup(install_requires=i)\n"},
            "2.5 from setup.py:1",
        ),
        ({"setup.py": "setup(extras_require={'tf': ['tensorflow==2.6']})\n"}, "2.6 from setup.py:1"),
        ({"setup.py": "setup(extras_require={'tests': ['tensorflow==2.6']})\n"}, NOTHING),
        ({"setup.cfg": "[options.extras_require]\ntest =\n    tensorflow==2.3\n"}, NOTHING),
        ({"pyproject.toml": "[project.optional-dependencies]\ntesting = ['tensorflow>=2.3']\n"}, NOTHING),
        ({"setup.py": "setup(keywords=['tensorflow==2.6'])\n"}, NOTHING),
        (
            {
                "setup.py": "def main():\n    tf = ['tensorflow == 1.15.4']\n    a = ['numpy']\n    a = a + tf\n"
                "    setup(install_requires=a)\n"
            },
            "1.15 from setup.py:2",
        ),
        ({"setup.py": "i = []\ni.append('tensorflow==2.3')\nsetup(install_requires=i)\n"}, "2.3 from setup.py:2"),
        ({"DockerFile": "FROM tensorflow/tensorflow:2.3.0-gpu"}, "2.3 from DockerFile:1"),
        ({"readme.md": "pip install tensorflow==2.2.0"}, "2.2 from readme.md:1"),
        ({"README.md": "# Requirements\n\n- Python 3.7\n- TensorFlow 2.0.0\n"}, "2.0 from README.md:4"),
        ({"README.md": "```\ntensorflow==2.3.1\n```\n"}, "2.3 from README.md:2"),
        ({"README.md": "* `tensorflow-gpu` 2.1\n"}, "2.1 from README.md:1"),
        ({"Dockerfile": "# tensorflow/tensorflow:1.3\nFROM tensorflow/tensorflow:2.8.0-gpu"}, "2.8 from Dockerfile:2"),
        (
            {"Dockerfile.gpu": "ARG BASE=nvcr.io/nvidia/tensorflow:20.06-tf1-py3\nFROM ${BASE}\n"},
            "1.15 from Dockerfile.gpu:1",
        ),
        ({"Dockerfile": "FROM tensorflow/tensorflow:latest\n"}, NOTHING),
        (
            {"Dockerfile": "FROM tensorflow/tensorflow:2.8.0\n", "requirements.txt": "tensorflow==2.9"},
            "2.9 from requirements.txt:1",
        ),
        ({"requirements.txt": "# ours\nnumpy\ntensorflow-intel==2.9 # why\n"}, "2.9 from requirements.txt:3"),
        (
            {"requirements.txt": "tensorflow==2.12.1\n", "requirements-gpu.txt": "tensorflow-gpu==2.11.0\n"},
            "2.11 from requirements-gpu.txt:1",
        ),
        (
            {
                "requirements-dev.txt": "-r ci/base.txt\n-r requirements-dev.txt\n",
                "ci/base.txt": "--requirement=../requirements-dev.txt\n-c pins.txt\ntensorflow\n",
                "ci/pins.txt": "tensorflow==2.17\n",
            },
            "2.17 from ci/pins.txt:1",
        ),
        ({"requirements/base.txt": "tensorflow==2.2\n"}, "2.2 from requirements/base.txt:1"),
        ({"requirements.txt": "tensorflow==2.10.1\r\n".encode("utf-16")}, "2.10 from requirements.txt:1"),
        ({"requirements.txt": "tensorflow-datasets==4.9\ntensorflow_text>=2.8\nkeras==3.1\n"}, NOTHING),
        ({"requirements.txt": "tensorflow\n"}, "2.21, assumed: requirements.txt:1 names no version"),
        ({"requirements.txt": "numpy\ntensorflow<3\n"}, "2.21, assumed: requirements.txt:2 names no version"),
        ({"requirements.txt": "tensorflow<2\n"}, "1.15 from requirements.txt:1"),
        (pep621("tensorflow<2.11,!=2.9"), "2.10 from pyproject.toml, project.dependencies"),
        ({"environment.yml": "dependencies:\n- tensorflow\n"}, "2.21, assumed: environment.yml:2 names no version"),
        (
            {"requirements.txt": "tensorflow @ https://example.org/tensorflow-2.15.0.whl\n"},
            "2.21, assumed: requirements.txt:1 names no version",
        ),
        ({"requirements.txt": "tf-nightly\n"}, "2.21 from requirements.txt:1"),
        ({"requirements.txt": "tf_nightly>=2.12.0.dev1\n"}, "2.21 from requirements.txt:1"),
        (
            {"requirements.txt": "tensorflow\n", "requirements-nightly.txt": "tf-nightly\n"},
            "2.21, assumed: requirements.txt:1 names no version",
        ),
        (
            {"environment.yml": "name: x\ndependencies:\n  - python=3.9\n  - tensorflow=2.10\n"},
            "2.10 from environment.yml:4",
        ),
        (
            {"environment.yaml": 'dependencies:\n- pip\n- pip:\n    - "tensorflow-cpu==2.9.1"\n'},
            "2.9 from environment.yaml:4",
        ),
        (
            {"environment-gpu.yml": "dependencies: \n- conda-forge::tensorflow-gpu>=2.4\n"},
            "2.4 from environment-gpu.yml:2",
        ),
        ({"gym.yml": "dependencies:\n- tensorflow=2.4\n", "ci.yml": "run:\n- tensorflow=2.3"}, "2.4 from gym.yml:2"),
        (
            {"conda.yml": "dependencies:\n- tensorflow=2.1\n", "requirements.txt": "tensorflow==2.11\n"},
            "2.11 from requirements.txt:1",
        ),
        ({f"{name}.yml": "dependencies:\n- tensorflow=2.4\n" for name in "abcdefghi"}, NOTHING),
        (
            {"pyproject.toml": "[tool.pixi.pypi-dependencies]\ntensorflow = '==2.12.1'\n"},
            "2.12 from pyproject.toml, tool.pixi.pypi-dependencies",
        ),
        (
            {"pixi.toml": "[dependencies]\npython = '3.9.*'\n[feature.gpu.dependencies]\ntensorflow = '2.8.*'\n"},
            "2.8 from pixi.toml, feature.gpu.dependencies",
        ),
        (
            {"uv.lock": '[[package]]\nname = "tensorflow"\nversion = "2.17.1"\nsource = {}\n'},
            "2.17 from uv.lock",
        ),
        (
            {"poetry.lock": '[[package]]\r\nname = "tensorflow"\r\noptional = false\r\nversion = "2.11.0"\r\n'},
            "2.11 from poetry.lock",
        ),
        (
            {"pdm.lock": '[[package]]\nname = "keras"\nversion = "3.1"\n\n[[package]]\nname = "tensorflow-intel"\n'
             'version = "2.16.1"\n'},
            "2.16 from pdm.lock",
        ),
        (
            {"Pipfile.lock": json.dumps({"default": {"tensorflow": {"hashes": [], "version": "==2.8.4"}}}, indent=4)},
            "2.8 from Pipfile.lock",
        ),
        (
            {"uv.lock": '[[package]]\nname = "x"\ndependencies = [\n { name = "tensorflow" },\n]\nversion = "1.0"\n'},
            NOTHING,
        ),
        (
            {"requirements.txt": "", ".venv/lib/python3.11/site-packages/tensorflow_cpu-2.3.0.dist-info/METADATA": ""},
            NOTHING,
        ),
    ],
)  # fmt: skip
def test_each_way_of_declaring_it(files: dict[str, str | bytes], expected: str, project: Project) -> None:
    project(files)
    assert found() == expected


class TestWhichOneCounts:
    LOCK: Mapping[str, str] = {"uv.lock": '[[package]]\nname = "tensorflow"\nversion = "2.17.1"\n'}
    GROUP = "[dependency-groups]\ndev = ['tensorflow==2.12']\n"

    def test_a_range_is_a_promise_and_wins_over_the_lock_file(self, project: Project) -> None:
        project({**pep621("tensorflow>=2.8,<2.18"), **self.LOCK})
        assert found().startswith("2.8 from pyproject.toml")

    @pytest.mark.parametrize(
        ("more", "version"),
        [
            ({}, "2.21, assumed: pyproject.toml, project.dependencies allows 2.3 and later"),
            (LOCK, "2.17 from uv.lock"),
            ({"Dockerfile": "FROM tensorflow/tensorflow:2.9.1\n"}, "2.9 from Dockerfile:1"),
            ({"requirements.txt": "tensorflow==2.15"}, "2.15 from requirements.txt:1"),
        ],
    )
    def test_one_that_is_open_upwards_only_says_what_fixes_may_use(
        self, more: Mapping[str, str], version: str, project: Project
    ) -> None:
        project({**pep621("tensorflow>=2.3.1"), **more})
        assert found() == version
        target = Configuration().for_file("train.py").target_for("train.py")
        assert (target.lacks(2, 4), target.lacks(2, 3)) == (True, False)

    def test_without_a_lower_bound_the_lock_file_tells(self, project: Project) -> None:
        project({**pep621("tensorflow<3", more=self.GROUP), **self.LOCK})
        assert found() == "2.17 from uv.lock"

    def test_a_group_counts_when_the_package_itself_does_not_need_it(self, project: Project) -> None:
        project({**pep621("numpy", more=self.GROUP), **self.LOCK})
        assert found() == "2.12 from pyproject.toml, dependency-groups.dev"

    def test_what_the_package_needs_wins_over_requirement_files(self, project: Project) -> None:
        project({**pep621("tensorflow~=2.8.1"), "requirements.txt": "tensorflow==2.15"})
        assert found().startswith("2.8 from pyproject.toml")

    def test_the_nearest_folder_that_tells(self, project: Project) -> None:
        project(
            {
                "requirements.txt": "tensorflow==2.8",
                "lib/pyproject.toml": "[tool.other]\n",
                "lib/sub/train.py": "",
                "apps/new/requirements.txt": "tensorflow==2.18",
            }
        )
        assert found("lib/sub/train.py") == "2.8 from requirements.txt:1"
        assert found("apps/new/train.py") == "2.18 from apps/new/requirements.txt:1"

    def test_what_the_readme_installs_where_nothing_else_tells(self, project: Project) -> None:
        readme = "Run\n\n    pip3 install --user tensorflow-gpu==2.2.0\n"
        project({"README.md": readme, "new/README.md": readme, "new/requirements.txt": "tensorflow==2.18"})
        assert found() == "2.2 from README.md:3"
        assert found("new/train.py") == "2.18 from new/requirements.txt:1"

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("We use Tensorflow (version: 1.4) to train.", (1, 4)),
            ("Works with TensorFlow 2.2 and TensorFlow 1.15.", (2, 2)),
            ('gcloud ml-engine jobs submit training --runtime-version="1.10"', (1, 10)),
            ("TensorFlow models", None),
        ],
    )
    def test_what_a_readme_speaks_of_bounds_the_names(
        self, text: str, expected: tuple[int, int] | None, project: Project
    ) -> None:
        project({".git/HEAD": "", "deep/README.md": text, "deep/src/input.py": ""})
        target = Configuration().for_file("deep/src/input.py").target_for("deep/src/input.py")
        assert (target.version, target.mentioned, target.oldest) == (NEWEST, expected, None)
        assert target.lacks(2, 4) == (expected is not None)

    def test_images_in_a_folder_for_docker(self, project: Project) -> None:
        image = "FROM 763104351884.dkr.ecr.us-east-1.amazonaws.com/tensorflow-training:2.2.0-gpu-py37-ubuntu18.04\n"
        project({".git/HEAD": "", "models/docker/Dockerfile.ec2": image, "models/src/train.py": ""})
        assert found("models/src/train.py") == "2.2 from models/docker/Dockerfile.ec2:1"

    def test_parts_of_a_project_bound_the_names_that_it_may_use(self, project: Project) -> None:
        project(
            {".git/HEAD": "", "jax/requirements.txt": "tensorflow-cpu==2.2.0", "tf/requirements.txt": "tensorflow==2.4"}
        )
        target = Configuration().for_file("input.py").target_for("input.py")
        assert str(target) == "2.21"
        assert target.origin == "assumed: jax/requirements.txt:1 asks for 2.2"
        assert target.lacks(2, 4)

    def test_never_above_the_repository(self, project: Project) -> None:
        project({"requirements.txt": "tensorflow==2.8", "clone/.git/HEAD": "", "clone/src/train.py": ""})
        assert found("clone/src/train.py") == NOTHING

    def test_never_above_the_home_folder(self, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        root = project({"requirements.txt": "tensorflow==2.8", "me/code/train.py": ""})
        monkeypatch.setenv("HOME", str(root / "me"))
        monkeypatch.setenv("USERPROFILE", str(root / "me"))
        assert found("me/code/train.py") == NOTHING

    def test_requirement_files_are_not_followed_out_of_the_folder(self, project: Project) -> None:
        project({"a/.git": "", "a/requirements.txt": "-r ../base.txt", "base.txt": "tensorflow==2.8"})
        assert found("a/train.py") == NOTHING

    def test_the_nearest_that_names_it_ends_the_search(self, project: Project) -> None:
        project(
            {"requirements.txt": "tensorflow==2.8", "new/pyproject.toml": "[project]\ndependencies = ['tensorflow']"}
        )
        assert found("new/train.py") == "2.21, assumed: new/pyproject.toml, project.dependencies names no version"

    @pytest.mark.parametrize("variable", ["VIRTUAL_ENV", "CONDA_PREFIX"])
    def test_what_is_installed_tells_nothing(
        self, variable: str, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        info = "lib/python3.12/site-packages/tensorflow-2.3.0.dist-info"
        root = project({f"env/{info}/METADATA": "", f".venv/{info}/METADATA": "", "requirements.txt": "numpy"})
        monkeypatch.setenv(variable, str(root / "env"))
        assert found() == NOTHING

    @pytest.mark.parametrize(
        "broken",
        [
            {"pyproject.toml": "[project\ntensorflow"},
            {"pyproject.toml": "[project]\ndependencies = 'tensorflow>=2.4'\n[tool]\npoetry = 3\n"},
            {"setup.cfg": "install_requires = tensorflow>=2.4\n"},
            {"setup.py": "print 'tensorflow'\n"},
            {"setup.py": "a = a + ['tensorflow']\nsetup(install_requires=a)\n"},
            {"uv.lock": b"\xff\x00tensorflow"},
            {"environment.yml/inner": ""},
        ],
    )
    def test_what_cannot_be_read_is_passed_over(self, broken: dict[str, str | bytes], project: Project) -> None:
        project({**broken, "requirements.txt": "tensorflow==2.9\n"})
        assert found() == "2.9 from requirements.txt:1"

    def test_settings_win(self, project: Project) -> None:
        project({"tfdata-lint.toml": 'target-tensorflow = "2.4"\n', "requirements.txt": "tensorflow==2.9\n"})
        assert found() == "2.4 from tfdata-lint.toml"

    def test_isolated_looks_at_nothing(self, project: Project) -> None:
        project({"requirements.txt": "tensorflow==2.9\n"})
        assert Configuration(isolated=True).for_file("train.py").target_for("train.py") == Target()


def notebook(*cells: str) -> bytes:
    return json.dumps(
        {"nbformat": 4, "cells": [{"cell_type": "code", "metadata": {}, "source": cell} for cell in cells]}
    ).encode()


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("!pip install -q tensorflow==2.3.0 matplotlib", (2, 3)),
        ("%pip install 'tensorflow >= 2.0, < 2.5'", (2, 4)),
        ("!pip freeze | grep tensorflow==2.1 || pip install tensorflow==2.1", (2, 1)),
        ("!python3 -m pip install --user tensorflow-gpu==2.0.0-beta1", (2, 0)),
        ("%%bash\npip install tensorflow==1.15.2", (1, 15)),
        ("!pip install tensorflow~=2.6.1", (2, 6)),
        ("%%writefile Dockerfile\nFROM gcr.io/deeplearning-platform-release/tf2-cpu.2-3", (2, 3)),
        ('image = "us-docker.pkg.dev/vertex-ai/training/tf-gpu.2-8:latest"', (2, 8)),
        ("%%bash\ngcloud ai-platform jobs submit training x --runtime-version=2.1", (2, 1)),
        ("%%writefile Dockerfile\nFROM tensorflow/tensorflow:2.9.1-gpu", (2, 9)),
        ("!pip install tensorflow==2.4\n!pip install tensorflow==2.2", (2, 2)),
        ("!pip install tensorflow", None),
        ("!pip install 'tensorflow>=2.0'", None),
        ("!pip install tensorflow~=2.6", None),
        ("!pip install tensorflow=={version}", None),
        ("!pip install tensorflow-datasets==4.0.1", None),
        ("# !pip install tensorflow==2.3", None),
        ('serving = "us-docker.pkg.dev/vertex-ai/prediction/tf2-cpu.2-3:latest"', None),
        ("gcloud_version = 'tf2-gpu.2-99999'", None),
    ],
)
def test_a_notebook_names_its_own(cell: str, expected: tuple[int, int] | None, project: Project) -> None:
    path = "a.ipynb"
    project({path: notebook(cell), "requirements.txt": "tensorflow==2.7\n"})
    target = Configuration().for_file(path).target_for(path, load(Path(path).read_bytes(), path))
    assert target.version == (expected or (2, 7))
    assert (target.origin == "cell 1") is (expected is not None)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("tf.config.gpu.set_per_process_memory_growth(True)", (2, 0)),
        ("# tf.config.gpu.set_per_process_memory_growth(True)", (2, 7)),
        ("tf.config.experimental.set_memory_growth(gpu, True)", (2, 7)),
    ],
)
def test_a_name_that_only_one_version_had(row: str, expected: tuple[int, int], project: Project) -> None:
    project({"a.py": f"import tensorflow as tf\n{row}\n", "requirements.txt": "tensorflow==2.7\n"})
    target = Configuration().for_file("a.py").target_for("a.py", load(Path("a.py").read_bytes(), "a.py"))
    assert target.version == expected


@pytest.mark.parametrize(
    ("dependencies", "expected"),
    [
        ('["tensorflow==2.9.*"]', (2, 9)),
        ('["numpy", "tensorflow<2.11"]', (2, 10)),
        ('["tensorflow"]', NEWEST),
        ('"tensorflow==2.9"', NEWEST),
        ("[", NEWEST),
    ],
)
def test_a_script_names_its_own(dependencies: str, expected: tuple[int, int], project: Project) -> None:
    project({"requirements.txt": "tensorflow==2.21"})
    text = f"# /// script\n# dependencies = {dependencies}\n# ///\nimport tensorflow as tf\n"
    assert Configuration().for_file("a.py").target_for("a.py", load(text.encode(), "a.py")).version == expected


def run_before(source: str, *output: object, python: str = "") -> bytes:
    """A notebook with what its cell has shown, and the Python of its kernel."""
    outputs = [{"output_type": "stream", "text": one} for one in output]
    cell = {"cell_type": "code", "metadata": {}, "source": source, "outputs": outputs}
    language = {"language_info": {"name": "python", "version": python}} if python else {}
    return json.dumps({"nbformat": 4, "cells": [cell], "metadata": language}).encode()


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        (run_before("print(tf.__version__)", "2.4.1\n"), (2, 4)),
        (run_before("print(np.__version__, tf.version.VERSION)", ["1.19.5 ", "2.4.0-rc1\n"]), (2, 4)),
        (run_before("!pip install x", "Collecting x\n", "Successfully installed x-1 tensorflow-2.3.1\n"), (2, 3)),
        (run_before("!pip install x", "  Downloading https://a/b/tensorflow_cpu-2.5.0-cp38-none-linux.whl\n"), (2, 5)),
        (run_before("!pip install x", "Requirement already satisfied: tensorflow>=2 in /a (from x) (2.8.2)\n"), (2, 8)),
        (run_before("!pip show tensorflow", "Name: tensorflow-gpu\nVersion: 2.3.0\n"), (2, 3)),
        (run_before("!pip freeze", "numpy==1.13.1\ntensorflow==2.3.0\ntensorflow-datasets==2.1.0\n"), (2, 3)),
        (run_before("!pip list", "numpy       1.13.1\ntensorflow  2.3.0\n"), (2, 3)),
        (run_before("", python="3.6.9"), (2, 6)),
        (run_before("", python="3.7.9"), (2, 11)),
        (run_before("", python="3.9.1"), (2, 20)),
        (run_before("print(tf.__version__)", "2.4.1\n", python="3.8.5"), (2, 4)),
        # More or fewer than were asked for: which is which?
        (run_before("print(tf.__version__)", "numpy 1.13.1, 2.4.1\n"), None),
        (run_before("print(np.__version__)", "1.13.1\n"), None),
        (run_before("!pip install x", "Successfully installed tensorflow-datasets-4.2.0 tensorflow_hub-0.1.1\n"), None),
        (run_before("!pip uninstall -y tensorflow", "  Successfully uninstalled tensorflow-1.15.0\n"), None),
        (run_before("", python="3.12.3"), None),
    ],
)  # fmt: skip
def test_a_notebook_shows_what_it_was_last_run_with(
    cell: bytes, expected: tuple[int, int] | None, project: Project
) -> None:
    def target(**more: str) -> Target:
        project({"a.ipynb": cell, **more})
        tensorflow_of.cache_clear()
        return Configuration().for_file("a.ipynb").target_for("a.ipynb", load(cell, "a.ipynb"))

    assert (target().version, target().is_declared) == (expected or NEWEST, False)
    # What the project declares counts, but fixes use no name that the notebook may lack.
    declared = target(**{"tfdata-lint.toml": "", "requirements.txt": "tensorflow==2.21"})
    assert (declared.version, declared.is_declared, declared.lacks(2, 21)) == (NEWEST, True, expected is not None)
    assert target(**{"tfdata-lint.toml": "target-tensorflow = '2.15'"}).lacks(2, 15) is False


def test_what_a_notebook_uses_is_there(project: Project) -> None:
    for text, expected in (("tf.data.AUTOTUNE", False), ("tf.data.experimental.AUTOTUNE", True)):
        source = load(run_before(text, python="3.7.9"), "a.ipynb")
        assert Configuration().for_file("a.ipynb").target_for("a.ipynb", source).lacks(2, 4) is expected


def test_the_settings_come_before_what_a_notebook_names(project: Project) -> None:
    project({"a.ipynb": notebook("!pip install tensorflow==2.3"), "tfdata-lint.toml": "target-tensorflow = '2.15'\n"})
    source = load(Path("a.ipynb").read_bytes(), "a.ipynb")
    assert Configuration().for_file("a.ipynb").target_for("a.ipynb", source).version == (2, 15)


def test_what_a_notebook_names_holds_for_the_modules_that_it_writes(run: Callable[..., Any], project: Project) -> None:
    module = """%%writefile task.py
import tensorflow as tf

def train(model, paths):
    ds = tf.data.TFRecordDataset(paths).map(tf.io.decode_jpeg).batch(32)
    model.fit(ds, epochs=3)
"""

    def severities(*cells: str) -> set[str]:
        project({"a.ipynb": notebook(module, *cells)})
        found = json.loads(run("check", "--output-format", "json", "a.ipynb").out)
        return {diagnostic["severity"] for diagnostic in found if diagnostic["code"] == "TFD102"}

    assert severities("%%writefile Dockerfile\nFROM gcr.io/x/tf2-cpu.2-3") == {"warning"}
    assert severities() == {"advice"}


def test_findings_depend_on_it(run: Callable[..., Any], project: Project) -> None:
    project(
        {
            "old/requirements.txt": "tensorflow==2.3.0\n",
            "old/train.py": (code := "import tensorflow as tf\ncalls = tf.data.experimental.AUTOTUNE\n"),
            "new/requirements.txt": "tensorflow==2.15.0\n",
            "new/train.py": code,
        }
    )
    lines = run("check", "--output-format", "concise").out.splitlines()
    assert [line.split(":")[0].replace("\\", "/") for line in lines if "TFD701" in line] == ["new/train.py"]


class TestShowSettings:
    FILES: Mapping[str, str] = {
        "pyproject.toml": '[tool.tfdata-lint]\nignore = ["TFD101"]\n\n'
        '[tool.tfdata-lint.per-file-ignores]\n"tests/**" = ["TFD1"]\n',
        "requirements.txt": "tensorflow==2.9\n",
        "train.py": "",
    }

    def test_every_key_with_its_value_and_origin(self, run: Callable[..., Any], project: Project) -> None:
        project(self.FILES)
        done = run("check", "--show-settings", "train.py", "--ignore", "TFD2", "--no-respect-gitignore")
        assert done.code == 0
        lines = done.out.splitlines()
        assert [line for line in lines if line.startswith(("ign", "per", "force", "respect", "fixable", "target"))] == [
            'ignore               pyproject.toml:2        ["TFD101"]',
            'ignore               --ignore                ["TFD2"]',
            'per-file-ignores     pyproject.toml:4        {"tests/**" = ["TFD1"]}',
            "force-exclude        default                 false",
            "respect-gitignore    --no-respect-gitignore  false",
            'fixable              default                 ["ALL"]',
            'target-tensorflow    requirements.txt:1      "2.9"',
        ]
        assert [line.split()[0] for line in lines if "--" not in line.split()[1]] == [
            name for name in keys() if name != "respect-gitignore"
        ]

    def test_as_json(self, run: Callable[..., Any], project: Project) -> None:
        project(self.FILES)
        rows = json.loads(run("check", "--show-settings", "--output-format", "json").out)
        assert {"key": "ignore", "value": ["TFD101"], "origin": "pyproject.toml:2"} in rows
        assert {"key": "target-tensorflow", "value": "2.9", "origin": "requirements.txt:1"} in rows
        assert {"key": "output-format", "value": "json", "origin": "--output-format"} in rows
        assert {row["key"] for row in rows} == set(keys())

    def test_options_win(self, run: Callable[..., Any], project: Project) -> None:
        project(self.FILES)
        done = run("check", "--show-settings", "--target-tensorflow", "2.15", "--isolated")
        assert 'target-tensorflow    --target-tensorflow  "2.15"' in done.out
        assert "ignore               default              []" in done.out

    def test_what_holds_for_a_whole_run_is_that_of_the_working_directory(
        self, run: Callable[..., Any], project: Project
    ) -> None:
        project({"tfdata-lint.toml": "\n", "sub/tfdata-lint.toml": 'fail-level = "error"\nforce-exclude = true\n'})
        out = run("check", "--show-settings", "sub").out
        assert 'fail-level           default                 "warning"' in out
        assert "force-exclude        sub/tfdata-lint.toml:2  true" in out

    def test_mistakes_are_told(self, run: Callable[..., Any], project: Project) -> None:
        project({"tfdata-lint.toml": "wrong = 1\n"})
        done = run("check", "--show-settings")
        assert done.code == 2
        assert "unknown key `wrong`" in done.err
        assert run("check", "--show-settings", "a.py", "b.py").err == (
            "tfdata-lint: error: --show-settings takes exactly one path\n"
        )


TF = "import tensorflow as tf\n"
V1 = "import tensorflow.compat.v1 as tf\n"


class TestTheCodeDecides:
    """Where nothing is declared."""

    @pytest.mark.parametrize(
        "code",
        [
            TF + "session = tf.Session()\n",
            TF + "def f():\n    with tf.InteractiveSession() as s: pass\n",
            TF + "with tf.train.MonitoredTrainingSession() as s: pass\n",
            TF + "x = tf.placeholder(tf.float32)\n",
            TF + "x = tf.sparse_placeholder(tf.float32)\n",
            TF + "x = tf.placeholder_with_default(1, [])\n",
            TF + "f = tf.contrib.data.unbatch\n",
            "import tensorflow\nf = tensorflow.contrib.layers.fully_connected\n",
            TF + "from tensorflow.contrib import layers\n",
            "import tensorflow.contrib.slim as slim\n",
            "from tensorflow import contrib\n",
            "from tensorflow import Session, placeholder\n",
            TF + "it = tf.data.Dataset.range(3).make_one_shot_iterator()\n",
            TF + "def f(ds):\n    return ds.make_initializable_iterator()\n",
            TF + "it = tf.data.make_one_shot_iterator(tf.data.Dataset.range(3))\n",
            TF + "tf.enable_eager_execution()\n",
            TF + "if __name__ == '__main__':\n    tf.app.run()\n",
            TF + "files = tf.gfile.Glob('*.tfrecord')\n",
            TF + "features = {'id': tf.FixedLenFeature([], tf.string)}\n",
            TF + "def f(x):\n    return tf.parse_single_example(x, {})\n",
            TF + "tf.logging.info(tf.string_split(['a']))\nfor x in ds.take(1):\n    print(x.numpy())\n",
            TF + "tf.enable_eager_execution()\nfor x in ds.take(1):\n    print(x.numpy())\n",
            TF + "x = tf.string_split(['a'])\nmodel = tf.keras.Model()\nmodel.fit(ds, steps_per_epoch=3)\n",
        ],
    )
    def test_idioms_of_tensorflow_1(self, code: str) -> None:
        target = target_of(load(code.encode(), "a.py"), Target())
        assert (target.version, target.is_declared) == ((1, 15), False)

    @pytest.mark.parametrize(
        "code",
        [
            TF + "ds = tf.data.Dataset.range(3)\n",
            TF + "# tf.Session, tf.placeholder\nx = 'tf.contrib'\n",
            V1 + "session = tf.Session()\nx = tf.placeholder(tf.float32)\n",
            V1 + "it = tf.data.Dataset.range(3).make_one_shot_iterator()\n",
            "from tensorflow.compat import v1 as tf\nsession = tf.Session()\n",
            TF + "session = tf.compat.v1.Session()\nx = tf.compat.v1.placeholder(tf.float32)\n",
            TF + "it = tf.compat.v1.data.make_one_shot_iterator(ds)\n",
            TF + "tf = tf.compat.v1\nsession = tf.Session()\n",
            f"try:\n    {V1}except ImportError:\n    {TF}tf.Session()\n",
            TF + "def f(tf):\n    return tf.Session()\n",
            TF + "if tf.__version__ < '2':\n    session = tf.Session()\n",
            TF + "try:\n    f = tf.contrib.data.unbatch\nexcept AttributeError:\n    f = None\n",
            TF + "import requests\nsession = requests.Session()\n",
            "import onnx.placeholder\nfrom sqlalchemy.orm import Session\nsession = Session()\n",
            TF + "make_one_shot_iterator = 1\n",
            V1 + "files = tf.gfile.Glob('*.tfrecord')\n",
            TF + "files = tf.io.gfile.glob('*.tfrecord')\n",
            TF + "x = tf.to_float(1)\nds = tf.data.Dataset.range(3).prefetch(tf.data.AUTOTUNE)\n",
            TF + "x = tf.string_split(['a'])\nfor x in ds.take(1):\n    print(x)\n",
            TF + "x = tf.string_split(['a'])\nprint(x.numpy())\n",
            TF + "x = tf.string_split(['a'])\n@tf.function\ndef step(x):\n    pass\n",
            TF + "x = tf.string_split(['a'])\nmodel = tf.keras.Model()\nmodel.fit(ds, epochs=3)\n",
            "import tensorflow as t\nx = t.string_split(['a'])\nwith t.GradientTape() as tape:\n    pass\n",
            TF + "try:\n    gfile = tf.gfile\nexcept AttributeError:\n    gfile = tf.io.gfile\n",
            TF + "flags = tf.compat.v1.flags if hasattr(tf, 'compat') else tf.flags\n",
            TF + "import tensorflow.keras as keras\nlayer = keras.layers.Dense(3)\n",
            "x = (\n",
        ],
    )
    def test_everything_else_means_the_newest(self, code: str) -> None:
        target = target_of(load(code.encode(), "a.py"), Target())
        assert (target.version, target.is_declared) == (NEWEST, False)

    def test_what_is_declared_wins(self) -> None:
        declared = Target.parse("2.4", "test")
        assert target_of(load((TF + "tf.Session()\n").encode(), "a.py"), declared).version == (2, 4)

    @pytest.mark.parametrize(("oldest", "expected"), [((1, 12), (1, 15)), ((2, 0), NEWEST)])
    def test_a_range_that_begins_at_2_is_not_for_1(self, oldest: tuple[int, int], expected: tuple[int, int]) -> None:
        target = target_of(load((TF + "tf.Session()\n").encode(), "a.py"), Target(oldest=oldest))
        assert (target.version, target.oldest) == (expected, oldest)

    def test_settings_show_it(self, run: Callable[..., Any], project: Project) -> None:
        project({"old.py": TF + "tf.Session()\n", "new.py": TF, "requirements.txt": "tensorflow\n"})
        rows = json.loads(run("check", "--show-settings", "old.py", "--output-format", "json").out)
        row = {"key": "target-tensorflow", "value": "1.15", "origin": "assumed, because the code uses TensorFlow 1"}
        assert row in rows
        for path in "new.py", ".":
            rows = json.loads(run("check", "--show-settings", path, "--output-format", "json").out)
            origin = "assumed: requirements.txt:1 names no version"
            assert {"key": "target-tensorflow", "value": "2.21", "origin": origin} in rows


class TestTheRunSaysWhatItAssumed:
    NEW = (
        "import tensorflow as tf\n\n\ndef train(model, files):\n"
        "    model.fit(tf.data.TFRecordDataset(files, num_parallel_reads=4).shuffle(1000).batch(32))\n"
    )
    OLD = NEW + "    tf.Session()\n"

    @pytest.mark.parametrize(
        ("files", "line"),
        [
            (
                {"a.py": NEW, "b.py": NEW},
                "Assumed TensorFlow 2.21, because no version is declared: 2 pieces of advice would have severity"
                " warning on an older one (set `target-tensorflow`).",
            ),
            (
                {"a.py": NEW, "b.py": OLD},
                "Assumed TensorFlow 2.21 and 1.15, because no version is declared: 1 piece of advice would have"
                " severity warning on an older one, 1 warning would have severity advice on a newer one"
                " (set `target-tensorflow`).",
            ),
            ({"a.py": NEW, "requirements.txt": "tensorflow==2.15"}, ""),
            ({"a.py": NEW, "tfdata-lint.toml": 'target-tensorflow = "2.4"'}, ""),
            ({"a.py": "import tensorflow as tf\ntf.data.Dataset.range(9).batch(2)\n"}, ""),
        ],
    )
    @pytest.mark.parametrize("form", ["full", "concise"])
    def test_in_one_line(
        self, form: str, files: dict[str, str], line: str, run: Callable[..., Any], project: Project
    ) -> None:
        project(files)
        # The second time from the cache.
        for _ in range(2):
            lines = run("check", "--advice", "--output-format", form).out.splitlines()
            assert [found for found in lines if "Assumed" in found] == [line] * bool(line)

    def test_names_that_this_tensorflow_has(self, run: Callable[..., Any], project: Project) -> None:
        project({"a.py": self.OLD, "b.py": self.NEW})
        found = json.loads(run("check", "--select", "TFD101", "--output-format", "json").out)
        assert [(each["filename"], each["advice"]) for each in found] == [
            ("a.py", "End the pipeline with `.prefetch(1)`"),
            ("b.py", "End the pipeline with `.prefetch(tf.data.AUTOTUNE)`"),
        ]

    def test_for_people_only(self, run: Callable[..., Any], project: Project) -> None:
        project({"a.py": self.NEW})
        done = run("check", "--output-format", "json")
        assert "Assumed" not in done.out + done.err
        assert "Assumed" not in run("check", "-q").out
