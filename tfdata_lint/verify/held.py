"""A process that is held where a pipeline is about to be consumed, and asked about it: one side of a comparison."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from tfdata_lint.verify.model import ConsumerKind, Reason
from tfdata_lint.verify.plan import Plan
from tfdata_lint.verify.runner import Child, Stopped
from tfdata_lint.verify.warm import Warm

#: To import TensorFlow while others do so too, on top of what the code itself may take.
START_S = 60.0
#: Comparable runs have the same randomness.
SEED = 7


class Gone(Exception):
    """The process gives no answers (any more)."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


class Held:
    """A context. Starting does not wait: several can start at once, and the first question waits.

    Unless they would see what others write: then the code of one gets to its pipeline before the next one starts.
    """

    def __init__(
        self,
        plan: Plan,
        key: tuple[ConsumerKind, int],
        texts: Mapping[str, str] | None = None,
        stop_at: tuple[ConsumerKind, int] | None = None,
        seed: int | None = SEED,
        warm: Warm | None = None,
    ) -> None:
        # What hashes and addresses make random is the same in all forks.
        self._child = Child(plan, texts, None if seed is None else warm, hold=key, stop_at=stop_at, seed=seed)
        self._takes_turns = not plan.is_isolated
        self._patience = START_S + plan.limits.seconds
        self._is_held = False

    def __enter__(self) -> Held:
        try:
            self._child.__enter__()
        except Stopped as stopped:
            raise Gone(stopped.reason, str(stopped)) from None
        self._messages = self._child.messages()
        if self._takes_turns:
            try:
                self._wait_until_held()
            except BaseException as error:
                self.__exit__(type(error), error, error.__traceback__)
                raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._messages.close()
        self._child.__exit__(kind, error, trace)

    def ask(self, do: str, within: float, **command: Any) -> dict[str, Any]:
        """The answer to a command of `agent/serve.py`. Raises `Gone`; later than `within` seconds, too."""
        self.begin(do, **command)
        return self.answer(do, within)

    def begin(self, do: str, **command: Any) -> None:
        """Ask, and do not wait: others can be asked meanwhile. Raises `Gone`."""
        self._wait_until_held()
        try:
            self._child.ask(do=do, **command)
        except (OSError, ValueError):
            # It has ended, and with it the pipe.
            raise Gone("crashed", "the process ended before it was asked") from None

    def _wait_until_held(self) -> None:
        if not self._is_held:
            self.answer("held", self._patience)
            self._is_held = True

    def answer(self, event: str, within: float) -> dict[str, Any]:
        until = time.monotonic() + within
        clock = threading.Timer(within, self._child.end)
        clock.start()
        try:
            for message in self._messages:
                if message["event"] == event:
                    return message
                if message["event"] == "end":
                    detail = message["detail"] or "the pipeline was not reached"
                    raise Gone(message["reason"] or "no-consumption", detail)
        except Stopped as stopped:
            raise Gone(stopped.reason, str(stopped)) from None
        finally:
            clock.cancel()
        if time.monotonic() >= until:
            raise Gone("timeout", f"no answer within {within:g} s")
        raise Gone("crashed", f"the process ended with exit code {self._child.code}")
