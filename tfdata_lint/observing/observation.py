"""What was observed: a table for a terminal, a page for a notebook, a file for the linter."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime, timezone
from typing import Any

from tfdata_lint.observing import code
from tfdata_lint.observing.cells import cells, display
from tfdata_lint.observing.evidence import NAME, MadeBy, dumps, evidence, project_of
from tfdata_lint.observing.page import page
from tfdata_lint.observing.session import Session, environment
from tfdata_lint.source import atomic
from tfdata_lint.source.visible import visible
from tfdata_lint.verify.as_json import from_json
from tfdata_lint.verify.model import Environment, Run, Stage, Target
from tfdata_lint.verify.observe import pipeline
from tfdata_lint.verify.report import answers

_WHAT = {
    "observe": "tfdata_lint.observe()", "callback": "tfdata_lint.keras.Observe()", "profile": "tfdata_lint.profile()",
    "verify": "--verify",
}  # fmt: skip


class Observation:
    """What `observe`, `profile` and `keras.Observe` have seen. Empty until it is over.

    `str` gives the table for a terminal, `to_json` what `save` writes. In a notebook it shows itself.
    """

    def __init__(self, made_by: MadeBy = "observe") -> None:
        self.made_by: MadeBy = made_by
        self.run: Run | None = None
        """As `tfdata_lint.verify.model` describes it: its `pipelines`, its `stages`."""
        self.saved = ""
        """The file it was saved as."""
        self._cost: dict[str, float] = {}
        self._is_complete: Callable[[], bool] = lambda: False

    @property
    def is_complete(self) -> bool:
        """Was everything observed that has begun to be consumed? The block may go on, or end."""
        return self.run is not None or self._is_complete()

    def follow(self, session: Session) -> None:
        """Say of this one whether it is complete."""
        self._is_complete = lambda: session.is_done

    def fill(self, session: Session, began: datetime) -> None:
        """All that a session has seen. Nothing of it may fail the program: what does is a sentence."""
        rows = session.rows()
        code.locate(rows, session.reports)
        names = cells()
        stages = {row["id"]: from_json(Stage, _shown(row, names)) for row in rows}
        reports = [_shown(report, names) for report in session.reports]
        pipelines = tuple(pipeline(report, stages) for report in reports)
        detail = session.problem
        if not detail and not pipelines:
            detail = "the observed thread consumed no dataset"
        self.run = Run(
            target=Target("script", _WHAT[self.made_by]),
            interpreter="",
            detail=detail,
            environment=from_json(Environment, environment()) if "tensorflow" in sys.modules else None,
            network="open",
            stages=tuple(stages.values()),
            pipelines=pipelines,
            began=began.isoformat(timespec="seconds"),
            seconds=session.wall_s,
        )
        self._cost = {"window_s": round(session.wall_s, 3), "own_s": round(session.own_s, 3)}

    def to_json(self) -> dict[str, Any]:
        """As docs/observe.md describes it. Raises ValueError while nothing was observed."""
        return evidence(self._run(), _project(), self.made_by, cost=self._cost)

    def save(self, path: str | os.PathLike[str] = NAME) -> None:
        """Write it as JSON; another file of that name is replaced. Raises OSError."""
        path = os.fspath(path)
        atomic.replace(path, dumps(self.to_json()), f"{path}.{os.getpid()}.new")
        self.saved = path

    def show(self) -> None:
        """In a notebook as a page, or else as a table on the standard error stream."""
        if display(self):
            return
        with suppress(OSError, ValueError):
            sys.stderr.write(f"{self}\n")
            sys.stderr.flush()

    def __str__(self) -> str:
        return "\n".join(self._lines())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return "" if self.run is None else page(self.run, tuple(self.facts()))

    def _lines(self) -> Iterator[str]:
        if self.run is None:
            yield "nothing is observed yet"
            return
        yield from answers.render(self.run)
        for one in self.run.pipelines:
            if not one.nodes:
                yield from map(visible, answers.short(one))
        yield visible(f"  {'; '.join(self.facts())}")

    def facts(self) -> Iterator[str]:
        """What it has cost, and where it is."""
        if self._cost:
            yield f"observing took {self._cost['own_s']:.1f} s of {self._cost['window_s']:.1f} s"
        if self.saved:
            yield f"saved as {self.saved}"

    def _run(self) -> Run:
        if self.run is None:
            raise ValueError("nothing is observed yet: the observation is still running")
        return self.run


def finish(observation: Observation, session: Session, began: datetime, save: str | os.PathLike[str] | None) -> None:
    """Read what a session has seen, and save it. What fails is said, and never raised: it is not the program's."""
    try:
        observation.fill(session, began)
        if save is not None:
            observation.save(save)
    except Exception as error:
        say(f"{type(error).__name__}: {error}")


def say(problem: str) -> None:
    """One line to whoever runs the program."""
    with suppress(OSError, ValueError):
        sys.stderr.write(visible(f"tfdata-lint: {problem}") + "\n")


def now() -> datetime:
    return datetime.now(timezone.utc)


def _project() -> str:
    main = getattr(sys.modules.get("__main__"), "__file__", None)
    return project_of(*([os.path.dirname(os.path.abspath(main))] if main else []), os.getcwd())


def _shown(row: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Cells of a notebook by their numbers, rather than by the temporary files that they are compiled as."""
    frames = [{**frame, "file": names.get(frame["file"], frame["file"])} for frame in row["frames"]]
    return {**row, "frames": frames}
