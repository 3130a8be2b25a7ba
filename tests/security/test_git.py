"""`--diff-base` in a repository that a stranger has made: nothing of its settings is executed, nothing is fetched."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cli.conftest import Run
from cli.samples import CLEAN, DEPRECATED, DISCARDED

from tfdata_lint.run import repository
from tfdata_lint.run.repository import _THEIRS, Repository, RevisionError

pytestmark = [
    pytest.mark.skipif(shutil.which("git") is None, reason="needs git"),
    pytest.mark.skipif(os.name != "posix", reason="needs a shell"),
]

Check = Callable[..., Run]

#: What git executes and does not list, or lists for some only.
MORE = re.findall(
    r"\S+",
    """
    core.askpass diff.evil.command diff.evil.textconv diff.external filter.evil.clean filter.evil.process
    filter.evil.smudge merge.evil.driver remote.origin.uploadpack remote.origin.receivepack remote.origin.vcs
    credential.helper alias.diff alias.rev-parse alias.cat-file alias.ls-files alias.merge-base alias.config
    pager.diff pager.cat-file pager.config pager.rev-parse interactive.difffilter trailer.evil.command
    trailer.evil.cmd submodule.sub.update uploadpack.packobjectshook core.fsmonitor core.hookspath core.sshcommand
    core.gitproxy core.editor core.pager core.alternaterefscommand gpg.program receive.procreceiverefs
    """,
)
ATTRIBUTES = "* filter=evil diff=evil merge=evil\n"
HOOKS = ("post-index-change", "fsmonitor-watchman", "reference-transaction", "post-checkout", "pre-auto-gc")


def git(*arguments: str, cwd: Path | None = None) -> str:
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    identity += ["-c", "protocol.file.allow=always"]
    done = subprocess.run(["git", *identity, *arguments], check=True, capture_output=True, text=True, cwd=cwd)
    return done.stdout.strip()


def keys() -> list[str]:
    """Every key that git knows, with a name where it wants one."""
    listed = subprocess.run(["git", "help", "--config"], check=True, capture_output=True, text=True).stdout
    known = re.findall(r"^[a-z][\w-]*\.[^\s]+$", listed, re.MULTILINE)
    assert len(known) > 300
    named = {re.sub(r"<[^>]*>|\*", "evil", key) for key in known}
    sound = {key for key in named if re.fullmatch(r"[\w-]+\.(.*\.)?[a-zA-Z][a-zA-Z0-9-]*", key)}
    assert len(sound) > len(named) - 9
    return sorted(key for key in {*sound, *MORE} if not _THEIRS.fullmatch(key.lower()))


def hostile(script: Path, wanted: list[str]) -> str:
    """Settings of which each names a program that leaves a mark."""
    lines = []
    for key in wanted:
        section, _, rest = key.partition(".")
        inner, dot, name = rest.rpartition(".")
        alias = "!" * (section == "alias" or key.endswith(".update"))
        heading = f'[{section} "{inner}"]' if dot else f"[{section}]"
        lines.append(f"{heading}\n\t{name} = {alias}{script}\n")
    lines.append(f'[remote "origin"]\n\turl = ext::{script}\n\tpromisor = true\n\tpartialclonefilter = blob:none\n')
    lines.append('[protocol "ext"]\n\tallow = always\n[extensions]\n\tpartialclone = origin\n')
    return "".join(lines)


class Place:
    """A repository with changes of all kinds, and what its settings execute."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "checkout"
        self.marks = folder / "marks"
        self.script = folder / "script"
        self.marks.mkdir()
        self.script.write_text(f'#!/bin/sh\ntouch "{self.marks}/$$"\ncat\n')
        self.script.chmod(0o755)

    def fill(self, root: Path) -> None:
        (root / "package").mkdir(parents=True, exist_ok=True)
        for name in ("a.py", "same.py", "moved.py", "package/b.py", "gone.py"):
            (root / name).write_text(CLEAN + f"# {name}\n" * 9)
        (root / ".gitattributes").write_text(ATTRIBUTES)
        git("init", "--quiet", "--initial-branch=main", cwd=root)
        git("add", "--all", cwd=root)
        git("commit", "--quiet", "--message", "1", cwd=root)
        git("branch", "old", cwd=root)
        (root / "package/b.py").write_text(CLEAN + DISCARDED)
        git("add", "--all", cwd=root)
        git("commit", "--quiet", "--message", "2", cwd=root)

    def change(self, root: Path) -> None:
        """Without git, which would execute what is set."""
        (root / "a.py").write_text(CLEAN + DEPRECATED)
        (root / "new.py").write_text(DISCARDED)
        (root / "gone.py").unlink()
        (root / "moved.py").rename(root / "package/moved.py")
        os.utime(root / "same.py", (1, 1))

    def arm(self, config: Path, wanted: list[str] | None = None) -> None:
        with config.open("a") as file:
            file.write(hostile(self.script, keys() if wanted is None else wanted))
        for name in HOOKS:
            hook = config.parent / "hooks" / name
            hook.parent.mkdir(exist_ok=True)
            shutil.copy(self.script, hook)

    @property
    def is_marked(self) -> bool:
        return any(self.marks.iterdir())


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    made = Place(tmp_path)
    made.root.mkdir()
    monkeypatch.chdir(made.root)
    made.fill(made.root)
    yield made
    assert not made.is_marked
    assert list((tmp_path / "tmp").iterdir()) == []


