"""`tfdata-lint graph`: every pipeline of files and folders."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from tfdata_lint.cli.common import CLEAN, FAILED, FOUND, UsageError, has_color, read_stdin, split, tell
from tfdata_lint.cli.options import GraphOptions
from tfdata_lint.config.settings.model import NOTES
from tfdata_lint.lint.diagnostics import Diagnostic
from tfdata_lint.lint.linting import lint_bytes, recover_bytes
from tfdata_lint.lint.reports import FileReport
from tfdata_lint.output.graph import render
from tfdata_lint.output.summary import no_pipelines
from tfdata_lint.output.text import render as render_problem
from tfdata_lint.run.engine import lint_paths, other_files, read_coverage, read_pipelines


def run(options: GraphOptions) -> int:
    if options.coverage:
        return _coverage(options)
    configuration = options.files.configuration()
    missing: list[str] = []
    reports: Iterable[FileReport]
    if stdin := options.files.stdin:
        data, settings = read_stdin(), configuration.for_file(stdin)
        results = iter([recover_bytes(data, stdin, settings=settings, explicit=True)])
        reports = (lint_bytes(data, stdin, settings, explicit=True) for _ in range(1))
    else:
        paths, missing = split(options.files.paths)
        results = read_pipelines(paths, configuration)
        reports = ()
    graphs = []
    code, read = CLEAN, 0
    for source, graph, problems in results:
        read += not problems
        if source and graph and (graph.stages or graph.consumers):
            graphs.append((source, graph))
        code = max(code, _told(problems))
    # Other forms are for programs, which have the findings in a form of their own.
    is_read = options.format in ("text", "svg", "html")
    if is_read and graphs and not options.files.stdin:
        reports = lint_paths([*paths, *other_files(graphs, configuration)], configuration)
    findings = [d for report in reports for d in report.diagnostics] if is_read and graphs else []
    if graphs or not is_read:
        print(render(graphs, options.format, has_color(options.color, sys.stdout), findings))
    if is_read and not graphs and (read or (code == CLEAN and not missing)):
        print(no_pipelines(read), file=sys.stderr)
    return FAILED if tell(configuration, missing) else code


def _coverage(options: GraphOptions) -> int:
    from tfdata_lint.lint.covering import cover_bytes
    from tfdata_lint.output import coverage

    if options.format not in ("text", "json"):
        raise UsageError(f"--coverage does not support the format {options.format}; use --format text or json")
    configuration = options.files.configuration()
    missing: list[str] = []
    if stdin := options.files.stdin:
        results = iter([cover_bytes(read_stdin(), stdin, settings=configuration.for_file(stdin), explicit=True)])
    else:
        paths, missing = split(options.files.paths)
        results = read_coverage(paths, configuration)
    files = []
    code = CLEAN
    for covered, problems in results:
        if covered:
            files.append(covered)
        code = max(code, _told(problems))
    print(coverage.render(files, options.format))
    return FAILED if tell(configuration, missing) else code


def _told(problems: Iterable[Diagnostic]) -> int:
    """Print what went wrong with a file. What that makes of the exit code."""
    code = CLEAN
    for problem in problems:
        print(render_problem(problem, concise=True), file=sys.stderr)
        code = max(code, FAILED if problem.code == "TFD002" else CLEAN if problem.code in NOTES else FOUND)
    return code
