"""The options of the command line that a module defines, as absl, argparse and click write them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from tfdata_lint.pipeline.nouns.code import last_name, nodes_on, rows_with
from tfdata_lint.pipeline.project.modules import module_of
from tfdata_lint.pipeline.project.syntax import assigned_value, syntax_of
from tfdata_lint.source.module import Source

#: What defines an option. One that may be given several times is a list of what its default is.
_DEFINING = (r"add_argument\b", r"DEFINE_(?!multi)")
_SWITCHES = {"store_true": False, "store_false": True}


def options_in(source: Source) -> dict[str, list[ast.expr | None]]:
    """The defaults of the options, one for each definition of a name; None for one that is not written."""
    found: dict[str, list[ast.expr | None]] | None = source.notes.get(options_in)
    if found is None:
        found = source.notes[options_in] = {}
        # `set_defaults` and `set_default` replace what the definition says.
        rows = rows_with(source.text, *_DEFINING) if "set_default" not in source.text else []
        for node in nodes_on(source.tree, rows) if source.tree is not None else ():
            if isinstance(node, ast.Call) and is_option(node):
                default = default_in(node)
                found.setdefault(name_of(node, source), []).append(default and _meant(default, source))
    return found


def _meant(node: ast.expr, source: Source) -> ast.expr:
    """What a name, a field of a class or an item of a dict stands for that a module sets once, at its top."""
    bindings = module_of(source).bindings
    values: list[ast.expr | None] = []
    match node:
        case ast.Name(id=name):
            values = [assigned_value(statement, name) for statement in bindings.get(name, ())]
        case ast.Attribute(value=ast.Name(id=name), attr=field) if not syntax_of(source).stores(field):
            fields = [step for cls in bindings.get(name, ()) for step in getattr(cls, "body", ())]
            values = [value for step in fields if (value := assigned_value(step, field)) is not None]
        case ast.Subscript(value=ast.Name() as name, slice=ast.Constant(value=key)):
            table = _meant(name, source)
            if isinstance(table, ast.Dict):
                pairs = zip(table.keys, table.values, strict=True)
                values = [value for one, value in pairs if getattr(one, "value", None) == key]
    value = values[0] if len(values) == 1 else None
    return node if value is None else value


def is_option(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and last_name(node).startswith(("add_argument", "DEFINE_", "option"))


def name_of(definition: ast.Call, source: Source) -> str:
    """What an option is called in the program: a name by itself, else the first long one."""
    words = [word.value for word in definition.keywords if word.arg in ("dest", "name")]
    texts = [getattr(_meant(one, source), "value", None) for one in (*words, *definition.args)]
    names = [text for text in texts if isinstance(text, str)]
    if last_name(definition).startswith("DEFINE_"):
        del names[1:]
    chosen = min(names, key=lambda name: (name[:1] == "-", name[:2] != "--"), default="")
    return chosen.lstrip("-").replace("-", "_")


def default_in(definition: ast.Call) -> ast.expr | None:
    """The default of an option; None where it has none, or the user must give it."""
    words = {word.arg: word.value for word in definition.keywords}
    if "default" in words or last_name(definition) != "add_argument":
        given = definition.args[1:2] if last_name(definition).startswith("DEFINE_") else []
        return words.get("default", given[0] if given else None)
    is_optional = all(isinstance(one, ast.Constant) and str(one.value)[:1] == "-" for one in definition.args)
    action = words.get("action")
    if isinstance(action, ast.Constant) and action.value in _SWITCHES:
        return ast.Constant(_SWITCHES[action.value])
    return ast.Constant(None) if is_optional and "required" not in words else None


def setting(option: str) -> Callable[[bytes], bool]:
    """Does a text give an option on the command line, or a key another value than off: `--mixed`, `mixed: true`?"""
    word = re.escape(option).replace("_", "[-_]").encode()
    given = re.compile(
        # Where it is defined it is not given.
        rb"(add_argument\(\s*(?:['\"][-\w]+['\"],\s*)*['\"])?(?<![-\w])--?%b\b(?![-_])(?!=(?:[Ff]alse|0))"
        rb"|\b%b\b['\"]?(?:: *\w+)?\s*[:=]\s*['\"]?(?i:true|yes|on|\d*\.?\d*[1-9])\b"
        # What is not seen may be anything.
        rb"|['\"]%b['\"]\s*:\s*(?!(?:[Ff]alse|[Nn]one|null|bool|float|int|str|-\d[\d.]*)\b)[^\s]"
        rb"|(?:(?<!self)\.%b|\[['\"]%b['\"]\])\s*=(?!=)(?!.*\.get\(| *(?:False|None|self\.)\b)" % ((word,) * 5)
    )
    return lambda text: any(found[1] is None for found in given.finditer(text))