def told(run: Check, *arguments: str, base: str = "HEAD") -> list[str]:
    done = run("check", "-q", "--output-format", "json", "--diff-base", base, *arguments)
    assert done.code in (0, 1), done.err
    return sorted({f"{Path(found['filename']).name} {found['code']}" for found in json.loads(done.out)})


CHANGED = ["a.py TFD701", "new.py TFD401"]


def test_it_would_be_executed(place: Place) -> None:
    """Else the others show nothing: what git does by itself leaves marks, by each of these."""
    for key in ("core.fsmonitor", "filter.evil.clean", "filter.evil.process", "diff.external", "diff.evil.command"):
        config = (place.root / ".git/config").read_text()
        place.arm(place.root / ".git/config", [key])
        (place.root / "a.py").write_text(CLEAN + DEPRECATED)
        subprocess.run(["git", "diff", "HEAD"], capture_output=True, check=False)
        assert place.is_marked, key
        for mark in place.marks.iterdir():
            mark.unlink()
        (place.root / ".git/config").write_text(config)


@pytest.mark.parametrize(
    ("base", "more"),
    [("HEAD", []), ("main", []), ("main@{0}", []), ("HEAD~1", ["b.py TFD401"]), ("old", ["b.py TFD401"])],
)
def test_no_key_is_executed(base: str, more: list[str], place: Place, run: Check) -> None:
    place.change(place.root)
    place.arm(place.root / ".git/config")
    assert told(run, base=base) == sorted([*CHANGED, *more])


@pytest.mark.parametrize("key", [*MORE, "core.attributesFile", "core.excludesFile", "core.worktree", "include.path"])
def test_each_alone(key: str, place: Place, run: Check) -> None:
    place.change(place.root)
    place.arm(place.root / ".git/config", [key])
    assert told(run) == CHANGED


@pytest.mark.parametrize(
    "arguments", [["--fix"], ["--diff"], ["--add-noqa=later"], ["--statistics"], ["--shard", "1/1"], ["--jobs", "2"]]
)
def test_whatever_is_done(arguments: list[str], place: Place, run: Check) -> None:
    place.change(place.root)
    place.arm(place.root / ".git/config")
    assert run("check", "--diff-base", "HEAD", *arguments).code in (0, 1)


def test_standard_input(place: Place, run: Check, stdin: Callable[[str], None]) -> None:
    place.arm(place.root / ".git/config")
    stdin(CLEAN + DEPRECATED)
    assert told(run, "-", "--stdin-filename", "a.py") == ["a.py TFD701"]


