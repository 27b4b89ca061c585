# SPDX-License-Identifier: BSD-3-Clause
"""`sixstep bench` tells figures that belong together, and finds its transforms right."""

import json
import math
import os

import pytest
from sixstep_command import ENVIRONMENT, succeed

KEYS = {
    *("shape", "ranks", "threads", "layout", "output", "exchange", "error", "passes"),
    *("seconds_min", "seconds_median", "seconds_mean", "gflops", "comm_seconds", "peak_bytes_per_rank"),
}
EPSILON = {"double": 2.3e-16, "single": 1.2e-7}


def figures(path, ranks, *arguments):
    outcome = succeed(ranks, "bench", *arguments, "--json", path)
    return json.loads(path.read_text()), outcome.stdout


def test_figures_belong_together(tmp_path):
    found, printed = figures(
        tmp_path / "f.json", 3, 20, 12, 9, "--threads", 2, "--repeats", 5, "--layout", "1x3"
    )
    assert set(found) >= KEYS
    assert found["shape"] == [20, 12, 9]
    assert (found["ranks"], found["threads"], found["layout"]) == (3, 2, "1x3x1")
    assert (found["output"], found["exchange"], found["precision"]) == ("natural", "shared", "double")
    assert found["error"] is None
    assert 0 < found["seconds_min"] <= found["seconds_median"]
    assert found["seconds_min"] <= found["seconds_mean"]
    assert 0 < found["comm_seconds"] <= found["seconds_mean"]
    points = 20 * 12 * 9
    gigaflop = 5e-9 * points * math.log2(points)
    assert found["gflops"] == pytest.approx(gigaflop / found["seconds_min"])
    assert found["gflops_mean"] == pytest.approx(gigaflop / found["seconds_mean"])
    assert found["passes"] >= 2
    assert 1 << 20 < found["peak_bytes_per_rank"] < 1 << 30
    for word in ("20 x 12 x 9", "by the min time", "by the mean", "communication", "peak memory"):
        assert word in printed


def test_some_axes_count_for_themselves(tmp_path):
    found, printed = figures(tmp_path / "f.json", 2, 6, 16, 8, "--axes", "1,-1")
    assert found["axes"] == [1, -1]
    gigaflop = 5e-9 * 6 * 16 * 8 * math.log2(16 * 8)
    assert found["gflops"] == pytest.approx(gigaflop / found["seconds_min"])
    assert "n points a transform" in printed
    assert "fft 8, fft 16" in printed and "fft 6" not in printed


def test_breakdown_tells_each_pass_and_exchange(tmp_path):
    found, printed = figures(tmp_path / "f.json", 2, 32, 16, 8, "--breakdown")
    whats = [part["what"] for part in found["breakdown"]]
    assert whats == ["fft 8, fft 16", "exchange", "fft 32", "exchange", "reorder"]
    array_bytes = 32 * 16 * 8 * 16 / 2
    assert [part["bytes"] / array_bytes for part in found["breakdown"]] == [2, 0, 2, 0, 2]
    assert 0 < sum(part["seconds"] for part in found["breakdown"])
    for word in ("breakdown", "GB/s", *whats):
        assert word in printed


def test_threads_get_cores_where_there_are_enough(tmp_path, monkeypatch):
    cores = len(os.sched_getaffinity(0))
    binding = lambda threads: figures(tmp_path / "f.json", 1, 16, "--threads", threads)[0]["binding"]
    assert binding(1) == "each bound to a core of its own"
    assert binding(cores + 1) == "not bound"
    monkeypatch.setitem(ENVIRONMENT, "OMP_PROC_BIND", "true")
    assert binding(1) == "bound by OpenMP"


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize(
    "ranks, arguments",
    [
        (1, [64, 64]),
        (2, [1009, "--output", "transposed"]),
        (3, [3600, "--output", "transposed"]),
        (3, [3600, "--in-place"]),
        (4, ["16x12x10", "--layout", "pencil", "--output", "transposed", "--in-place"]),
        (3, [7, 11, 13, "--layout", "brick", "--exchange", "pairwise"]),
        (4, [2, 3, "--repeats", 1]),
        (2, [1]),
        (3, [20, 12, 9, "--kind", "r2c"]),
        (2, [20, 12, 10, "--kind", "r2c", "--layout", "1x1x2", "--in-place"]),
        (2, [101, "--kind", "r2c"]),
        (3, [20, 12, 9, "--plan-arrays", "--give-up-input"]),
        (2, [20, 12, 9, "--plan-arrays", "--in-place", "--output", "transposed"]),
        (4, [20, 12, 9, "--low-memory", "--in-place"]),
        (2, [20, 12, 10, "--device", "emulated", "--in-place"]),
        (3, [20, 12, 9, "--kind", "r2c", "--device", "emulated", "--exchange", "pairwise", "--windows", 3]),
        (2, [101, "--device", "emulated"]),
    ],
)
def test_the_transform_is_right(tmp_path, ranks, arguments, precision):
    found, printed = figures(tmp_path / "f.json", ranks, *arguments, "--precision", precision, "--verify")
    assert found["error"] < 4 * EPSILON[precision]
    assert "error" in printed
