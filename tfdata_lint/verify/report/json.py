"""As JSON, for other programs and for `workers`: `docs/verify-json.md` says what each key means."""

from __future__ import annotations

import json

from tfdata_lint.verify.judge import Verification
from tfdata_lint.verify.model import to_json


def render(verification: Verification) -> str:
    return json.dumps(to_json(verification), indent=2, ensure_ascii=False) + "\n"