def test_from_a_subfolder(place: Place, run: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    place.change(place.root)
    place.arm(place.root / ".git/config")
    monkeypatch.chdir(place.root / "package")
    assert told(run, "..") == CHANGED


@pytest.mark.parametrize("where", ["include", "include of a pipe", "worktree", "worktree of a key"])
def test_other_files_with_settings(where: str, place: Place, run: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    root, config = place.root, place.root / ".git/config"
    if where.startswith("worktree"):
        git("worktree", "add", "--quiet", "../second")
        root = place.root.parent / "second"
        if where == "worktree of a key":
            git("config", "extensions.worktreeConfig", "true")
            config = place.root / ".git/worktrees/second/config.worktree"
        monkeypatch.chdir(root)
    place.change(root)
    place.arm(config if where != "include" else place.root / "settings")
    if where.startswith("include"):
        if where == "include of a pipe":
            os.mkfifo(place.root / "settings")
        with config.open("a") as file:
            file.write('[include]\n\tpath = ../settings\n[includeIf "gitdir:**"]\n\tpath = ../settings\n')
    assert told(run) == CHANGED


def test_submodules(place: Place, run: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place.fill(tmp_path / "library")
    git("submodule", "add", "--quiet", str(tmp_path / "library"), "sub")
    git("commit", "--quiet", "--all", "--message", "3")
    for root in (place.root, place.root / "sub"):
        place.change(root)
    place.arm(place.root / ".git/config")
    # Git looks where the head of a submodule is, and fails where what it reads for that makes no sense.
    unread = re.compile(r"core\.(bare|repositoryformatversion)|extensions\..*", re.IGNORECASE)
    place.arm(place.root / ".git/modules/sub/config", [key for key in keys() if not unread.fullmatch(key)])
    with (place.root / ".gitmodules").open("a") as file:
        file.write(f"\tupdate = !{place.script}\n\tignore = none\n")
    assert told(run, "a.py", "new.py", "package") == CHANGED
    monkeypatch.chdir(place.root / "sub")
    assert told(run) == CHANGED


def test_what_is_missing_is_not_fetched(place: Place, run: Check) -> None:
    """As in a clone without all objects."""
    (place.root / "a.py").write_text(CLEAN + DISCARDED)
    git("commit", "--quiet", "--all", "--message", "3")
    commit = git("rev-parse", "HEAD")
    for name in ("a.py", "gone.py"):
        blob = git("rev-parse", f"HEAD:{name}")
        (place.root / ".git/objects" / blob[:2] / blob[2:]).unlink()
    place.change(place.root)
    (place.root / "a.py").write_text(CLEAN + DISCARDED + DEPRECATED)
    place.arm(place.root / ".git/config")
    done = run("check", "--diff-base", "HEAD")
    assert done.code == 2
    why = f"this clone lacks objects, and tfdata-lint fetches none; `git diff {commit[:12]}` gets them"
    assert done.err == f"tfdata-lint: error: --diff-base: {why}\n"


def test_a_program_in_the_working_directory_is_not_git(
    place: Place, run: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.change(place.root)
    shutil.copy(place.script, place.root / "git")
    monkeypatch.setenv("PATH", os.pathsep.join(["", ".", os.environ["PATH"]]))
    assert told(run) == CHANGED


def test_the_users_own_settings_hold(place: Place, run: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As far as they execute nothing: a filter may ask the repository what to do."""
    place.change(place.root)
    (tmp_path / "ignored").write_text("new.py\n")
    (tmp_path / "user").write_text(f"[core]\n\texcludesFile = {tmp_path / 'ignored'}\n")
    place.arm(tmp_path / "user", ["filter.evil.clean", "filter.evil.smudge", "core.fsmonitor", "diff.external"])
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "user"))
    assert told(run) == ["a.py TFD701"]


@pytest.mark.parametrize("where", ["main", "linked"])
def test_the_users_settings_for_some_folders(
    where: str, place: Place, run: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git tells them by its own folder, of which still nothing is executed and no settings are read."""
    root = place.root
    if where == "linked":
        root = tmp_path / "second"
        git("worktree", "add", "--quiet", str(root))
        monkeypatch.chdir(root)
    place.change(root)
    (tmp_path / "ignored").write_text("new.py\n")
    (tmp_path / "included").write_text(f"[core]\n\texcludesFile = {tmp_path / 'ignored'}\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "user"))
    place.arm(place.root / ".git/config")
    os.mkfifo(place.root / "settings")
    with (place.root / ".git/config").open("a") as file:
        file.write("[include]\n\tpath = ../settings\n")
    for folder, expected in ((place.root, ["a.py TFD701"]), (tmp_path / "elsewhere", CHANGED)):
        (tmp_path / "user").write_text(f'[includeIf "gitdir:{folder}/"]\n\tpath = {tmp_path / "included"}\n')
        assert told(run) == expected


def test_what_a_linked_worktree_has_of_its_own(
    place: Place, run: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "second"
    git("worktree", "add", "--quiet", "--detach", str(root), "old")
    git("commit", "--quiet", "--allow-empty", "--message", "3", cwd=root)
    git("update-ref", "refs/bisect/bad", "old")
    git("update-ref", "refs/bisect/bad", "main", cwd=root)
    git("sparse-checkout", "set", "--no-cone", "/*", "!/same.py", cwd=root)
    names = ["HEAD", "HEAD@{1}", "main@{0}", "refs/bisect/bad", "old"]
    for folder in (place.root, root):
        expected = [git("rev-parse", name, cwd=folder) for name in names[: None if folder == root else 1]]
        monkeypatch.chdir(folder)
        opened = Repository()
        try:
            assert [opened.git("rev-parse", name).decode().strip() for name in names[: len(expected)]] == expected
            patterns = Path(opened.git("rev-parse", "--git-path", "info/sparse-checkout").decode().strip())
            assert patterns.is_file() == (folder == root)
        finally:
            opened.close()


def test_the_environment_names_a_file(
    place: Place, run: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As that of a linked worktree, or of a submodule."""
    root = tmp_path / "second"
    git("worktree", "add", "--quiet", str(root))
    monkeypatch.chdir(root)
    place.change(root)
    place.arm(place.root / ".git/config")
    monkeypatch.setenv("GIT_DIR", ".git")
    assert told(run) == CHANGED
    monkeypatch.setenv("GIT_DIR", "a.py")
    assert run("check", "--diff-base", "HEAD").err == (
        "tfdata-lint: error: --diff-base: GIT_DIR names no git repository\n"
    )


def test_the_environment_of_a_hook(place: Place, run: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    """Git sets it, and with `commit -a` an index of its own."""
    place.change(place.root)
    index = place.root / ".git/next-index"
    shutil.copy(place.root / ".git/index", index)
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/next-index")
    git("add", "a.py")
    monkeypatch.setenv("GIT_DIR", ".git")
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(place.script))
    monkeypatch.setenv("GIT_SSH_COMMAND", str(place.script))
    place.arm(place.root / ".git/config")
    assert told(run) == CHANGED
    assert "new.py" not in subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=False).stdout


def test_a_branch_that_follows_another(
    place: Place, run: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git("clone", "--quiet", str(place.root), str(tmp_path / "clone"))
    monkeypatch.chdir(tmp_path / "clone")
    (tmp_path / "clone/c.py").write_text(DISCARDED)
    assert told(run, base="@{upstream}") == ["c.py TFD401"]


@pytest.mark.parametrize("form", ["sha256", "split index", "packed"])
def test_forms_of_repositories(
    form: str, place: Place, run: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = place.root
    if form == "sha256":
        root = tmp_path / "other"
        root.mkdir()
        git("init", "--quiet", "--object-format=sha256", cwd=root)
        place.fill(root)
        monkeypatch.chdir(root)
    elif form == "split index":
        git("update-index", "--split-index")
    else:
        git("gc", "--quiet")
    place.change(root)
    place.arm(root / ".git/config")
    assert told(run, base="old") == ["a.py TFD701", "b.py TFD401", "new.py TFD401"]


@pytest.mark.parametrize("name", ["config", "index", "packed-refs", "HEAD"])
def test_special_files_do_not_stop_it(name: str, place: Place, run: Check) -> None:
    path = place.root / ".git" / name
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    assert run("check", "--diff-base", "HEAD").code in (0, 1, 2)


def test_without_links_there_are_copies(place: Place, run: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows, where not everybody may make one."""

    def refuse(*arguments: object, **named: object) -> None:
        raise OSError(1, "not permitted")

    place.change(place.root)
    monkeypatch.setattr(os, "symlink", refuse)
    assert told(run, base="old") == ["a.py TFD701", "b.py TFD401", "new.py TFD401"]


def test_nothing_of_it_is_written(place: Place, run: Check) -> None:
    place.change(place.root)
    before = {path: path.lstat().st_mtime_ns for path in (place.root / ".git").rglob("*")}
    told(run)
    assert {path: path.lstat().st_mtime_ns for path in (place.root / ".git").rglob("*")} == before


def test_a_git_that_hangs(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    hanging = place.root.parent / "bin"
    hanging.mkdir()
    (hanging / "git").write_text("#!/bin/sh\nexec sleep 1000\n")
    (hanging / "git").chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join([str(hanging), os.environ["PATH"]]))
    monkeypatch.setattr(repository, "_PATIENCE", 0.2)
    with pytest.raises(RevisionError, match="git did not answer"):
        Repository()


def test_settings_are_written_as_they_were_read(place: Place) -> None:
    name = 'a "b" \\ c.d'
    git("config", f"branch.{name}.merge", 'refs/heads/x\ny "z" \\ ; #')
    opened = Repository()
    try:
        listed = opened.git("config", "--list", "-z").decode()
    finally:
        opened.close()
    assert f'branch.{name}.merge\nrefs/heads/x\ny "z" \\ ; #\0' in listed
