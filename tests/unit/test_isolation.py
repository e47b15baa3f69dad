"""Whatever happens in a child process is an ordinary failure of one call."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from chunkfit.errors import BadDocument, EngineUnavailable
from chunkfit.isolation import CallRaised, Child, Crashed, Garbled, OutOfMemory, Pool, TimedOut
from chunkfit.isolation.environment import child_environment

pytestmark = pytest.mark.slow

MISBEHAVIOUR = """
import ctypes, os, re, subprocess, sys, time
from chunkfit.errors import BadDocument

def echo(value): return value
def who(): return os.getpid()
def environment(): return dict(os.environ)
def print_much():
    print("a library says hello")
    os.write(1, b"and another one says it from C" * 10_000)
    return "done"
def segfault(): ctypes.string_at(0)
def leave(): sys.stderr.write("the last words"); sys.stderr.flush(); os._exit(3)
def exit_politely(): sys.exit("enough")
def explode(): re.match("(x+x+)+y", "x" * 60)  # native code that never lets go of the interpreter lock
def rest(seconds): time.sleep(seconds)
def take(count): return len(bytearray(count))
def write_anywhere():
    for descriptor in range(3, 30):
        try: os.write(descriptor, b"not a frame, far from it")
        except OSError: pass
def refuse(): raise BadDocument("a page is missing")
def fail(): raise KeyError("page 7")
def give_a_set(): return {1, 2}
def start_another(): return subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]).pid
def start_another_and_explode(path):
    open(path, "w").write(str(start_another()))
    explode()
"""
NAMES = [
    "misbehaviour." + line[len("def ") :].partition("(")[0]
    for line in MISBEHAVIOUR.splitlines()
    if line.startswith("def ")
]


@pytest.fixture
def functions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    (tmp_path / "misbehaviour.py").write_text(MISBEHAVIOUR, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return NAMES


@pytest.fixture
def pool(functions: list[str]) -> Iterator[Pool]:
    pool = Pool(functions, size=2)
    yield pool
    pool.close()


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def becomes(condition: Callable[[], bool], within: float = 5.0) -> bool:
    deadline = time.monotonic() + within
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def ends(pid: int) -> bool:
    return becomes(lambda: not is_running(pid))


def test_a_call_gives_what_the_function_returns(pool: Pool) -> None:
    value = {"text": "é漢👍🏽\ud800 \n", "spans": [[0, 1], None, True, 0.1]}
    assert pool.call("misbehaviour.echo", {"value": value}, seconds=10) == value


def test_large_values_travel_both_ways(pool: Pool) -> None:
    assert pool.call("misbehaviour.echo", {"value": "é" * 1_000_000}, seconds=30) == "é" * 1_000_000


def test_what_a_library_prints_does_not_disturb_the_conversation(pool: Pool) -> None:
    assert pool.call("misbehaviour.print_much", {}, seconds=10) == "done"
    assert pool.call("misbehaviour.echo", {"value": 1}, seconds=10) == 1


def test_a_segmentation_fault_fails_one_call_and_the_next_gets_a_new_child(pool: Pool) -> None:
    before = pool.call("misbehaviour.who", {}, seconds=10)
    with pytest.raises(Crashed, match="SIGSEGV"):
        pool.call("misbehaviour.segfault", {}, seconds=10)
    after = pool.call("misbehaviour.who", {}, seconds=10)
    assert not is_running(before) and after != before


def test_a_crash_tells_the_last_words(pool: Pool) -> None:
    with pytest.raises(Crashed, match=r"exited with 3: the last words"):
        pool.call("misbehaviour.leave", {}, seconds=10)


@pytest.mark.parametrize("function", ["misbehaviour.explode", "misbehaviour.rest"])
def test_a_hang_ends_at_the_time_limit_in_native_code_too(pool: Pool, function: str) -> None:
    arguments = {"seconds": 60} if function.endswith("rest") else {}
    pid = pool.call("misbehaviour.who", {}, seconds=10)
    started = time.monotonic()
    with pytest.raises(TimedOut, match=r"longer than 0\.5 s"):
        pool.call(function, arguments, seconds=0.5)
    assert time.monotonic() - started < 10
    assert not is_running(pid)


def test_the_time_limit_covers_a_child_that_does_not_even_read_its_call(functions: list[str]) -> None:
    child = Child(functions)
    os.kill(child.pid, signal.SIGSTOP)
    with pytest.raises(TimedOut):
        child.call("misbehaviour.echo", {"value": "x" * 1_000_000}, seconds=0.3)
    assert not child.alive


@pytest.mark.skipif(sys.platform != "linux", reason="memory limits need Linux")
def test_too_much_memory_fails_one_call(pool: Pool) -> None:
    with pytest.raises(OutOfMemory, match="300,000,000 bytes"):
        pool.call("misbehaviour.take", {"count": 1_000_000_000}, seconds=10, memory_bytes=300_000_000)
    assert pool.call("misbehaviour.take", {"count": 1_000_000}, seconds=10, memory_bytes=300_000_000) == 1_000_000


def test_the_limits_of_one_call_are_not_those_of_the_next(pool: Pool) -> None:
    assert pool.call("misbehaviour.take", {"count": 1000}, seconds=10, memory_bytes=100_000_000) == 1000
    assert pool.call("misbehaviour.take", {"count": 200_000_000}, seconds=10) == 200_000_000


def test_garbage_on_the_pipe_is_told_from_a_reply(pool: Pool) -> None:
    with pytest.raises(Garbled):
        pool.call("misbehaviour.write_anywhere", {}, seconds=10)
    assert pool.call("misbehaviour.echo", {"value": 1}, seconds=10) == 1


def test_errors_of_chunkfit_arrive_as_themselves_and_others_by_name(pool: Pool) -> None:
    with pytest.raises(BadDocument, match="a page is missing"):
        pool.call("misbehaviour.refuse", {}, seconds=10)
    with pytest.raises(CallRaised, match="KeyError: 'page 7'"):
        pool.call("misbehaviour.fail", {}, seconds=10)
    with pytest.raises(CallRaised, match="SystemExit: enough"):
        pool.call("misbehaviour.exit_politely", {}, seconds=10)
    with pytest.raises(CallRaised, match=r"TypeError: .*set"):
        pool.call("misbehaviour.give_a_set", {}, seconds=10)


def test_a_child_outlives_a_call_that_raised(pool: Pool) -> None:
    before = pool.call("misbehaviour.who", {}, seconds=10)
    with pytest.raises(CallRaised):
        pool.call("misbehaviour.fail", {}, seconds=10)
    assert pool.call("misbehaviour.who", {}, seconds=10) == before


def test_only_the_functions_it_was_started_for_can_be_called(pool: Pool) -> None:
    with pytest.raises(ValueError, match=r"os\.system is not a function of this child"):
        pool.call("os.system", {"command": "true"}, seconds=10)


def test_a_child_that_cannot_start_says_why() -> None:
    with pytest.raises(EngineUnavailable, match=r"ModuleNotFoundError.*no_such_module"):
        Child(["no_such_module.function"])


def test_keys_stay_behind_and_libraries_are_told_to_stay_offline(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    seen = pool.call("misbehaviour.environment", {}, seconds=10)
    assert "secret" not in seen.values()
    assert (seen["HF_HUB_OFFLINE"], seen["DO_NOT_TRACK"], seen["PYTHONUTF8"]) == ("1", "1", "1")


def test_relative_module_folders_are_made_absolute_for_the_child() -> None:
    folders = child_environment({"PYTHONPATH": f"lib{os.pathsep}"})["PYTHONPATH"].split(os.pathsep)
    assert folders[1:] == [str(Path("lib").absolute())]


def test_no_module_is_taken_from_the_current_folder(
    functions: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "untrusted"
    here.mkdir()
    (here / "json.py").write_text("raise SystemExit('taken from the current folder')", encoding="utf-8")
    monkeypatch.chdir(here)
    child = Child(functions)
    assert child.call("misbehaviour.echo", {"value": 1}, seconds=10) == 1
    child.close()


def test_what_a_killed_child_had_started_ends_with_it(pool: Pool, tmp_path: Path) -> None:
    note = tmp_path / "pid"
    with pytest.raises(TimedOut):
        pool.call("misbehaviour.start_another_and_explode", {"path": str(note)}, seconds=1)
    assert ends(int(note.read_text(encoding="ascii")))


SCRIPT = """
import sys
from chunkfit.isolation import Child
child = Child(["misbehaviour.explode", "misbehaviour.echo"])
print(child.pid, child.call("misbehaviour.echo", {"value": "fine"}, seconds=20), flush=True)
if sys.argv[1] == "busy":
    child.call("misbehaviour.explode", {}, seconds=600)
