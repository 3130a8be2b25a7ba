"""Whatever the code does, the run ends in time, says why, and leaves nothing behind. No TensorFlow is needed here."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from processes import PATIENCE, started, wait_for

from tfdata_lint.verify.model import Run
from tfdata_lint.verify.plan import Interpreter, Plan, target
from tfdata_lint.verify.report import answers
from tfdata_lint.verify.runner import Child

pytestmark = pytest.mark.slow

Verify = Callable[..., Run]

#: For what never ends. Everything else has as long as it needs.
SECONDS = 3.0


LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux kills whoever cannot listen")


def is_alive(process: int) -> bool:
    try:
        with open(f"/proc/{process}/stat", encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize(
    "code",
    [
        "while True: pass",
        "import time\ntime.sleep(3600)",
        "import threading\nthreading.Event().wait()",
        # It holds Python's lock: nothing but a kill from outside ends it.
        "import ctypes\nctypes.PyDLL(None).sleep(3600)",
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
        "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: pass",
    ],
    ids=["busy", "sleeping", "waiting", "locked", "catching", "deaf"],
)
def test_code_that_hangs_is_ended_at_the_deadline(verify: Verify, code: str) -> None:
    run = verify(code, seconds=SECONDS)

    assert run.reason == "timeout"
    assert run.seconds < PATIENCE


def test_a_process_that_two_threads_end_is_ended_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock ends what does not answer while whoever asked leaves it: a descriptor closed twice may be another's."""
    path = tmp_path / "script.py"
    path.write_text("while True: pass")
    closed: list[int] = []
    both_are_in = threading.Barrier(2)

    def end() -> None:
        # Nobody comes where only one may be in.
        with suppress(threading.BrokenBarrierError):
            both_are_in.wait(0.5)
        kill()

    with Child(Plan(target(str(path)), Interpreter(sys.executable, ""))) as child:
        kill, close = child._processes.end, os.close
        monkeypatch.setattr(child._processes, "end", end)
        monkeypatch.setattr(os, "close", lambda number: (closed.append(number), close(number)))
        clock = threading.Thread(target=child.end)
        clock.start()
        child.end()
        clock.join()
        assert closed.count(child._alive) == 1


def test_the_source_of_a_function_is_that_of_the_text_in_place_of_its_file(tmp_path: Path) -> None:
    """AutoGraph reads it, of each function that is mapped: what stands on disk would be executed instead."""
    other, path = tmp_path / "other.py", tmp_path / "script.py"
    other.write_text("def there():\n    return 'old'\n")
    path.write_text(
        "import inspect\nimport other\ndef here():\n    return 'old'\n"
        "print(*map(inspect.getsource, [here, other.there]))\n"
    )
    texts = {str(one): f"added = 1\n{one.read_text().replace('old', 'new')}" for one in (path, other)}

    with Child(Plan(target(str(path)), Interpreter(sys.executable, "")), texts) as child:
        assert [message["event"] for message in child.messages()][-1:] == ["end"]
        child.end()
        printed = child.output.head

    assert printed.split("\n")[:4] == ["def here():", "    return 'new'", " def there():", "    return 'new'"]


def test_where_it_hangs_is_told(verify: Verify) -> None:
    run = verify("def wait():\n    while True:\n        pass\n\nwait()\n", seconds=SECONDS)

    assert run.place
    assert (run.place.row in (2, 3), run.place.function) == (True, "wait")


def test_code_that_eats_memory_is_ended(verify: Verify) -> None:
    eating = "import time\nheld = []\nwhile True:\n    held.append(bytearray(2 ** 24))\n    time.sleep(0.01)\n"
    run = verify(eating, memory=2**28)

    assert run.reason == "memory"
    assert "256 MB allowed" in run.detail
    assert run.peak_memory > 2**28


