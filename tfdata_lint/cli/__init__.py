"""The command line: `tfdata-lint check | graph | rule | schema`. What is heavy is imported where it is needed."""

from __future__ import annotations

import argparse
import gc
import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

import tfdata_lint
from tfdata_lint.config.formats import FINGERPRINTED, FORMATS, TEXTS

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from tfdata_lint.config.settings.model import Settings
    from tfdata_lint.config.settings.reading import Configuration
    from tfdata_lint.lint.reports import FileReport, Fixing, Sieve, Suppressing
    from tfdata_lint.rules.base import Rule
    from tfdata_lint.run.baseline import Baseline
    from tfdata_lint.run.revision import Changes
    from tfdata_lint.verify.plan import Plan

CLEAN, FOUND, FAILED, INTERRUPTED = 0, 1, 2, 130

STDIN = "-"

_EXIT_CODES = """\
exit codes:
  0  no findings, or only ones below --fail-level
  1  findings (after fixing: findings that are left; with --diff: something would change)
  2  something could not be done: a missing path, wrong options or configuration, an internal error
"""
_MAIN_EXAMPLES = """\
examples:
  tfdata-lint check                      lint everything below the working directory
  tfdata-lint check train.py --select TFD1,TFD4
  tfdata-lint graph input_pipeline.py    print the pipelines of a file
  tfdata-lint rule TFD101                explain a rule

"""
_CHECK_EXAMPLES = """\
examples:
  tfdata-lint check src notebooks/train.ipynb
  tfdata-lint check --ignore advice --target-tensorflow 2.15
  tfdata-lint check --diff               show what --fix would change
  tfdata-lint check --fix --unsafe-fixes train.py
  tfdata-lint check --output-format json . > findings.json
  git show HEAD:train.py | tfdata-lint check - --stdin-filename train.py

RULES are codes (TFD101), their beginnings (TFD1), names (missing-prefetch), groups (correctness, performance, advice,
upgrade, pedantic) or ALL, separated by commas. The more specific selector wins. Settings of the same names stand in
[tool.tfdata-lint] of pyproject.toml; these options win over them.

"""
_WORKERS_EXAMPLES = """\
examples:
  tfdata-lint workers worker*.json
  tfdata-lint workers --python .venv logs/plugins/profile/*/*.xplane.pb

"""
_GRAPH_EXAMPLES = """\
examples:
  tfdata-lint graph input_pipeline.py
  tfdata-lint graph --format mermaid src > pipelines.mmd
  tfdata-lint graph --format dot train.py | dot -Tsvg > pipelines.svg

"""


