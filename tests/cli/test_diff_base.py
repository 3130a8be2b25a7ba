"""`--diff-base REV`: only what is new since a git revision."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest
from cli.samples import BROKEN, CLEAN, DEPRECATED, DISCARDED, FIXABLE, notebook

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

Run = Callable[..., SimpleNamespace]
Project = Callable[[Mapping[str, str | bytes]], Path]

#: TFD102 at 10:22, because of `load`; without its last transformation TFD101 too.
TRAIN = """\
import tensorflow as tf


def load(path):
    return tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(path)), [8, 8])


def train(model):
    dataset = tf.data.Dataset.list_files("images/*")
    dataset = dataset.map(load)
    dataset = dataset.batch(32)
    dataset = dataset.prefetch(tf.data.AUTOTUNE)
    model.fit(dataset)
"""
#: TFD302 at its `cache`, with a related place in `augment`.
AUGMENTED = """\
import tensorflow as tf


def augment(image):
    return tf.image.random_flip_left_right(image)


dataset = tf.data.TFRecordDataset("a").map(augment, num_parallel_calls=2).batch(8)
dataset = dataset.cache()
"""


def git(*arguments: str) -> str:
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *identity, *arguments], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit() -> str:
    git("add", "--all")
    git("commit", "--quiet", "--allow-empty", "--message", "change")
    return git("rev-parse", "HEAD")


def told(run: Run, *arguments: str, base: str = "HEAD") -> list[str]:
    """What is reported: `file:row code`, in notebooks `file:cell:row code`."""
    done = run("check", "-q", "--output-format", "json", "--diff-base", base, *arguments)
    assert done.code in (0, 1), done.err
    return [
        ":".join(str(part) for part in (f["filename"], f["cell"], f["location"]["row"]) if part) + f" {f['code']}"
        for f in json.loads(done.out)
    ]


@pytest.fixture
def repository(project: Project, monkeypatch: pytest.MonkeyPatch) -> Callable[[Mapping[str, str | bytes]], Path]:
    """Writes files and commits them."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")

    def write(files: Mapping[str, str | bytes]) -> Path:
        root = project(files)
        git("init", "--quiet", "--initial-branch=main")
        commit()
        return root

    return write


