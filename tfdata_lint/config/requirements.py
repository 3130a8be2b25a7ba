"""Which TensorFlow a project declares, read from its files and never by importing anything.

In each folder, from that of the linted file upwards to the root of its repository, these are asked:

1. what the package needs (`pyproject.toml` after PEP 621, Poetry or pixi, `pixi.toml`, `setup.cfg`, `setup.py`);
2. `requirements*.txt`, conda's environment files, and the extras and groups of a package that does not itself need
   TensorFlow;
3. lock files (`uv.lock`, `poetry.lock`, `pdm.lock`, `Pipfile.lock`);
4. the image that a `Dockerfile` starts from (`tensorflow/tensorflow:2.8.0-gpu`, `nvidia/tensorflow:20.06-tf1-py3`),
   there or in a folder `docker`;
5. what a README says to install.

The first that tells a version wins. A folder that only names TensorFlow ends the search: any version will do there.
What is installed is never asked, so that the same tree gives the same findings everywhere. Of a range that ends
somewhere the lowest version counts, and it wins over what a lock file pins: the range is what the project promises, so
a fix must hold for all of it, while the lock file tells only one place where it runs. A range that is bounded only from
above means the newest that it allows. One that is open upwards declares no version: the lock file decides, else the
newest is meant; but fixes use no name that its lower bound lacks, nor one that a version lacks which a README mentions.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from tfdata_lint.config.files import parse_toml, shown_path
from tfdata_lint.config.target import LAST_OF_1, NEWEST, Target
from tfdata_lint.source.content import BESIDE, LOCKED, names_in, read_beside
from tfdata_lint.source.digests import digest

Version = tuple[int, int]

#: What is required in files of packages, by the digests of their texts. Who runs again and again puts back what it was.
packages: dict[str, str] = {}
_SEPARATOR = "\1"

_NIGHTLY = frozenset({"tf-nightly", "tf-nightly-cpu", "tf-nightly-gpu", "tf-nightly-macos", "tf-nightly-intel"})
_STABLE = frozenset(
    {
        "tensorflow", "tensorflow-cpu", "tensorflow-gpu", "tensorflow-macos", "tensorflow-intel", "tensorflow-rocm",
        "tensorflow-aarch64", "tensorflow-cpu-aws", "intel-tensorflow",
    }
)  # fmt: skip
_LAST_GPU = (2, 11)  # Of `tensorflow-gpu`: 2.12 is empty, and says so.
#: How the names of the files begin that tell something, in small letters: `DockerFile`, `readme.md`.
_FILES = (
    "pyproject.toml", "pixi.toml", "setup.", "requirements", "uv.lock", "poetry.lock", "pdm.lock", "pipfile.",
    "docker", "readme",
)  # fmt: skip
_YAML = (".yml", ".yaml")
#: So many files in YAML are read in a folder, whatever they are called: more of them are no environments of conda.
_ENVIRONMENTS = 8
#: So many folders of a project are asked for requirements of their own.
_PARTS = 60
_IMAGE = (
    r"(?m)^[^#\n]*\b(?:(?:tensorflow/tensorflow|/tensorflow-(?:training|inference)):(\d+)\.(\d+)"
    r"|nvidia/tensorflow:[\d.]+-tf1\b)"
)
#: A row of a README that only says which TensorFlow it needs.
_LISTED = r"(?i)[\s*>+#|`-]*tensorflow(?:[-_ ](?:gpu|cpu))?[\s`*:|]*(==|>=)?\s*v?(\d+\.\d+(?:\.\d+)?)[\s`*|.,;]*"
#: Where the text of a README names a version that its code was written for, or a command of Google's AI Platform does.
_MENTIONED = (
    r"(?i)(?<![a-z])tensor[- ]?flow(?:[-_ ](?:gpu|cpu))?\W{0,6}(?:versions?\W{0,3}|v)?([12])\.(\d{1,2})(?!\d)"
    r"|--runtime-version[ =]['\"]?([12])\.(\d{1,2})(?!\d)"
)
_REQUIREMENT = r"([A-Za-z][\w.-]*)\s*(?:\[[^\]]*\])?([^;#@]*)"
_COMPARISON = r"(?:(?<![<>=!~^])([<>=!~^]+)\s*)?(?<![\w.*+-])v?(\d+)(?:\.(\d+))?(?:\.(\d+))?[^\s,<>!~|)]*"
#: Extras for tests, which may run on a version that the package does not ask for.
_OF_TESTS = ("test", "tests", "testing")
#: Characters of a row of `setup.cfg` that are read.
_LONG = 2_000
#: Digits of a number that are read, and rows of a lock file between a name and its version.
_DIGITS = 6
_ROWS = 20


class Requirement(NamedTuple):
    """A distribution of TensorFlow that a project names."""

    distribution: str
    version: Version | None
    where: str
    oldest: Version | None = None
    """The lower bound of a range that is open upwards."""


@lru_cache(maxsize=4096)
def tensorflow_of(folder: str) -> Target:
    """The TensorFlow of the project that a folder belongs to. The folder is absolute."""
    names = names_in(folder)
    if any(name.lower().startswith(_FILES) or name.endswith(_YAML) for name in names) and (
        found := _declared_in(folder, names)
    ):
        return found
    return _bounded(_above(folder, names), folder, names)


def _above(folder: str, names: frozenset[str]) -> Target:
    parent = os.path.dirname(folder)
    if ".git" in names:
        return _of_parts(folder, names)
    return Target() if parent == folder or folder == os.path.expanduser("~") else tensorflow_of(parent)


def _bounded(found: Target, folder: str, names: frozenset[str]) -> Target:
    """With the newest version that a README of a folder, or of one above, mentions where nothing declares one."""
    if found.is_declared or found.oldest is not None:
        return found
    mentioned = [
        (_number(major or first), _number(minor or second))
        for _, text in _readmes(folder, names)
        for major, minor, first, second in re.findall(_MENTIONED, text)
    ]
    return found._replace(mentioned=max(mentioned)) if mentioned else found


def _of_parts(folder: str, names: frozenset[str]) -> Target:
    """Where a project says nothing itself, what its parts ask for bounds the names that code beside them may use."""
    parts = [os.path.join(folder, name) for name in sorted(names)[:_PARTS] if not name.startswith(".")]
    asked = [one for part in parts for one in _requirement_files(part, names_in(part))]
    oldest, where = min(
        ((found, one.where) for one in asked if (found := one.oldest or one.version)), default=(None, "")
    )
    if oldest is None:
        return Target()
    return Target(origin="assumed: {} asks for {}.{}".format(where, *oldest), oldest=oldest)


def _declared_in(folder: str, names: frozenset[str]) -> Target | None:
    package, optional = _packaged(folder, names)
    if found := _told(package):
        return found
    conda = sorted(name for name in names if name.endswith(_YAML) and not name.startswith("."))
    usual = [name for name in conda if name.startswith("environment")]
    files = [*_requirement_files(folder, names), *_environment_files(folder, usual)]
    asked = [*package, *files] if package else [*files, *optional]
    found = _told(files if package else asked)
    if not found and len(conda) <= _ENVIRONMENTS:
        # Those of other names may be of some other time: they tell where nothing else does.
        asked += (others := list(_environment_files(folder, [name for name in conda if name not in usual])))
        found = _told(others)
    for read in (_locked, _images, _installed):
        found = found or _told(read(folder, names))
    oldest, where = min(((one.oldest, one.where) for one in asked if one.oldest), default=(None, ""))
    if found:
        return found._replace(oldest=oldest)
    if oldest:
        return Target(origin="assumed: {} allows {}.{} and later".format(where, *oldest), oldest=oldest)
    named = next(iter((*asked, *optional)), None)
    return Target(origin=f"assumed: {named.where} names no version") if named else None


def _told(requirements: Iterable[Requirement]) -> Target | None:
    """A nightly without a version counts as the newest, where nothing else is named."""
    found = list(requirements)
    versions = [(requirement.version, requirement.where) for requirement in found if requirement.version]
    if versions:
        return Target(*min(versions), is_declared=True)
    if found and all(requirement.distribution in _NIGHTLY for requirement in found):
        return Target(NEWEST, found[0].where, is_declared=True)
    return None


# ── requirements ────────────────────────────────────────────────────────────────────────────────────────────────────


def requirement(text: str, where: str) -> Requirement | None:
    """`tensorflow[and-cuda]>=2.8,<3; python_version<"3.12"`, when it is one of TensorFlow."""
    name, specifier = parts(text)
    return _named(name, specifier, where)


def parts(text: str) -> tuple[str, str]:
    """The name and the versions of a requirement; both are empty where the text is none."""
    match = re.match(_REQUIREMENT, text)
    return (match[1], match[2]) if match else ("", "")


def is_tensorflow(name: str) -> bool:
    """Is a distribution of this name one of TensorFlow?"""
    return _distribution(name) in _STABLE | _NIGHTLY


def _named(name: str, specifier: str, where: str) -> Requirement | None:
    if not is_tensorflow(name):
        return None
    distribution, first = _distribution(name), lowest(specifier)
    last = highest(specifier) or (_LAST_GPU if distribution == "tensorflow-gpu" else None)
    return Requirement(distribution, last and (first or last), where, None if last else first)


def _distribution(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def lowest(specifier: str) -> Version | None:
    """The lowest version that `>=2.8,<3` allows, as far as its first two numbers; in the forms of Poetry and conda
    (`^2.8`, `2.8 || 3.0`, `=2.8`), too. None when nothing bounds it from below."""
    bounds = [max(lower, default=None) for lower, _ in _bounds(specifier)]
    known = [bound for bound in bounds if bound]
    return min(known) if len(known) == len(bounds) else None


def highest(specifier: str) -> Version | None:
    """The highest version that `<2.11` or `==2.10.*` allows; None when it is open upwards, as far as we know."""
    bounds = [min(upper, default=None) for _, upper in _bounds(specifier)]
    return max(filter(None, bounds)) if all(bounds) else None


def _bounds(specifier: str) -> list[tuple[list[Version], list[Version]]]:
    """The lower and the upper bounds of each alternative."""
    found = []
    for alternative in re.split(r"\|+", specifier.partition(" --")[0]):
        lower, upper = [], []
        for operator, major, minor, patch in re.findall(_COMPARISON, alternative):
            version = _number(major), _number(minor)
            if operator in ("<", "<="):
                last = _before(*version) if operator == "<" and not _number(patch) else version
                # One that excludes nothing bounds nothing.
                upper += [last] if last < NEWEST else []
            elif operator != "!=":
                lower.append(version)
                # `~=2.10` allows 2.11, and Poetry's `~2.10` does not.
                is_fixed = operator not in (">", ">=", "^") and (patch if operator == "~=" else minor)
                upper += [version] if is_fixed else []
        found.append((lower, upper))
    return found


def _number(digits: str) -> int:
    # Python refuses to read a number of thousands of digits.
    return int(digits[:_DIGITS] or 0)


def _before(major: int, minor: int) -> Version:
    return (major, minor - 1) if minor else LAST_OF_1.version if major == 2 else NEWEST


# ── packages ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _packaged(folder: str, names: frozenset[str]) -> tuple[list[Requirement], list[Requirement]]:
    """What the package in a folder needs, and what its extras and groups need."""
    package: list[Requirement] = []
    optional: list[Requirement] = []
    for name in _READERS:
        if name not in names or not (data := _mentioning(path := os.path.join(folder, name))):
            continue
        try:
            for is_optional, found in _remembered(name, _text(data)):
                where = f"{shown_path(path)}{found.where}"
                (optional if is_optional else package).append(found._replace(where=where))
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return package, optional


def _remembered(name: str, text: str) -> list[tuple[bool, Requirement]]:
    key = digest(f"{name}\0{text}".encode("utf-8", "surrogatepass"))
    if key in packages:
        return list(map(_unpacked, filter(None, packages[key].split(_SEPARATOR))))
    found = list(_READERS[name](text))
    if all(one.where.isprintable() for _, one in found):
        packages[key] = _SEPARATOR.join(_packed(is_optional, one) for is_optional, one in found)
    return found


def _packed(is_optional: bool, one: Requirement) -> str:
    versions = ("{}.{}".format(*version) if version else "-" for version in (one.version, one.oldest))
    return f"{is_optional:d} {one.distribution} {' '.join(versions)} {one.where}"


def _unpacked(row: str) -> tuple[bool, Requirement]:
    is_optional, distribution, *versions, where = row.split(" ", 4)
    numbers = [version.partition(".") for version in versions]
    version, oldest = ((int(major), int(minor)) if minor else None for major, _, minor in numbers)
    return is_optional == "1", Requirement(distribution, version, where, oldest)


def _toml(text: str) -> Iterator[tuple[bool, Requirement]]:
    table = parse_toml(text)
    places = [
        (False, "project.dependencies"),
        (False, "tool.poetry.dependencies"),
        (True, "project.optional-dependencies.*"),
        (True, "dependency-groups.*"),
        (True, "tool.poetry.dev-dependencies"),
        (True, "tool.poetry.group.*.dependencies"),
        (True, "tool.pdm.dev-dependencies.*"),
        (True, "tool.uv.dev-dependencies"),
        *(
            (place != "", f"{prefix}{place}{kind}")
            for prefix in ("tool.pixi.", "")
            for place in ("", "feature.*.", "target.*.")
            for kind in ("dependencies", "pypi-dependencies")
        ),
    ]
    for is_optional, place in places:
        for where, value in _at(table, place.split(".")):
            for found in _in_table(value, f", {where}"):
                yield is_optional, found


def _at(table: Any, path: list[str], where: str = "") -> Iterator[tuple[str, Any]]:
    """What stands at a path, where `*` is any key; with the path."""
    if not path:
        yield where, table
    elif isinstance(table, dict):
        for key in table if path[0] == "*" else [path[0]]:
            if key in table and not (key in _OF_TESTS and where == "project.optional-dependencies"):
                yield from _at(table[key], path[1:], f"{where}.{key}" if where else key)


def _in_table(value: Any, where: str) -> Iterator[Requirement]:
    """From a list of requirements, or a table as Poetry has it: `tensorflow = "^2.8"`, or more at length."""
    if isinstance(value, list):
        entries = [requirement(entry, where) for entry in value if isinstance(entry, str)]
    elif isinstance(value, dict):
        entries = [
            _named(name, version, where)
            for name, entry in value.items()
            for one in (entry if isinstance(entry, list) else [entry])
            if isinstance(version := one.get("version", "") if isinstance(one, dict) else one, str)
        ]
    else:
        return
    yield from filter(None, entries)


def _setup_cfg(text: str) -> Iterator[tuple[bool, Requirement]]:
    import configparser

    parser = configparser.ConfigParser(interpolation=None)
    try:
        # Its pattern takes time with the square of a row; none that needs TensorFlow is so long.
        parser.read_string("\n".join(row[:_LONG] for row in text.splitlines()))
    except configparser.Error:
        return
    extras = parser.items("options.extras_require") if parser.has_section("options.extras_require") else []
    for key, value in [("install_requires", parser.get("options", "install_requires", fallback="")), *extras]:
        for line in value.splitlines() if key not in _OF_TESTS else ():
            if found := requirement(line.strip(), f", {key}"):
                yield key != "install_requires", found


def _setup_py(text: str) -> Iterator[tuple[bool, Requirement]]:
    # Most projects have none, and the syntax of Python takes time to import.
    from tfdata_lint.config.setup_py import given_to_setup

    for key, one, line in given_to_setup(text, _OF_TESTS):
        if found := requirement(one.strip(), f":{line}"):
            yield key == "extras_require", found


_READERS: dict[str, Callable[[str], Iterator[tuple[bool, Requirement]]]] = {
    "pyproject.toml": _toml,
    "pixi.toml": _toml,
    "setup.cfg": _setup_cfg,
    "setup.py": _setup_py,
}


# ── lists ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _requirement_files(folder: str, names: frozenset[str]) -> Iterator[Requirement]:
    # What `pip-compile` reads, where nobody committed what it wrote.
    ending = ".txt" if any(n.startswith("requirements") and n.endswith(".txt") for n in names) else ".in"
    waiting = [os.path.join(folder, n) for n in sorted(names) if n.startswith("requirements") and n.endswith(ending)]
    if "requirements" in names:
        inner = os.path.join(folder, "requirements")
        waiting += [os.path.join(inner, name) for name in sorted(names_in(inner)) if name.endswith(".txt")]
    seen: set[str] = set()
    while waiting:
        path = os.path.normpath(waiting.pop())
        if path in seen or not path.startswith(os.path.join(folder, "")):
            continue
        seen.add(path)
        shown = shown_path(path)
        for number, line in enumerate(_text(_read(path)).splitlines(), 1):
            if match := re.match(r"\s*(?:-r|-c|--requirement|--constraint)[\s=]*([^\s#]+)", line):
                waiting.append(os.path.join(os.path.dirname(path), match[1]))
            elif found := requirement(line.strip(), f"{shown}:{number}"):
                yield found


def _environment_files(folder: str, names: Iterable[str]) -> Iterator[Requirement]:
    """Conda's lists. No YAML is parsed: every item of a list that names TensorFlow counts, whichever list it is in."""
    for name in names:
        path = os.path.join(folder, name)
        text = _text(_mentioning(path))
        if not re.search(r"(?m)^dependencies:", text):
            continue
        shown = shown_path(path)
        for number, line in enumerate(text.splitlines(), 1):
            item = re.match(r"\s*-\s+[\"']?(?:[\w-]+::)?([^\"']*)", line)
            if item and (found := requirement(item[1], f"{shown}:{number}")):
                yield found