class UsageError(Exception):
    """The command line asks for something that cannot be done."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    # Starting makes no garbage, and checking very little: it is looked for between batches.
    was_on = gc.isenabled()
    gc.disable()
    try:
        return _main(argv)
    finally:
        if was_on:
            gc.enable()


def _main(argv: Sequence[str] | None) -> int:
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        words, script_arguments = _split_script(sys.argv[1:] if argv is None else argv)
        arguments = _parser().parse_args(_with_reason(words))
        arguments.script_arguments = script_arguments
        code: int = arguments.run(arguments)
        sys.stdout.flush()
        return code
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else FAILED
    except UsageError as error:
        _complain(f"error: {error}")
        return FAILED
    except KeyboardInterrupt:
        _complain("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has seen enough. What is still buffered must not fail at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLEAN
    except Exception as error:
        return _give_up(error)


def _give_up(error: Exception) -> int:
    from tfdata_lint.lint.diagnostics import DEBUG
    from tfdata_lint.rules import RuleError

    if os.environ.get(DEBUG):
        raise error
    text = str(error) if isinstance(error, RuleError) else f"{type(error).__name__}: {error} ({DEBUG}=1 says where)"
    _complain(f"error: {text}")
    return FAILED


# ── options ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _with_reason(argv: Sequence[str]) -> list[str]:
    """What follows `--add-noqa` is a path: only `--add-noqa=REASON` has a reason."""
    return ["--add-noqa=" if word == "--add-noqa" else word for word in argv]


def _split_script(argv: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """What follows `--` after `--verify script.py` is for the script."""
    if "--" not in argv or not any(word.startswith("--verify") for word in argv[: argv.index("--")]):
        return argv, []
    return argv[: argv.index("--")], argv[argv.index("--") + 1 :]


class _Help(argparse.RawDescriptionHelpFormatter):
    """As wide as the terminal. argparse asks `shutil`, which imports all archive formats, before anybody wants help."""

    def __init__(self, prog: str) -> None:
        try:
            columns = os.get_terminal_size().columns or 80
        except OSError:
            columns = 80
        super().__init__(prog, width=columns - 2)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        _complain(f"error: {message} (see `{self.prog} --help`)")
        raise SystemExit(FAILED)


class _PrintCompletion(argparse.Action):
    """As `--version`: it prints and ends."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: Any, values: Any, option: str | None = None) -> None:
        from tfdata_lint.cli.completion import CompletionError, script

        try:
            print(script(parser, values))
        except CompletionError as error:
            parser.error(str(error))
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        "tfdata-lint",
        description="A static linter for tf.data pipelines. It reads code and never runs it.",
        epilog=_MAIN_EXAMPLES + _EXIT_CODES,
        formatter_class=_Help,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"tfdata-lint {tfdata_lint.__version__}")
    parser.add_argument(
        "--print-completion", action=_PrintCompletion, metavar="SHELL", help="print completions for bash, zsh, …"
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_check(commands)
    _add_graph(commands)
    _add_rule(commands)
    _add_workers(commands)
    _add_server(commands)
    schema = _command(commands, "schema", "Print the JSON schema of the settings", "")
    schema.set_defaults(run=_schema)
    return parser


def _command(commands: Any, name: str, text: str, examples: str) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(
        name,
        help=text[0].lower() + text[1:],
        description=text,
        epilog=examples + _EXIT_CODES,
        formatter_class=_Help,
        allow_abbrev=False,
    )
    return command


def _add_check(commands: Any) -> None:
    check = _command(commands, "check", "Lint files and folders", _CHECK_EXAMPLES)
    check.set_defaults(run=_check)
    _add_paths(check)
    rules = check.add_argument_group("rules")
    rules.add_argument("--select", metavar="RULES", action="append", help="run these rules only")
    rules.add_argument("--extend-select", metavar="RULES", action="append", help="run these rules too")
    rules.add_argument("--ignore", metavar="RULES", action="append", help="do not run these rules")
    rules.add_argument("--target-tensorflow", metavar="VERSION", help="the TensorFlow the code runs on, such as 2.15")
    rules.add_argument("--ignore-noqa", action="store_true", help="report what comments suppress, too")
    old = check.add_argument_group("old code")
    old.add_argument("--baseline", metavar="FILE", help="do not report the findings that this file has")
    old.add_argument("--no-baseline", action="store_true", help="report them all the same")
    old.add_argument("--write-baseline", action="store_true", help="put every finding that there is into the baseline")
    old.add_argument("--diff-base", metavar="REV", help="report only what is new since this git revision")
    fixes = check.add_argument_group("fixes")
    fixes.add_argument("--fix", action="store_true", help="fix what can be fixed safely, and report the rest")
    fixes.add_argument("--unsafe-fixes", action="store_true", help="count fixes that may change what the program does")
    fixes.add_argument("--diff", action="store_true", help="print what --fix would change, and change nothing")
    fixes.add_argument("--fix-only", action="store_true", help="fix, and do not report what is left")
    fixes.add_argument("--show-fixes", action="store_true", help="list everything that was fixed")
    fixes.add_argument(
        "--add-noqa",
        metavar="REASON",
        nargs="?",
        const="",
        help="suppress every finding by a comment, with a reason if one is given: --add-noqa=REASON",
    )
    speed = check.add_argument_group("speed")
    speed.add_argument("--jobs", metavar="N", help="how many processes lint (default: as many as pay)")
    speed.add_argument("--executor", metavar="ADDRESS", help="lint on a running Dask cluster: dask://HOST:PORT")
    speed.add_argument("--shard", metavar="I/N", help="lint only the I-th of N parts of the files")
    speed.add_argument("--cache-dir", metavar="DIR", help="where results are kept (default: .tfdata_lint_cache)")
    speed.add_argument("--no-cache", action="store_true", help="neither use nor keep results")
    output = check.add_argument_group("output")
    output.add_argument(
        "--output-format", choices=FORMATS, metavar="FORMAT", help=f"how findings are printed: {', '.join(FORMATS)}"
    )
    output.add_argument("--output-file", metavar="FILE", help="put into a file what would be printed")
    output.add_argument("--statistics", action="store_true", help="print counts for each rule instead of findings")
    output.add_argument("--show-settings", action="store_true", help="print the settings of a path, and lint nothing")
    output.add_argument("--watch", action="store_true", help="check again whenever files change")
    output.add_argument("-q", "--quiet", action="store_true", help="print findings and errors, nothing else")
    _add_color(output)
    _add_verify(check)
    outcome = check.add_argument_group("exit code")
    outcome.add_argument(
        "--fail-level",
        choices=("error", "warning", "advice"),
        help="the least severity that makes the exit code 1 (default: warning)",
    )
    outcome.add_argument("--exit-zero", action="store_true", help="exit with 0 even when there are findings")


def _add_verify(check: argparse.ArgumentParser) -> None:
    verify = check.add_argument_group("verify", "Execute code, and judge findings by what its pipelines do.")
    verify.add_argument(
        "--verify",
        metavar="TARGET",
        action="append",
        help="execute it: script.py (its arguments after --), module.py::function, or notebook.ipynb",
    )
    verify.add_argument("--verify-arg", metavar="NAME=VALUE", action="append", help="an argument of the function")
    verify.add_argument("--verify-seconds", metavar="N", help="at most so long for each pipeline (default: 20)")
    verify.add_argument("--verify-network", action="store_true", help="leave the network on")
    verify.add_argument("--verify-tempdir", action="store_true", help="execute in a temporary folder")
    verify.add_argument("--python", metavar="PATH", help="by this Python (default: of .venv, the active one, ours)")
    verify.add_argument("--step-ms", metavar="MS", help="the step to assume where the code has no consumer")
    verify.add_argument("--synthetic", action="store_true", help="make up the data that are missing")
    verify.add_argument("--report", metavar="FILE", help="the verdicts as a page of HTML")
    verify.add_argument("--verify-json", metavar="FILE", help="the verdicts as JSON")
    verify.add_argument(
        "--trace-out", metavar="FILE", help="what was traced, for Perfetto (.json) or xprof (.xplane.pb)"
    )


def _add_graph(commands: Any) -> None:
    graph = _command(commands, "graph", "Print every pipeline of files and folders", _GRAPH_EXAMPLES)
    graph.set_defaults(run=_graph)
    _add_paths(graph)
    output = graph.add_argument_group("output")
    output.add_argument("--format", choices=("text", "json", "dot", "mermaid"), default="text", help="default: text")
    _add_color(output)


def _add_rule(commands: Any) -> None:
    rule = _command(commands, "rule", "Explain a rule", "")
    rule.set_defaults(run=_rule)
    which = rule.add_mutually_exclusive_group(required=True)
    which.add_argument("code", metavar="CODE", nargs="?", help="its code or name")
    which.add_argument("--all", action="store_true", help="explain all of them")
    rule.add_argument("--output-format", choices=("text", "json"), default="text", help="default: text")


def _add_workers(commands: Any) -> None:
    workers = _command(commands, "workers", "Compare how long several workers wait for their input", _WORKERS_EXAMPLES)
    workers.set_defaults(run=_workers)
    workers.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="of each worker what --verify-json has written, or a profile of TensorFlow (.xplane.pb)",
    )
    workers.add_argument("--python", metavar="PATH", help="a Python with TensorFlow, to read profiles")


