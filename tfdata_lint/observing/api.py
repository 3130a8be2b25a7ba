"""`observe` and `profile`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tfdata_lint.observing.evidence import NAME
from tfdata_lint.observing.observation import Observation, finish, now, say
from tfdata_lint.observing.session import Session
from tfdata_lint.verify.agent import places

#: Of one pipeline.
SECONDS = 10.0


@contextmanager
def observe(
    *, seconds: float = SECONDS, save: str | os.PathLike[str] | None = NAME, show: bool = True
) -> Iterator[Observation]:
    """Observe the tf.data pipelines that the `with` block consumes, in loops, `fit`, `evaluate` and `predict`.

    Each for about so many seconds from its first element on; after that it is left alone. At the end of the block the
    answers are shown (`show`) and saved as JSON (`save`: a path, or None), also if it raises. The block does what it
    does anyway: its elements are the same, nothing more is consumed, and everything that is patched is put back.

    Where TensorFlow cannot be observed, or something else observes already, the block runs as it is, and one line says
    why. Raises ValueError if `seconds` is not positive.
    """
    check(seconds)
    observation, session, began = Observation("observe"), Session(seconds), now()
    session.begin()
    observation.follow(session)
    try:
        yield observation
    finally:
        end(observation, session, began, save, show)


def profile(
    dataset: Any,
    seconds: float = SECONDS,
    *,
    step_ms: float = 0.0,
    save: str | os.PathLike[str] | None = NAME,
) -> Observation:
    """Consume a dataset for so many seconds, and say how fast it is and where its time goes.

    It is iterated over as any other loop would, from its beginning, again and again if it is short. `step_ms` is how
    long the consumer takes for an element; without it nobody waits, and it is not said whether it is fast enough.

    Raises TypeError for what is no `tf.data.Dataset`, ValueError if `seconds` is not positive, and what the dataset
    itself raises.
    """
    check(seconds)
    if not (hasattr(dataset, "element_spec") and hasattr(dataset, "_variant_tensor")):
        raise TypeError(f"profile() takes a tf.data.Dataset, not {type(dataset).__name__}")
    observation, session, began = Observation("profile"), Session(seconds, step_ms), now()
    frames = places.user_frames()
    session.begin(patching=False)
    try:
        if session.is_on and (watch := session.watch(dataset, "returned", frames)):
            session.interception.drain(watch)
    finally:
        end(observation, session, began, save, show=False)
    return observation


def check(seconds: float) -> None:
    if not seconds > 0:
        raise ValueError(f"seconds must be positive, not {seconds!r}")


def end(
    observation: Observation, session: Session, began: Any, save: str | os.PathLike[str] | None, show: bool
) -> None:
    has_begun = session.has_begun
    session.end()
    if not session.is_ours:
        return
    if not has_begun:
        # What another one has saved stays as it is.
        save, show = None, False
        say(session.problem)
    finish(observation, session, began, save)
    if show and observation.run:
        observation.show()
