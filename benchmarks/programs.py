"""The programs that are measured: tfdata-lint, as it is installed here and elsewhere, and what it is compared with."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from measure import Command, WrongResult, environment
from report import FLOOR, FROM_CACHE, ONE, OURS, RUFF, TWO, TY

import tfdata_lint

HERE = Path(__file__).resolve().parent
#: What the installed command does; older ones have no `console`.
_LINT = "import sys; from tfdata_lint import cli; sys.exit(getattr(cli, 'console', cli.main)())"
#: Prints what is measured. Debian builds with PGO without saying so in CONFIG_ARGS.
_DESCRIPTION = """
import platform, sysconfig, tfdata_lint
from pathlib import Path
options = {"PGO": "--enable-optimizations", "LTO": "--with-lto"}
given = sysconfig.get_config_var("CONFIG_ARGS") or ""
build = ", ".join(f"{'with' if option in given else 'without'} {name}" for name, option in options.items())
python = f"Python {platform.python_version()}, configured {build}"
compiled = sum(file.suffix in (".so", ".pyd") for file in Path(tfdata_lint.__file__).parent.rglob("*"))
print(f"{tfdata_lint.__version__}, {compiled or 'no'} modules compiled; {python}")
"""
_TOOLS = {
    RUFF: "ruff",
    TY: "ty",
    "pyrefly": "pyrefly",
    "pyright": "pyright",
    "flake8": "flake8",
    "Fixit": "fixit",
    "pylint": "pylint",
    "semgrep": "semgrep",
}
#: A name and what follows it on the command line, by label.
Programs = dict[str, tuple[str | Path, ...]]


@dataclass(frozen=True)
class Installation:
    """A tfdata-lint, and the Python that runs it."""

    label: str
    python: str
    path: str = ""
    """Where the package is, if it is not installed."""
    findings: str = "findings"
    """Installations with the same word here must find the same."""

    @property
    def words(self) -> tuple[str, ...]:
        return self.python, "-c", _LINT, "check", "--exit-zero"

    def environment(self, more: str = "") -> dict[str, str]:
        return {"PYTHONPATH": os.pathsep.join(filter(None, [self.path, more]))}

    def lint(self, what: str, *words: str | Path, cwd: Path, same: bool = False, more: str = "") -> Command:
        """`same`: it must print what others of the same findings print. `more`: where there are more rules."""
        prints = self.findings if same else ""
        return Command(self.label + what, (*self.words, *words), cwd, self.environment(more), prints)

    def lines(self, *words: str | Path, cwd: Path | None = None) -> Iterator[str]:
        """What a program prints that sees this package. Not all at once: our memory would count as that of others."""
        env = environment(self.environment())
        with subprocess.Popen(words, cwd=cwd, env=env, stdout=subprocess.PIPE, text=True, errors="replace") as process:
            assert process.stdout
            for line in process.stdout:
                yield line.rstrip("\n")
        if process.returncode:
            raise WrongResult(f"{' '.join(map(str, words))}: exit code {process.returncode}")

    def description(self) -> str:
        return "".join(self.lines(self.python, "-c", _DESCRIPTION, cwd=HERE))


def here() -> Installation:
    """The installed package, or the one of the repository."""
    package = Path(tfdata_lint.__file__).resolve().parents[1]
    installed = package == Path(sysconfig.get_path("purelib")).resolve()
    return Installation(OURS, sys.executable, "" if installed else str(package))


@dataclass(frozen=True)
class Tools:
    """Programs of others. Those that are not installed are left out."""

    path: str
    """Where they are looked up."""
    scratch: Path
    """Where they run and write. Settings that lie in the trees count for nobody."""

    def versions(self) -> str:
        found = {label: self._find(name) for label, name in _TOOLS.items()}
        return ", ".join(f"{label} {_version(tool)}" for label, tool in found.items() if tool)

    def ruff(self, tree: Path, name: str) -> Iterator[Command]:
        if tool := self._find("ruff"):
            words, cache = (tool, "check", "--isolated", "--exit-zero", "--select=NPY", tree), f"{name}-ruff-cache"
            yield Command(RUFF, (*words, "--no-cache"), self.scratch)
            yield Command(RUFF + FROM_CACHE, (*words, f"--cache-dir={self.scratch / cache}"), self.scratch)

    def everywhere(self, tree: Path) -> Iterator[Command]:
        """Those that are fast enough for a large tree. ty and pyrefly follow names through it as we do."""
        empty = self.scratch / "empty.toml"
        empty.touch()
        as_project = (f"--config-file={empty}", f"--project={tree}", "--exit-zero", "--output-format=concise")
        programs: Programs = {
            TY: ("ty", "check", *as_project, tree),
            "pyrefly": ("pyrefly", "check", f"--config={empty}", "--output-format=min-text", tree),
            "flake8": ("flake8", "--isolated", "--exit-zero", tree),
        }
        return self._commands(programs)

    def on_pipelines(self, tree: Path) -> Iterator[Command]:
        """The others. Fixit and semgrep look for what some of our rules look for."""
        patterns = f"--config={HERE / 'peers' / 'semgrep.yaml'}"
        offline = ("--metrics=off", "--disable-version-check", "--no-git-ignore", "--quiet")
        without_settings = (f"--rcfile={os.devnull}", "--recursive=y", "--exit-zero")
        programs: Programs = {
            "pyright": ("pyright", tree),
            "semgrep, 5 rules": ("semgrep", "scan", patterns, *offline, tree),
            "Fixit, 1 rule": ("fixit", "--quiet", "--rules", "sequential_map", "lint", tree),
            "pylint, rules of perflint": ("perflint", *without_settings, tree),
        }
        return self._commands(programs)

    def _commands(self, programs: Programs) -> Iterator[Command]:
        places = {"PYTHONPATH": str(HERE / "peers"), "PATH": self.path, "HOME": str(self.scratch)}
        for label, (name, *words) in programs.items():
            if tool := self._find(str(name)):
                # They say with their exit codes that there are findings (1) and files that cannot be parsed (2).
                yield Command(label, (tool, *words), self.scratch, places, codes=(0, 1, 2, 3))

    def _find(self, name: str) -> str | None:
        return shutil.which(name, path=self.path)


def linters(installations: list[Installation], tree: Path, scratch: Path, name: str) -> Iterator[Command]:
    """tfdata-lint, and the least that it must do."""
    for number, ours in enumerate(installations):
        cache = f"--cache-dir={scratch / f'{name}-cache-{number}'}"
        yield ours.lint(ONE, "--isolated", "--no-cache", "--jobs=1", tree, cwd=scratch, same=True)
        yield ours.lint(TWO, "--isolated", "--no-cache", "--jobs=2", tree, cwd=scratch, same=True)
        yield ours.lint(FROM_CACHE, "--isolated", cache, tree, cwd=scratch, same=True)
    first = installations[0]
    yield Command(FLOOR, (first.python, HERE / "floor.py", tree), scratch, first.environment())


def _version(tool: str) -> str:
    # Semgrep would ask the network whether there is a newer one.
    calm = environment({"SEMGREP_ENABLE_VERSION_CHECK": "0"})
    told = subprocess.run([tool, "--version"], capture_output=True, text=True, env=calm, check=False).stdout
    found = re.search(r"\d+(\.\d+)+", told)
    return found[0] if found else ""
