"""`tfdata-lint profile`: what profiles say of the input, on lines of the source."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from tfdata_lint.cli.common import CLEAN, UsageError, split
from tfdata_lint.cli.options import ProfileOptions
from tfdata_lint.config.settings.reading import Configuration
from tfdata_lint.observing.evidence import dumps as dumped, evidence, project_of
from tfdata_lint.source import atomic
from tfdata_lint.source.visible import visible
from tfdata_lint.verify import workers
from tfdata_lint.verify.profile import answers
from tfdata_lint.verify.profile.files import Unreadable, files
from tfdata_lint.verify.profile.host import Host, read
from tfdata_lint.verify.profile.lines import Lines, graphs, locate, where
from tfdata_lint.verify.report import answers as report
from tfdata_lint.verify.verdicts import Verification

#: Files of verdicts, as workers write them.
_VERDICTS = ".json"


def run(options: ProfileOptions) -> int:
    """Print the answers. Raises UsageError."""
    verdicts = [path for path in options.paths if path.endswith(_VERDICTS)]
    paths = [path for path in options.paths if not path.endswith(_VERDICTS)]
    hosts = _hosts(paths, options.host) if paths else []
    try:
        rows = workers.read(verdicts, hosts)
    except OSError as error:
        raise UsageError(f"cannot read {error.filename}: {error.strerror}") from None
    except Unreadable as error:
        raise UsageError(str(error)) from None
    names = [row.name for row in rows]
    hosts.sort(key=lambda host: names.index(host.name))
    there, missing = split(options.source or ["."])
    if missing:
        raise UsageError(f"no such file or folder: {', '.join(missing)}")
    found = graphs(there, options.configuration()) if hosts else []
    located = [(host, locate(host, found, ", ".join(there))) for host in hosts]
    if options.save and located:
        _save(options.save, *located[0])
    if options.output_format == "json":
        print(answers.dumps([answers.as_json(*one) for one in located]), end="")
    elif options.output_format == "html":
        _print_page(located)
    else:
        _print_text(rows, located[:1])
    return CLEAN


def _hosts(paths: Sequence[str], host: str) -> list[Host]:
    try:
        return [read(file) for file in files(paths, host)]
    except Unreadable as error:
        raise UsageError(str(error)) from None


def _print_text(rows: Sequence[workers.Worker], located: Iterable[tuple[Host, Lines]]) -> None:
    if len(rows) > 1 or not located:
        for line in workers.table(rows):
            print(visible(line))
    for host, lines in located:
        for line in answers.text(host, lines):
            print(line)


def _print_page(located: Sequence[tuple[Host, Lines]]) -> None:
    from tfdata_lint.verify.report import html

    if not located:
        raise UsageError("--output-format html needs a profile")
    print(html.render(Verification(answers.run_of(*located[0]))), end="")


def _save(path: str, host: Host, lines: Lines) -> None:
    data, _ = _evidence(host, lines)
    try:
        atomic.replace(path, dumped(data), f"{path}.{os.getpid()}.new")
    except OSError as error:
        raise UsageError(f"--save: cannot write {path}: {error.strerror}") from None
    print(f"saved as {visible(path)}", file=sys.stderr)


def _evidence(host: Host, lines: Lines) -> tuple[dict[str, Any], str]:
    """As `observe` writes it, and the folder that its places are relative to."""
    root = project_of(os.getcwd())
    return evidence(answers.run_of(host, lines), root, "recording"), root


class Recorded(NamedTuple):
    """A profile as evidence for `check --profile`."""

    name: str
    root: str
    """What its places are relative to."""
    data: Mapping[str, Any]
    unsaid: str
    """What is to be said where no finding is about its stages, so that silence is not taken for an answer."""


def recorded(profile: str, paths: Sequence[str], configuration: Configuration) -> Recorded:
    """A profile of a folder, with the lines that it has in these paths."""
    hosts = _hosts([profile], "")
    slowest = max(hosts, key=lambda host: host.reading["steps"]["median"])
    lines = locate(slowest, graphs(paths, configuration), ", ".join(paths))
    data, root = _evidence(slowest, lines)
    return Recorded(profile, root, data, f"--profile {profile}: {_unsaid(slowest, lines)}")


def _unsaid(host: Host, lines: Lines) -> str:
    (pipeline,) = answers.run_of(host, lines).pipelines
    if lines.why or not pipeline.bottleneck or not pipeline.bottleneck.place:
        return where(lines) or "it does not say which stage is slow; `tfdata-lint profile` says why"
    slowest = report.bottleneck(pipeline, pipeline.bottleneck)
    return f"no finding is about a stage of its pipeline; its bottleneck: {slowest}"
