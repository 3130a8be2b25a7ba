"""What the agent tells: lines of JSON, each written to disk at once, so that nothing is lost when it is killed."""

from __future__ import annotations

import json
import os
import threading
from typing import Any


class Wire:
    """Only the process that opened it writes: forks of the user's code stay silent."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._owner = os.getpid()
        self._lock = threading.Lock()

    @property
    def is_ours(self) -> bool:
        return os.getpid() == self._owner

    def tell(self, event: str, **data: Any) -> None:
        if not self.is_ours:
            return
        line = json.dumps({"event": event, **data}, default=str) + "\n"
        # Opened each time: the user's code may close every descriptor that it did not open.
        with self._lock, open(self._path, "a", encoding="utf-8") as file:
            file.write(line)
