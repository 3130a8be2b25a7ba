"""Names and texts that would do something where they are printed, and what the services that keep logs would do."""

from __future__ import annotations

import os
import re
from typing import NamedTuple
from unicodedata import category

#: Each is the name of a file on Linux.
NAMES = (
    "\n::error::newline.py",
    "a\r\n::add-mask::crlf.py",
    "a\r::warning file=b.py::cr.py",
    "a\x85::error::nel.py",
    "a\u2028::error::separator.py",
    "::error file=train.py,line=1::beginning.py",
    " \t::error::blanks first.py",
    "\u200b::error::zero width.py",
    "\ufe0f:\ufe0f:error:\xad:selectors.py",
    "##vso[task.setvariable variable=PATH]azure.py",
    "a ##vso[task.complete result=Failed;]azure.py",
    "##[error]github.py",
    "a##[add-mask]github.py",
    "#\u200b#[error]zero width.py",
    "#\ufe0f#vs\u2060o[task.logissue type=error]zero width.py",
    "##[group]a%0A::error::b.py",
    "\x1b[31m\x1b[2Jescape.py",
    "\x1b]8;;file:x\x07link\x1b]8;;\x07.py",
    "\x1b]52;c;ZXZpbA==\x07clipboard.py",
    "\x9b31m\x90c1.py",
    "\x01\x08\x7fcontrol.py",
    "a``b`c.py",
    "`.py",
    "a|b||c.py",
    "a\\|b\\\\|c.py",
    "<script>alert(1)<.py",
    "<img src=x onerror=alert(1)>.py",
    "]]><!--.py",
    "&amp;&lt;&#35;.py",
    "'single' \"double\".py",
    "%0A%0D%25%3A%AZP25.py",
    "a;b]c,d:e=f.py",
    os.fsdecode(b"\xff\xfe latin \xe9.py"),
    "\u202egnp.py",
    "\u2066isolate\u2069.py",
    "\u200d\ufeff\u2060.py",
    "\u3164\u115f\u034f\U000e0100.py",
    "\U000e0041\U000e0042.py",
    "very long " + "x" * 200 + ".py",
    "-rf.py",
    "--fix.py",
    "@team #1 https:www.example.com.py",
    "  blanks  at the ends .py",
    "....py",
    "😀 ❤\ufe0f 猫 é.py",
    "C:evil.py",
    "nul.py",
    "a\\..\\b.py",
    "{0} [link](1) **bold** _it_ ~no~.py",
    "$(id) ;`id`;.py",
    "#35;%%{init: {}}%%.py",
    "a\tb.py",
)  # fmt: skip


class Command(NamedTuple):
    """What a service would do."""

    name: str
    properties: dict[str, str]
    data: str


def lines(text: str) -> list[str]:
    """The lines that a service reads: .NET's `StreamReader.ReadLine`."""
    return re.split("\r\n|\r|\n", text)


def on_github(text: str) -> list[Command]:
    """`ActionCommand.TryParseV2` and `TryParse` of actions/runner, with each name that could be a command's."""
    return [command for line in lines(text) if (command := _github_v2(_compared(line)) or _github_v1(_compared(line)))]


def on_azure(text: str) -> list[Command]:
    """`Command.TryParse` of microsoft/azure-pipelines-agent."""
    return [command for line in lines(text) if (command := _azure(_compared(line)))]


def _compared(line: str) -> str:
    """What a comparison by the rules of a language sees: the rest has no weight there."""
    return "".join(c for c in line if c.isspace() or not (category(c) in ("Cc", "Cf") or _has_no_weight(ord(c))))


def _has_no_weight(number: int) -> bool:
    return number in (0x34F, 0x180F) or any(
        first <= number <= last for first, last in ((0x180B, 0x180E), (0xFE00, 0xFE0F), (0xE0000, 0xE0FFF))
    )


def _is_name(name: str) -> bool:
    return re.fullmatch(r"[\w.-]+", name) is not None


def _github_v2(line: str) -> Command | None:
    line = line.lstrip()
    end = line.find("::", 2)
    if not line.startswith("::") or end < 0:
        return None
    name, _, rest = line[2:end].partition(" ")
    if not _is_name(name):
        return None
    properties = {}
    for pair in filter(None, rest.strip().split(",")):
        key, equals, value = pair.partition("=")
        if key and equals and value:
            properties[key] = _decoded(value, {"%0D": "\r", "%0A": "\n", "%3A": ":", "%2C": ",", "%25": "%"})
    return Command(name, properties, _decoded(line[end + 2 :], {"%0D": "\r", "%0A": "\n", "%25": "%"}))


def _github_v1(line: str) -> Command | None:
    start = line.find("##[")
    end = line.find("]", start)
    if start < 0 or end < 0:
        return None
    name = line[start + 3 : end].partition(" ")[0]
    return Command(name, {}, line[end + 1 :]) if _is_name(name) else None


def _azure(line: str) -> Command | None:
    start = line.find("##vso[")
    end = line.find("]", start)
    if start < 0 or end < 0:
        return None
    name, _, rest = line[start + 6 : end].partition(" ")
    if len([part for part in name.split(".") if part]) != 2:
        return None
    escapes = {"%3B": ";", "%0D": "\r", "%0A": "\n", "%5D": "]", "%AZP25": "%"}
    properties = {}
    for pair in filter(None, rest.split(";")):
        key, equals, value = pair.partition("=")
        if key and equals and value:
            properties[key] = _decoded(value, escapes)
    return Command(name, properties, _decoded(line[end + 1 :], escapes))


def _decoded(text: str, escapes: dict[str, str]) -> str:
    for escape, character in escapes.items():
        text = text.replace(escape, character)
    return text


def read_back(text: str) -> str:
    """What visible escapes stand for."""
    return re.sub(
        r"\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|[nrt])",
        lambda found: found[0].encode().decode("unicode_escape"),
        text,
    )
