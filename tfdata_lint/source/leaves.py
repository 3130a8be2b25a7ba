"""The leaves of a statement: its tokens as the formatters see them, with what may hold them apart."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise

_OPENING, _CLOSING = frozenset({"(", "[", "{"}), frozenset({")", "]", "}"})
_COMPREHENSION, COMMA, _TERNARY, _LOGIC, _STRING, _COMPARATOR, DOT = 20, 18, 16, 14, 12, 10, 1
_MATH = {
    "|": 9, "^": 8, "&": 7, "<<": 6, ">>": 6, "+": 5, "-": 5, "*": 4, "/": 4, "//": 4, "%": 4, "@": 4, "**": 2,
}  # fmt: skip
_COMPARATORS = frozenset({"<", ">", "==", "!=", "<=", ">=", "is"})
_ASSIGNING = frozenset({"=", "+=", "-=", "*=", "/=", "//=", "%=", "@=", "&=", "|=", "^=", "<<=", ">>=", "**="})
#: The keywords behind which an expression may get parentheses of its own; other statements are left alone.
_WRAPPED = frozenset({"return", "in", "if", "elif", "while"})
_HEADERS = frozenset({"for", "if", "elif", "while", "with"})
_UNKNOWN = frozenset({
    "def", "class", "import", "from", "async", "del", "assert", "raise", "global", "nonlocal", "match", "case", "else",
    "try", "except", "finally", "yield", "await", "pass", "break", "continue", "lambda", "@",
})  # fmt: skip
#: Behind these an operator has no left operand.
_BEFORE_UNARY = frozenset({
    *_OPENING, *_ASSIGNING, *_COMPARATORS, *_MATH, ",", ":", ":=", "->", "~", "not", "and", "or", "in", "if", "else",
    "for", "lambda", "return", "yield", "await", "",
})  # fmt: skip


class Leaf:
    """A token. Parentheses that may be added have no text as long as they are not needed."""

    __slots__ = (
        "above", "after", "at", "before", "comment", "depth", "gap", "is_atom", "is_call", "kind", "opening", "text",
    )  # fmt: skip

    def __init__(self, text: str, kind: str, gap: str) -> None:
        self.text = text
        self.kind = kind
        """`(` and `)` for brackets of any form, `string`, `name`, or else the text."""
        self.gap = gap
        self.at = 0
        """Where it stood."""
        self.comment = ""
        self.above: tuple[str, ...] = ()
        """Comments on the rows above it; those above a closing bracket belong to what it closes."""
        self.depth = 0
        self.opening: Leaf | None = None
        """The bracket that this one closes."""
        self.before = self.after = 0
        """The priority of a split before it, and behind it."""
        self.is_atom = self.is_call = False
        """Of an opening bracket: does it begin a value, or the arguments of a call?"""


def leaves_of(text: str, *, by_ruff: bool = False) -> list[Leaf] | None:
    """The tokens of a statement, with the parentheses that it may get; None for statements of other kinds."""
    leaves = _tokens(text)
    if not leaves or leaves[0].text in _UNKNOWN:
        return None
    if leaves[0].text in _HEADERS:
        if leaves[-1].text != ":":
            return None
    elif any(leaf.kind == ":" for leaf in _outermost(leaves)) and not _is_annotated(leaves):
        return None
    if by_ruff and _breaks_in_the_middle(leaves):
        return None
    leaves = _with_optional_parentheses(leaves)
    if by_ruff:
        leaves = _with_parentheses_in_lambdas(leaves)
    _measure(leaves)
    return leaves


def _breaks_in_the_middle(leaves: Sequence[Leaf]) -> bool:
    """Does it return a tuple without parentheses that does not end in a call? Ruff breaks in its brackets."""
    if leaves[0].text != "return" or leaves[-1].text == ")":
        return False
    has_brackets = any(leaf.kind == ")" for leaf in leaves)
    return has_brackets and any(leaf.kind == "," for leaf in _outermost(leaves))


def _tokens(text: str) -> list[Leaf] | None:
    leaves: list[Leaf] = []
    rows = text.split("\n")
    starts = [0, *accumulate(len(row) + 1 for row in rows)]
    end = (1, 0)
    above: list[str] = []
    nested = 0
    start_of_string = (1, 0)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        name = tokenize.tok_name[token.type]
        if name in ("ENDMARKER", "INDENT", "DEDENT", "NEWLINE"):
            continue
        if name == "NL":
            continue
        if name == "COMMENT":
            if token.start[0] != end[0] or not leaves:
                above.append(token.string.rstrip())
            elif leaves[-1].comment:
                return None
            else:
                leaves[-1].comment = token.string.rstrip()
            continue
        if name in ("FSTRING_START", "TSTRING_START"):
            nested += 1
            if nested == 1:
                start_of_string = token.start
            continue
        if name in ("FSTRING_END", "TSTRING_END"):
            nested -= 1
            if nested:
                continue
            token = token._replace(start=start_of_string)
            if start_of_string[0] != token.end[0]:
                return None
            token = token._replace(string=rows[token.end[0] - 1][start_of_string[1] : token.end[1]])
            name = "STRING"
        elif nested:
            continue
        if token.string == ";" or token.start[0] != token.end[0] or (name == "ERRORTOKEN" and token.string.strip()):
            return None
        gap = rows[end[0] - 1][end[1] : token.start[1]] if end[0] == token.start[0] else None
        leaf = Leaf(token.string, _kind(name, token.string), "")
        leaf.gap = _joining(leaves[-1], leaf) if gap is None and leaves else gap or ""
        leaf.at = starts[token.start[0] - 1] + token.start[1]
        leaf.above = tuple(above)
        above.clear()
        leaves.append(leaf)
        end = token.end
    return leaves


def _kind(name: str, text: str) -> str:
    if name == "STRING":
        return "string"
    if name == "NAME":
        return "name"
    return "(" if text in _OPENING else ")" if text in _CLOSING else text


def _joining(previous: Leaf, leaf: Leaf) -> str:
    """What stands between two tokens of different rows when they come onto one."""
    if previous.kind == "(" or leaf.kind in (")", ",", ".", ":") or previous.kind == ".":
        return ""
    return " "


def _outermost(leaves: Iterable[Leaf]) -> Iterator[Leaf]:
    depth = 0
    lambdas = 0
    for leaf in leaves:
        depth -= leaf.kind == ")"
        if depth == 0:
            if leaf.text == ":" and lambdas:
                lambdas -= 1
            else:
                lambdas += leaf.text == "lambda"
                yield leaf
        depth += leaf.kind == "("


def _is_annotated(leaves: Sequence[Leaf]) -> bool:
    """`ds: tf.data.Dataset = …`"""
    outermost = [leaf.text for leaf in _outermost(leaves)]
    return outermost.count(":") == 1 and "=" in outermost and outermost.index(":") < outermost.index("=")


def _with_optional_parentheses(leaves: list[Leaf]) -> list[Leaf]:
    """Parentheses without text around the expressions that may get some; those that are there lose theirs."""
    first = leaves[0].text
    outermost = set(map(id, _outermost(leaves)))
    last = len(leaves) - (first in _HEADERS)
    places: list[tuple[int, int]] = []
    begins = [
        index + 1
        for index, leaf in enumerate(leaves)
        if id(leaf) in outermost
        and (leaf.text in _ASSIGNING if first not in _HEADERS and first != "return" else _is_keyword(leaves, index))
    ]
    for begin, following in pairwise([*begins, last + 1]):
        if begin < following - 1 or begin < last:
            places.append((begin, following - 1))
    result: list[Leaf] = []
    position = 0
    for begin, end in places:
        if begin >= end:
            continue
        result += leaves[position:begin]
        inner = _unwrapped(leaves[begin:end])
        gap = leaves[begin].gap
        if inner is None:
            inner = leaves[begin:end]
        inner[0].gap = ""
        result += [Leaf("", "(", gap), *inner, Leaf("", ")", "")]
        result[-1].at = inner[-1].at + len(inner[-1].text)
        if inner[-1].comment and len(inner) > 1 and end == len(leaves):
            result[-1].comment, inner[-1].comment = inner[-1].comment, ""
        position = end
    return result + leaves[position:]


def _with_parentheses_in_lambdas(leaves: list[Leaf]) -> list[Leaf]:
    """Ruff may also put parentheses around what a lambda gives."""
    at = next((index for index, leaf in enumerate(leaves) if leaf.kind == "name" and leaf.text == "lambda"), None)
    if at is None:
        return leaves
    depth, begin, end = 0, 0, len(leaves)
    for index in range(at + 1, len(leaves)):
        leaf = leaves[index]
        depth += (leaf.kind == "(") - (leaf.kind == ")")
        if depth == 0 and leaf.text == ":" and not begin:
            begin = index + 1
        if depth < 0 or (depth == 0 and leaf.text == "," and begin):
            end = index
            break
    body = _with_parentheses_in_lambdas(leaves[begin:end])
    rest = _with_parentheses_in_lambdas(leaves[end:])
    if not begin or not body or (body[0].kind == "(" and body[-1].kind == ")" and _unwrapped(body) is not None):
        return leaves[:begin] + body + rest
    opening, closing = Leaf("", "(", body[0].gap), Leaf("", ")", "")
    opening.at, closing.at = body[0].at, body[-1].at + len(body[-1].text)
    body[0].gap = ""
    return [*leaves[:begin], opening, *body, closing, *rest]


def _is_keyword(leaves: Sequence[Leaf], index: int) -> bool:
    """Is this the keyword of the statement behind which its expression begins?"""
    text, first = leaves[index].text, leaves[0].text
    if first == "for":
        return text == "in" and not any(leaf.text == "in" for leaf in _outermost(leaves[:index]))
    return index == 0 and text in _WRAPPED


def _unwrapped(leaves: list[Leaf]) -> list[Leaf] | None:
    """What stands in the parentheses that hold all of an expression, if they may go."""
    if leaves[0].text != "(" or leaves[-1].text != ")" or leaves[0].comment or len(leaves) == 2:
        return None
    depth = 0
    for leaf in leaves[:-1]:
        depth += (leaf.kind == "(") - (leaf.kind == ")")
        if depth == 0:
            return None
    inner = leaves[1:-1]
    if any(leaf.text in (",", "yield", ":=", "for") for leaf in _outermost(inner)):
        return None
    if leaves[-1].comment:
        inner[-1].comment = " ".join(filter(None, (inner[-1].comment, leaves[-1].comment)))
    return _unwrapped(inner) or inner


def _measure(leaves: list[Leaf]) -> None:
    """How deep each leaf stands in brackets, and where the line may be split."""
    stack: list[Leaf] = []
    depth = 0
    #: Depths at which `lambda` and `for` have a part of their own that is not split.
    lambdas: list[int] = []
    loops: list[int] = []
    comprehensions: set[int] = set()
    previous: Leaf | None = None
    for leaf in leaves:
        if loops and loops[-1] == depth and leaf.text == "in":
            depth -= 1
            loops.pop()
            is_loop = True
        else:
            is_loop = False
        if lambdas and lambdas[-1] == depth and leaf.text == ":":
            depth -= 1
            lambdas.pop()
        if leaf.kind == ")":
            comprehensions.discard(depth)
            depth -= 1
            leaf.opening = stack.pop() if stack else None
        leaf.depth = depth
        if leaf.kind == ",":
            leaf.after = COMMA
        elif not is_loop and previous is not None:
            leaf.before = _priority(leaf, previous, depth in comprehensions)
        if leaf.kind == "(":
            is_trailer = bool(leaf.text) and previous is not None and _is_value(previous)
            leaf.is_atom, leaf.is_call = not is_trailer, is_trailer and leaf.text == "("
            stack.append(leaf)
            depth += 1
        if leaf.kind == "name" and leaf.text == "lambda":
            depth += 1
            lambdas.append(depth)
        elif leaf.kind == "name" and leaf.text == "for":
            if previous is not None:
                comprehensions.add(depth)
            depth += 1
            loops.append(depth)
        previous = leaf


def _is_value(leaf: Leaf) -> bool:
    """May this be the end of an operand?"""
    return leaf.kind in (")", "string") or (leaf.kind == "name" and leaf.text not in _BEFORE_UNARY)


def _priority(leaf: Leaf, previous: Leaf, in_comprehension: bool) -> int:
    """Of a split before a leaf."""
    text = leaf.text
    if leaf.kind == "string":
        return _STRING if previous.kind == "string" else 0
    if text == ".":
        return DOT if previous.kind == ")" else 0
    if text in _MATH:
        is_unary = previous.text in _BEFORE_UNARY and previous.kind != ")"
        return 0 if is_unary else _MATH[text]
    if text in _COMPARATORS or (text == "in" and previous.text != "not"):
        return _COMPARATOR
    if leaf.kind != "name":
        return 0
    if text == "not":
        return _COMPARATOR if _is_value(previous) else 0
    if text == "for":
        return _COMPREHENSION
    if text in ("if", "else"):
        return _COMPREHENSION if text == "if" and in_comprehension else _TERNARY
    return _LOGIC if text in ("and", "or") else 0
