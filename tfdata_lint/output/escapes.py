"""How a text is written in each format, so that it is read as the same text and as nothing else.

`source/visible.py` does that for terminals, JSON and XML.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tfdata_lint.source.visible import visible

if TYPE_CHECKING:
    from tfdata_lint.lint.diagnostics import Diagnostic, Evidence, PlacedFix
    from tfdata_lint.source.places import Place

_AZURE = {"%": "%AZP25", ";": "%3B", "\r": "%0D", "\n": "%0A", "]": "%5D"}
_CODE_SPAN = r"((?<!`)`[^`]+`(?!`))"
#: What is markup outside of code, or would call somebody.
_MARKUP = r"[\\*_~<>\[\]&@#`]"


def shown(diagnostic: Diagnostic) -> Diagnostic:
    """Return a finding whose words can be printed; its code has columns, and is left to who prints it."""
    return diagnostic._replace(
        message=visible(diagnostic.message),
        cost=visible(diagnostic.cost),
        advice=visible(diagnostic.advice),
        place=_place(diagnostic.place),
        related=tuple(r._replace(place=_place(r.place), message=visible(r.message)) for r in diagnostic.related),
        fix=diagnostic.fix and _fix(diagnostic.fix),
        alternatives=tuple(map(_fix, diagnostic.alternatives)),
        evidence=diagnostic.evidence and _evidence(diagnostic.evidence),
    )


def _evidence(evidence: Evidence) -> Evidence:
    return evidence._replace(text=visible(evidence.text), file=visible(evidence.file))


def _place(place: Place) -> Place:
    return place._replace(path=visible(place.path))


def _fix(fix: PlacedFix) -> PlacedFix:
    return fix._replace(title=visible(fix.title), reason=visible(fix.reason))


def github_data(text: str) -> str:
    """Return the text of a workflow command."""
    return visible(text, keep="\r\n").replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def github_property(value: object) -> str:
    """Return the value of a property of a workflow command."""
    return github_data(str(value)).replace(":", "%3A").replace(",", "%2C")


def azure_data(text: str) -> str:
    """Return the text of a logging command of Azure Pipelines."""
    return visible(text, keep="\r\n").replace("%", _AZURE["%"]).replace("\r", _AZURE["\r"]).replace("\n", _AZURE["\n"])


def azure_property(value: object) -> str:
    """Return the value of a property of a logging command of Azure Pipelines."""
    return "".join(_AZURE.get(character, character) for character in visible(str(value), keep="\r\n"))


def markdown_code(text: str) -> str:
    """Return a text as code, for a cell of a table."""
    text = visible(text)
    if "`" not in text and "\\|" not in text and text.strip():
        return f"`{text.replace('|', chr(92) + '|')}`"
    # Neither ends what is written by its number.
    return f"<code>{re.sub(_MARKUP[:-1] + '|]', _numbered, text)}</code>"


def markdown_span(text: str) -> str:
    """Return a text as code in a sentence."""
    text = visible(text)
    marks = _fence(text, "")
    return f"{marks}{text}{marks}" if marks == "`" else f"{marks} {text} {marks}"


def markdown_block(text: str) -> str:
    """Return a text as a block of code."""
    text = visible(text)
    marks = _fence(text, "``")
    return f"{marks}text\n{text}\n{marks}"


def _fence(text: str, least: str) -> str:
    """Return more back-ticks than the text has in a row."""
    runs: list[str] = re.findall("`+", text)
    return max([least, *runs], key=len) + "`"


def markdown_prose(text: str) -> str:
    """Return a text as a sentence: as it is written, but for its spans of code."""
    parts = re.split(_CODE_SPAN, visible(text, keep="\n"))
    parts[::2] = [re.sub(_MARKUP, _numbered, part) for part in parts[::2]]
    parts[1::2] = [markdown_span(part[1:-1]) for part in parts[1::2]]
    return "".join(parts)


def markdown_text(text: str) -> str:
    """Return a text for a cell of a table: as it is written, but for its spans of code."""
    parts = re.split(_CODE_SPAN, visible(text, keep="\n"))
    parts[::2] = [re.sub(_MARKUP, _numbered, part).replace("|", "\\|") for part in parts[::2]]
    parts[1::2] = [markdown_code(part[1:-1]) for part in parts[1::2]]
    return "".join(parts).replace("\n", "<br>")


def _numbered(mark: re.Match[str]) -> str:
    return f"&#{ord(mark[0])};"


def dot_string(text: str) -> str:
    """Return a string of Graphviz, which reads entities in labels."""
    text = re.sub(r"&(?=#?\w+;)", "&amp;", visible(text, keep="\n"))
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def mermaid_string(text: str) -> str:
    """Return a label of Mermaid, which reads HTML, entities that begin with `#`, Markdown, and settings anywhere."""
    text = visible(text, keep="\n").replace("&", "&amp;").replace('"', "&quot;")
    text = re.sub(r"<(?=[\w/!?])", "&lt;", re.sub(r"#(?=\w+;)", "#35;", text))
    return '"' + text.replace("%%", "#37;%").replace("`", "#96;").replace("\n", "<br/>") + '"'