def test_memory_is_that_of_all_processes_together(verify: Verify) -> None:
    run = verify(
        """\
        import os, time
        for _ in range(4):
            if os.fork() == 0:
                held = bytearray(os.urandom(1) * 2 ** 27)
                break
        time.sleep(3600)
        """,
        memory=2**28,
    )

    assert run.reason == "memory"


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="only /proc tells what has left the group")
def test_nothing_is_left_running(verify: Verify, outside: Path) -> None:
    """Neither children, nor grandchildren, nor daemons in a session of their own."""
    pids = outside / "pids"
    verify(
        f"""\
        import os, subprocess, sys, time
        def note():
            with open({str(pids)!r}, "a") as file:
                file.write(f"{{os.getpid()}}\\n")
        note()
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                note()
                time.sleep(3600)
            os._exit(0)
        if os.fork() == 0:
            note()
            time.sleep(3600)
        child = subprocess.Popen(["sleep", "3600"], start_new_session=True)
        with open({str(pids)!r}, "a") as file:
            file.write(f"{{child.pid}}\\n")
        while open({str(pids)!r}).read().count("\\n") < 4:
            time.sleep(0.01)
        """
    )
    numbers = [int(line) for line in pids.read_text().split()]

    assert len(numbers) == 4
    assert not any(is_alive(number) for number in numbers)


@pytest.mark.parametrize(
    "ending",
    [
        "time.sleep(3600)",
        pytest.param("ctypes.PyDLL(None).sleep(3600)", marks=LINUX),
        pytest.param("os.killpg(0, signal.SIGSTOP)", marks=LINUX),
    ],
    ids=["sleeping", "locked", "stopped"],
)
def test_it_ends_with_the_linter(tmp_path: Path, ending: str) -> None:
    """Even if that is killed, and can clean up nothing."""
    pids = tmp_path / "pids"
    script = tmp_path / "script.py"
    script.write_text(
        "import ctypes, os, signal, subprocess, time\n"
        "child = subprocess.Popen(['sleep', '3600'])\n"
        f"open({str(pids)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}} ')\n"
        f"{ending}\n"
    )
    watching = (
        "from tfdata_lint.verify import plan, runner\n"
        f"target = plan.target({str(script)!r})\n"
        f"runner.observe(plan.Plan(target, plan.Interpreter({sys.executable!r}, ''), plan.Limits(seconds=3600)))\n"
    )
    with started([sys.executable, "-c", watching]) as linter:
        wait_for(lambda: linter.poll() is not None or (pids.exists() and pids.read_text().endswith(" ")))
        assert linter.poll() is None
        time.sleep(0.1)
        linter.send_signal(signal.SIGKILL)
        linter.wait()
        wait_for(lambda: not any(is_alive(int(number)) for number in pids.read_text().split()))


def test_terminated_it_leaves_nothing_behind(tmp_path: Path, outside: Path) -> None:
    pid = outside / "pid"
    (tmp_path / "script.py").write_text(
        f"import os, time\nopen({str(pid)!r}, 'w').write(str(os.getpid()))\ntime.sleep(3600)\n"
    )
    (tmp_path / "temporary").mkdir()
    command = [sys.executable, "-m", "tfdata_lint", "check", "--no-cache", "--verify", "script.py"]
    environment = {**os.environ, "TMPDIR": str(tmp_path / "temporary"), "PYTHONPATH": os.pathsep.join(sys.path)}
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with started([*command, "--verify-seconds", "3600"], cwd=tmp_path, env=environment, **silent) as linter:
        wait_for(lambda: linter.poll() is not None or (pid.exists() and pid.read_text()))
        linter.terminate()
        assert linter.wait(PATIENCE) == 130
    assert not is_alive(int(pid.read_text()))
    assert list((tmp_path / "temporary").iterdir()) == []