class TestWhatIsNew:
    def test_nothing(self, run: Run, repository: Project) -> None:
        repository({"a.py": DISCARDED})
        done = run("check", "--diff-base", "HEAD")
        assert (done.code, done.out) == (0, "")
        assert done.err == "tfdata-lint: no Python files or notebooks in . have changed since HEAD\n"

    def test_files(self, run: Run, repository: Project) -> None:
        root = repository({"a.py": DISCARDED, ".gitignore": "ignored.py\n"})
        for name in ("untracked.py", "staged.py", "ignored.py", "new folder/a b.py"):
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text(DISCARDED)
        git("add", "staged.py")
        expected = ["new folder/a b.py:4 TFD401", "staged.py:4 TFD401", "untracked.py:4 TFD401"]
        assert sorted(told(run)) == expected
        commit()
        assert told(run) == []
        assert sorted(told(run, base="HEAD~1")) == expected
        assert told(run, "staged.py", "a.py", base="HEAD~1") == ["staged.py:4 TFD401"]

    def test_statements(self, run: Run, repository: Project) -> None:
        root = repository({"a.py": TRAIN})
        (root / "a.py").write_text(DEPRECATED + TRAIN)
        done = run("check", "--diff-base", "HEAD", "--output-format", "concise")
        assert done.out.startswith("a.py:3:12: warning TFD701")
        assert "Found 1 warning in 1 of 1 file; 1 old one is not shown.\n" in done.out

    def test_changed_statements_show_what_they_had(self, run: Run, repository: Project) -> None:
        root = repository({"a.py": TRAIN})
        (root / "a.py").write_text(TRAIN.replace("map(load)", "map(load, deterministic=True)"))
        assert told(run) == ["a.py:10 TFD102"]

    def test_what_a_row_that_is_gone_has_prevented(self, run: Run, repository: Project) -> None:
        """No row of the finding has changed: its cause is what was deleted."""
        root = repository({"a.py": TRAIN})
        (root / "a.py").write_text(TRAIN.replace("    dataset = dataset.prefetch(tf.data.AUTOTUNE)\n", ""))
        assert told(run) == ["a.py:11 TFD101"]

    def test_what_a_change_elsewhere_has_brought(self, run: Run, repository: Project) -> None:
        root = repository({"a.py": AUGMENTED.replace("random_flip_left_right", "flip_left_right")})
        (root / "a.py").write_text(AUGMENTED)
        assert told(run) == ["a.py:9 TFD302"]

    def test_old_findings_about_changed_statements(self, run: Run, repository: Project) -> None:
        root = repository({"a.py": AUGMENTED})
        (root / "a.py").write_text(AUGMENTED.replace("left_right(image)", "left_right(image[0])"))
        assert told(run) == ["a.py:9 TFD302"]

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("import tensorflow as tf\n", "import os\n\nimport tensorflow as tf\n"),
            ("map(load)", "map(\n        load,  # why\n    )"),
            ("def train(", "def fit("),
            ("    dataset.batch(32)", "    dataset.batch(64)"),
            ("\n", "\r\n"),
        ],
        ids=["rows above", "layout", "function renamed", "statement below", "row endings"],
    )
    def test_not_what_was_there(self, old: str, new: str, run: Run, repository: Project) -> None:
        root = repository({"a.py": TRAIN})
        (root / "a.py").write_bytes(TRAIN.replace(old, new).encode())
        assert told(run) == []

    def test_a_copy_is_new(self, run: Run, repository: Project) -> None:
        """Even above what it was copied from."""
        root = repository({"a.py": TRAIN})
        copy = TRAIN[TRAIN.index("def train") :].replace("def train", "def evaluate")
        (root / "a.py").write_text(TRAIN.replace("def train", f"{copy}\n\ndef train"))
        assert told(run) == ["a.py:10 TFD102"]

    def test_in_a_notebook(self, run: Run, repository: Project) -> None:
        cells = ["import tensorflow as tf", DEPRECATED, "count = 1"]
        root = repository({"a.ipynb": notebook(*cells)})
        (root / "a.ipynb").write_text(notebook(("markdown", "# Title"), *cells))
        assert told(run) == []
        (root / "a.ipynb").write_text(notebook(cells[0], "# New\nold = tf.data.experimental.AUTOTUNE", *cells[1:]))
        assert told(run) == ["a.ipynb:2:2 TFD701"]

    def test_everything_in_what_could_not_be_read(self, run: Run, repository: Project) -> None:
        root = repository({"a.py": BROKEN, "b.py": BROKEN})
        (root / "a.py").write_text(DISCARDED)
        assert told(run) == ["a.py:4 TFD401"]
        (root / "a.py").write_text(BROKEN + "\n")
        assert told(run) == ["a.py:3 TFD000"]

    def test_suppressions_that_have_become_unused(self, run: Run, repository: Project) -> None:
        text = TRAIN.replace("map(load)", "map(load)  # noqa: TFD102")
        root = repository({"a.py": "x = 1  # noqa: TFD401\n" + text})
        (root / "a.py").write_text("x = 1  # noqa: TFD401\n" + text.replace("map(load)", "map(load, -1)"))
        assert told(run) == ["a.py:11 TFD001"]

    def test_in_standard_input(self, run: Run, repository: Project, stdin: Callable[[str], None]) -> None:
        """As an editor has it, not yet on the disk."""
        repository({"a.py": TRAIN})
        stdin(TRAIN + DEPRECATED)
        assert told(run, "-", "--stdin-filename", "a.py") == ["a.py:16 TFD701"]
        stdin(DISCARDED)
        assert told(run, "-") == ["<stdin>:4 TFD401"]

    def test_besides_a_baseline(self, run: Run, repository: Project) -> None:
        root = repository({"a.py": TRAIN})
        (root / "a.py").write_text(TRAIN + DEPRECATED)
        run("check", "--write-baseline")
        (root / "a.py").write_text(TRAIN + DEPRECATED + DISCARDED)
        assert told(run, "--baseline", "tfdata-lint-baseline.json") == ["a.py:20 TFD401"]

    def test_is_fixed_alone(self, run: Run, repository: Project) -> None:
        root = repository({"a.py": TRAIN, "b.py": TRAIN})
        (root / "a.py").write_text(TRAIN + DEPRECATED)
        run("check", "--diff-base", "HEAD", "--fix")
        assert (root / "a.py").read_text() == TRAIN + DEPRECATED.replace("experimental.", "")
        assert (root / "b.py").read_text() == TRAIN