def _add_server(commands: Any) -> None:
    server = _command(commands, "server", "Run the language server, for editors", "")
    server.set_defaults(run=_server)
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
    files.add_argument("--stdin-filename", metavar="PATH", help="the name of what is read from standard input")
    files.add_argument("--config", metavar="FILE", help="use this configuration for all files")
    files.add_argument("--isolated", action="store_true", help="use no configuration file")
    files.add_argument("--force-exclude", action="store_true", help="exclude files even when they are named here")
    files.add_argument("--no-respect-gitignore", action="store_true", help="read what .gitignore leaves out too")


def _add_color(group: Any) -> None:
    group.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="default: auto")
    group.add_argument("--no-color", dest="color", action="store_const", const="never", help="as --color never")


# ── check ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _check(arguments: argparse.Namespace) -> int:
    if arguments.show_settings:
        return _show_settings(arguments)
    if arguments.watch:
        return _watch(arguments)
    from tfdata_lint.output.printer import Printer
    from tfdata_lint.run.engine import lint_paths

    configuration = _configuration(arguments)
    plans = _plans(arguments, configuration)
    stdin = _stdin_name(arguments)
    settings = configuration.for_folder(os.getcwd())
    _refuse_to_print(arguments, settings.output_format)
    baseline = _baseline(arguments, settings)
    if baseline or arguments.diff_base is not None or settings.output_format in FINGERPRINTED:
        configuration = _configuration(arguments, with_surroundings=True)
    changes = _changes(arguments, configuration)
    sieves = tuple(part.sift for part in (baseline, changes) if part)
    changing = _changing(arguments, sieves)
    # What was changed in standard input goes to standard output.
    out: TextIO = sys.stderr if stdin and changing and changing.write else sys.stdout
    if arguments.output_file is not None:
        out = io.StringIO()
    printer = Printer(
        configuration.for_folder(os.getcwd()),
        changing,
        out,
        unsafe=arguments.unsafe_fixes,
        statistics=arguments.statistics,
        quiet=arguments.quiet,
        only_fixes=arguments.fix_only or arguments.diff or arguments.add_noqa is not None,
        show_fixes=arguments.show_fixes,
        color=arguments.output_file is None and _color(arguments, out),
    )

    def tell(report: FileReport) -> None:
        if baseline:
            baseline.record(report, configuration.for_file(report.path))
        printer.add(report.sifted(sieves) if sieves else report)

    missing: list[str] = []
    if stdin:
        _check_stdin(stdin, configuration, changing, tell)
    else:
        paths, missing = _split(arguments.paths)
        try:
            with _executor(arguments) as executor:
                for report in lint_paths(
                    paths,
                    configuration,
                    changing,
                    only=_only(arguments, configuration, changes),
                    cache_dir=_cache_dir(arguments, configuration),
                    jobs=_jobs(arguments),
                    executor=executor,
                ):
                    tell(report)
        except KeyboardInterrupt:
            printer.close()
            raise
        if paths and not printer.checked and not arguments.quiet and not arguments.shard:
            printer.progress.clear()
            changed = f" have changed since {arguments.diff_base}" if changes else ""
            _complain(f"no Python files or notebooks in {', '.join(paths)}{changed}")
    printer.close()
    if isinstance(out, io.StringIO):
        _write("--output-file", arguments.output_file, out.getvalue())
    failed = _tell(configuration, missing, printer.problems) or printer.internal_errors
    if baseline:
        _close(baseline, arguments)
    if plans:
        _verify(plans, arguments, configuration)
    if failed:
        return FAILED
    return FOUND if printer.failing and not arguments.exit_zero else CLEAN