@pytest.mark.parametrize(
    ("code", "reason", "detail"),
    [
        ("import sys\nsys.exit(3)", "user-error", "exited with 3"),
        ("raise SystemExit('no GPU')", "user-error", "exited with 'no GPU'"),
        ("import os\nos._exit(3)", "user-error", "exit code 3"),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)", "crashed", "SIGSEGV"),
        ("int('three')", "user-error", "ValueError: invalid literal"),
        ("def broken(:", "user-error", "SyntaxError"),
        ("raise KeyboardInterrupt", "user-error", "KeyboardInterrupt"),
        ("open('data/train.tfrecord')", "needs-data", "data/train.tfrecord"),
        ("import sys\nsys.modules['tensorflow'] = None\nimport tensorflow", "no-interpreter", "has no TensorFlow"),
        ("import sys\nsys.exit(0)", "no-consumption", "did not import TensorFlow"),
        ("print('done')", "no-consumption", "did not import TensorFlow"),
    ],
)
def test_why_nothing_was_seen(verify: Verify, code: str, reason: str, detail: str) -> None:
    run = verify(code)

    assert (run.reason, detail in run.detail) == (reason, True), run.detail


def test_where_it_raised(verify: Verify, tmp_path: Path) -> None:
    run = verify("import json\n\ndef load():\n    return json.loads('{')\n\nload()\n")

    assert run.place
    assert (run.place.file, run.place.row, run.place.function) == (str(tmp_path / "script.py"), 4, "load")


def test_endless_output_is_kept_in_part(verify: Verify) -> None:
    run = verify("print('begin')\nwhile True: print('x' * 10 ** 6)", seconds=SECONDS)

    assert run.reason == "timeout"
    assert run.seconds < PATIENCE
    assert run.output.size > 10**7
    assert run.output.head.startswith("begin")
    assert len(run.output.head) + len(run.output.tail) < 40_000


def test_files_go_to_a_temporary_folder_on_request(verify: Verify, tmp_path: Path) -> None:
    run = verify("import os\nopen('model.h5', 'w')\nprint(os.getcwd())", temporary=True)

    folder = run.output.head.strip()
    assert run.written == ("model.h5",)
    assert "  written to a deleted copy: model.h5" in answers.render(run)
    assert folder != os.getcwd()
    assert not os.path.exists(folder)
    assert not os.path.exists("model.h5")


def test_closing_everything_does_not_stop_the_report(verify: Verify) -> None:
    run = verify("import os\nos.closerange(0, 256)\nraise ValueError('after all')")

    assert (run.reason, run.detail) == ("user-error", "ValueError: after all")


def test_the_network_is_off(verify: Verify) -> None:
    run = verify("import socket\nsocket.create_connection(('192.0.2.1', 80), timeout=30)")

    assert run.network != "open"
    assert (run.reason, "unreachable" in run.detail) == ("needs-data", True), run.detail


def test_the_machine_can_still_talk_to_itself(verify: Verify) -> None:
    run = verify(
        """\
        import socket
        server = socket.create_server(("127.0.0.1", 0))
        socket.create_connection(server.getsockname()).close()
        print("connected")
        """
    )

    assert run.output.head == "connected\n"


def test_arguments_and_the_name_of_the_script(verify: Verify) -> None:
    run = verify("import sys\nprint(__name__, sys.argv[1:], sys.path[0] == sys.argv[0].rpartition('/')[0])", "-x", "7")

    assert run.output.head == "__main__ ['-x', '7'] True\n"


def test_a_function_of_a_module_in_a_package(verify: Verify, tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").touch()
    (tmp_path / "package" / "names.py").write_text("NAME = 'relative'")
    code = "from .names import NAME\ndef make():\n    print(NAME, __name__)\n"
    run = verify(code, name="package/data.py", function="make")

    assert run.output.head == "relative package.data\n"


def test_cells_of_a_notebook_run_in_order(verify: Verify) -> None:
    texts = [("code", "%matplotlib inline\nx = 1"), ("markdown", "# Text"), ("code", "x += 1\nraise ValueError(x)")]
    cells = [{"cell_type": kind, "metadata": {}, "source": text, "outputs": []} for kind, text in texts]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    run = verify(json.dumps(notebook), name="train.ipynb")

    assert run.detail == "ValueError: 2"
    assert run.place
    assert run.place.row == 4
