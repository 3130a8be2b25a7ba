"""How each shell writes completions: the texts of `--print-completion`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence

from tfdata_lint.cli.completion import SHELLS, Argument, Command, commands_of

_Writer = Callable[[Command, Sequence[Command]], str]


class CompletionError(Exception):
    """There is no such script: why, in one sentence."""


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """Return the script for a shell. Raises CompletionError."""
    if shell not in SHELLS:
        raise CompletionError(f"no completions for {shell!r}: the shells are {', '.join(SHELLS)}")
    return _WRITERS[shell](*commands_of(parser)).rstrip("\n")


def _quoted(text: str, quote: str = "'\\''") -> str:
    """Return a text in single quotes, of which it may hold some."""
    return "'" + text.replace("'", quote) + "'"


def _flags(command: Command) -> str:
    return " ".join(flag for option in command.options for flag in option.flags)


def _names(commands: Sequence[Command]) -> str:
    return " ".join(command.name for command in commands)


def _with_values(command: Command) -> Iterator[tuple[str, Argument]]:
    """The flags that take a value."""
    return ((flag, option) for option in command.options if option.values for flag in option.flags)


# ── bash ────────────────────────────────────────────────────────────────────────────────────────────────────────────

_BASH = """\
_tfdata_lint() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} command= word IFS=$' \\t\\n'
  # Bash splits `--option=value` at the sign.
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${{COMP_WORDS[COMP_CWORD-2]}}; fi
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case $word in {either}) command=$word; break ;; esac
  done
  COMPREPLY=()
  case "$command $prev" in
{values}
  esac
  case "$command $cur" in
{options}
  esac
}}
complete -o filenames -F _tfdata_lint tfdata-lint
"""


def _bash(program: Command, commands: Sequence[Command]) -> str:
    values = [
        f"    {_quoted(f'{command.name} {flag}')}) {_bash_reply(option)}; return ;;"
        for command in (program, *commands)
        for flag, option in _with_values(command)
    ]
    options = [f"""    " -"*) {_bash_words(_flags(program))} ;;""", f"""    " "*) {_bash_words(_names(commands))} ;;"""]
    for command in commands:
        options.append(f'    "{command.name} -"*) {_bash_words(_flags(command))} ;;')
        if command.operand:
            options.append(f'    "{command.name} "*) {_bash_reply(command.operand)} ;;')
    either = _names(commands).replace(" ", "|")
    return _BASH.format(either=either, values="\n".join(values), options="\n".join(options))


def _bash_words(words: str) -> str:
    return f'COMPREPLY=($(compgen -W "{words}" -- "$cur"))'


def _bash_reply(argument: Argument) -> str:
    if argument.values == "words":
        return _bash_words(" ".join(argument.words))
    if argument.values in ("files", "folders"):
        # Names may hold blanks.
        return f"""IFS=$'\\n'; COMPREPLY=($(compgen -{"f" if argument.values == "files" else "d"} -- "$cur"))"""
    return ":"


# ── zsh ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

_ZSH = """\
#compdef tfdata-lint
_tfdata_lint() {{
  local context state state_descr line
  typeset -A opt_args
  local -a commands
  commands=(
{names}
  )
  _arguments -C \\
{options}
    '1: :->command' '*::: :->arguments'
  case $state in
    command) _describe -t commands command commands ;;
    arguments)
      # `_arguments` takes the first word for the name of a command.
      words=($line[1] "${{words[@]}}") CURRENT=$((CURRENT + 1))
      case $line[1] in
{commands}
      esac ;;
  esac
}}
if [[ $funcstack[1] == _tfdata-lint ]]; then _tfdata_lint "$@"; else compdef _tfdata_lint tfdata-lint; fi
"""


def _zsh(program: Command, commands: Sequence[Command]) -> str:
    names = [f"    {_quoted(f'{command.name}:{command.help}')}" for command in commands]
    bodies = []
    for command in commands:
        lines = [line for option in command.options for line in _zsh_option(option)]
        if command.operand:
            number = "*" if command.operand.repeated else ""
            lines.append(_quoted(f"{number}:argument:{_zsh_values(command.operand)}"))
        bodies += [
            f"        {command.name}) _arguments \\",
            *(f"          {line} \\" for line in lines),
            "          ;;",
        ]
    options = [f"    {line} \\" for option in program.options for line in _zsh_option(option)]
    return _ZSH.format(names="\n".join(names), options="\n".join(options), commands="\n".join(bodies))


def _zsh_option(option: Argument) -> Iterator[str]:
    text = option.help.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
    several = "*" if option.repeated else f"({' '.join(option.flags)})"
    for flag in option.flags:
        sign = "=" if option.values and flag.startswith("--") else ""
        value = f":value:{_zsh_values(option)}" if option.values else ""
        yield _quoted(f"{several}{flag}{sign}[{text}]{value}")


def _zsh_values(argument: Argument) -> str:
    if argument.values == "words":
        return f"({' '.join(argument.words)})"
    return {"files": "_files", "folders": "_files -/"}.get(argument.values, " ")


# ── fish ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _fish(program: Command, commands: Sequence[Command]) -> str:
    lines = ["complete -c tfdata-lint -n __fish_use_subcommand -f"]
    lines += [_fish_option("__fish_use_subcommand", option) for option in program.options]
    for command in commands:
        lines.append(
            f"complete -c tfdata-lint -n __fish_use_subcommand -a {command.name} -d {_fish_quoted(command.help)}"
        )
    for command in commands:
        within = f"'__fish_seen_subcommand_from {command.name}'"
        if not command.operand or command.operand.values != "files":
            words = f" -a {_fish_quoted(' '.join(command.operand.words))}" if command.operand else ""
            lines.append(f"complete -c tfdata-lint -n {within} -f{words}")
        lines += [_fish_option(within, option) for option in command.options]
    return "\n".join(lines)


def _fish_option(condition: str, option: Argument) -> str:
    flags = " ".join(f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags)
    values = {
        "": "",
        "any": " -x",
        "files": " -r -F",
        "folders": " -x -a '(__fish_complete_directories)'",
        "words": f" -x -a {_fish_quoted(' '.join(option.words))}",
    }[option.values]
    return f"complete -c tfdata-lint -n {condition} {flags}{values} -d {_fish_quoted(option.help)}"


def _fish_quoted(text: str) -> str:
    return _quoted(text.replace("\\", "\\\\"), "\\'")


# ── PowerShell ──────────────────────────────────────────────────────────────────────────────────────────────────────

_POWERSHELL = """\
Register-ArgumentCompleter -Native -CommandName tfdata-lint -ScriptBlock {{
    param($wordToComplete, $commandAst, $cursorPosition)
    $offered = @{{
{offered}
    }}
    $values = @{{
{values}
    }}
    $words = @($commandAst.CommandElements | ForEach-Object {{ $_.ToString() }})
    $command = [string]($words | Select-Object -Skip 1 | Where-Object {{ $_ -and $offered.ContainsKey($_) }} |
        Where-Object {{ $_ -ne $wordToComplete }} | Select-Object -First 1)
    $previous = if ($wordToComplete -and $words.Count -gt 1) {{ $words[-2] }} else {{ $words[-1] }}
    $found = if ($values.ContainsKey("$command $previous")) {{
        $values["$command $previous"] | ForEach-Object {{ ,@($_, $_) }}
    }} else {{ $offered[$command] }}
    # Where nothing is found, PowerShell completes the names of files.
    $found | Where-Object {{ $_[0] -like "$wordToComplete*" }} | ForEach-Object {{
        [System.Management.Automation.CompletionResult]::new($_[0], $_[0], 'ParameterValue', $_[1])
    }}
}}
"""


def _powershell(program: Command, commands: Sequence[Command]) -> str:
    offered, values = [], []
    for command in (program, *commands):
        pairs = [(flag, option.help) for option in command.options for flag in option.flags]
        if command is program:
            pairs = [*((other.name, other.help) for other in commands), *pairs]
        if command.operand and command.operand.values == "words":
            pairs += [(word, word) for word in command.operand.words]
        listed = ", ".join(f"@({_powershell_quoted(word)}, {_powershell_quoted(text)})" for word, text in pairs)
        offered.append(f"        {_quoted(command.name)} = @({listed})")
        for flag, option in _with_values(command):
            if option.values == "words":
                words = ", ".join(map(_powershell_quoted, option.words))
                values.append(f"        {_quoted(f'{command.name} {flag}')} = @({words})")
            else:
                values.append(f"        {_quoted(f'{command.name} {flag}')} = @()")
    return _POWERSHELL.format(offered="\n".join(offered), values="\n".join(values))


def _powershell_quoted(text: str) -> str:
    return _quoted(text, "''")


_WRITERS: dict[str, _Writer] = {
    "bash": _bash,
    "zsh": _zsh,
    "fish": _fish,
    "powershell": _powershell,
}
