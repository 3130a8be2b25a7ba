"""What was typed, with types. Nothing else looks into what `argparse` gives."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from typing import Any

from tfdata_lint import __version__
from tfdata_lint.cli.common import UsageError
from tfdata_lint.config.files import parse_toml
from tfdata_lint.config.formats import FORMATS
from tfdata_lint.config.settings.model import Selection, keys, option_of
from tfdata_lint.config.settings.reading import Configuration
from tfdata_lint.config.settings.values import is_met, read, selector_problem, selectors, unknown_key
from tfdata_lint.config.target import Target
from tfdata_lint.verify.options import Typed, VerifyOptions

STDIN = "-"


class FileOptions(Typed):
    """Which files, and where their settings are."""

    paths: list[str]
    stdin_filename: str | None
    config: list[str] | None
    isolated: bool
    exclude: list[str] | None
    extend_exclude: list[str] | None
    force_exclude: bool
    no_respect_gitignore: bool

    @property
    def stdin(self) -> str | None:
        """The name to give to standard input, when that is what is to be read. Raises UsageError."""
        if STDIN not in self.paths:
            if self.stdin_filename is not None:
                raise UsageError("--stdin-filename needs `-` as the path")
            return None
        if len(self.paths) > 1:
            raise UsageError("`-` cannot be combined with other paths")
        return self.stdin_filename or "<stdin>"

    def configuration(self, overrides: Mapping[str, Any] | None = None) -> Configuration:
        """The settings of this run: what the command line says wins. Raises UsageError."""
        file, values = configured(self.config, isolated=self.isolated)
        given: dict[str, Any] = {**values, **(overrides or {})}
        if self.force_exclude:
            given["force_exclude"] = True
        if self.no_respect_gitignore:
            given["respect_gitignore"] = False
        exclude = _patterns("--exclude", self.exclude)
        extend_exclude = _patterns("--extend-exclude", self.extend_exclude) or ()
        return Configuration(
            file, isolated=self.isolated, overrides=given, exclude=exclude, extend_exclude=extend_exclude
        )


def configured(given: Sequence[str] | None, *, isolated: bool) -> tuple[str | None, dict[str, Any]]:
    """What `--config` names: a file, and fields of `Settings`. Raises UsageError."""
    files = [text for text in given or () if os.path.lexists(text) or "=" not in text]
    if len(files) > 1:
        raise UsageError(f"--config takes one file, not {' and '.join(files)}")
    file = files[0] if files else None
    if file is not None and not os.path.lexists(file):
        raise UsageError(f"no such configuration file: {file}")
    if file is not None and isolated:
        raise UsageError("--config and --isolated cannot be combined")
    values: dict[str, Any] = {}
    for text in given or ():
        if text not in files:
            values |= _keys_in(text)
    return file, values


def _keys_in(text: str) -> dict[str, Any]:
    """`target-tensorflow = "2.15"`, as it would stand in a file. Raises UsageError."""
    try:
        table = parse_toml(text)
    except ValueError as error:
        raise UsageError(f"--config {text}: neither a file nor `KEY = VALUE` in TOML: {error}") from None
    values: dict[str, Any] = {}
    for name, raw in table.items():
        if not (key := keys().get(name)):
            raise UsageError(f"--config: {unknown_key(name, keys())}")
        if name == "extend":
            raise UsageError("--config: `extend` is for configuration files; name one instead: --config FILE")
        try:
            value = read(key.kind, raw, "--config")
        except ValueError as error:
            raise UsageError(f"--config: `{name}` {error}") from None
        for selector in selectors(key.kind, value):
            if problem := selector_problem(selector):
                raise UsageError(f"--config: `{name}`: {problem}")
        if key.kind == "requirement" and not is_met(value, __version__):
            raise UsageError(f"--config: tfdata-lint {value} is required, but this is {__version__}")
        # Paths of the command line are those of the working directory.
        values[key.field] = os.path.abspath(value) if key.kind == "path" else value
        if key.kind == "files":
            values[key.field] = tuple(map(os.path.abspath, value))
    return values


def _from_environment(arguments: argparse.Namespace) -> dict[str, Any]:
    """What was not typed, from variables that CI sets for every run. Raises UsageError."""
    found: dict[str, Any] = {}
    for name in ("output_format", "output_file", "cache_dir"):
        variable = f"TFDATA_LINT_{name.upper()}"
        if getattr(arguments, name) is None and (value := os.environ.get(variable)):
            found[name] = value
            if name == "output_format" and value not in FORMATS:
                raise UsageError(f"{variable} must be one of {', '.join(FORMATS)}, not {value}")
    if os.environ.get("TFDATA_LINT_NO_CACHE"):
        found["no_cache"] = True
    return found


class GraphOptions(Typed):
    """`tfdata-lint graph`."""

    files: FileOptions
    format: str
    coverage: bool
    color: str

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> GraphOptions:
        given = vars(arguments)
        return cls(given | {"files": FileOptions(given)})


class CheckOptions(Typed):
    """`tfdata-lint check`: as typed, None for what was not."""

    files: FileOptions
    verify: VerifyOptions
    """What is executed, if anything."""
    select: list[str] | None
    extend_select: list[str] | None
    ignore: list[str] | None
    fixable: list[str] | None
    extend_fixable: list[str] | None
    unfixable: list[str] | None
    per_file_ignores: list[str] | None
    extend_per_file_ignores: list[str] | None
    target_tensorflow: str | None
    ignore_noqa: bool
    baseline: str | None
    no_baseline: bool
    write_baseline: bool
    diff_base: str | None
    evidence: list[str] | None
    profile: str | None
    no_evidence: bool
    fix: bool
    unsafe_fixes: bool
    diff: bool
    fix_only: bool
    show_fixes: bool
    show_fix_diff: bool | None
    add_ignore: str | None
    jobs: str | None
    executor: str | None
    shard: str | None
    cache_dir: str | None
    no_cache: bool
    output_format: str | None
    output_file: str | None
    sort: str
    statistics: bool
    summary: bool
    advice: bool
    show_files: bool
    show_settings: bool
    watch: bool
    quiet: bool
    color: str
    fail_level: str | None
    exit_non_zero_on_fix: bool
    exit_zero: bool

    @classmethod
    def of(cls, arguments: argparse.Namespace, script_arguments: Sequence[str]) -> CheckOptions:
        verify = _execution(
            arguments,
            script_arguments,
            targets=arguments.verify or [],
            budget=arguments.verify_budget,
            everything=arguments.verify_all,
            report=arguments.report,
            json=arguments.verify_json,
            ledger=arguments.ledger,
            evidence=arguments.evidence_output,
            trace_out=arguments.trace_out,
        )
        given = vars(arguments) | _from_environment(arguments)
        return cls(given | {"files": FileOptions(given), "verify": verify})

    @property
    def fixes(self) -> bool:
        """Are findings fixed?"""
        return self.fix or self.fix_only

    @property
    def prints_no_findings(self) -> bool:
        """Is it only what would change that is printed?"""
        return self.fix_only or self.diff or self.add_ignore is not None

    @property
    def prints_coverage(self) -> bool:
        """Is the share of what was seen among the statistics? The files are read once more for it."""
        return self.statistics and not (self.quiet or self.prints_no_findings or self.files.stdin)

    def configuration(
        self, *, with_surroundings: bool = False, with_edits: bool = False, with_standing: bool = False
    ) -> Configuration:
        """As that of the files, with what holds for this run. Raises UsageError."""
        overrides: dict[str, Any] = {"with_edits": with_edits}
        if with_surroundings:
            overrides["with_surroundings"] = True
        if with_standing:
            overrides["with_standing"] = True
        if self.cache_dir:
            overrides["cache_dir"] = os.path.abspath(self.cache_dir)
        if self.baseline is not None:
            overrides["baseline"] = os.path.abspath(self.baseline)
        if self.evidence is not None:
            overrides["evidence"] = tuple(map(os.path.abspath, self.evidence))
        if self.ignore_noqa:
            overrides["ignore_noqa"] = True
        for name in ("fail_level", "output_format"):
            if given := getattr(self, name):
                overrides[name] = given
        if self.target_tensorflow:
            try:
                overrides["target_tensorflow"] = Target.parse(self.target_tensorflow, "--target-tensorflow")
            except ValueError as error:
                raise UsageError(f"--target-tensorflow: {error}") from None
        read_ones = ((name, _selectors(name, getattr(self, name))) for name in _SELECTING)
        selected: dict[str, Any] = {name: selectors for name, selectors in read_ones if selectors is not None}
        ignores = _ignores("--extend-per-file-ignores", self.extend_per_file_ignores)
        if self.per_file_ignores is not None:
            overrides["per_file_ignores"] = ()
            ignores = (*_ignores("--per-file-ignores", self.per_file_ignores), *ignores)
        overrides["command_line"] = Selection(**selected, per_file_ignores=ignores)
        return self.files.configuration(overrides)


class ProfileOptions(Typed):
    """`tfdata-lint profile`."""

    paths: list[str]
    source: list[str] | None
    host: str
    save: str | None
    output_format: str
    config: list[str] | None
    isolated: bool

    def configuration(self) -> Configuration:
        """Raises UsageError."""
        file, values = configured(self.config, isolated=self.isolated)
        return Configuration(file, isolated=self.isolated, overrides=values)


class TuneOptions(Typed):
    """`tfdata-lint tune`."""

    execution: VerifyOptions
    fix: bool
    config: list[str] | None
    isolated: bool
    color: str

    @classmethod
    def of(cls, arguments: argparse.Namespace, script_arguments: Sequence[str]) -> TuneOptions:
        execution = _execution(arguments, script_arguments, targets=[arguments.target], budget=arguments.budget)
        return cls(vars(arguments) | {"execution": execution})

    def configuration(self) -> Configuration:
        """Raises UsageError."""
        file, values = configured(self.config, isolated=self.isolated)
        return Configuration(file, isolated=self.isolated, overrides=values)


def _execution(arguments: argparse.Namespace, script_arguments: Sequence[str], **what: Any) -> VerifyOptions:
    """How something is executed, and what."""
    return VerifyOptions(
        dict(
            what,
            script_arguments=script_arguments,
            keywords=arguments.verify_arg or [],
            seconds=arguments.verify_seconds,
            network=arguments.verify_network,
            tempdir=arguments.verify_tempdir,
            python=arguments.python,
            step_ms=arguments.step_ms,
        )
    )


_SELECTING = ("select", "extend_select", "ignore", "fixable", "extend_fixable", "unfixable")


def _parts(given: list[str]) -> tuple[str, ...]:
    return tuple(part.strip() for text in given for part in text.split(",") if part.strip())


def _patterns(option: str, given: list[str] | None) -> tuple[str, ...] | None:
    if given is None:
        return None
    try:
        patterns: tuple[str, ...] = read("patterns", _parts(given), option)
    except ValueError as error:
        raise UsageError(f"{option} {error}") from None
    return patterns


def _selectors(name: str, given: list[str] | None) -> tuple[str, ...] | None:
    if given is None:
        return None
    option = option_of(name)
    selectors = _parts(given)
    if name == "select" and not selectors:
        raise UsageError(f"{option}: no rule given")
    for selector in selectors:
        if problem := selector_problem(selector):
            raise UsageError(f"{option}: {problem}")
    return selectors


def _ignores(option: str, given: list[str] | None) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """`tests/**:TFD1,TFD2,*_old.py:ALL`: what has no colon belongs to the pattern before. Raises UsageError."""
    rows: dict[str, list[str]] = {}
    for text in given or ():
        last: list[str] | None = None
        for part in filter(None, map(str.strip, text.split(","))):
            pattern, colon, selector = part.rpartition(":")
            if colon:
                last = rows.setdefault(pattern.strip(), [])
            if last is None or not selector.strip() or (colon and not pattern.strip()):
                raise UsageError(f"{option}: `{part}` is not as PATTERN:RULE, such as 'tests/**:TFD101'")
            last.append(selector.strip())
    try:
        table: tuple[tuple[str, tuple[str, ...]], ...] = read("ignores", rows, option)
    except ValueError as error:
        raise UsageError(f"{option} {error}") from None
    for selector in selectors("ignores", table):
        if problem := selector_problem(selector):
            raise UsageError(f"{option}: {problem}")
    return table
