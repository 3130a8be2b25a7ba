"""Git, asked about a repository that a stranger may have made.

Git executes what the settings of a repository say, such as filters, monitors, hooks and helpers. So it is given a
folder of ours instead: with the names and the index of the repository, and with settings of which each is known to
execute nothing. It reads the objects where they are.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence

from tfdata_lint.source.content import read


class RevisionError(Exception):
    """Git cannot say what has changed: why, in one sentence."""


#: What a repository may set: how its files lie on the disk, and which branch follows which.
_THEIRS = re.compile(
    r"core\.(autocrlf|checkstat|eol|filemode|ignorecase|precomposeunicode|sparsecheckout|sparsecheckoutcone|symlinks"
    r"|trustctime)|extensions\.(objectformat|refstorage)|branch\..*\.(merge|remote)|remote\..*\.fetch",
    re.DOTALL,
)
#: What the user may set besides: which files are none of git's.
_USERS = re.compile(rf"{_THEIRS.pattern}|core\.(attributesfile|excludesfile)", re.DOTALL)
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n"})
#: What git has in its folder besides settings, objects and heads. That of a worktree has an index of its own.
_FILES = ("packed-refs", "shallow", "info/attributes", "info/exclude", "info/grafts", "info/sparse-checkout")
_FOLDERS = ("refs", "logs", "reftable")
#: What a linked worktree has of its own among these: git looks in its folder or in the shared one, by the name.
_OWN = ("refs", "logs", "reftable", "info/sparse-checkout")
_INDEX = re.compile(r"index|sharedindex\.[0-9a-f]+")
_HEAD = re.compile(r"(\w+_)?HEAD")
#: What the environment may say.
_KEPT = ("GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_EXEC_PATH")
#: Bytes of what names a commit or a folder.
_NAME = 65_536
#: Seconds after which git hangs.
_PATIENCE = 300


class Repository:
    """That of the working directory. Who makes one closes it."""

    def __init__(self) -> None:
        """Raises RevisionError."""
        self._program = _program()
        self.top, own = _places()
        shared = os.path.abspath(os.environ.get("GIT_COMMON_DIR") or _named_in(os.path.join(own, "commondir")) or own)
        objects = os.environ.get("GIT_OBJECT_DIRECTORY") or os.path.join(shared, "objects")
        self._folder = tempfile.mkdtemp(prefix="tfdata-lint-git-")
        self._shared = self._folder if shared == own else os.path.join(self._folder, "shared")
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in _KEPT},
            "GIT_DIR": self._folder,
            "GIT_WORK_TREE": self.top,
            "GIT_OBJECT_DIRECTORY": os.path.abspath(objects),
            "GIT_OPTIONAL_LOCKS": "0",
            # What is not there is not fetched.
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_ALLOW_PROTOCOL": "",
            "GIT_TERMINAL_PROMPT": "0",
        }
        try:
            self._mirror(own, shared)
            self._configure(own, shared)
        except OSError as error:
            self.close()
            raise RevisionError(f"cannot read the repository: {error.strerror or error}") from None
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def git(self, *arguments: str) -> bytes:
        """What a command prints. Raises RevisionError."""
        return self._run(self._environment, *arguments)

    def _run(self, environment: Mapping[str, str], *arguments: str) -> bytes:
        try:
            done = subprocess.run(
                [self._program, *arguments],
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=True,
                timeout=_PATIENCE,
            )
        except subprocess.TimeoutExpired:
            raise RevisionError(f"git did not answer within {_PATIENCE} seconds") from None
        except OSError as error:
            raise RevisionError(f"cannot run git: {error.strerror}") from None
        except subprocess.CalledProcessError as error:
            lines = error.stderr.decode("utf-8", "replace").splitlines() or [
                (f"git failed with exit code {error.returncode}")
            ]
            raise RevisionError(lines[0].removeprefix("fatal: ")) from None
        return done.stdout

    def _mirror(self, own: str, shared: str) -> None:
        """Give our folder the names and the index. Raises OSError."""
        for folder in {self._folder, self._shared}:
            os.makedirs(os.path.join(folder, "info"))
        for name in os.listdir(own):
            if _HEAD.fullmatch(name):
                # Git asks that it is no link.
                self._add(name, read(os.path.join(own, name), _NAME))
            elif _INDEX.fullmatch(name):
                self._copy(os.path.join(own, name), name)
        if given := os.environ.get("GIT_INDEX_FILE"):
            self._copy(given, "index")
        for name in (*_FILES, *_FOLDERS):
            _link(os.path.join(shared, name), os.path.join(self._shared, name))
        if own != shared:
            self._add("commondir", b"shared\n")
            for name in _OWN:
                _link(os.path.join(own, name), os.path.join(self._folder, name))

    def _add(self, name: str, data: bytes) -> str:
        path = os.path.join(self._folder, name)
        with open(path, "wb") as file:
            file.write(data)
        return path

    def _copy(self, path: str, name: str) -> None:
        """An index, which git may write anew, with its time, to which it compares those of files."""
        if os.path.isfile(path):
            shutil.copy2(path, os.path.join(self._folder, name))

    def _configure(self, own: str, shared: str) -> None:
        """Write the settings. Raises OSError and RevisionError."""
        config = os.path.relpath(os.path.join(self._shared, "config"), self._folder)
        self._add(config, _config(()))
        # What is included for some folders is asked with that of the repository, whose settings are still ours.
        user = {**os.environ, **{name: self._environment[name] for name in ("GIT_OBJECT_DIRECTORY", "GIT_WORK_TREE")}}
        user |= {"GIT_DIR": own, "GIT_COMMON_DIR": self._shared}
        settings = [pair for pair in _settings(self._run(user, "config", "--list", "-z")) if _USERS.fullmatch(pair[0])]
        self._environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        theirs = self._theirs(os.path.join(shared, "config"))
        if ("extensions.worktreeconfig", "true") in theirs:
            theirs += self._theirs(os.path.join(own, "config.worktree"))
        settings += [pair for pair in theirs if _THEIRS.fullmatch(pair[0])]
        self._add(config, _config(settings))

    def _theirs(self, path: str) -> list[tuple[str, str]]:
        """What a file sets, without those that it names."""
        try:
            copy = self._add("theirs", read(path))
        except FileNotFoundError:
            return []
        try:
            return _settings(self.git("config", "--file", copy, "--no-includes", "--list", "-z"))
        except RevisionError as error:
            raise RevisionError(str(error).replace(copy, path)) from None


def _program() -> str:
    """Git, which is not looked for in the working directory. Raises RevisionError."""
    name = "git.exe" if os.name == "nt" else "git"
    for folder in os.get_exec_path():
        path = os.path.join(folder, name)
        if os.path.isabs(folder) and os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    raise RevisionError("git is required but was not found")


def _places() -> tuple[str, str]:
    """The topmost folder of the working tree, and git's own. Raises RevisionError."""
    given = os.environ.get("GIT_WORK_TREE")
    if own := os.environ.get("GIT_DIR"):
        own = os.path.abspath(own)
        own = own if os.path.isdir(own) else _named_in(own, "gitdir: ")
        if not own:
            raise RevisionError("GIT_DIR names no git repository")
        return os.path.realpath(given or os.getcwd()), os.path.abspath(own)
    ceilings = [
        os.path.realpath(path) for path in os.environ.get("GIT_CEILING_DIRECTORIES", "").split(os.pathsep) if path
    ]
    here = os.getcwd()
    while True:
        path = os.path.join(here, ".git")
        own = path if os.path.isdir(path) else _named_in(path, "gitdir: ")
        if own and os.path.isfile(os.path.join(own, "HEAD")):
            return os.path.realpath(given or here), os.path.abspath(own)
        above = os.path.dirname(here)
        if above == here or above in ceilings:
            raise RevisionError("not inside a git repository")
        here = above


