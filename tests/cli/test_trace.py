# SPDX-License-Identifier: BSD-3-Clause
"""`--trace FILE` keeps what each thread of each rank did, and bench/plot_trace.py draws it."""

import json
import subprocess
import sys

import pytest
from sixstep_command import ROOT, run, succeed

SHAPE = (24, 20, 16)


def traced(path, ranks, command, *arguments):
    succeed(ranks, command, *arguments, "--trace", path)
    return json.loads(path.read_text())


def spans(trace, *kinds):
    return [event for event in trace["traceEvents"] if event["ph"] == "X" and event["cat"] in kinds]


def places(events):
    return {(event["pid"], event["tid"]) for event in events}


def test_each_thread_of_each_rank_has_passes(tmp_path):
    trace = traced(tmp_path / "t.json", 3, "bench", *SHAPE, "--threads", 2, "--repeats", 4)
    executions = spans(trace, "execution")
    assert places(executions) == {(0, 0), (1, 0), (2, 0)}
    assert {event["name"] for event in executions} == {"forward"}
    assert len(executions) == 3 * (2 + 4)  # two are not timed
    passes = spans(trace, "pass")
    assert {rank for rank, _ in places(passes)} == {0, 1, 2}
    assert places(passes) <= {(rank, thread) for rank in range(3) for thread in range(2)}
    assert {event["name"] for event in passes} >= {"fft 16, fft 20", "fft 24"}
    assert trace["otherData"]["plan"].startswith("input     24 x 20 x 16")


def test_ranks_and_threads_have_names(tmp_path):
    trace = traced(tmp_path / "t.json", 2, "bench", *SHAPE, "--threads", 2, "--repeats", 1)
    meta = [event for event in trace["traceEvents"] if event["ph"] == "M"]
    names = {(event["pid"], event["tid"]): event["args"]["name"]
             for event in meta if event["name"] == "thread_name"}
    assert names == {(rank, thread): f"thread {thread}" for rank in range(2) for thread in range(2)}
    ranks = [event["args"]["name"] for event in meta if event["name"] == "process_name"]
    assert [name.split(" on ")[0] for name in ranks] == ["rank 0", "rank 1"]


def test_gfft_can_be_traced(tmp_path):
    trace = traced(tmp_path / "t.json", 2, "gfft", "--size", 4096, "--exchange", "pairwise")
    assert {event["name"] for event in spans(trace, "execution")} == {"forward", "backward"}
    messages = [event for event in trace["traceEvents"] if event["ph"] == "b"]
    assert {event["name"] for event in messages} == {
        f"{way} {peer}" for way in ("send to", "receive from") for peer in (0, 1)
    }
    assert all(event["args"]["peer"] != event["pid"] for event in messages)


@pytest.mark.parametrize("command", [("bench", *SHAPE), ("gfft", "--size", 4096)])
def test_a_trace_that_cannot_be_written_is_refused(tmp_path, command):
    outcome = run(3, *command, "--trace", tmp_path / "missing" / "t.json")
    assert outcome.code == 1
    assert len(outcome.messages) == 1
    for word in ("trace: ", str(tmp_path / "missing"), "cannot be written", "No such file"):
        assert word in outcome.messages[0]


def test_a_trace_that_cannot_be_written_to_its_end_is_told(tmp_path):
    outcome = run(2, "bench", *SHAPE, "--trace", "/dev/full")
    assert outcome.code == 1
    assert len(outcome.messages) == 1
    assert "/dev/full cannot be written" in outcome.messages[0]


@pytest.mark.parametrize("exchange", ["shared", "collective", "pairwise"])
def test_a_trace_can_be_drawn(tmp_path, exchange):
    traced(tmp_path / "t.json", 2, "bench", *SHAPE, "--threads", 2, "--exchange", exchange)
    pytest.importorskip("matplotlib")
    done = subprocess.run(
        [sys.executable, ROOT / "bench" / "plot_trace.py", tmp_path / "t.json", tmp_path / "t.png"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "t.png").read_bytes().startswith(b"\x89PNG")
    rows = [line.replace("%", "").split() for line in done.stdout.splitlines()[1:-1]]
    # A thread may have come too late for all windows.
    assert {("0", "0"), ("1", "0")} <= {tuple(row[:2]) for row in rows}
    for row in rows:
        passes, waiting = float(row[2]), float(row[3])
        assert 0 <= passes and 0 <= waiting and passes + waiting <= 100.1
    assert any(float(row[2]) > 0 for row in rows)