def _plans(arguments: argparse.Namespace, configuration: Configuration) -> list[Plan]:
    """What is to be executed. Only the command line says so."""
    given = vars(arguments)
    if not any(
        given[name] for name in given if name.startswith(("verify", "python", "step_", "synth", "trace_", "report"))
    ):
        return []
    from tfdata_lint.verify.command import plans
    from tfdata_lint.verify.plan import PlanError

    try:
        return plans(arguments, configuration)
    except PlanError as error:
        raise UsageError(f"--verify: {error}") from None


def _verify(plans: list[Plan], arguments: argparse.Namespace, configuration: Configuration) -> None:
    """Execute, observe and judge; what is written is complete or not there."""
    from tfdata_lint.verify.command import execute, summary
    from tfdata_lint.verify.report import html, json, terminal

    sys.stdout.flush()
    for plan in plans:
        done = execute(plan, configuration)
        for line in (*summary(done.run), *terminal.render(done, color=_color(arguments, sys.stdout))):
            print(line)
        if arguments.report is not None:
            _write("--report", arguments.report, html.render(done))
        if arguments.verify_json is not None:
            _write("--verify-json", arguments.verify_json, json.render(done))


def _show_settings(arguments: argparse.Namespace) -> int:
    from tfdata_lint.output.settings import render

    if len(arguments.paths) > 1:
        raise UsageError("--show-settings takes one path")
    configuration = _configuration(arguments)
    path = _stdin_name(arguments) or next(iter(arguments.paths), ".")
    print(render(configuration, path, as_json=arguments.output_format == "json"))
    return FAILED if _tell(configuration, ()) else CLEAN


