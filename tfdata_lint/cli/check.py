"""`tfdata-lint check`."""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, redirect_stdout, suppress
from functools import partial
from typing import TYPE_CHECKING, TextIO

from tfdata_lint.cli.common import CLEAN, FAILED, FOUND, UsageError, complain, has_color, read_stdin, split, tell
from tfdata_lint.cli.endings import terminable
from tfdata_lint.cli.options import STDIN, CheckOptions
from tfdata_lint.config.files import shown_path
from tfdata_lint.config.formats import EDITING, FINGERPRINTED, TEXTS
from tfdata_lint.config.settings.model import Settings
from tfdata_lint.config.settings.reading import Configuration
from tfdata_lint.lint.reports import FileReport, Fixing, Sieve, Suppressing
from tfdata_lint.output.printer import Printer
from tfdata_lint.run import engine
from tfdata_lint.run.cache.key import NoKey, key_for
from tfdata_lint.run.files import is_excluded
from tfdata_lint.run.parallel import Shard
from tfdata_lint.source.inside import checkout_of, is_inside, leads_out

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from tfdata_lint.cli.interactive import Chooser
    from tfdata_lint.cli.profile import Recorded
    from tfdata_lint.rules.base import Applicability
    from tfdata_lint.run.baseline import Baseline
    from tfdata_lint.run.evidence.known import Known
    from tfdata_lint.run.revision import Changes
    from tfdata_lint.verify.plan import Plan


def run(options: CheckOptions) -> int:
    if options.show_settings:
        return _show_settings(options)
    if options.show_files:
        return _show_files(options)
    if options.watch:
        return _watch(options)
    with terminable():
        return _check(options)


def _check(options: CheckOptions) -> int:
    if options.interactive and (
        not options.fixes or options.diff or options.verify.is_asked_for or options.files.stdin
    ):
        raise UsageError("--interactive is for --fix, without --diff, --verify and `-`")
    with ExitStack() as opened:
        return _checked(options, opened)


def _shows_changes(options: CheckOptions, output_format: str) -> bool:
    """Does a fix stand below its finding? It takes LibCST, so by default only where a person looks on."""
    is_wanted = (
        sys.stdout.isatty() and options.output_file is None if options.show_fix_diff is None else options.show_fix_diff
    )
    return is_wanted and output_format == "full" and not (options.statistics or options.prints_no_findings)


