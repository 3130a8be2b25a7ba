"""Pages of rules as tests: specification and documentation in one.

A fenced `python` block is linted as a module of its own. A finding of the page's rule must be announced on the line
where it starts, and what is announced must be found:

    ds = ds.batch(32)  # warning: [TFD101] "part of the message"

Words after `python` in the opening fence:

- `fixed`: the exact result of all fixes of the page's rule, unsafe ones included, for the block before it. Where all
  of them are safe, the tests of tfdata-lint run both blocks on TensorFlow, and compare their datasets over two epochs
- `no-run`: not run on TensorFlow (it needs files or hardware)
- `raises`, `raises=InvalidArgumentError`: running it on TensorFlow fails, and should
- `invalid`: not valid Python
- `target=2.15`: linted for this TensorFlow
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from tfdata_lint.config.settings.model import Settings
from tfdata_lint.config.target import Target
from tfdata_lint.lint.changing import fix_source
from tfdata_lint.lint.linting import lint_source
from tfdata_lint.lint.reports import FileReport
from tfdata_lint.pipeline.project import eras
from tfdata_lint.pipeline.recover import recover
from tfdata_lint.rules import rule
from tfdata_lint.rules.base import Rule
from tfdata_lint.source.module import load
from tfdata_lint.testing.blocks import Block, blocks, headings

_WORDS = frozenset({"fixed", "no-run", "raises", "invalid", "target"})
_CODE = r"[A-Z]+\d+"
_MARKER_COMMENT = re.compile(rf"[ \t]*#[^#\n]*(?:error|warning|advice): \[{_CODE}\].*")
_MARKER = re.compile(rf'(?P<severity>error|warning|advice): \[(?P<code>{_CODE})\](?: "(?P<text>(?:[^"\\]|\\.)*)")?')


class Report(NamedTuple):
    """A finding, or the announcement of one."""

    row: int
    severity: str
    code: str
    text: str

    def announces(self, found: Report) -> bool:
        """Is this what was announced? Of the message a part is enough."""
        return self[:3] == found[:3] and self.text in found.text

    def __str__(self) -> str:
        return f'{self.severity}: [{self.code}] "{self.text}"'


def check_page(page: str | Path) -> None:
    """Check a page against its rule, whose code is the first word of the title: `# ACME001 large-batch`.

    Each block is Python (or says `invalid`), has the findings that it announces and no others, and is followed by what
    its fixes make of it where it says so. Nothing is run. Raises AssertionError with all that does not hold, each with
    its place, and ValueError where the page is of no rule that is installed.
    """
    path = Path(page)
    code = code_of(path)
    checked = rule(code)
    if checked is None:
        raise ValueError(f"{path}: no rule has the code {code}; is its distribution installed?")
    found = list(blocks(path))
    problems = [problem for block in found for problem in (*_problems_of_text(block), *announcements(block, code))]
    problems += [_fix_problem(flagged, fixed, code) for flagged, fixed in fixes(found)]
    problems = list(filter(None, problems))
    # What the engine says by itself needs more than a module to be shown.
    if checked.group != "meta" and not any(marker.code == code for block in found for marker in markers(block.text)):
        problems.append(f"{path}: no block shows what {code} finds")
    assert not problems, "\n" + "\n".join(problems)


def code_of(page: Path) -> str:
    """The code in the title of a page. Raises ValueError where there is none."""
    title = next(iter(headings(page)), "")
    match = re.match(rf"# ({_CODE})\b", title)
    if match is None:
        raise ValueError(f"{page}: its title does not begin with the code of a rule")
    return match[1]


def markers(text: str) -> Iterator[Report]:
    """The announcements in a block: after a number sign, alone or one behind the other."""
    for row, line in enumerate(text.splitlines(), 1):
        _, _, comment = line.partition("#")
        for match in _MARKER.finditer(comment):
            yield Report(row, match["severity"], match["code"], (match["text"] or "").replace('\\"', '"'))


def announcements(block: Block, code: str) -> Iterator[str]:
    """Where a block and the rules that it names disagree; of the page's own rule nothing goes unannounced."""
    announced = list(markers(block.text))
    for name in sorted({code, *(marker.code for marker in announced)}):
        checked = rule(name)
        if checked is None:
            yield f"{block}: no rule has the code {name}"
            continue
        found = findings(checked, block)
        for marker in (marker for marker in announced if marker.code == name):
            match = next((report for report in found if marker.announces(report)), None)
            if match is None:
                yield f"{block.place(marker.row)}: announced, not found: {marker}"
            else:
                found.remove(match)
        if name == code:
            yield from (f"{block.place(report.row)}: found, not announced: {report}" for report in found)


def findings(checked: Rule, block: Block) -> list[Report]:
    """What a rule finds in a block. The rules about linting itself speak through the engine."""
    settings, path = Settings(target_tensorflow=target_of(block)), f"{block.file.stem}.py"
    if checked.group == "meta":
        report = lint_source(block.text, path, settings)
        return [
            Report(d.place.row, d.severity, d.code, d.message) for d in report.diagnostics if d.code == checked.code
        ]
    source = load(block.text.encode(), path)
    target = eras.target_of(source, settings.target_for(path))
    found = {(f.code, f.span): f for f in checked.check(recover(source), target)}
    return [Report(f.span.row, f.severity, f.code, f.message) for f in found.values()]


def target_of(block: Block) -> Target:
    """The TensorFlow that a block is for."""
    version = block.option("target")
    return Target.parse(version, "page") if version else Target()


def fixes(found: Iterable[Block]) -> list[tuple[Block, Block]]:
    """The blocks that say what becomes of the one before them, with that one."""
    return [(flagged, block) for flagged, block in pairwise(found) if block.option("fixed") is not None]


def fix(block: Block, code: str) -> FileReport:
    """All fixes of a rule, the unsafe ones too, for the code without the announcements."""
    settings = Settings(extend_select=(code,), fixable=(code,), target_tensorflow=target_of(block))
    return fix_source(unannounced(block.text), f"{block.file.stem}.py", settings, unsafe=True)


def unannounced(text: str) -> str:
    """The code of a block without the announcements."""
    return _MARKER_COMMENT.sub("", text)


def _fix_problem(flagged: Block, fixed: Block, code: str) -> str:
    report = fix(flagged, code)
    if report.after is None:
        return f"{flagged.place(1)}: nothing is fixed: {[d.fix for d in report.diagnostics]}"
    if report.after.decode() == unannounced(fixed.text):
        return ""
    return f"{fixed.place(1)}: the fixes give something else:\n{report.after.decode()}"


def _problems_of_text(block: Block) -> Iterator[str]:
    unknown = {word.partition("=")[0] for word in block.words} - _WORDS
    if unknown:
        yield f"{block}: unknown words after `python`: {', '.join(sorted(unknown))}"
    is_python = True
    try:
        compile(block.text, str(block), "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        is_python = False
    if is_python == (block.option("invalid") is not None):
        yield f"{block}: {'is' if is_python else 'is not'} Python"
