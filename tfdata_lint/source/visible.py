"""Text that a stranger wrote, made safe to print: nothing in it acts on a terminal or in the log of a CI service.

Names of files, code, messages that quote it, errors of other programs: all of it may hold newlines, escape sequences,
characters that are not seen or turn the text around, and commands for the service that keeps the log.

What is such a command, as the services read what a job prints:

- GitHub Actions takes each line that begins with `::`, blanks aside, and has a second `::`, and `##[` anywhere in a
  line (actions/runner, `src/Runner.Common/ActionCommand.cs`, `TryParseV2` and `TryParse`).
- Azure Pipelines takes `##vso[` anywhere in a line (microsoft/azure-pipelines-agent,
  `src/Microsoft.VisualStudio.Services.Agent/Command.cs`, `TryParse`).

Both compare by the rules of a language, to which characters that are not seen do not count: `:`, a variation selector
and `:` are `::`, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable

#: Printable for Python, and nothing to see: fillers, and selectors but for those of emoji.
_BLANK = frozenset(map(chr, (
    0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x2800, 0x3164, *range(0xFE00, 0xFE0E), 0xFFA0,
    *range(0xE0100, 0xE01F0),
)))  # fmt: skip

#: The first `#` of `##[` and of `##vso[`.
_HASH = r"#(?=[^ -~\n]*#[^ -~\n]*(?:v[^ -~\n]*s[^ -~\n]*o[^ -~\n]*)?\[)"
#: The second colon of a line that begins with `::` and has another one. No command is called nothing, or `:`.
_COLON = r"(?m)((?:^|\r)[^!-~\r\n]*:[^ -~\r\n]*):(?! |: )(?=[^\r\n]*:[^ -~\r\n]*:)"
#: The escapes of JSON, one by one; the group is half of a pair of surrogates, without the other half.
_JSON_ESCAPE = r"\\(?:ud[89ab]..\\ud[c-f]..|(ud[89a-f]..)|.)"


def visible(text: str, keep: str = "") -> str:
    r"""Return the text on one line, with visible escapes, such as `\n` and `\u202e`, for what is not seen or acts.

    Characters to `keep` stay what they are: newlines, where the text has lines of its own.
    """
    if not (text.isascii() and text.isprintable()):
        text = _escaped(text, keep, _python_escape)
    elif "##" not in text and "::" not in text:
        # As nearly all are.
        return text
    return inert(text)


def inert(text: str) -> str:
    r"""Return lines that hold no command for GitHub Actions or Azure Pipelines: `\x23#vso[`, `:\x3aerror::`."""
    return _without_commands(text, r"\x23", r"\x3a")


def painted(text: str) -> str:
    """Return lines that are printed as they are: with their colors, and nothing else that acts."""
    parts = re.split(r"(\x1b\[[0-9;]*m)", text)
    parts[::2] = [visible(part, keep="\n") for part in parts[::2]]
    return inert("".join(parts))


def code_line(text: str) -> str:
    """Return a line of code as it is shown: with four blanks for a tab, and one for each other blank."""
    if text.isascii() and text.isprintable():
        return inert(text)
    text = "".join("    " if c == "\t" else " " if c.isspace() and c not in "\x1c\x1d\x1e\x1f\x85" else c for c in text)
    return visible(text)


def json_text(text: str) -> str:
    """Return what `json.dumps` wrote so that it can be printed: it means the same.

    Half of a pair of surrogates, which stands for a byte of a name that is not UTF-8, is no text for many readers of
    JSON, who would refuse all of it: it becomes a visible escape.
    """
    if not text.isascii() or "\x7f" in text:
        text = _escaped(text, "\n", _json_escape)
    if r"\ud" in text:
        text = re.sub(_JSON_ESCAPE, lambda found: rf"\\{found[1]}" if found[1] else found[0], text)
    return _without_commands(text, r"\u0023", ":")


def xml_text(text: str) -> str:
    """Return XML without CDATA and comments so that it can be printed: it means the same."""
    if not text.isascii() or not text.replace("\n", "").isprintable():
        text = _escaped(text, "\n", lambda character: f"&#{ord(character)};")
    return _without_commands(text, "&#35;", "&#58;")


def _escaped(text: str, keep: str, escape: Callable[[str], str]) -> str:
    return "".join(c if c in keep or (c.isprintable() and c not in _BLANK) else escape(c) for c in text)


def _python_escape(character: str) -> str:
    return character.encode("unicode_escape").decode()


def _json_escape(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(rf"\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def _without_commands(text: str, mark: str, colon: str) -> str:
    # What is not seen may stand between the marks.
    is_odd = not (text.isascii() and text.replace("\n", "").isprintable())
    if "##" in text or (is_odd and "#" in text):
        text = re.sub(_HASH, lambda _: mark, text)
    if "::" in text or (is_odd and ":" in text):
        text = re.sub(_COLON, lambda found: found[1] + colon, text)
    return text
