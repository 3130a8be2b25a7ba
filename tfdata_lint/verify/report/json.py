"""As JSON, for other programs and for `workers`: `docs/verify-json.md` says what each key means."""

from __future__ import annotations

import json
import re
from typing import Any

from tfdata_lint.source.visible import json_text
from tfdata_lint.verify.advice import advise
from tfdata_lint.verify.as_json import to_json
from tfdata_lint.verify.verdicts import Verification

#: A list of integers, one to a line.
_NUMBERS = re.compile(r"\[\n\s+\d+(?:,\n\s+\d+)*\n\s+\]")


def _advice(verification: Verification) -> list[dict[str, Any]]:
    return [
        {"pipeline": number, **to_json(one)}
        for number in range(len(verification.run.pipelines))
        for one in advise(verification.run, number, verification.verdicts)
    ]


def render(verification: Verification) -> str:
    data = {**to_json(verification), "advice": _advice(verification)}
    text = json_text(json.dumps(data, indent=2, ensure_ascii=False)) + "\n"
    # No string has such a line break: it is escaped there.
    return _NUMBERS.sub(lambda found: " ".join(found[0].split()).replace("[ ", "[").replace(" ]", "]"), text)