# ── versions that are fixed ─────────────────────────────────────────────────────────────────────────────────────────


def _locked(folder: str, names: frozenset[str]) -> Iterator[Requirement]:
    """From lock files. They may be long, so that they are searched, not parsed."""
    name = r'"((?:tensorflow|tf|intel)[\w.-]*)"'
    in_toml = rf'name = {name}\n(?:[^\[\n].*\n){{0,{_ROWS}}}?version = "([^"]+)"'
    in_json = rf'{name}: \{{[^{{}}]*"version": "([^"]+)"'
    for file in filter(names.__contains__, ("uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock")):
        text = _text(_read(path := os.path.join(folder, file))).replace("\r\n", "\n")
        for match in re.finditer(in_json if file == "Pipfile.lock" else in_toml, text):
            if found := _named(match[1], match[2], shown_path(path)):
                yield found


def _installed(folder: str, names: frozenset[str]) -> Iterator[Requirement]:
    """What somebody who follows the README installs: `pip install tensorflow-gpu==2.2.0`, `* TensorFlow 2.1`."""
    for path, text in _readmes(folder, names):
        for number, row in enumerate(text.splitlines(), 1):
            words = row.split() if "tensorflow" in row and "install" in row else []
            if listed := re.fullmatch(_LISTED, row):
                words.append(f"tensorflow{listed[1] or '=='}{listed[2]}")
            for word in words:
                if "=" in word and (found := requirement(word.strip("`'\""), f"{shown_path(path)}:{number}")):
                    yield found


