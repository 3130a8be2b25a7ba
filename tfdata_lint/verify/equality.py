"""Do two pipelines give the same elements? Evidence on so many elements, not a proof.

Digests of the elements of two epochs of **one** iterator: with an iterator for each epoch, a cache after a random map
would look as if nothing had been changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

ELEMENTS = 64
EPOCHS = 2
#: So many are looked at more closely, for differences that are no more than such a part of what is summed up.
CLOSELY, ROUNDING = 8, 1e-5

Outcome = Literal[
    "identical",
    "rounded",  # numbers that differ in their last digits
    "fewer-parts",  # some keys of their dicts are gone, and the rest is the same
    "other-order",  # the same elements, or the same rows of batches
    "second-epoch-differs",
    "spec-differs",
    "differs",
    "not-comparable",  # the code does not repeat itself: randomness drawn in parallel, say
]

#: An answer to `elements` of `agent/serve.py`.
Answer: TypeAlias = Mapping[str, Any]

#: How a report says it.
WORDS: dict[Outcome, str] = {
    "identical": "identical",
    "rounded": "equal to rounding",
    "fewer-parts": "the same, but for parts that they do not have any more",
    "other-order": "the same, in another order",
    "second-epoch-differs": "the same in the first epoch, different in the second",
    "spec-differs": "of another type or shape",
    "differs": "others",
    "not-comparable": "not comparable, because the code is not deterministic",
}


@dataclass(frozen=True, slots=True)
class Equality:
    outcome: Outcome
    elements: int
    """How many were looked at in each epoch."""
    epochs: int = EPOCHS
    whole: bool = False
    """These are all there are."""

    def __str__(self) -> str:
        which = f"all {self.elements}" if self.whole else f"the first {self.elements}"
        return f"{which} elements of {self.epochs} epochs are {WORDS[self.outcome]}"


def equality(before: Sequence[Answer], after: Sequence[Answer], *, whole: bool = False) -> Equality:
    """Compare what processes of either side have answered. Two of a side tell whether it repeats itself."""
    elements = max((len(epoch) for answer in (*before, *after) for epoch in answer["epochs"]), default=0)
    return Equality(_outcome(before, after, whole), elements, whole=whole)


def is_rounded(one: Answer, other: Answer) -> bool:
    """Do elements differ in the last digits of their numbers alone, by answers to `sums`?"""
    pairs = list(zip(one["sums"], other["sums"], strict=False))
    return bool(pairs) and all(
        exact == also_exact
        and len(sums) == len(others)
        # A sum that is not a number is not near anything.
        and all(abs(a - b) <= ROUNDING * size for (a, size), (b, _) in zip(sums, others, strict=True))
        for (exact, sums), (also_exact, others) in pairs
    )


def _outcome(before: Sequence[Answer], after: Sequence[Answer], whole: bool) -> Outcome:
    one, other = before[0], after[0]
    if one["spec"] != other["spec"]:
        return "spec-differs"
    if one["epochs"] == other["epochs"]:
        return "identical"
    by_row = one["rows"] is not None and other["rows"] is not None
    first, second = ([Counter(epoch) for epoch in answer["rows" if by_row else "epochs"]] for answer in (one, other))
    if first == second:
        return "other-order"
    if not all(_repeats(side) for side in (before, after)):
        return "not-comparable"
    if first[:1] != second[:1]:
        return "differs"
    # Of an epoch that is cut short a prefetch has drawn more than was taken, now this many, now that many. What a cache
    # changes is whether the second epoch replays the first.
    return "second-epoch-differs" if whole or _replays(one) != _replays(other) else "not-comparable"


def _replays(answer: Answer) -> bool:
    return all(epoch == answer["epochs"][0] for epoch in answer["epochs"])


def _repeats(side: Sequence[Answer]) -> bool:
    return all(answer["epochs"] == side[0]["epochs"] for answer in side)
