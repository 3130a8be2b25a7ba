"""`benchmarks/gpu_check.py` without a GPU: what it counts in a trace that has one, and what it says where none is."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tfdata_lint.verify.agent import accelerators

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
MS = 10**9
SECOND_MS = 1_000


@pytest.fixture
def check(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(BENCHMARKS)
    import gpu_check

    return gpu_check


@pytest.fixture
def space(check: ModuleType) -> Any:
    """A second of a GPU: it computes for 300 ms, is copied to for 100 ms, 50 ms of that at once, and set for 10 ms."""
    pytest.importorskip("tensorflow")
    made = check.protobuf().XSpace()
    gpu = made.planes.add(name="/device:GPU:0")
    add(gpu, "Stream #1(Compute)", ("sgemm", 100, 200), ("sgemm", 500, 100), ("Memset", 700, 10))
    add(gpu, "Stream #2(MemcpyH2D)", ("MemcpyH2D", 250, 100))
    add(gpu, "Steps", ("0", 0, SECOND_MS))
    host = made.planes.add(name="/host:CPU")
    add(host, "main", ("IteratorGetNext:IteratorGetNext::DoCompute", 250, 250), ("IteratorGetNext::Wait", 0, 900))
    environment = made.planes.add(name="Task Environment")
    # Times are those of the clock: lines begin an hour after its zero.
    for key, name, at in ((1, "profile_start_time", 3600 * 10**9), (2, "profile_stop_time", 3601 * 10**9)):
        environment.stat_metadata[key].name = name
        environment.stats.add(metadata_id=key, uint64_value=at)
    return made


def add(plane: Any, line: str, *events: tuple[str, int, int]) -> None:
    row = plane.lines.add(name=line, timestamp_ns=3600 * 10**9)
    for name, begin, ms in events:
        key = next((key for key, known in plane.event_metadata.items() if known.name == name), 0)
        key = key or len(plane.event_metadata) + 1
        plane.event_metadata[key].name = name
        row.events.add(metadata_id=key, offset_ps=begin * MS, duration_ps=ms * MS)


def said(space: Any, share: float | None = 0.25) -> dict[str, Any]:
    """As `--verify-json` has it, of what tfdata-lint reads in that trace."""
    return {"devices": accelerators.devices(space, 1.0), "input": {"share": share}}


@pytest.mark.tensorflow
def test_what_is_counted(check: ModuleType, space: Any) -> None:
    seen = check.counted(space)
    assert seen == pytest.approx((0.36, 0.1, 0.3, 0.25, 0.15))


@pytest.mark.tensorflow
def test_without_the_time_of_the_profiler_it_is_from_the_first_event_to_the_last(check: ModuleType, space: Any) -> None:
    del space.planes[2]
    assert check.counted(space).busy == pytest.approx(0.36)


@pytest.mark.tensorflow
def test_what_tfdata_lint_reads_agrees(check: ModuleType, space: Any) -> None:
    rows = check.compare("p", said(space), check.counted(space))
    assert [row.figure for row in rows if not row.agrees] == []
    assert len(rows) == 4
    shown = check.table(rows, {"p": (check.counted(space), True)})
    assert "| p | GPU busy | 36.0% | 36.0% | 3.0% | agrees |" in shown
    assert "| p | 15.0% | seen |" in shown


@pytest.mark.tensorflow
@pytest.mark.parametrize(
    ("changed", "differs"),
    [
        ({"busy": 0.40}, "GPU busy"),
        ({"copying": 0.05}, "data copied to the GPU"),
        ({"input": 0.45}, "waiting for input"),
    ],
)
def test_what_differs_is_said(check: ModuleType, space: Any, changed: dict[str, float], differs: str) -> None:
    pipeline = said(space, changed.get("input", 0.25))
    pipeline["devices"][0].update({name: share for name, share in changed.items() if name != "input"})
    rows = check.compare("p", pipeline, check.counted(space))
    assert [row.figure for row in rows if not row.agrees] == [differs]
    assert "**differs**" in check.table(rows, {})


@pytest.mark.tensorflow
def test_a_gpu_that_is_not_spoken_of_differs(check: ModuleType, space: Any) -> None:
    rows = check.compare("p", {"devices": [], "input": None}, check.counted(space))
    assert "GPU busy" in [row.figure for row in rows if not row.agrees]


def test_its_programs_are_programs(check: ModuleType) -> None:
    assert len(check.PROGRAMS) == 5
    assert set(check.PLANTED) <= set(check.PROGRAMS)
    for name, code in check.PROGRAMS.items():
        compile(ast.parse(code), name, "exec")


def test_where_there_is_no_gpu_one_line_says_so(check: ModuleType, monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.setattr(check, "gpus", list)
    assert check.main([]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == "gpu_check: TensorFlow sees no GPU here, so there is nothing to compare\n"


@pytest.mark.tensorflow
@pytest.mark.slow
def test_the_script_ends_so(check: ModuleType) -> None:
    pytest.importorskip("tensorflow")
    if check.gpus():
        pytest.skip("there is one here")
    done = subprocess.run([sys.executable, BENCHMARKS / "gpu_check.py"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith("gpu_check: TensorFlow sees no GPU here")