def _readmes(folder: str, names: frozenset[str]) -> list[tuple[str, str]]:
    """The paths and texts of the READMEs in a folder."""
    return [
        (path, _text(_read(path)))
        for path in sorted(os.path.join(folder, name) for name in names if name.lower().startswith("readme"))
    ]


def _images(folder: str, names: frozenset[str]) -> Iterator[Requirement]:
    if "docker" in names:
        yield from _images(inner := os.path.join(folder, "docker"), names_in(inner) - {"docker"})
    for name in sorted(name for name in names if name.lower().startswith("dockerfile")):
        text = _text(_read(path := os.path.join(folder, name)))
        row, counted = 1, 0
        for image in re.finditer(_IMAGE, text):
            version = (_number(image[1]), _number(image[2])) if image[1] else LAST_OF_1.version
            row += text.count("\n", counted, counted := image.end())
            yield Requirement("tensorflow", version, f"{shown_path(path)}:{row}")


# ── files ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _read(path: str) -> bytes:
    return read_beside(path, LOCKED if path.endswith(".lock") else BESIDE) or b""


def _mentioning(path: str) -> bytes:
    """The content of a file, when it has the word TensorFlow at all."""
    data = _read(path)
    lower = data.lower()
    return data if b"tensorflow" in lower or b"nightly" in lower else b""


def _text(data: bytes) -> str:
    # `pip freeze > requirements.txt` in PowerShell writes UTF-16.
    return data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig", "replace")