def _named_in(path: str, beginning: str = "") -> str:
    """The folder that a file of git names, if there is such a file."""
    try:
        line = os.fsdecode(read(path, _NAME)).rstrip("\r\n")
    except OSError:
        return ""
    named = line.removeprefix(beginning)
    return os.path.join(os.path.dirname(path), named) if line.startswith(beginning) and named else ""


def _link(path: str, link: str) -> None:
    """Have a file or a folder of the repository, if there is one, in our folder too."""
    is_folder = os.path.basename(link) in _FOLDERS
    if not (os.path.isdir(path) if is_folder else os.path.isfile(path)):
        return
    try:
        os.symlink(path, link, target_is_directory=is_folder)
    except OSError:
        # Windows does not let everybody.
        if is_folder:
            shutil.copytree(path, link)
        else:
            shutil.copyfile(path, link)


def _settings(listed: bytes) -> list[tuple[str, str]]:
    """What `git config --list -z` has said. A name alone means that it holds."""
    pairs = (entry.partition("\n") for entry in os.fsdecode(listed).split("\0") if entry)
    return [(name, value if equals else "true") for name, equals, value in pairs]


def _config(settings: Sequence[tuple[str, str]]) -> bytes:
    """A file of settings."""
    version = int(any(name.startswith("extensions.") for name, _ in settings))
    lines = [f"[core]\n\trepositoryformatversion = {version}\n\tbare = false\n"]
    for key, value in settings:
        section, _, name = key.partition(".")
        inner, dot, name = name.rpartition(".")
        inner, value = (f'"{text.translate(_ESCAPES)}"' for text in (inner, value))
        lines.append(f"[{section}{f' {inner}' if dot else ''}]\n\t{name} = {value}\n")
    return os.fsencode("".join(lines))
