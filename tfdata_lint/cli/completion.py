"""What shells may complete, read from the parser of the command line."""

from __future__ import annotations

import argparse
from typing import Literal, NamedTuple

#: What stands for a value in the help, and what completes it.
_FILES = ("PATH", "FILE", "TARGET")
_RULES = ("RULES", "CODE")

#: Those that `shells.py` writes for.
SHELLS = ("bash", "zsh", "fish", "powershell")

Values = Literal["", "any", "files", "folders", "words"]


class Argument(NamedTuple):
    """An option, or what a command takes without one."""

    flags: tuple[str, ...]
    help: str
    values: Values
    """What completes its value; empty where it takes none."""
    words: tuple[str, ...] = ()
    repeated: bool = False


class Command(NamedTuple):
    """A command with its options; the whole program is the one without a name."""

    name: str
    help: str
    options: tuple[Argument, ...]
    operand: Argument | None = None


def commands_of(parser: argparse.ArgumentParser) -> tuple[Command, list[Command]]:
    """Return the program as the command without a name, and its commands."""
    return _command("", "", parser), _commands(parser)


def _commands(parser: argparse.ArgumentParser) -> list[Command]:
    (group,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    helps = {choice.dest: choice.help or "" for choice in group._choices_actions}
    return [_command(name, helps[name], command) for name, command in group.choices.items()]


def _command(name: str, text: str, parser: argparse.ArgumentParser) -> Command:
    own = [action for action in parser._actions if not isinstance(action, argparse._SubParsersAction)]
    options = [_argument(action) for action in own if action.option_strings]
    operands = [_argument(action) for action in own if not action.option_strings]
    return Command(name, text, tuple(options), operands[0] if operands else None)


def _argument(action: argparse.Action) -> Argument:
    values: Values = "any"
    words: tuple[str, ...] = ()
    if action.nargs == 0 or (action.option_strings and action.nargs == "?"):
        # An optional value stands behind `=`: what follows the option is none.
        values = ""
    elif action.choices:
        values, words = "words", tuple(map(str, action.choices))
    elif action.metavar in _RULES:
        values, words = "words", _rules()
    elif action.metavar == "SHELL":
        values, words = "words", SHELLS
    elif action.metavar in _FILES:
        values = "files"
    elif action.metavar == "DIR":
        values = "folders"
    repeated = isinstance(action, argparse._AppendAction) or action.nargs in ("*", "+")
    return Argument(tuple(action.option_strings), (action.help or "").replace("%%", "%"), values, words, repeated)


def _rules() -> tuple[str, ...]:
    """The codes and names of our rules: those of other distributions may come and go."""
    from tfdata_lint.rules.index import ROWS

    return tuple(word for code, name, *_ in ROWS for word in (code, name))