def _refuse_to_print(arguments: argparse.Namespace, form: str) -> None:
    """Say what cannot be printed in the way that is wanted."""
    if arguments.statistics and form not in (*TEXTS, "json"):
        raise UsageError(f"--statistics is not printed as {form}; use --output-format full, concise or json")
    if arguments.output_file is not None and (arguments.fix_only or arguments.diff or arguments.add_noqa is not None):
        raise UsageError("--output-file is for findings, and --fix-only, --diff and --add-noqa print none")


def _write(option: str, file: str, text: str) -> None:
    """Raises UsageError."""
    from tfdata_lint.output.file import write

    try:
        write(file, text)
    except OSError as error:
        raise UsageError(f"{option}: {file} cannot be written: {error.strerror}") from None


def _watch(arguments: argparse.Namespace) -> int:
    """Check now, and again whenever files change, until somebody interrupts it."""
    from tfdata_lint.cli.watch import WatchError, watch

    writes = arguments.write_baseline or arguments.output_file is not None
    if writes or _changing(arguments) or STDIN in arguments.paths:
        raise UsageError("--watch prints findings: it changes no files, writes none, and reads no standard input")
    if (form := _configuration(arguments).for_folder(os.getcwd()).output_format) not in TEXTS:
        raise UsageError(f"--watch prints no {form}; use --output-format full or concise")
    paths, missing = _split(arguments.paths)
    if missing:
        raise UsageError(f"no such file or folder: {', '.join(missing)}")
    arguments.watch = False
    gc.enable()
    try:
        watch(paths, lambda: _check(arguments))
    except WatchError as error:
        raise UsageError(str(error)) from None
    except KeyboardInterrupt:
        pass
    return CLEAN


def _check_stdin(
    name: str,
    configuration: Configuration,
    changing: Fixing | Suppressing | None,
    tell: Callable[[FileReport], None],
) -> None:
    from tfdata_lint.lint.changing import change_bytes
    from tfdata_lint.lint.linting import lint_bytes
    from tfdata_lint.lint.reports import FileReport
    from tfdata_lint.run.files import is_excluded

    settings = configuration.for_file(name)
    data = _read_stdin()
    report = FileReport(name)
    if not is_excluded(name, settings):
        if changing:
            report = change_bytes(data, name, settings, changing, explicit=True)
        else:
            report = lint_bytes(data, name, settings, explicit=True)
        tell(report)
    if changing and changing.write:
        sys.stdout.flush()
        sys.stdout.buffer.write(data if report.after is None else report.after)
        sys.stdout.buffer.flush()


