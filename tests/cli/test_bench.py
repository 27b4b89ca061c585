# SPDX-License-Identifier: BSD-3-Clause
"""`sixstep bench` tells figures that belong together, and finds its transforms right."""

import json
import math
import os
import re

import pytest
from sixstep_command import ENVIRONMENT, refuse, run, succeed

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
    assert (found["output"], found["exchange"], found["precision"]) == ("transposed", "shared", "double")
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
    found, printed = figures(tmp_path / "f.json", 2, 32, 16, 8, "--breakdown", "--output", "natural")
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
        (3, [3600, "--in-place", "--output", "natural"]),
        (4, ["16x12x10", "--layout", "pencil", "--output", "transposed", "--in-place"]),
        (3, [7, 11, 13, "--layout", "brick", "--exchange", "pairwise", "--output", "natural"]),
        (3, [7, 11, 13, "--layout", "brick"]),
        (4, [4, 3, 5, "--kind", "r2c"]),
        (4, [9, 2, 6, "--layout", "1x4x1"]),
        (4, [2, 3, "--repeats", 1]),
        (2, [1]),
        (3, [20, 12, 9, "--kind", "r2c"]),
        (2, [20, 12, 10, "--kind", "r2c", "--layout", "1x1x2", "--in-place"]),
        (2, [101, "--kind", "r2c"]),
        (3, [20, 12, 9, "--plan-arrays", "--give-up-input"]),
        (2, [20, 12, 9, "--plan-arrays", "--in-place", "--output", "transposed"]),
        (4, [20, 12, 9, "--low-memory", "--in-place", "--output", "natural"]),
        (2, [20, 12, 10, "--device", "emulated", "--in-place"]),
        (3, [20, 12, 9, "--kind", "r2c", "--device", "emulated", "--exchange", "pairwise", "--windows", 3]),
        (2, [101, "--device", "emulated"]),
    ],
)
def test_the_transform_is_right(tmp_path, ranks, arguments, precision):
    found, printed = figures(tmp_path / "f.json", ranks, *arguments, "--precision", precision, "--verify")
    assert found["error"] < 4 * EPSILON[precision]
    assert "error" in printed


def test_sizes_have_a_line_each_and_a_picture(tmp_path):
    found, printed = figures(
        tmp_path / "f.json", 2, "--sizes", "8x8x8,12x10,100", "--verify", "--plot", tmp_path / "f.gp"
    )
    assert [each["shape"] for each in found] == [[8, 8, 8], [12, 10], [100]]
    assert all(each["error"] < 4 * EPSILON["double"] for each in found)
    lines = printed.splitlines()
    assert [line.split()[0] for line in lines] == ["size", "8x8x8", "12x10", "100"]
    script = (tmp_path / "f.gp").read_text()
    for each in found:
        gflops = 5e-9 * math.prod(each["shape"]) * math.log2(math.prod(each["shape"])) / each["seconds_median"]
        size, drawn = re.search(f"^({'x'.join(map(str, each['shape']))}) (.*)$", script, re.MULTILINE).groups()
        assert float(drawn) == pytest.approx(gflops, rel=1e-4)


@pytest.mark.parametrize(
    "arguments", [["--in-place"], ["--kind", "r2c"], ["--precision", "single", "--output", "natural"]]
)
def test_against_fftw_of_this_mpi(tmp_path, arguments):
    outcome = run(2, "bench", 12, 10, 8, "--against", "fftw", "--json", tmp_path / "f.json", *arguments)
    if outcome.code == 0:
        against = json.loads((tmp_path / "f.json").read_text())["against"]
        assert against["what"].startswith("fftw-3") and against["times_as_long"] > 0
        assert "against" in outcome.stdout
    else:  # Debian's is for Open MPI
        assert "was built for another MPI (libmpi.so" in outcome.messages[0] or "cannot open" in outcome.messages[0]


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize(
    "ranks, arguments",
    [
        (2, ["--operator", "inverse_laplacian", "--kind", "r2c", "--plan-arrays"]),
        (3, ["--operator", "derivative=-1", "--in-place"]),
        (1, ["--operator", "derivative=0", "--kind", "r2c", "--axes", "0,2", "--give-up-input"]),
        (2, ["--operator", "laplacian", "--walls", "neumann", "--at", "nodes", "--in-place"]),
        (3, ["--operator", "helmholtz=1.5", "--walls", "periodic,dirichlet,neumann_dirichlet", "--layout", "brick"]),
        (2, ["--operator", "gaussian=0.1", "--modes", "5,3,7"]),
        (2, ["--operator", "gradient", "--kind", "r2c"]),
        (3, ["--operator", "divergence", "--in-place"]),
        (1, ["--operator", "curl", "--kind", "r2c", "--axes", "0,2", "--plan-arrays"]),
        (2, ["--operator", "project", "--layout", "brick", "--modes", "5,3,7"]),
    ],
)
def test_an_operator_and_its_parts_agree(tmp_path, ranks, arguments, precision):
    words = [8, 6, 10, *arguments, "--precision", precision, "--repeats", 3]
    found, printed = figures(tmp_path / "f.json", ranks, *words)
    assert found["operator"] == arguments[1]
    assert 0 <= found["difference"] < 40 * EPSILON[precision]
    assert found["against"]["what"].startswith("a transform, a loop and a transform back, ")
    assert found["against"]["times_as_long"] > 0
    levels = math.log2(80 if "--axes" in arguments else 480)
    half = "r2c" in arguments or "--walls" in arguments
    fields = {"gradient": 1 + 3, "divergence": 3 + 1, "curl": 3 + 3, "project": 3 + 3}.get(arguments[1], 2)
    flop = (2.5 if half else 5) * fields
    assert found["gflops"] * found["seconds_min"] == pytest.approx(1e-9 * flop * 480 * levels)
    for word in ("operator", "times symbol", "difference", f"{flop:g} N log2"):
        assert word in printed


def test_an_operator_of_several_sizes(tmp_path):
    found, printed = figures(tmp_path / "f.json", 2, "--sizes", "8x8,12x10x4", "--operator", "laplacian")
    assert [each["operator"] for each in found] == ["laplacian"] * 2
    assert printed.splitlines()[0].split()[-4:] == ["apart", "times", "as", "long"]


@pytest.mark.parametrize(
    "arguments, complaint",
    [
        ([8, "--operator", "curls"], "--operator curls: derivative=A, laplacian, "),
        ([8, "--operator", "curl"], "--operator curl: 3 axes are needed, the array has 1"),
        ([8, "--operator", "derivative=0", "--kind", "dct2"], "real numbers, because all axes are between walls"),
        ([8, "--operator", "laplacian", "--verify"], "excludes"),
        ([8, 6, "--operator", "laplacian", "--kind", "r2c", "--modes", "8,4"],
         "--modes: odd numbers are needed along periodic axes with --operator"),
        ([8, "--walls", "neumann"], "--walls requires --operator"),
        ([8, "--sizes", "8,9"], "shape excludes --sizes"),
        ([8, 8, "--plot", "f.gp"], "--plot: several sizes are needed"),
        (["--sizes", "8x8,0"], "'0' is no extent"),
        ([8, 8, "--against", "fftw", "--axes", "0"], "c2c and r2c along all axes"),
        ([8, "--against", "fftw", "--kind", "r2c"], "no r2c of a single axis"),
    ],
)
def test_what_cannot_be_measured(arguments, complaint):
    assert complaint in refuse(2, "bench", *arguments)