def _checked(options: CheckOptions, opened: ExitStack) -> int:
    configuration = options.configuration()
    plans = _plans(options, configuration)
    stdin = options.files.stdin
    settings = configuration.for_folder(os.getcwd())
    _refuse_to_print(options, settings.output_format)
    baseline = _baseline(options, settings)
    with_surroundings = bool(baseline) or options.diff_base is not None or settings.output_format in FINGERPRINTED
    with_edits = settings.output_format in EDITING or _shows_changes(options, settings.output_format)
    evidence, recording = _evidence(options, settings, configuration)
    with_standing = bool(evidence) or bool(plans)
    if with_surroundings or with_edits or with_standing:
        configuration = options.configuration(
            with_surroundings=with_surroundings, with_edits=with_edits, with_standing=with_standing
        )
    if changes := _changes(options, configuration):
        opened.callback(changes.close)
    sieves = tuple(part.sift for part in (baseline, changes) if part)
    # With --verify, fixes are proven before they are made.
    refuted = (partial(evidence.unfolded, settings_for=configuration.for_file),) if evidence else ()
    changing = None if plans and (options.fixes or options.diff) else _changing(options, sieves, refuted)
    # What was changed in standard input goes to standard output.
    out: TextIO = sys.stderr if stdin and changing and changing.write else sys.stdout
    if options.output_file is not None:
        out = io.StringIO()
    printer = Printer(
        configuration.for_folder(os.getcwd()),
        changing,
        out,
        unsafe=options.unsafe_fixes,
        statistics=options.statistics,
        quiet=options.quiet,
        only_fixes=options.prints_no_findings,
        show_fixes=options.show_fixes,
        color=options.output_file is None and has_color(options.color, out),
        worst_first=options.sort == "severity",
        with_overview=options.summary,
        with_advice=options.advice,
        with_evidence=bool(evidence),
        with_baseline=options.write_baseline,
        is_complete=bool(stdin) or (len(options.files.paths) == 1 and os.path.isfile(options.files.paths[0])),
    )

    def take(report: FileReport) -> None:
        if baseline:
            baseline.record(report, configuration.for_file(report.path))
        report = report.sifted(sieves) if sieves else report
        printer.add(evidence.brought(report, configuration.for_file(report.path)) if evidence else report)

    missing: list[str] = []
    if stdin:
        _check_stdin(stdin, configuration, changing, take)
    else:
        paths, missing = split(options.files.paths)
        try:
            with _executor(options) as executor:
                for report in engine.lint_paths(
                    paths,
                    configuration,
                    changing,
                    only=_only(options, configuration, changes),
                    cache_dir=_cache_dir(options, configuration),
                    jobs=_jobs(options),
                    executor=executor,
                ):
                    take(report)
        except KeyboardInterrupt:
            printer.close()
            raise
        if paths and not printer.checked and not options.quiet and not options.shard:
            printer.progress.clear()
            changed = f" have changed since {options.diff_base}" if changes else ""
            complain(f"no Python files or notebooks in {', '.join(paths)}{changed}")
    printer.close()
    if evidence and recording and recording.name not in evidence.told and not options.quiet:
        complain(recording.unsaid)
    if options.prints_coverage and printer.checked and settings.output_format in TEXTS:
        from tfdata_lint.output.coverage import Total

        covered = engine.read_coverage(paths, configuration, _only(options, configuration, changes))
        print(Total.of([file for file, _ in covered if file]), file=out)
    if isinstance(out, io.StringIO) and options.output_file is not None:
        _write("--output-file", options.output_file, out.getvalue())
    problems = printer.problems
    if printer.internal_errors and (settings.output_format not in TEXTS or options.output_file is not None):
        # Who reads the report of a machine may not see it.
        problems.append("an internal error occurred, so findings or fixes may be missing: see TFD002 in the report")
    failed = bool(tell(configuration, missing, problems) or printer.internal_errors)
    if baseline:
        prints = settings.output_format in TEXTS and options.output_file is None
        _close(baseline, options, sys.stdout if prints else sys.stderr)
    if plans:
        from tfdata_lint.cli import verify

        fixes = verify.Fixes(_applicabilities(options), write=not options.diff)
        # What a machine reads is whole, and stays alone.
        with nullcontext() if settings.output_format in TEXTS or options.output_file else redirect_stdout(sys.stderr):
            color = has_color(options.color, sys.stdout)
            verified = verify.run(plans, options.verify, configuration, fixes, color=color, write=_write)
        failed |= verified.failed
        printer.excuse(verified.settles)
        printer.failing += verified.would_change
    if failed:
        return FAILED
    has_fixed = options.exit_non_zero_on_fix and printer.has_fixed
    return FOUND if (printer.failing and not options.exit_zero) or has_fixed else CLEAN


def _plans(options: CheckOptions, configuration: Configuration) -> list[Plan]:
    """What is to be executed. Only the command line says so, and only by `--verify`."""
    if not options.verify.is_asked_for:
        return []
    if options.verify.evidence is not None and options.fixes and not options.diff:
        raise UsageError("--evidence-output and --fix exclude each other: what was measured is of the code before")
    from tfdata_lint.cli import verify

    return verify.plans(options.verify, configuration)


def _show_files(options: CheckOptions) -> int:
    from tfdata_lint.run.files import find_files
    from tfdata_lint.source.visible import visible

    if options.files.stdin:
        raise UsageError("--show-files lists files and cannot be combined with `-`")
    configuration = options.configuration()
    paths, missing = split(options.files.paths)
    for file in find_files(paths, configuration.for_file):
        print(visible(file.path))
    return FAILED if tell(configuration, missing) else CLEAN


def _show_settings(options: CheckOptions) -> int:
    from tfdata_lint.output.settings import render

    if len(options.files.paths) > 1:
        raise UsageError("--show-settings takes exactly one path")
    configuration = options.configuration()
    path = options.files.stdin or next(iter(options.files.paths), ".")
    print(render(configuration, path, as_json=options.output_format == "json"))
    return FAILED if tell(configuration, ()) else CLEAN


