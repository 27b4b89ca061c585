# SPDX-License-Identifier: BSD-3-Clause
"""`sixstep gfft` transforms HPCC's vector, finds it right, and tells figures that belong together."""

import json
import math
import re

import numpy as np
import pytest
from sixstep_command import run, succeed

HPCC_LINES = ["N", "Gflops", "maxErr", "Procs", *(f"time{i}" for i in range(7))]


def figures(path, ranks, *arguments):
    outcome = succeed(ranks, "gfft", *arguments, "--json", path)
    return json.loads(path.read_text()), outcome.stdout


def numbers(first, count):
    """HPCC's random numbers by their definition: 53 bits each of floor(3^33 / 2) 2^100 / 3^33."""
    modulus = 3**33
    power = lambda i: pow(2, 100 + 53 * i, modulus)
    return [modulus // 2 * power(i) % modulus * (1.0 / modulus) for i in range(first, first + count)]


def complex_numbers(pairs):
    return np.array([complex(*pair) for pair in pairs])


@pytest.mark.parametrize(
    "ranks, arguments",
    [
        (1, ["--size", 4096]),
        (2, ["--size", 2]),
        (2, ["--size", 1009, "--repeats", 2]),
        (3, ["--size", 3600, "--low-memory"]),
        (4, ["--size", 8192, "--low-memory"]),
        (2, ["--size", 1009, "--low-memory"]),
        (4, ["--size", 4096, "--exchange", "pairwise", "--threads", 2]),
        (4, ["--size", 3000, "--exchange", "collective"]),
        (3, ["--size", 2000, "--precision", "single"]),
        (5, ["--size", 3]),
    ],
)
def test_the_transform_is_that_of_hpccs_vector(tmp_path, ranks, arguments):
    found, _ = figures(tmp_path / "f.json", ranks, *arguments)
    single = "single" in arguments
    points = found["points"]
    assert (points, found["ranks"]) == (arguments[1], ranks)
    values = np.array(numbers(0, 2 * points)).view(complex)
    if single:
        values = values.astype(np.complex64)
    places = [0, 1, points // 2, points - 1]
    assert (complex_numbers(found["samples"]["input"]) == values[places]).all()
    spectrum = np.fft.fft(values.astype(complex))[places]
    epsilon = 2.0 ** (-24 if single else -53)
    assert abs(complex_numbers(found["samples"]["spectrum"]) - spectrum).max() < 16 * epsilon * points
    assert found["residual"] == pytest.approx(found["error"] / (epsilon * math.log(points)))
    assert found["residual"] < 16


def test_any_part_of_the_vector_can_be_the_first_to_be_made(tmp_path):
    found, _ = figures(tmp_path / "f.json", 3, "--size", 1 << 20)
    for place, index in enumerate([0, 1, 1 << 19, (1 << 20) - 1]):
        assert found["samples"]["input"][place] == numbers(2 * index, 2)


def test_figures_belong_together(tmp_path):
    points = 1 << 16
    found, printed = figures(tmp_path / "f.json", 2, "--size", points, "--repeats", 3)
    assert len(found["seconds"]) == 3
    assert found["seconds_median"] == sorted(found["seconds"])[1]
    gigaflop = 5e-9 * points * math.log2(points)
    assert found["gflops"] == pytest.approx(gigaflop / found["seconds_median"])
    assert found["exchanges"] == 3
    assert found["limit_gflops"] == pytest.approx(gigaflop / 3 / found["all_to_all_seconds"])
    assert found["reached"] == pytest.approx(found["gflops"] / found["limit_gflops"])
    assert found["array_bytes_per_rank"] == 32 * points / 2
    assert found["peak_bytes_per_rank"] > found["array_bytes_per_rank"]
    assert found["vectors"] >= 2
    for word in ("generating", "planning", "inverse", "check", "MPI_Alltoall", "vectors", "below 16"):
        assert word in printed


def test_hpccs_own_lines_are_there(tmp_path):
    found, printed = figures(tmp_path / "f.json", 2, "--size", 4096)
    lines = dict(re.findall(r"^MPIFFT_(\w+)=(\S+)$", printed, re.MULTILINE))
    assert list(lines) == HPCC_LINES
    assert (int(lines["N"]), int(lines["Procs"])) == (4096, 2)
    assert float(lines["Gflops"]) == pytest.approx(found["gflops"], rel=1e-4)
    assert float(lines["maxErr"]) == pytest.approx(found["error"], rel=1e-4)
    exchanges = [part["seconds"] for part in found["breakdown"] if part["what"] == "exchange"]
    times = [float(lines[f"time{i}"]) for i in (1, 3, 5)]
    assert times == pytest.approx(exchanges, rel=1e-4)
    assert sum(float(lines[f"time{i}"]) for i in range(7)) == pytest.approx(
        sum(part["seconds"] for part in found["breakdown"]), rel=1e-4
    )


def test_one_rank_has_no_limit(tmp_path):
    found, printed = figures(tmp_path / "f.json", 1, "--size", 4096)
    assert "no exchange" in printed
    assert found["limit_gflops"] is None


@pytest.mark.parametrize(
    "amount, precision, points",
    [("1MiB", "double", 1 << 15), ("1000000", "double", 1 << 15), ("0.75KiB", "single", 1 << 6), ("1e-9", "double", 2)],
)
def test_memory_says_how_many_points(tmp_path, amount, precision, points):
    found, _ = figures(tmp_path / "f.json", 2, "--memory", amount, "--precision", precision)
    assert found["points"] == points


@pytest.mark.parametrize(
    "code, arguments, fragments",
    [
        (2, ["--size", 1], ["--size", "1", "2"]),
        (2, ["--size", 4, "--memory", "0.5"], ["--memory", "--size"]),
        (2, ["--memory", "-1"], ["--memory", "'-1'", "8GiB"]),
        (2, ["--memory", "3parsecs"], ["'3parsecs'", "0.25"]),
        (2, ["--memory", "nan"], ["--memory", "'nan'", "8GiB"]),
        (2, ["--memory", ""], ["--memory", "''", "8GiB"]),
        (1, ["--memory", "1PiB"], ["--memory: ", "GiB can be used", "without swapping", "'1PiB'"]),
        (1, ["--memory", "1e99GiB", "--low-memory"], ["--memory: ", "GiB can be used", "'1e99GiB'"]),
        (1, ["--memory", "1e308PiB"], ["--memory: ", "GiB can be used", "'1e308PiB'"]),
        (1, ["--size", 10**14], [str(10**14), "without swapping"]),
        (1, ["--size", 4, "--json", "/no/such/folder/f.json"], ["--json /no/such/folder/f.json"]),
    ],
)
def test_what_cannot_be_is_refused_once(code, arguments, fragments):
    outcome = run(3, "gfft", *arguments)
    assert outcome.code == code
    assert len(outcome.messages) == 1, outcome.stderr
    for fragment in fragments:
        assert fragment in outcome.messages[0]