def _baseline(arguments: argparse.Namespace, settings: Settings) -> Baseline | None:
    """The findings that are known, if there is a file of them."""
    writing: bool = arguments.write_baseline
    changes = arguments.fix or arguments.fix_only or arguments.diff or arguments.add_noqa is not None
    if writing and (changes or arguments.no_baseline or arguments.diff_base is not None or STDIN in arguments.paths):
        raise UsageError("--write-baseline lints files as they are, and as a whole: no other mode goes with it")
    if writing and arguments.shard is not None:
        raise UsageError("--write-baseline needs the findings of all files: it cannot be combined with --shard")
    if arguments.no_baseline or not (settings.baseline or writing):
        return None
    from tfdata_lint.config.files import shown_path
    from tfdata_lint.run.baseline import DEFAULT_FILE, Baseline, BaselineError

    file = os.path.join(settings.root, settings.baseline) if settings.baseline else DEFAULT_FILE
    try:
        return Baseline(shown_path(file), writing=writing)
    except BaselineError as error:
        raise UsageError(str(error)) from None


def _close(baseline: Baseline, arguments: argparse.Namespace) -> None:
    """Write the baseline, or say that it is out of date."""
    from tfdata_lint.run.baseline import BaselineError

    try:
        message = baseline.write() if arguments.write_baseline else baseline.outdated()
    except BaselineError as error:
        raise UsageError(str(error)) from None
    if message and not arguments.quiet:
        _complain(message)


def _changes(arguments: argparse.Namespace, configuration: Configuration) -> Changes | None:
    """What has changed since a revision, if one is named."""
    if arguments.diff_base is None:
        return None
    from tfdata_lint.run.revision import Changes, RevisionError

    try:
        changes = Changes(arguments.diff_base, configuration)
    except RevisionError as error:
        raise UsageError(f"--diff-base: {error}") from None
    for path in arguments.paths:
        if path != STDIN and not changes.knows(path):
            raise UsageError(f"--diff-base: {path} is not in the git repository of the working directory")
    return changes


def _only(
    arguments: argparse.Namespace, configuration: Configuration, changes: Changes | None
) -> Callable[[str], bool] | None:
    """Which files, when not all of them."""
    if arguments.shard is None:
        return changes.includes if changes else None
    from tfdata_lint.run.parallel import Shard

    try:
        shard = Shard.parse(arguments.shard)
    except ValueError as error:
        raise UsageError(f"--shard: {error}") from None
    root = configuration.for_folder(os.getcwd()).root
    return lambda path: shard.has(path, root) and (changes is None or changes.includes(path))


def _cache_dir(arguments: argparse.Namespace, configuration: Configuration) -> str | None:
    if arguments.no_cache:
        return None
    settings = configuration.for_folder(os.getcwd())
    return os.path.join(settings.root, settings.cache_dir)


def _jobs(arguments: argparse.Namespace) -> int | None:
    if arguments.jobs is None:
        return None
    if not arguments.jobs.isdecimal() or int(arguments.jobs) < 1:
        raise UsageError(f"--jobs: {arguments.jobs!r} is not a number of processes")
    return int(arguments.jobs)


@contextmanager
def _executor(arguments: argparse.Namespace) -> Iterator[Executor | None]:
    """What lints in place of this process, if anything."""
    if arguments.executor is None:
        yield None
        return
    if arguments.jobs is not None:
        raise UsageError("--jobs and --executor exclude each other")
    from tfdata_lint.run.workers import ExecutorError, connected

    try:
        with connected(arguments.executor) as executor:
            yield executor
    except ExecutorError as error:
        raise UsageError(f"--executor: {error}") from None


def _changing(arguments: argparse.Namespace, sieves: tuple[Sieve, ...] = ()) -> Fixing | Suppressing | None:
    """What is to be done to the files, if anything."""
    from tfdata_lint.lint.reports import Fixing, Suppressing

    fixes = arguments.fix or arguments.fix_only
    if arguments.add_noqa is None:
        write = not arguments.diff
        return Fixing(arguments.unsafe_fixes, write, sieves) if fixes or arguments.diff else None
    if fixes or arguments.ignore_noqa:
        raise UsageError("--add-noqa cannot be combined with --fix, --fix-only or --ignore-noqa")
    from tfdata_lint.source.suppression import noqa

    try:
        noqa((), arguments.add_noqa)
    except ValueError as error:
        raise UsageError(f"--add-noqa: {error}") from None
    return Suppressing(arguments.add_noqa, not arguments.diff, sieves)


