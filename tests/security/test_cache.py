"""What is kept in a project that a stranger has made: nothing of theirs is believed, and nothing leads out of it."""

from __future__ import annotations

import os
import shutil
import socket
import stat
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from cli.conftest import Run
from cli.samples import CLEAN, DEPRECATED, DISCARDED

from tfdata_lint.run.cache import cache

Project = Callable[[Mapping[str, str | bytes]], Path]
Check = Callable[..., Run]

FOLDER = ".tfdata_lint_cache"

posix_only = pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions")


@pytest.fixture(autouse=True)
def _files_are_old(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that were changed a moment ago are not told by their times. Those of tests always were."""
    monkeypatch.setattr(cache, "_STEP", -3600 * 10**9)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folder, with no key in it yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def key(home: Path) -> Path:
    return home / "tfdata-lint" / "key"


def kept(folder: str | Path = FOLDER) -> Path:
    (path,) = Path(folder).glob("*.cache")
    return path


class TestForged:
    """`a.py` has a finding. What a stranger has put beside it says that it has none."""

    def lies(self, run: Check, project: Project, monkeypatch: pytest.MonkeyPatch) -> Path:
        """What a run has kept that was made to believe that there is none."""
        root = project({"a.py": DISCARDED})
        os.utime(root / "a.py", ns=(10**18, 10**18))
        with monkeypatch.context() as patched:
            patched.setattr("tfdata_lint.lint.linting.may_matter", lambda data: False)
            patched.setattr("tfdata_lint.lint.linting.look", lambda file: None)
            assert run("check").code == 0
        return root

    def test_it_would_be_believed(
        self, home: Path, run: Check, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Else the others show nothing."""
        self.lies(run, project, monkeypatch)
        assert run("check").code == 0

    def test_with_the_key_of_somebody_else(
        self, home: Path, run: Check, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.lies(run, project, monkeypatch)
        forged = kept()
        key(home).unlink()
        assert run("check").code == 1
        # Whatever name it has.
        own = next(path for path in Path(FOLDER).glob("*.cache") if path != forged)
        shutil.copy(forged, own)
        assert run("check").code == 1

    def test_that_is_changed(self, home: Path, run: Check, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lies(run, project, monkeypatch)
        data = kept().read_bytes()
        assert b"\na.py\0" in data
        kept().write_bytes(data.replace(b"\na.py\0", b"\nb.py\0"))
        assert run("check").code == 1

    def test_of_another_working_directory(
        self, home: Path, run: Check, project: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        """It is genuine, and a checkout may bring it."""
        root = self.lies(run, project, monkeypatch)
        genuine = kept().read_bytes()
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        os.rename(root / "a.py", elsewhere / "a.py")
        monkeypatch.chdir(elsewhere)
        assert run("check").code == 1
        kept().write_bytes(genuine)
        assert run("check").code == 1

    def test_of_another_time(self, home: Path, run: Check, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        """It is genuine, and of the same folder: of other texts it says nothing."""
        root = project({"a.py": CLEAN.ljust(len(DISCARDED))})
        os.utime(root / "a.py", ns=(10**18, 10**18))
        assert run("check").code == 0
        old = kept().read_bytes()
        (root / "a.py").write_text(DISCARDED)
        os.utime(root / "a.py", ns=(10**18, 10**18))
        kept().write_bytes(old)
        assert run("check").code == 1


class TestTheKey:
    @posix_only
    def test_is_the_users_alone(self, home: Path, run: Check, project: Project) -> None:
        project({"a.py": DISCARDED})
        run("check")
        assert len(key(home).read_bytes()) == 32
        assert stat.S_IMODE(key(home).stat().st_mode) == 0o600
        assert stat.S_IMODE(key(home).parent.stat().st_mode) == 0o700
        assert os.listdir(key(home).parent) == ["key"]
        before = key(home).read_bytes()
        run("check")
        assert key(home).read_bytes() == before

    @pytest.mark.parametrize("damage", [b"", b"x" * 31, b"x" * 33, None], ids=["empty", "short", "long", "open to all"])
    @posix_only
    def test_that_is_none_is_made_anew(self, damage: bytes | None, home: Path, run: Check, project: Project) -> None:
        project({"a.py": DISCARDED})
        first = run("check")
        if damage is None:
            key(home).chmod(0o644)
        else:
            key(home).write_bytes(damage)
        before = key(home).read_bytes()
        assert run("check") == first
        assert len(key(home).read_bytes()) == 32
        assert key(home).read_bytes() != before
        assert stat.S_IMODE(key(home).stat().st_mode) == 0o600

    @pytest.mark.parametrize("place", ["", ".git"])
    def test_in_the_project_is_no_key(
        self, place: str, run: Check, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        root = project({"sub/a.py": DISCARDED, **({f"{place}/HEAD": ""} if place else {})})
        home = root / ("home" if place else "sub/home")
        monkeypatch.setenv("XDG_CACHE_HOME", str(home))
        monkeypatch.chdir(root / "sub")
        done = run("check")
        assert done.code == 1
        why = f"results are not kept: the signing key {key(home)} would be inside the project"
        assert done.err == f"tfdata-lint: {why}; set XDG_CACHE_HOME to a folder elsewhere\n"
        assert not home.exists()
        assert not Path(FOLDER).exists()
        assert run("check", "-q").err == run("check", "--no-cache").err == ""

    @pytest.mark.parametrize(
        ("of_git", "linted", "is_had"),
        [
            ("", "home", True),
            ("home", "home", False),
            ("", "home/sub", True),
            ("home", "home/sub", True),
            ("home home/sub", "home/sub", True),
            ("above", "home", False),
            ("above", "home/sub", False),
        ],
    )
    def test_in_the_home(
        self, of_git: str, linted: str, is_had: bool, run: Check, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It is the user's, and nothing of a stranger's, unless it is a checkout that is linted."""
        tops = [place.replace("above", ".") for place in of_git.split()]
        root = project({f"{linted}/a.py": DISCARDED, **{f"{top}/.git/HEAD": "" for top in tops}})
        monkeypatch.delenv("XDG_CACHE_HOME")
        for name in ("HOME", "USERPROFILE"):
            monkeypatch.setenv(name, str(root / "home"))
        monkeypatch.setattr("tfdata_lint.run.cache.key._home", lambda: str(root / "home/.cache"))
        monkeypatch.chdir(root / linted)
        done = run("check")
        assert done.code == 1
        assert ("would be inside the project" in done.err) is not is_had
        assert key(root / "home/.cache").exists() is is_had

    @posix_only
    def test_where_others_can_read_everything(
        self, home: Path, run: Check, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """As on file systems without modes."""
        project({"a.py": DISCARDED})
        real = os.fstat

        def open_to_all(descriptor: int) -> os.stat_result:
            status = real(descriptor)
            return os.stat_result((status.st_mode | 0o777, *status[1:]))

        with monkeypatch.context() as patched:
            patched.setattr("tfdata_lint.run.cache.key.os.fstat", open_to_all)
            done = run("check")
        why = "is not safe: its file system lets others read it"
        assert (done.code, done.err) == (
            1,
            f"tfdata-lint: results are not kept: the signing key {key(home)} {why}\n",
        )
        assert not Path(FOLDER).exists()

    @posix_only
    def test_that_leads_into_the_project_is_no_key(self, home: Path, run: Check, project: Project) -> None:
        root = project({"a.py": DISCARDED, "brought/tfdata-lint/key": "k" * 32})
        home.symlink_to(root / "brought")
        assert "would be inside the project" in run("check").err

    @pytest.mark.parametrize("what", ["link", "folder", "file above", "somebody else's"])
    @posix_only
    def test_that_cannot_be_had(self, what: str, home: Path, run: Check, project: Project, tmp_path: Path) -> None:
        project({"a.py": DISCARDED})
        key(home).parent.mkdir(parents=True)
        if what == "link":
            (tmp_path / "theirs").write_bytes(b"k" * 32)
            key(home).symlink_to(tmp_path / "theirs")
        elif what == "folder":
            key(home).mkdir()
        elif what == "file above":
            key(home).parent.rmdir()
            key(home).parent.write_text("")
        else:
            if os.geteuid() != 0:
                pytest.skip("needs root")
            key(home).write_bytes(b"k" * 32)
            os.chown(key(home), 12345, -1)
        before = sorted(home.rglob("*"))
        done = run("check")
        assert done.code == 1
        assert done.err.startswith(f"tfdata-lint: results are not kept: the signing key {key(home)} is not available: ")
        assert done.err.count("\n") == 1
        assert not Path(FOLDER).exists()
        assert sorted(home.rglob("*")) == before

    def test_without_a_home(self, run: Check, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        project({"a.py": DISCARDED})
        monkeypatch.setenv("XDG_CACHE_HOME", "relative")
        monkeypatch.setattr("os.path.expanduser", lambda path: path)
        monkeypatch.setenv("LOCALAPPDATA", "")
        assert "there is no home folder for the signing key" in run("check").err

    @pytest.mark.parametrize(
        ("platform", "expected"), [("linux", "~/.cache"), ("darwin", "~/Library/Caches"), ("win32", "C:/Local")]
    )
    def test_where_it_lies(self, platform: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
        from tfdata_lint.run.cache.key import _home

        monkeypatch.delenv("XDG_CACHE_HOME")
        monkeypatch.setenv("LOCALAPPDATA", "C:/Local")
        monkeypatch.setattr(sys, "platform", platform)
        assert _home() == os.path.expanduser(expected)

    def test_users_who_share_a_folder_keep_both(
        self, home: Path, run: Check, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        project({"a.py": DISCARDED})
        run("check")
        monkeypatch.setenv("XDG_CACHE_HOME", str(home.parent / "other"))
        run("check")
        assert len(list(Path(FOLDER).glob("*.cache"))) == 2


@contextmanager
def unread(path: Path) -> Iterator[None]:
    """A folder, with all that is in it, must be as it was."""
    before = {str(file): (file.lstat().st_mtime_ns, file.lstat().st_ino) for file in [path, *path.rglob("*")]}
    yield
    assert {str(file): (file.lstat().st_mtime_ns, file.lstat().st_ino) for file in [path, *path.rglob("*")]} == before


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder of the user, with what looks like leftovers of ours."""
    folder = tmp_path / "outside"
    folder.mkdir()
    for name in ("tfdata-lint-0.cache", "tfdata-lint-1.tmp", "CACHEDIR.TAG"):
        (folder / name).write_text("mine")
        os.utime(folder / name, (time.time() - 400 * 86_400,) * 2)
    return folder


@posix_only
class TestTheFolder:
    def test_that_leads_elsewhere_is_not_used(self, run: Check, project: Project, outside: Path) -> None:
        root = project({"a.py": DISCARDED})
        (root / FOLDER).symlink_to(outside)
        with unread(outside):
            done = run("check")
        assert done.code == 1
        assert done.err == f"tfdata-lint: results are not kept: {FOLDER} is a link that leads out of the project\n"

    def test_that_leads_nowhere_is_not_made(self, run: Check, project: Project, tmp_path: Path) -> None:
        root = project({"a.py": DISCARDED})
        (root / FOLDER).symlink_to(tmp_path / "made")
        assert "leads out of the project" in run("check").err
        assert not (tmp_path / "made").exists()

    def test_that_the_command_line_names_may_lead_anywhere(self, run: Check, project: Project, outside: Path) -> None:
        root = project({"a.py": DISCARDED})
        (root / "link").symlink_to(outside)
        done = run("check", "--cache-dir", "link")
        assert (done.code, done.err) == (1, "")
        assert kept(outside)

    def test_only_in_one_of_ours_is_something_removed(self, run: Check, project: Project, outside: Path) -> None:
        project({"a.py": DISCARDED})
        (outside / "CACHEDIR.TAG").unlink()
        run("check", "--cache-dir", str(outside))
        assert (outside / "tfdata-lint-0.cache").exists()
        assert (outside / "tfdata-lint-1.tmp").exists()

    def test_only_files_are_removed(self, run: Check, project: Project, outside: Path) -> None:
        root = project({"a.py": DISCARDED, f"{FOLDER}/CACHEDIR.TAG": "", f"{FOLDER}/tfdata-lint-2.txt": ""})
        (root / FOLDER / "tfdata-lint-3.cache").symlink_to(outside / "tfdata-lint-0.cache")
        (root / FOLDER / "tfdata-lint-4.cache").mkdir()
        for name in os.listdir(root / FOLDER):
            os.utime(root / FOLDER / name, (0, 0), follow_symlinks=False)
        run("check")
        assert {f"tfdata-lint-{n}" for n in ("2.txt", "3.cache", "4.cache")} < set(os.listdir(root / FOLDER))

    @pytest.mark.parametrize("name", ["CACHEDIR.TAG", ".gitignore"])
    def test_its_links_are_not_written_through(self, name: str, run: Check, project: Project, outside: Path) -> None:
        root = project({"a.py": DISCARDED, f"{FOLDER}/x": ""})
        (root / FOLDER / name).symlink_to(outside / "new")
        run("check")
        assert kept()
        assert not (outside / "new").exists()

    @pytest.mark.parametrize("kind", ["link", "pipe", "socket", "folder", "huge"])
    def test_what_is_no_plain_file_is_passed_over(
        self, kind: str, run: Check, project: Project, outside: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        project({"a.py": DISCARDED})
        first = run("check")
        path = kept()
        data = path.read_bytes()
        path.unlink()
        if kind == "link":
            (outside / "genuine").write_bytes(data)
            path.symlink_to(outside / "genuine")
            monkeypatch.setattr("tfdata_lint.run.cache.cache.read", None)
        elif kind == "pipe":
            os.mkfifo(path)
        elif kind == "socket":
            monkeypatch.chdir(FOLDER)
            with socket.socket(socket.AF_UNIX) as bound:
                bound.bind(path.name)
            monkeypatch.chdir("..")
        elif kind == "folder":
            path.mkdir()
        else:
            path.write_bytes(data)
            monkeypatch.setattr(cache, "_LARGEST", len(data) - 1)
        assert run("check") == first
        if kind == "link":
            assert (outside / "genuine").read_bytes() == data


class TestSettings:
    """A checkout brings them, with links."""

    @pytest.mark.parametrize("name", ["cache-dir", "baseline"])
    @pytest.mark.parametrize("way", ["absolute", "..", "link", "link above", "b/../../x"])
    def test_that_lead_elsewhere(self, way: str, name: str, run: Check, project: Project, tmp_path: Path) -> None:
        root = project({"a.py": DISCARDED, "b/x": ""})
        for link in ("out", "b/link"):
            (root / link).symlink_to(tmp_path / "made")
        value = {
            "absolute": str(tmp_path / "made"),
            "..": "../made",
            "link": "out",
            "link above": "b/link/deeper",
            "b/../../x": "b/../../made",
        }[way]
        (root / "tfdata-lint.toml").write_text(f'fail-level = "error"\n{name} = "{value}"\n')
        done = run("check", "--write-baseline")
        assert done.code == 2
        why = f"`{name}` leads out of the project; only --{name} may name such a place"
        assert f"tfdata-lint: error: tfdata-lint.toml:2: {why}\n" in done.err
        assert sorted(os.listdir(tmp_path)) == ["project"]

    def test_the_command_line_may(self, run: Check, project: Project, tmp_path: Path) -> None:
        project({"a.py": DISCARDED, "tfdata-lint.toml": ""})
        done = run("check", "--cache-dir", "../made", "--baseline", "../known.json", "--write-baseline")
        assert done.code == 0
        assert kept(tmp_path / "made")
        assert (tmp_path / "known.json").exists()

    @pytest.mark.parametrize("value", ["x.json", "b/x.json", "./b/../x.json"])
    def test_that_stay(self, value: str, run: Check, project: Project) -> None:
        project({"a.py": DISCARDED, "b/y": "", "tfdata-lint.toml": f'baseline = "{value}"\ncache-dir = "b/z"\n'})
        assert run("check", "--write-baseline").code == 0
        assert Path(value).exists()
        assert kept("b/z")


@posix_only
class TestWhatOptionsWrite:
    """The names are the user's, but a checkout has put links where they lead."""

    OPTIONS = (
        ["--output-file", "report.json"],
        ["--output-file", "link/report.json"],
        ["--write-baseline", "--baseline", "report.json"],
        ["--write-baseline"],
    )

    @pytest.mark.parametrize("arguments", OPTIONS, ids=" ".join)
    @pytest.mark.parametrize("there", [True, False])
    def test_through_a_link_of_the_checkout(
        self, there: bool, arguments: list[str], run: Check, project: Project, tmp_path: Path
    ) -> None:
        root = project({"a.py": DISCARDED, ".git/HEAD": ""})
        empty = '{"version": 1, "findings": []}'
        (tmp_path / "outside").mkdir()
        for name in ("report.json", "tfdata-lint-baseline.json"):
            (root / name).symlink_to(tmp_path / "outside" / name)
            if there:
                (tmp_path / "outside" / name).write_text(empty)
        (root / "link").symlink_to(tmp_path / "outside")
        done = run("check", *arguments)
        assert done.code == 2
        assert "is a link that leads out of the project; name its target instead" in done.err
        assert {path.read_text() for path in (tmp_path / "outside").iterdir()} == ({empty} if there else set())

    @pytest.mark.parametrize("option", ["--fix", "--add-noqa=later"])
    def test_fixes_behind_a_link_of_the_checkout(
        self, option: str, run: Check, project: Project, tmp_path: Path
    ) -> None:
        root = project({"a.py": CLEAN, ".git/HEAD": ""})
        (tmp_path / "outside").mkdir()
        (tmp_path / "outside/a.py").write_text(DEPRECATED)
        (root / "link").symlink_to(tmp_path / "outside")
        done = run("check", option, "link/a.py")
        assert done.code == 2
        assert "link/a.py: this file lies outside of the project, behind a link; fix it by its own path" in done.err
        assert (tmp_path / "outside/a.py").read_text() == DEPRECATED
        assert run("check", option, str(tmp_path / "outside/a.py")).code == 0

    def test_from_a_folder_of_the_checkout(
        self, run: Check, project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        root = project({"sub/a.py": DISCARDED, ".git/HEAD": ""})
        (root / "report.json").symlink_to(tmp_path / "made")
        monkeypatch.chdir(root / "sub")
        assert run("check", "--output-file", "../report.json").code == 2
        assert not (tmp_path / "made").exists()

    def test_elsewhere_links_are_the_users(self, run: Check, project: Project, tmp_path: Path) -> None:
        project({"a.py": DISCARDED})
        (tmp_path / "link").symlink_to(tmp_path / "made")
        assert run("check", "--output-file", "../link").code == 1
        assert "TFD401" in (tmp_path / "made").read_text()

    def test_in_the_project_links_are_followed(self, run: Check, project: Project) -> None:
        root = project({"a.py": DISCARDED, "b/x": ""})
        (root / "report").symlink_to("b/made")
        assert run("check", "--output-file", "report").code == 1
        assert "TFD401" in (root / "b/made").read_text()

    def test_other_names_of_a_file_keep_what_they_have(self, run: Check, project: Project, tmp_path: Path) -> None:
        root = project({"a.py": DISCARDED})
        (tmp_path / "mine").write_text("mine")
        (root / "report").hardlink_to(tmp_path / "mine")
        assert run("check", "--output-file", "report").code == 1
        assert (tmp_path / "mine").read_text() == "mine"
