"""What does a change of tfdata-lint add, remove or move over real code? Prints it as Markdown.

    python benchmarks/ecosystem.py OLD NEW TREE... [--url TREE=https://github.com/OWNER/NAME/blob/COMMIT]

OLD and NEW are git revisions of this repository, or folders with checkouts of it. Both lint every TREE, each in
processes of its own, without a cache and for the same TensorFlow. Where a TREE is a clone from GitHub, or `--url` says
where it comes from, findings are links. The exit code is 0 if both say the same, 1 if not, 2 if something failed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import quote
from zipfile import ZipFile

from measure import Usage, WrongResult, run
from programs import HERE, Installation
from report import ratio, row, seconds

SAME, DIFFERENT, FAILED = 0, 1, 2
#: What says how a run went, and not what is in the code.
_OF_THE_RUN = ("TFD000", "TFD002", "TFD003")
_WHERE_IT_IS = "import sys, tfdata_lint; print(tfdata_lint.__path__[0])"
_GITHUB = re.compile(r"(?:^|[/@.])github\.com[:/](?P<name>[^/]+/[^/]+?)(?:\.git)?/?$")
#: The first run of a version compiles its bytecode, which is no part of what it costs.
_WARMING = "import tensorflow as tf\n\nfor x in tf.data.Dataset.range(3).map(lambda x: x).batch(2):\n    print(x)\n"
_CHANGEABLE = ("severity", "confidence", "message")


@dataclass(frozen=True)
class Found:
    """A finding as the JSON has it, its file named from the tree on."""

    code: str
    name: str
    file: str
    cell: int | None
    row: int
    column: int
    severity: str
    confidence: str
    message: str
    fix: str
    """How far the fix may be applied, if there is one."""

    @classmethod
    def read(cls, value: Mapping[str, Any], file: str) -> Found:
        texts = (value["severity"], value["confidence"], value["message"])
        location, fix = value["location"], (value["fix"] or {}).get("applicability", "none")
        place = (file, value["cell"], location["row"], location["column"])
        return cls(value["code"], value["name"], *place, *texts, fix)

    @property
    def place(self) -> str:
        return f"{self.file}:{self.where}"

    @property
    def where(self) -> str:
        return f"cell {self.cell}:{self.row}" if self.cell else str(self.row)

    def changes(self, other: Found) -> list[str]:
        """What is said in another way now."""
        changed = [f"{getattr(self, of)} → {getattr(other, of)}" for of in _CHANGEABLE if _differs(self, other, of)]
        return [*changed, f"fix: {self.fix} → {other.fix}"] if self.fix != other.fix else changed


def _differs(one: Found, other: Found, of: str) -> bool:
    return bool(getattr(one, of) != getattr(other, of))


@dataclass(frozen=True)
class Version:
    label: str
    path: Path
    """Where its package is imported from."""

    @property
    def installation(self) -> Installation:
        return Installation(self.label, sys.executable, str(self.path))

    def check(self, scratch: Path) -> None:
        """It would be in vain to compare a version with itself."""
        (package,) = self.installation.lines(sys.executable, "-c", _WHERE_IT_IS, cwd=scratch)
        if Path(package).resolve() != (self.path / "tfdata_lint").resolve():
            raise WrongResult(f"{self.label}: Python imports tfdata_lint from {package}")


@dataclass(frozen=True)
class Outcome:
    """What a version says of a tree."""

    found: list[Found]
    complaints: list[str]
    usage: Usage


@dataclass(frozen=True)
class Change:
    """A finding that is new, gone, at another row, or said in another way."""

    old: Found | None
    new: Found | None

    @property
    def found(self) -> Found:
        found = self.new or self.old
        assert found
        return found

    @property
    def kind(self) -> str:
        if not self.old or not self.new:
            return "added" if self.new else "removed"
        return "changed" if _by_place(self.old) == _by_place(self.new) else "moved"

    @property
    def rule(self) -> tuple[bool, str, str]:
        """What goes wrong in a run comes first."""
        return self.found.code not in _OF_THE_RUN, self.found.code, self.found.name

    def row(self, link: str) -> str:
        what = f"{self.found.severity}: {self.found.message}"
        if self.old and self.new:
            moved = [f"from {self.old.where}"] if self.kind == "moved" else []
            what = "; ".join([*moved, *self.old.changes(self.new)])
            what += f": {self.new.message}" if self.old.message == self.new.message else ""
        return row([_KINDS[self.kind], link, _cell(what)])


_KINDS = {"added": "+", "removed": "−", "moved": "→", "changed": "~"}


@dataclass(frozen=True)
class Difference:
    """What two versions say of a tree, and what only one of them says."""

    tree: str
    old: Outcome
    new: Outcome
    url: str | None
    """Where its files are shown."""

    @cached_property
    def changes(self) -> list[Change]:
        old = list((Counter(self.old.found) - Counter(self.new.found)).elements())
        new = list((Counter(self.new.found) - Counter(self.old.found)).elements())
        both = [*_matched(old, new, _by_place), *_matched(old, new, _by_message)]
        return [*both, *(Change(gone, None) for gone in old), *(Change(None, added) for added in new)]

    @cached_property
    def kinds(self) -> Counter[str]:
        return Counter(change.kind for change in self.changes)

    @cached_property
    def complaints(self) -> list[str]:
        gone, new = Counter(self.old.complaints), Counter(self.new.complaints)
        return [*(f"− {text}" for text in gone - new), *(f"+ {text}" for text in new - gone)]

    def __bool__(self) -> bool:
        return bool(self.changes or self.complaints)

    def summary(self) -> str:
        times = ratio(self.new.usage.cpu, self.old.usage.cpu)
        counts = [len(self.old.found), len(self.new.found), *(self.kinds[kind] for kind in _KINDS)]
        return row([self.tree, *map(str, counts), seconds(self.old.usage.cpu), seconds(self.new.usage.cpu), times])

    def details(self) -> Iterator[str]:
        yield f"## {self.tree}"
        if self.complaints:
            yield "\n".join(f"- {_cell(text)}" for text in self.complaints)
        rules: dict[tuple[bool, str, str], list[Change]] = defaultdict(list)
        for change in sorted(self.changes, key=_order):
            rules[change.rule].append(change)
        for (_, code, name), changes in sorted(rules.items()):
            kinds = Counter(change.kind for change in changes)
            counts = ", ".join(f"{kinds[kind]} {kind}" for kind in _KINDS if kinds[kind])
            rows = [change.row(self._link(change.found)) for change in changes]
            yield "\n".join([f"### {code} {name}: {counts}\n", "| | where | what |", "|---|---|---|", *rows])

    def _link(self, found: Found) -> str:
        if not self.url:
            return f"`{found.place}`"
        # A row of a cell is none of the file.
        anchor = "" if found.cell else f"#L{found.row}"
        return f"[{_cell(found.place)}]({self.url.rstrip('/')}/{quote(found.file)}{anchor})"


def _by_place(found: Found) -> Hashable:
    return found.code, found.file, found.cell, found.row, found.column


def _by_message(found: Found) -> Hashable:
    return found.code, found.file, found.message


def _order(change: Change) -> tuple[int, str, int, int]:
    found = change.found
    return list(_KINDS).index(change.kind), found.file, found.cell or 0, found.row


def _matched(old: list[Found], new: list[Found], identity: Callable[[Found], Hashable]) -> list[Change]:
    """Those that belong together, in their order; both lists keep the rest."""
    waiting: dict[Hashable, list[Found]] = defaultdict(list)
    for found in old:
        waiting[identity(found)].append(found)
    changes = []
    for found in list(new):
        if before := waiting[identity(found)]:
            changes.append(Change(before.pop(0), found))
    for change in changes:
        old.remove(change.old)
        new.remove(change.new)
    return changes


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


# ── running ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", metavar="OLD")
    parser.add_argument("new", metavar="NEW")
    parser.add_argument("trees", nargs="+", metavar="TREE", type=Path)
    parser.add_argument(
        "--url",
        action="append",
        type=_shown,
        default=[],
        metavar="TREE=URL",
        help="where the files of a tree are shown",
    )
    parser.add_argument("--target-tensorflow", metavar="VERSION", help="for which to lint (default: the newest)")
    parser.add_argument("--declared", action="store_true", help="with the settings and the TensorFlow of each tree")
    parser.add_argument("--select", metavar="RULES", help="compare these rules only")
    parser.add_argument("--jobs", metavar="N", help="number of processes (default: as many as save time)")
    parser.add_argument("--repository", metavar="FOLDER", type=Path, default=HERE.parent, help=argparse.SUPPRESS)
    arguments = parser.parse_args(words)
    urls: dict[Path, str] = dict(arguments.url)
    if unknown := urls.keys() - {tree.resolve() for tree in arguments.trees}:
        parser.error(f"--url: {', '.join(map(str, unknown))} is none of the trees")
    if missing := [str(tree) for tree in arguments.trees if not tree.exists()]:
        parser.error(f"no such file or folder: {', '.join(missing)}")
    options = ["--no-cache", "--output-format=json"]
    if not arguments.declared:
        options.append("--isolated")
    for name in ("target_tensorflow", "select", "jobs"):
        if value := getattr(arguments, name):
            options.append(f"--{name.replace('_', '-')}={value}")
    try:
        with tempfile.TemporaryDirectory(prefix="ecosystem-") as folder:
            scratch = Path(folder).resolve()
            versions = [
                version(word, f"{label} ({word})", arguments.repository, scratch / label)
                for label, word in (("OLD", arguments.old), ("NEW", arguments.new))
            ]
            (scratch / "warming.py").write_text(_WARMING, encoding="utf-8")
            for each in versions:
                each.check(scratch)
                lint(each, scratch / "warming.py", options, scratch)
            return compare(versions, arguments.trees, urls, options, scratch)
    except (WrongResult, subprocess.CalledProcessError) as error:
        stderr = getattr(error, "stderr", None)
        print(f"error: {stderr.decode(errors='replace').strip() if stderr else error}", file=sys.stderr)
        return FAILED


def _shown(entry: str) -> tuple[Path, str]:
    tree, _, rest = entry.rpartition("=https://")
    if not tree:
        raise argparse.ArgumentTypeError(f"{entry!r} is not TREE=https://…")
    return Path(tree).resolve(), f"https://{rest}"


def version(word: str, label: str, repository: Path, folder: Path) -> Version:
    """A folder with a checkout, or a revision that is unpacked into `folder`."""
    if (Path(word) / "tfdata_lint" / "__init__.py").is_file():
        return Version(label, Path(word).resolve())
    archive = folder.with_suffix(".zip")
    git = ["git", "-C", repository, "archive", f"--output={archive}", "--end-of-options", word]
    subprocess.run(git, check=True, capture_output=True)
    with ZipFile(archive) as packed:
        packed.extractall(folder)
    return Version(label, folder)


def compare(
    versions: Sequence[Version], trees: Iterable[Path], urls: Mapping[Path, str], options: Sequence[str], scratch: Path
) -> int:
    differences: list[Difference] = []
    failed: list[str] = []
    for tree in trees:
        outcomes = []
        for each in versions:
            progress(f"{tree.name or tree}: {each.label}")
            try:
                outcomes.append(lint(each, tree.resolve(), options, scratch))
            except WrongResult as error:
                failed.append(f"{tree}: {error}")
        if len(outcomes) == len(versions):
            differences.append(Difference(str(tree), *outcomes, urls.get(tree.resolve()) or url_of(tree)))
    progress("")
    old, new = versions
    print(f"# {old.label} → {new.label}\n")
    print("\n".join(table(differences)))
    for difference in filter(None, differences):
        for part in difference.details():
            print(f"\n{part}")
    for failure in failed:
        print(f"\nerror: {failure.strip()}", file=sys.stderr)
    if failed:
        return FAILED
    return DIFFERENT if any(differences) else SAME


def table(differences: Sequence[Difference]) -> Iterator[str]:
    yield row(["tree", "OLD", "NEW", *_KINDS, "CPU OLD", "CPU NEW", "×"])
    yield "|---" + "|---:" * (len(_KINDS) + 5) + "|"
    yield from (difference.summary() for difference in differences)
    if len(differences) > 1:
        olds, news = [each.old for each in differences], [each.new for each in differences]
        kinds = sum((each.kinds for each in differences), Counter[str]())
        counts = [sum(len(each.found) for each in side) for side in (olds, news)] + [kinds[kind] for kind in _KINDS]
        cpu = [sum(each.usage.cpu for each in side) for side in (olds, news)]
        yield row(["all", *map(str, counts), *map(seconds, cpu), ratio(cpu[1], cpu[0])])


def lint(version: Version, tree: Path, options: Sequence[str], scratch: Path) -> Outcome:
    """Raises WrongResult if the version prints no findings."""
    printed = scratch / "printed"
    # 2: it has linted, and something could not be done. What that was it has said.
    command = replace(version.installation.lint("", *options, tree, cwd=scratch), codes=(0, 2))
    usage = run(command, printed)
    complaints = printed.with_suffix(".errors").read_text(encoding="utf-8", errors="replace")
    try:
        values = json.loads(printed.read_bytes())
    except ValueError:
        raise WrongResult(f"{version.label} prints no findings: {complaints}") from None
    root = tree if tree.is_dir() else tree.parent
    found = [Found.read(value, _inside(value["filename"], root, scratch)) for value in values]
    return Outcome(found, complaints.splitlines(), usage)


def _inside(file: str, root: Path, scratch: Path) -> str:
    return Path(os.path.relpath(scratch / file, root)).as_posix()


def progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


# ── links ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def url_of(tree: Path) -> str | None:
    """Where GitHub shows these files: at the commit that is checked out."""
    folder = tree if tree.is_dir() else tree.parent
    # The folder itself must be committed: one that only lies in a clone is not shown.
    asked = (
        ("rev-parse", "HEAD:./"),
        ("rev-parse", "HEAD"),
        ("rev-parse", "--show-prefix"),
        ("remote", "get-url", "origin"),
    )
    told = []
    for words in asked:
        git = subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True, check=False)
        if git.returncode:
            return None
        told.append(git.stdout.strip())
    _, commit, prefix, remote = told
    if not (match := _GITHUB.search(remote)):
        return None
    return f"https://github.com/{match['name']}/blob/{commit}/{quote(prefix)}".rstrip("/")


if __name__ == "__main__":
    sys.exit(main())