def _watch(options: CheckOptions) -> int:
    """Check now, and again whenever files change, until somebody interrupts it."""
    from tfdata_lint.cli.watch import watch

    writes = options.write_baseline or options.output_file is not None
    if writes or _changing(options) or STDIN in options.files.paths:
        raise UsageError(
            "--watch only prints findings: it cannot be combined with options that change or write files, or with `-`"
        )
    if (form := options.configuration().for_folder(os.getcwd()).output_format) not in TEXTS:
        raise UsageError(f"--watch does not support the format {form}; use --output-format full or concise")
    paths, missing = split(options.files.paths)
    if missing:
        raise UsageError(f"no such file or folder: {', '.join(missing)}")
    gc.enable()
    with suppress(KeyboardInterrupt):
        watch(paths, lambda: _check(options))
    return CLEAN


def _check_stdin(
    name: str, configuration: Configuration, changing: Fixing | Suppressing | None, take: Callable[[FileReport], None]
) -> None:
    from tfdata_lint.lint.changing import change_bytes
    from tfdata_lint.lint.linting import lint_bytes

    settings = configuration.for_file(name)
    data = read_stdin()
    report = FileReport(name)
    if not is_excluded(name, settings):
        if changing:
            report = change_bytes(data, name, settings, changing, explicit=True)
        else:
            report = lint_bytes(data, name, settings, explicit=True)
        take(report)
    if changing and changing.write:
        sys.stdout.flush()
        sys.stdout.buffer.write(data if report.after is None else report.after)
        sys.stdout.buffer.flush()


# ── what is written ─────────────────────────────────────────────────────────────────────────────────────────────────


def _refuse_to_print(options: CheckOptions, form: str) -> None:
    """Say what cannot be printed in the way that is wanted."""
    if options.statistics and form not in (*TEXTS, "json"):
        raise UsageError(f"--statistics does not support the format {form}; use --output-format full, concise or json")
    if options.output_file is not None and options.prints_no_findings:
        raise UsageError("--output-file writes findings, and --fix-only, --diff and --add-ignore print none")


def _write(option: str, file: str, text: str) -> None:
    """Raises UsageError."""
    from tfdata_lint.output.file import write

    if leads_out(file):
        raise UsageError(f"{option}: {file} is a link that leads out of the project; name its target instead")
    try:
        write(file, text)
    except OSError as error:
        raise UsageError(f"{option}: cannot write {file}: {error.strerror}") from None


def _applicabilities(options: CheckOptions) -> tuple[Applicability, ...]:
    """Of which fixes are made."""
    if not (options.fixes or options.diff):
        return ()
    return ("safe", "unsafe") if options.unsafe_fixes else ("safe",)


def _changing(
    options: CheckOptions, sieves: tuple[Sieve, ...] = (), refuted: tuple[Sieve, ...] = ()
) -> Fixing | Suppressing | None:
    """What is to be done to the files, if anything. `refuted` keeps back what is not to be fixed, but stands."""
    if options.add_ignore is None:
        if not (options.fixes or options.diff):
            return None
        choose = _chooser(options) if options.interactive else None
        return Fixing(options.unsafe_fixes, not options.diff, (*sieves, *refuted), formats=True, choose=choose)
    if options.fixes or options.ignore_noqa:
        raise UsageError("--add-ignore cannot be combined with --fix, --fix-only or --ignore-noqa")
    from tfdata_lint.source.suppression import ignoring

    try:
        ignoring((), options.add_ignore)
    except ValueError as error:
        raise UsageError(f"--add-ignore: {error}") from None
    return Suppressing(options.add_ignore, not options.diff, sieves)


def _chooser(options: CheckOptions) -> Chooser:
    """Who asks a person. Raises UsageError where nobody can answer."""
    from tfdata_lint.cli.interactive import Chooser, refuse_without_terminal

    refuse_without_terminal()
    return Chooser(color=has_color(options.color, sys.stdout))


# ── what is known already ───────────────────────────────────────────────────────────────────────────────────────────


def _baseline(options: CheckOptions, settings: Settings) -> Baseline | None:
    """The findings that are known, if there is a file of them."""
    writing = options.write_baseline
    changes = options.fixes or options.diff or options.add_ignore is not None
    other_modes = changes or options.no_baseline or options.diff_base is not None or STDIN in options.files.paths
    if writing and other_modes:
        raise UsageError("--write-baseline cannot be combined with --fix, --diff or another mode")
    if writing and options.shard is not None:
        raise UsageError("--write-baseline needs the findings of all files: it cannot be combined with --shard")
    if options.no_baseline or not (settings.baseline or writing):
        return None
    from tfdata_lint.run.baseline import DEFAULT_FILE, Baseline, BaselineError

    file = os.path.join(settings.root, settings.baseline) if settings.baseline else DEFAULT_FILE
    try:
        return Baseline(shown_path(file), writing=writing)
    except BaselineError as error:
        raise UsageError(str(error)) from None