class TestFiles:
    def test_renamed(self, run: Run, repository: Project) -> None:
        root = repository({"a.py": TRAIN, "b.py": FIXABLE})
        (root / "package").mkdir()
        git("mv", "a.py", "package/c.py")
        git("mv", "b.py", "package/b.py")
        assert told(run) == []
        (root / "package/c.py").write_text(TRAIN + DEPRECATED)
        assert told(run) == ["package/c.py:16 TFD701"]

    def test_moved_without_git(self, run: Run, repository: Project) -> None:
        root = repository({"a.py": TRAIN, "b.py": FIXABLE})
        (root / "package").mkdir()
        (root / "a.py").rename(root / "package/c.py")
        (root / "package/c.py").write_text(TRAIN.replace("import tensorflow", "import os\nimport tensorflow"))
        (root / "new.py").write_text(FIXABLE + DEPRECATED)
        index = (root / ".git/index").read_bytes()
        assert {line.partition(":")[0] for line in told(run)} == {"new.py"}
        assert (root / ".git/index").read_bytes() == index

    @pytest.mark.parametrize("old", ["from reading import batches", "from .reading import batches"])
    def test_what_is_read_from_a_module_that_was_renamed(self, old: str, run: Run, repository: Project) -> None:
        batches = "import tensorflow as tf\n\n\ndef batches():\n    return tf.data.Dataset.range(9).batch(3)\n"
        user = f"{old}\n\n\ndef train(model):\n    model.fit(batches().shuffle(9))\n"
        root = repository({"one/__init__.py": "", "one/reading.py": batches, "one/train.py": user})
        assert told(run) == []
        (root / "two").mkdir()
        git("mv", "one/reading.py", "two/sources.py")
        (root / "one/train.py").write_text("import os\n" + user.replace(old, "from two.sources import batches"))
        assert told(run) == []
        git("mv", "one/train.py", "two/train.py")
        assert told(run) == []
        (root / "two/train.py").write_text((root / "two/train.py").read_text().replace("shuffle(9)", "shuffle(8)"))
        assert told(run) == ["two/train.py:6 TFD306"]

    def test_deleted(self, run: Run, repository: Project) -> None:
        root = repository({"a.py": DISCARDED, "b.py": DISCARDED})
        (root / "a.py").unlink()
        assert told(run) == []

    @pytest.mark.parametrize("name", ["größe.py", 'a "b" \\ c.py', "-a.py", "a\tb\n.py"])
    def test_with_any_name(self, name: str, run: Run, repository: Project) -> None:
        root = repository({f"x/{name}": TRAIN})
        (root / "x" / name).write_text(TRAIN + DEPRECATED)
        assert told(run) == [f"x/{name}:16 TFD701"]

    def test_from_a_subfolder(self, run: Run, repository: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        root = repository({"a.py": TRAIN, "sub/b.py": TRAIN, "sub/deep/x": ""})
        git("config", "diff.relative", "true")
        for path in (root / "a.py", root / "sub/b.py", root / "new.py"):
            path.write_text(TRAIN + DEPRECATED)
        monkeypatch.chdir(root / "sub/deep")
        assert told(run, "..") == ["../b.py:16 TFD701"]
        assert told(run, str(root / "a.py")) == [f"{root / 'a.py'}:16 TFD701"]
        assert len(told(run, "../..")) == 4

    def test_through_a_link_to_the_repository(
        self, run: Run, repository: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        root = repository({"a.py": TRAIN})
        (root / "a.py").write_text(TRAIN + DEPRECATED)
        (tmp_path / "link").symlink_to(root)
        assert told(run, str(tmp_path / "link")) == [f"{tmp_path / 'link' / 'a.py'}:16 TFD701"]

    @pytest.mark.parametrize(
        ("attributes", "settings", "encoding", "newline"),
        [
            ("*.py working-tree-encoding=ISO-8859-1", {}, "latin-1", "\n"),
            ("*.py eol=crlf", {}, "utf-8", "\r\n"),
            ("", {"core.autocrlf": "true"}, "utf-8", "\r\n"),
            ("*.py text", {"core.eol": "crlf"}, "utf-8", "\r\n"),
        ],
    )
    def test_as_git_checks_them_out(
        self, attributes: str, settings: dict[str, str], encoding: str, newline: str, run: Run, repository: Project
    ) -> None:
        """Git may store something else than what is in the working tree."""
        root = repository({".gitattributes": f"{attributes}\n"})
        for name, value in settings.items():
            git("config", name, value)
        coding = f"# coding: {encoding}\n# größe\n"
        texts = [coding + TRAIN, coding + TRAIN + DEPRECATED]
        old, new = (text.replace("\n", newline).encode(encoding) for text in texts)
        for name in ("a.py", "b.py"):
            (root / name).write_bytes(old)
        commit()
        stored = subprocess.run(["git", "cat-file", "blob", "HEAD:a.py"], check=True, capture_output=True).stdout
        assert stored == texts[0].encode()
        # As it was, but git has to look.
        os.utime(root / "b.py", (1, 1))
        (root / "a.py").write_bytes(new)
        assert told(run) == ["a.py:18 TFD701"]

    def test_filters_are_not_run(self, run: Run, repository: Project) -> None:
        """What was there before is not known then: all is new in what has changed."""
        root = repository({".gitattributes": "*.py filter=rot\n"})
        for way in ("clean", "smudge"):
            git("config", f"filter.rot.{way}", "tr a-zA-Z n-za-mN-ZA-M")
        for name in ("a.py", "b.py"):
            (root / name).write_text(TRAIN)
        commit()
        assert "vzcbeg grafbesybj" in git("cat-file", "blob", "HEAD:a.py")
        git("status")
        (root / "a.py").write_text(TRAIN + DEPRECATED)
        assert told(run, "a.py") == ["a.py:10 TFD102", "a.py:16 TFD701"]


class TestRevision:
    def test_counts_from_where_a_branch_began(self, run: Run, repository: Project) -> None:
        root = repository({"a.py": CLEAN, "b.py": TRAIN})
        git("checkout", "--quiet", "-b", "feature")
        (root / "a.py").write_text(DISCARDED)
        commit()
        git("checkout", "--quiet", "main")
        (root / "b.py").write_text(CLEAN)
        commit()
        git("checkout", "--quiet", "feature")
        (root / "b.py").write_text(TRAIN + "\n")
        assert told(run, base="main") == ["a.py:4 TFD401"]

    @pytest.mark.parametrize("revision", ["nowhere", "--output=x", "", "HEAD..HEAD", "HEAD:a.py"])
    def test_unknown(self, revision: str, run: Run, repository: Project) -> None:
        repository({"a.py": DISCARDED})
        done = run("check", f"--diff-base={revision}")
        assert (done.code, done.out) == (2, "")
        assert done.err == f"tfdata-lint: error: --diff-base: git knows no revision `{revision}` here\n"
        assert sorted(os.listdir()) == [".git", "a.py"]

    def test_unrelated(self, run: Run, repository: Project) -> None:
        root = repository({"a.py": DISCARDED})
        git("checkout", "--quiet", "--orphan", "other")
        (root / "a.py").write_text(CLEAN)
        commit()
        done = run("check", "--diff-base", "main")
        assert done.code == 2
        assert "`main` and HEAD share no commit; a shallow clone needs more history" in done.err

    def test_without_a_repository(self, run: Run, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        root = project({"a.py": DISCARDED})
        monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(root.parent))
        done = run("check", "--diff-base", "HEAD")
        assert done.code == 2
        assert done.err.startswith("tfdata-lint: error: --diff-base: not inside a git repository")

    def test_of_another_repository(self, run: Run, repository: Project, tmp_path: Path) -> None:
        repository({"a.py": DISCARDED})
        (tmp_path / "b.py").write_text(DISCARDED)
        done = run("check", "--diff-base", "HEAD", "../b.py")
        assert done.code == 2
        assert "--diff-base: ../b.py is not in the git repository of the working directory" in done.err

    def test_without_git(self, run: Run, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        project({"a.py": DISCARDED})
        monkeypatch.setenv("PATH", "")
        done = run("check", "--diff-base", "HEAD")
        assert done.code == 2
        assert done.err == "tfdata-lint: error: --diff-base: git is required but was not found\n"
