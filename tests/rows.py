"""Long lists as one item: every row is tried, and all that fail are told together."""

from __future__ import annotations

import functools
import inspect
import os
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import pytest

Test = Callable[..., None]
#: Of long lists of alike programs each so many-th is tried: `.ci/run` tries a share, `pytest` and each of its jobs all.
SHARE = int(os.environ.get("TFDATA_LINT_SHARE", "1"))
Row = TypeVar("Row")


def drawn(rows: Iterable[Row]) -> list[Row]:
    """The share of a list that this run tries, at least one."""
    return [*rows][::SHARE]


def try_all(rows: Iterable[Any], check: Callable[[Any], object], name: Callable[[Any], str] = str) -> None:
    """Fails with each row that fails, and why."""
    count, failed, skipped = 0, [], []
    for count, row in enumerate(rows, 1):  # noqa: B007
        try:
            check(row)
        except pytest.skip.Exception as reason:
            skipped.append(str(reason))
        except (Exception, pytest.fail.Exception) as error:
            *_, place = traceback.extract_tb(error.__traceback__)
            failed.append(f"{name(row)}\n{Path(place.filename).name}:{place.lineno}: {type(error).__name__}: {error}")
    assert count, "there are no rows"
    if failed:
        pytest.fail(f"{len(failed)} of {count} fail\n\n" + "\n\n".join(failed), pytrace=False)
    if len(skipped) == count:
        pytest.skip(skipped[0])


def each(names: str | tuple[str, ...], rows: Iterable[Any]) -> Callable[[Test], Test]:
    """As `pytest.mark.parametrize`, but one item; of `tmp_path`, each row has a folder of its own."""
    columns = (names,) if isinstance(names, str) else names
    given = list(rows)

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def all_rows(*arguments: Any, **fixtures: Any) -> None:
            def check(numbered: tuple[int, Any]) -> None:
                number, row = numbered
                own = dict(fixtures)
                if "tmp_path" in own:
                    own["tmp_path"] = own["tmp_path"] / f"row-{number}"
                    own["tmp_path"].mkdir()
                values = (row,) if isinstance(names, str) else row
                test(*arguments, **own, **dict(zip(columns, values, strict=True)))

            try_all(enumerate(given), check, lambda numbered: str(numbered[1]))

        signature = inspect.signature(test)
        fixtures = [parameter for name, parameter in signature.parameters.items() if name not in columns]
        all_rows.__signature__ = signature.replace(parameters=fixtures)  # type: ignore[attr-defined]
        del all_rows.__wrapped__  # type: ignore[attr-defined]
        return all_rows

    return decorate
