"""What can be typed: the commands and their options."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

import tfdata_lint
from tfdata_lint import __version__
from tfdata_lint.cli.common import FAILED, complain
from tfdata_lint.cli.examples import (
    CHECK_EXAMPLES,
    COMPARE_EXAMPLES,
    EXIT_CODES,
    GRAPH_EXAMPLES,
    GRAPH_EXIT_CODES,
    MAIN_EXAMPLES,
    MEANT,
    OTHER_EXIT_CODES,
    PROFILE_EXAMPLES,
    TUNE_EXAMPLES,
)
from tfdata_lint.config.formats import FORMATS
from tfdata_lint.config.settings.values import nearest

_CONFIG = "use this configuration file for all files, or set one key: 'KEY = VALUE'"


def make_parser(only: str = "") -> argparse.ArgumentParser:
    """Of all commands, or of one when that is the only one that can be meant: making them all takes a while."""
    parser = _Parser(
        "tfdata-lint",
        description="A static linter for tf.data pipelines. It reads code and never runs it.",
        epilog=MAIN_EXAMPLES + EXIT_CODES,
        formatter_class=_Help,
        allow_abbrev=False,
    )
    version = "print the version, and whether the pipeline is compiled or pure Python"
    parser.add_argument("--version", action=_PrintVersion, nargs=0, help=version)
    parser.add_argument(
        "--print-completion",
        action=_PrintCompletion,
        metavar="SHELL",
        help="print completions for bash, zsh, fish or PowerShell",
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    parser.commands = commands.choices
    for name in (only,) if only in _COMMANDS else _COMMANDS:
        _COMMANDS[name](commands, name)
    return parser


def _command(
    commands: Any, name: str, text: str, examples: str, exit_codes: str = OTHER_EXIT_CODES
) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(
        name,
        help=text[0].lower() + text[1:],
        description=text,
        epilog=examples + exit_codes,
        formatter_class=_Help,
        allow_abbrev=False,
    )
    command.set_defaults(command=name)
    return command


def _add_check(commands: Any, name: str) -> None:
    check = _command(commands, name, "Lint files and folders", CHECK_EXAMPLES, EXIT_CODES)
    _add_paths(check)
    rules = check.add_argument_group("rules")
    rules.add_argument("--select", metavar="RULES", action="append", help="run only these rules")
    rules.add_argument("--extend-select", metavar="RULES", action="append", help="also run these rules")
    rules.add_argument("--ignore", metavar="RULES", action="append", help="do not run these rules")
    for option, text in (
        ("--per-file-ignores", "do not run these rules on files that match this pattern (replaces the setting)"),
        ("--extend-per-file-ignores", "the same, in addition to the setting"),
    ):
        rules.add_argument(option, metavar="PATTERN:RULES", action="append", help=text)
    rules.add_argument(
        "--target-tensorflow",
        metavar="VERSION",
        help="TensorFlow version that the code runs on, such as 2.15 (default: the lowest declared, else the newest)",
    )
    rules.add_argument(
        "--ignore-noqa", "--show-suppressed", action="store_true", help="also report what comments suppress"
    )
    old = check.add_argument_group("existing findings")
    old.add_argument("--baseline", metavar="FILE", help="do not report the findings listed in this file")
    old.add_argument("--no-baseline", action="store_true", help="ignore the baseline")
    old.add_argument("--write-baseline", action="store_true", help="write all current findings to the baseline")
    old.add_argument("--diff-base", metavar="REV", help="report only findings that are new since this git revision")
    measured = check.add_argument_group("evidence", "Add earlier measurements to the findings. Executes nothing.")
    measured.add_argument(
        "--evidence",
        metavar="FILE",
        action="append",
        help="a ledger, a run.tfdata.json, or a file written by --verify-json",
    )
    measured.add_argument("--profile", metavar="PATH", help="a profile of TensorFlow (*.xplane.pb), or its log folder")
    measured.add_argument("--no-evidence", action="store_true", help="use no evidence, even if the settings name some")
    fixes = check.add_argument_group("fixes")
    fixes.add_argument(
        "--fix",
        action="store_true",
        help="apply the safe fixes, whose promise is in docs/fixes.md, and report what is left",
    )
    fixes.add_argument(
        "--interactive", action="store_true", help="with --fix: show each fix, and ask before applying it"
    )
    fixes.add_argument(
        "--unsafe-fixes", action="store_true", help="also use fixes that may change what the program does"
    )
    fixes.add_argument("--diff", action="store_true", help="print what --fix would change, without changing files")
    fixes.add_argument("--fix-only", action="store_true", help="apply fixes, and do not report remaining findings")
    fixes.add_argument("--show-fixes", action="store_true", help="list all applied fixes")
    for option, text in (
        ("--fixable", "fix only findings of these rules (replaces the settings)"),
        ("--extend-fixable", "also fix findings of these rules"),
        ("--unfixable", "do not fix findings of these rules"),
    ):
        fixes.add_argument(option, metavar="RULES", action="append", help=text)
    fixes.add_argument(
        "--add-ignore",
        "--add-noqa",
        metavar="REASON",
        nargs="?",
        const="",
        help="add a comment that suppresses each finding, optionally with a reason: --add-ignore=REASON",
    )
    speed = check.add_argument_group("speed")
    speed.add_argument("--jobs", metavar="N", help="number of processes (default: as many as save time)")
    speed.add_argument("--executor", metavar="ADDRESS", help="lint on a running Dask cluster: dask://HOST:PORT")
    speed.add_argument("--shard", metavar="I/N", help="lint only the I-th of N parts of the files")
    speed.add_argument("--cache-dir", metavar="DIR", help="folder for cached results (default: .tfdata_lint_cache)")
    speed.add_argument("--no-cache", action="store_true", help="do not read or write cached results")
    output = check.add_argument_group("output")
    output.add_argument(
        "--output-format", choices=FORMATS, metavar="FORMAT", help=f"output format: {', '.join(FORMATS)}"
    )
    output.add_argument("--output-file", metavar="FILE", help="write the output to this file")
    output.add_argument("--sort", choices=("file", "severity"), default="file", help="default: file")
    output.add_argument(
        "--statistics", action="store_true", help="print the number of findings per rule instead of findings"
    )
    output.add_argument(
        "--summary",
        action="store_true",
        help="end with the number of findings per rule, and list the errors (automatic in long runs)",
    )
    output.add_argument(
        "--advice", action="store_true", help="also print advice and findings of TensorFlow 1 programs in full"
    )
    output.add_argument(
        "--show-fix-diff",
        action=argparse.BooleanOptionalAction,
        help="show below each finding what its fix changes (default: on a terminal)",
    )
    output.add_argument(
        "--show-files", action="store_true", help="list the files that would be linted, without linting them"
    )
    output.add_argument("--show-settings", action="store_true", help="print the settings for a path, without linting")
    output.add_argument("--watch", action="store_true", help="lint again whenever files change")
    output.add_argument("-q", "--quiet", action="store_true", help="print only findings and errors")
    _add_color(output)
    _add_verify(check)
    outcome = check.add_argument_group("exit code")
    outcome.add_argument(
        "--fail-level",
        choices=("error", "warning", "advice"),
        help="lowest severity that makes the exit code 1 (default: warning)",
    )
    outcome.add_argument("--exit-non-zero-on-fix", action="store_true", help="exit with 1 if anything was fixed")
    outcome.add_argument("--exit-zero", action="store_true", help="exit with 0 even if there are findings")


def _add_verify(check: argparse.ArgumentParser) -> None:
    verify = check.add_argument_group("verify", "Run the code, and check findings against what its pipelines do.")
    verify.add_argument(
        "--verify",
        metavar="TARGET",
        action="append",
        help="code to run: script.py (its arguments after --), module.py::function, or notebook.ipynb",
    )
    verify.add_argument(
        "--verify-budget", metavar="N", help="time limit for everything, in seconds; results so far are reported"
    )
    verify.add_argument(
        "--verify-all", action="store_true", help="also measure findings that the run shows to be irrelevant"
    )
    _add_execution(verify)
    verify.add_argument("--report", metavar="FILE", help="write the verdicts to this HTML page")
    verify.add_argument("--verify-json", metavar="FILE", help="write the verdicts to this JSON file")
    verify.add_argument(
        "--ledger", metavar="FILE", help="store the verdicts in this file for --evidence: tfdata-lint-evidence.json"
    )
    verify.add_argument(
        "--evidence-output", metavar="FILE", help="write the measurements for --evidence: run.tfdata.json"
    )
    verify.add_argument(
        "--trace-out", metavar="FILE", help="write the trace to this file, for Perfetto (.json) or xprof (.xplane.pb)"
    )


def _add_execution(group: Any) -> None:
    group.add_argument("--verify-arg", metavar="NAME=VALUE", action="append", help="an argument for the function")
    group.add_argument("--verify-seconds", metavar="N", help="time limit for each pipeline, in seconds (default: 20)")
    group.add_argument("--verify-network", action="store_true", help="allow network access")
    group.add_argument("--verify-tempdir", action="store_true", help="run in a temporary folder")
    group.add_argument(
        "--python", metavar="PATH", help="interpreter (default: .venv, the active environment, tfdata-lint's own)"
    )
    group.add_argument(
        "--step-ms", metavar="MS", help="duration of a training step to assume if the code has no consumer"
    )


def _add_tune(commands: Any, name: str) -> None:
    tune = _command(
        commands,
        name,
        "Run code, and search for a faster pipeline with the same elements",
        TUNE_EXAMPLES,
        exit_codes="",
    )
    tune.add_argument(
        "target",
        metavar="TARGET",
        help="code to run: script.py (its arguments after --), module.py::function, or notebook.ipynb",
    )
    tune.add_argument("--fix", action="store_true", help="write the faster pipeline to the file")
    tune.add_argument("--budget", metavar="N", help="time limit for the search, in seconds (default: 300)")
    _add_execution(tune.add_argument_group("execution"))
    settings = tune.add_argument_group("settings")
    settings.add_argument("--config", metavar="FILE", action="append", help=_CONFIG)
    settings.add_argument("--isolated", action="store_true", help="use no configuration file")
    _add_color(tune.add_argument_group("output"))


def _add_graph(commands: Any, name: str) -> None:
    graph = _command(commands, name, "Print every pipeline of files and folders", GRAPH_EXAMPLES, GRAPH_EXIT_CODES)
    _add_paths(graph)
    output = graph.add_argument_group("output")
    output.add_argument(
        "--format",
        "--output-format",
        choices=("text", "svg", "html", "json", "dot", "mermaid"),
        default="text",
        help="default: text",
    )
    output.add_argument(
        "--coverage", action="store_true", help="print how many tf.data calls were recovered, and why others were not"
    )
    _add_color(output)


def _add_rule(commands: Any, name: str) -> None:
    rule = _command(commands, name, "List the rules, or explain one", "")
    which = rule.add_mutually_exclusive_group()
    which.add_argument("code", metavar="CODE", nargs="?", help="code or name of a rule (default: list all rules)")
    which.add_argument("--all", action="store_true", help="explain all rules")
    rule.add_argument("--cases", action="store_true", help="end each page with all its examples, which are its tests")
    rule.add_argument("--output-format", choices=("text", "json"), default="text", help="default: text")
    rule.add_argument("--no-pager", action="store_true", help="print to the terminal, not through $PAGER or less")


def _add_profile(commands: Any, name: str) -> None:
    profile = _command(commands, name, "Say what a TensorFlow profile tells about the input pipeline", PROFILE_EXAMPLES)
    profile.add_argument(
        "paths",
        metavar="PATH",
        nargs="+",
        help="a log folder, profiles (*.xplane.pb), or one file per worker written by --verify-json",
    )
    profile.add_argument(
        "--source", metavar="PATH", action="append", help="code to find the lines in (default: the working directory)"
    )
    profile.add_argument("--host", metavar="NAME", default="", help="only the profile of this host")
    profile.add_argument("--save", metavar="FILE", help="write it as evidence: run.tfdata.json")
    profile.add_argument("--output-format", choices=("text", "json", "html"), default="text", help="default: text")
    profile.add_argument("--config", metavar="FILE", action="append", help=_CONFIG)
    profile.add_argument("--isolated", action="store_true", help="use no configuration file")


def _add_compare(commands: Any, name: str) -> None:
    compare = _command(
        commands, name, "Compare two measured runs, such as before and after a change", COMPARE_EXAMPLES, exit_codes=""
    )
    for which in ("before", "after"):
        compare.add_argument(which, metavar=which.upper(), help="a run.tfdata.json, or what --verify-json has written")
    compare.add_argument(
        "--threshold", metavar="PERCENT", help="exit with 1 if a figure is worse by more than this (default: 5)"
    )
    compare.add_argument("--output-format", choices=("text", "markdown", "json"), default="text", help="default: text")


def _add_server(commands: Any, name: str) -> None:
    server = _command(commands, name, "Run the language server, for editors", "")
    server.add_argument("--stdio", action="store_true", help="talk over standard input and output (the default)")
    server.add_argument(
        "--tcp", metavar="[HOST:]PORT", help="wait for one editor on this port (default host: 127.0.0.1)"
    )


def _add_paths(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "paths",
        metavar="PATH",
        nargs="*",
        help="files and folders (default: the working directory); - for standard input",
    )
    files = command.add_argument_group("files and settings")
    files.add_argument("--stdin-filename", metavar="PATH", help="file name to use for standard input")
    files.add_argument("--config", metavar="FILE", action="append", help=_CONFIG)
    files.add_argument("--isolated", action="store_true", help="use no configuration file")
    for option, text in (
        ("--exclude", "do not read files that match these patterns (replaces the setting)"),
        ("--extend-exclude", "the same, in addition to the setting"),
    ):
        files.add_argument(option, metavar="PATTERNS", action="append", help=text)
    files.add_argument("--force-exclude", action="store_true", help="apply `exclude` also to files that are named here")
    files.add_argument("--no-respect-gitignore", action="store_true", help="also read files that .gitignore excludes")


def _add_color(group: Any) -> None:
    group.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="default: auto")
    group.add_argument("--no-color", dest="color", action="store_const", const="never", help="as --color never")


def _add_clean(commands: Any, name: str) -> None:
    clean = _command(commands, name, "Remove cached results", "", exit_codes="")
    clean.add_argument("paths", metavar="PATH", nargs="*", help="folders (default: the working directory)")


def _add_schema(commands: Any, name: str) -> None:
    _command(commands, name, "Print the JSON schema of the settings", "")


#: In the order in which help shows them.
_COMMANDS: dict[str, Callable[[Any, str], None]] = {
    "check": _add_check,
    "graph": _add_graph,
    "rule": _add_rule,
    "tune": _add_tune,
    "profile": _add_profile,
    "compare": _add_compare,
    "server": _add_server,
    "clean": _add_clean,
    "schema": _add_schema,
}


class _Help(argparse.RawDescriptionHelpFormatter):
    """As wide as the terminal. argparse asks `shutil`, which imports all archive formats, before anybody wants help."""

    def __init__(self, prog: str) -> None:
        try:
            columns = os.get_terminal_size().columns or 80
        except OSError:
            columns = 80
        super().__init__(prog, width=columns - 2)


class _Parser(argparse.ArgumentParser):
    commands: Mapping[str, _Parser] = {}

    def _print_message(self, message: str, file: Any = None) -> None:
        # argparse passes over what cannot be printed.
        print(message, end="", file=file)

    def parse_args(self, words: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]
        given, unknown = self.parse_known_args(words, namespace)
        if unknown:
            self.commands[given.command].refuse(unknown)
        return given

    def refuse(self, words: Sequence[str]) -> NoReturn:
        """Say that nobody knows these."""
        near = nearest(words[0].partition("=")[0], self._option_string_actions) if words[0].startswith("-") else None
        if words[0] == "--version":
            near = "tfdata-lint --version"
        self.error(f"unrecognized arguments: {' '.join(words)}{f'; did you mean `{near}`?' if near else ''}")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        near = nearest(str(value), action.choices)
        hint = f"; did you mean `{near}`?" if near else f" (choose from {', '.join(action.choices)})"
        if action.choices is self.commands and (meant := MEANT.get(value)):
            hint = f"; did you mean `{meant}`?"
        elif action.choices is self.commands and os.path.exists(value):
            hint = f"; did you mean `{self.prog} check {value}`?"
        raise argparse.ArgumentError(action, f"invalid choice: {value!r}{hint}")

    def error(self, message: str) -> NoReturn:
        complain(f"error: {message} (see `{self.prog} --help`)")
        raise SystemExit(FAILED)


def edition() -> str:
    """Which code this Python loads where the pipeline is imported: `compiled`, or the sources, `pure`."""
    from importlib.machinery import PathFinder

    spec = PathFinder.find_spec("graph", [os.path.join(os.path.dirname(tfdata_lint.__file__), "pipeline", "nouns")])
    return "pure" if spec is None or str(spec.origin).endswith(".py") else "compiled"


class _PrintVersion(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, namespace: Any, values: Any, option: str | None = None) -> None:
        print(f"tfdata-lint {__version__} ({edition()})")
        parser.exit()


class _PrintCompletion(argparse.Action):
    """As `--version`: it prints and ends."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: Any, values: Any, option: str | None = None) -> None:
        from tfdata_lint.cli.shells import CompletionError, script

        try:
            print(script(parser, values))
        except CompletionError as error:
            parser.error(str(error))
        parser.exit()