# ── graph ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _graph(arguments: argparse.Namespace) -> int:
    from tfdata_lint.lint.linting import recover_bytes
    from tfdata_lint.output.graph import render
    from tfdata_lint.output.text import render as render_problem
    from tfdata_lint.run.engine import read_pipelines

    configuration = _configuration(arguments)
    missing: list[str] = []
    if stdin := _stdin_name(arguments):
        results = iter([recover_bytes(_read_stdin(), stdin, explicit=True)])
    else:
        paths, missing = _split(arguments.paths)
        results = read_pipelines(paths, configuration)
    graphs = []
    code = CLEAN
    for source, graph, problems in results:
        if source and graph and (graph.stages or graph.consumers):
            graphs.append((source, graph))
        for problem in problems:
            print(render_problem(problem, concise=True), file=sys.stderr)
            code = max(code, FAILED if problem.code == "TFD002" else FOUND)
    print(render(graphs, arguments.format, _color(arguments, sys.stdout)))
    return FAILED if _tell(configuration, missing) else code


# ── rule ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _rule(arguments: argparse.Namespace) -> int:
    from tfdata_lint.rules import all_rules

    rules = all_rules() if arguments.all else (_one_rule(arguments.code),)
    if arguments.output_format == "json":
        import json

        described = [_describe(rule) for rule in rules]
        print(json.dumps(described if arguments.all else described[0], indent=2))
    else:
        print("\n\n".join(_explain(rule) for rule in rules))
    return CLEAN


def _one_rule(code: str) -> Rule:
    from tfdata_lint.config.settings.selection import nearest
    from tfdata_lint.rules import all_rules, rule

    if found := rule(code):
        return found
    known = all_rules()
    near = nearest(code.upper(), [r.code for r in known]) or nearest(code.lower(), [r.name for r in known])
    hint = f"; did you mean `{near}`?" if near else "; `tfdata-lint rule --all` shows all of them"
    raise UsageError(f"unknown rule `{code}`{hint}")


def _describe(rule: Rule) -> dict[str, Any]:
    from tfdata_lint.rules import page

    return {
        "code": rule.code,
        "name": rule.name,
        "group": rule.group,
        "severity": rule.severity,
        "default": rule.on_by_default,
        "summary": rule.summary,
        "page": page(rule),
    }


def _explain(rule: Rule) -> str:
    from tfdata_lint.rules import page

    if text := page(rule):
        return text.rstrip()
    default = "on" if rule.on_by_default else "off"
    return f"# {rule.code} {rule.name}\n\n{rule.summary}.\n\n{rule.group}, {rule.severity}, {default} by default"


# ── schema ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _schema(arguments: argparse.Namespace) -> int:
    from tfdata_lint.config.schema import document

    print(document(), end="")
    return CLEAN


# ── workers ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _workers(arguments: argparse.Namespace) -> int:
    from tfdata_lint.verify.plan import PlanError, interpreter
    from tfdata_lint.verify.workers import Unreadable, read, table

    try:
        workers = read(arguments.files, interpreter(arguments.files[0], arguments.python).path)
    except (OSError, PlanError, Unreadable) as error:
        raise UsageError(str(error)) from None
    for line in table(workers):
        print(line)
    return CLEAN


# ── server ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _server(arguments: argparse.Namespace) -> int:
    host, _, port = (arguments.tcp or "").rpartition(":")
    if arguments.tcp and not (port.isdecimal() and int(port) < 65_536):
        raise UsageError(f"--tcp: {arguments.tcp!r} is not a port")
    try:
        from tfdata_lint.lsp.server import server
    except ModuleNotFoundError as error:
        if error.name not in ("pygls", "lsprotocol"):
            raise
        raise UsageError("the language server needs pygls: pip install 'tfdata-lint[lsp]'") from None
    gc.enable()
    if not arguments.tcp:
        # Nothing else may come in between what the editor reads.
        stdout, sys.stdout = sys.stdout, sys.stderr
        server.start_io(stdout=stdout.buffer)
        return CLEAN
    try:
        server.start_tcp(host or "127.0.0.1", int(port))
    except OSError as error:
        raise UsageError(f"--tcp: {error.strerror or error}") from None
    return CLEAN