sys.stdin.read()
"""


@pytest.mark.parametrize("state", ["busy", "idle"])
def test_a_child_ends_when_its_parent_is_killed(functions: list[str], tmp_path: Path, state: str) -> None:
    # Also shows that a child works at the top level of a script without an `if __name__ == "__main__"`.
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    with subprocess.Popen([sys.executable, script, state], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        pid, answer = parent.stdout.readline().split()
        assert answer == b"fine" and is_running(int(pid))
        time.sleep(0.3)  # into the middle of the call
        parent.kill()
        parent.wait()
        assert ends(int(pid))


def test_children_work_under_python_c(functions: list[str]) -> None:
    code = "from chunkfit.isolation import Child; c = Child(['misbehaviour.echo']); "
    code += "print(c.call('misbehaviour.echo', {'value': 'fine'}, seconds=20))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "fine" and run.stderr == ""


def test_a_pool_runs_one_child_per_concurrent_caller_up_to_its_size(pool: Pool) -> None:
    pids: list[int] = []

    def work() -> None:
        pool.call("misbehaviour.rest", {"seconds": 0.2}, seconds=20)
        pids.append(pool.call("misbehaviour.who", {}, seconds=20))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(pids) == 6
    assert len(set(pids)) == 2


def test_a_child_is_replaced_after_its_number_of_calls_and_when_it_has_grown(functions: list[str]) -> None:
    for pool in (Pool(functions, size=1, calls_per_child=2), Pool(functions, size=1, resident_bytes=1)):
        pids = [pool.call("misbehaviour.who", {}, seconds=10) for _ in range(3)]
        assert pids[0] != pids[2]
        assert ends(pids[0])
        pool.close()


def test_a_child_that_ended_while_idle_fails_nobody(pool: Pool) -> None:
    pid = pool.call("misbehaviour.who", {}, seconds=10)
    os.kill(pid, signal.SIGKILL)
    assert becomes(lambda: not is_running(pid))
    assert pool.call("misbehaviour.who", {}, seconds=10) != pid


def test_idle_children_end_by_themselves(functions: list[str]) -> None:
    pool = Pool(functions, size=1, idle_seconds=0.2)
    pid = pool.call("misbehaviour.who", {}, seconds=10)
    assert ends(pid)


def test_a_forked_process_starts_children_of_its_own(pool: Pool) -> None:
    ours = pool.call("misbehaviour.who", {}, seconds=10)
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.write(writing, str(pool.call("misbehaviour.who", {}, seconds=10)).encode())
            pool.close()
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    assert int(os.read(reading, 100)) != ours
    assert pool.call("misbehaviour.who", {}, seconds=10) == ours
    os.close(reading)
    os.close(writing)