def _close(baseline: Baseline, options: CheckOptions, out: TextIO) -> None:
    """Write the baseline and say so, or complain that it is out of date."""
    from tfdata_lint.run.baseline import BaselineError
    from tfdata_lint.source.visible import visible

    try:
        if not options.write_baseline:
            if (message := baseline.outdated()) and not options.quiet:
                complain(message)
            return
        written = baseline.write()
    except BaselineError as error:
        raise UsageError(str(error)) from None
    if not options.quiet:
        print(visible(written), file=out)


def _evidence(
    options: CheckOptions, settings: Settings, configuration: Configuration
) -> tuple[Known | None, Recorded | None]:
    """What was measured, if a file of that is named, and the profile of it."""
    if options.no_evidence and (options.evidence or options.profile):
        raise UsageError("--no-evidence cannot be combined with --evidence or --profile")
    if options.no_evidence or not (settings.evidence or options.profile):
        return None, None
    from tfdata_lint.run.evidence.known import EvidenceError, Known

    try:
        files = (shown_path(os.path.join(settings.root, file)) for file in settings.evidence)
        known = [(file, options.evidence is not None) for file in files]
        recording = _recorded(options.profile, options, configuration) if options.profile else None
        return Known(known, [recording[:3]] if recording else []), recording
    except EvidenceError as error:
        raise UsageError(str(error)) from None


def _recorded(profile: str, options: CheckOptions, configuration: Configuration) -> Recorded:
    from tfdata_lint.cli.profile import recorded

    return recorded(profile, split(options.files.paths)[0], configuration)


def _changes(options: CheckOptions, configuration: Configuration) -> Changes | None:
    """What has changed since a revision, if one is named."""
    if options.diff_base is None:
        return None
    from tfdata_lint.run.repository import RevisionError
    from tfdata_lint.run.revision import Changes

    try:
        changes = Changes(options.diff_base, configuration)
    except RevisionError as error:
        raise UsageError(f"--diff-base: {error}") from None
    for path in options.files.paths:
        if path != STDIN and not changes.knows(path):
            changes.close()
            raise UsageError(f"--diff-base: {path} is not in the git repository of the working directory")
    return changes


# ── how it is run ───────────────────────────────────────────────────────────────────────────────────────────────────


def _only(options: CheckOptions, configuration: Configuration, changes: Changes | None) -> Callable[[str], bool] | None:
    """Which files, when not all of them."""
    if options.shard is None:
        return changes.includes if changes else None
    try:
        shard = Shard.parse(options.shard)
    except ValueError as error:
        raise UsageError(f"--shard: {error}") from None
    root = configuration.for_folder(os.getcwd()).root
    return lambda path: shard.has(path, root) and (changes is None or changes.includes(path))


def _cache_dir(options: CheckOptions, configuration: Configuration) -> str | None:
    if options.no_cache:
        return None
    settings = configuration.for_folder(os.getcwd())
    folder = os.path.join(settings.root, settings.cache_dir)
    is_asked_for = settings.cache_dir != Settings._field_defaults["cache_dir"]
    if is_asked_for and os.path.exists(folder) and not os.path.isdir(folder):
        raise UsageError(f"cannot keep results in {shown_path(folder)}: it is not a folder")
    try:
        if not options.cache_dir and not is_inside(folder, checkout_of(settings.root)):
            raise NoKey(f"{shown_path(folder)} is a link that leads out of the project")
        key_for(folder)
    except NoKey as error:
        if not options.quiet:
            complain(f"results are not kept: {error}")
        return None
    return folder


def _jobs(options: CheckOptions) -> int | None:
    if options.jobs is None:
        return None
    if not options.jobs.isdecimal() or int(options.jobs) < 1:
        raise UsageError(f"--jobs: {options.jobs!r} is not a number of processes")
    return int(options.jobs)


@contextmanager
def _executor(options: CheckOptions) -> Iterator[Executor | None]:
    """What lints in place of this process, if anything."""
    if options.executor is None:
        yield None
        return
    if options.jobs is not None:
        raise UsageError("--jobs and --executor cannot be combined")
    from tfdata_lint.run.workers import ExecutorError, connected

    try:
        with connected(options.executor) as executor:
            yield executor
    except ExecutorError as error:
        raise UsageError(f"--executor: {error}") from None