# ── shared ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _configuration(arguments: argparse.Namespace, **overrides: Any) -> Configuration:
    """The settings of this run. What the command line says is checked here and wins."""
    from tfdata_lint.config.settings.reading import Configuration

    if arguments.config is not None and not os.path.isfile(arguments.config):
        raise UsageError(f"no such configuration file: {arguments.config}")
    if arguments.config is not None and arguments.isolated:
        raise UsageError("--config and --isolated exclude each other")
    overrides.update(_overrides(arguments))
    return Configuration(arguments.config, isolated=arguments.isolated, overrides=overrides)


def _overrides(arguments: argparse.Namespace) -> dict[str, Any]:
    from tfdata_lint.config.settings.model import Selection
    from tfdata_lint.config.target import Target

    given = vars(arguments)
    overrides: dict[str, Any] = {}
    if arguments.force_exclude:
        overrides["force_exclude"] = True
    if arguments.no_respect_gitignore:
        overrides["respect_gitignore"] = False
    if given.get("cache_dir"):
        overrides["cache_dir"] = os.path.abspath(given["cache_dir"])
    if given.get("baseline") is not None:
        overrides["baseline"] = os.path.abspath(given["baseline"])
    if given.get("ignore_noqa"):
        overrides["ignore_noqa"] = True
    for name in ("fail_level", "output_format"):
        if given.get(name):
            overrides[name] = given[name]
    if version := given.get("target_tensorflow"):
        try:
            overrides["target_tensorflow"] = Target.parse(version, "--target-tensorflow")
        except ValueError as error:
            raise UsageError(f"--target-tensorflow: {error}") from None
    select = _selectors("--select", given.get("select"))
    extend_select = _selectors("--extend-select", given.get("extend_select"))
    ignore = _selectors("--ignore", given.get("ignore"))
    overrides["command_line"] = Selection(select, extend_select or (), ignore or ())
    return overrides


def _selectors(option: str, given: list[str] | None) -> tuple[str, ...] | None:
    from tfdata_lint.config.settings.selection import selector_problem

    if given is None:
        return None
    selectors = tuple(part.strip() for text in given for part in text.split(",") if part.strip())
    for selector in selectors:
        if problem := selector_problem(selector):
            raise UsageError(f"{option}: {problem}")
    return selectors


def _stdin_name(arguments: argparse.Namespace) -> str | None:
    """The name to give to standard input, when that is what is to be read."""
    if STDIN not in arguments.paths:
        if arguments.stdin_filename is not None:
            raise UsageError("--stdin-filename needs `-` as the path")
        return None
    if len(arguments.paths) > 1:
        raise UsageError("`-` cannot be combined with other paths")
    return arguments.stdin_filename or "<stdin>"


def _read_stdin() -> bytes:
    return sys.stdin.buffer.read()


def _split(paths: Sequence[str]) -> tuple[list[str], list[str]]:
    """The paths that are there, and those that are not."""
    paths = paths or ["."]
    there = [path for path in paths if os.path.exists(path)]
    return there, [path for path in paths if path not in there]


def _tell(configuration: Configuration, missing: Iterable[str], problems: Iterable[str] = ()) -> bool:
    """Print what went wrong besides findings; was there anything?"""
    sys.stdout.flush()
    lines = [f"error: {problem}" for problem in problems]
    lines += [f"error: no such file or folder: {path}" for path in missing]
    lines += [f"error: {problem}" for problem in configuration.problems]
    for line in lines:
        _complain(line)
    return bool(lines)


def _complain(line: str) -> None:
    print(f"tfdata-lint: {line}", file=sys.stderr)


def _color(arguments: argparse.Namespace, out: TextIO) -> bool:
    if arguments.color != "auto":
        return bool(arguments.color == "always")
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return out.isatty() and os.environ.get("TERM") != "dumb"
