# SPDX-License-Identifier: BSD-3-Clause
"""bench/simulate: the library under SimGrid, or its programs alone; skipped where that, or its build, is not there."""

import json
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parents[2]
PROGRAM = ROOT / "build/simulate/bench/simulate.so"
# The player of programs needs no MPI of SimGrid's, so other presets build it too.
PLAYERS = [build for build in (ROOT / "build/simulate", ROOT / "build/mpich")
           if (build / "bench/replay").exists() and (build / "sixstep").exists()]

pytestmark = pytest.mark.skipif(not shutil.which("smpirun"), reason="SimGrid is not there")
runs = pytest.mark.skipif(not PROGRAM.exists(), reason="preset simulate is not built")
plays = pytest.mark.skipif(not PLAYERS, reason="replay is not built")


def simulate(file, *words):
    """The cases of a call, which checks each result, by layout, exchange and windows."""
    subprocess.run([ROOT / "bench/simulate", *words, "--json", file], timeout=600, check=True)
    return {(case["layout"], case["exchange"], case["windows"]): case for case in json.loads(file.read_text())["cases"]}


@plays
def test_programs_are_played_as_the_model_prices_them(tmp_path):
    cases = simulate(tmp_path / "cases.json", "--played", "--build", PLAYERS[0], "128", "128", "128", "--ranks", "64",
                     "--layouts", "pencil")
    case = cases["pencil", "plain", 1]
    assert case["seconds"] == pytest.approx(case["model_s"], rel=0.25)


@plays
def test_messages_that_are_played_share_the_links_of_a_torus(tmp_path):
    cases = simulate(tmp_path / "cases.json", "--played", "--build", PLAYERS[0], "128", "128", "128", "--ranks", "32",
                     "--platform", "bluegene-q", "--layouts", "slab")
    bytes_a_link = 128**3 * 16 / 32 / 2
    assert bytes_a_link / 1.8e9 < cases["slab", "plain", 1]["seconds"] < 2 * bytes_a_link / 1.8e9


@runs
def test_messages_of_pencils_are_gathered(tmp_path):
    cases = simulate(tmp_path / "cases.json", "64", "64", "64", "--ranks", "64", "--layouts", "slab,pencil")
    assert len(cases) == 4
    # 7 messages of 8 KiB in each of two exchanges, each 20 us and its bytes at 55 MB/s at least.
    plain, gathered = (cases["pencil", exchange, 1] for exchange in ("plain", "gathered"))
    assert plain["seconds"] > 14 * (20e-6 + 8192 / 55e6)
    assert gathered["seconds"] < plain["seconds"] / 2


@runs
def test_a_torus_shares_its_links(tmp_path):
    cases = simulate(tmp_path / "cases.json", "128", "128", "128", "--ranks", "32", "--platform", "bluegene-q",
                     "--layouts", "slab", "--exchanges", "plain")
    # Of what a node sends, half goes along each axis of two nodes: over one link.
    bytes_a_link = 128**3 * 16 / 32 / 2
    assert bytes_a_link / 1.8e9 < cases["slab", "plain", 1]["seconds"] < 2 * bytes_a_link / 1.8e9


@runs
def test_exchanges_hide_behind_passes_that_take_what_the_model_says(tmp_path):
    cases = simulate(tmp_path / "cases.json", "128", "128", "128", "--ranks", "32", "--platform", "bluegene-q",
                     "--layouts", "pencil", "--exchanges", "plain", "--windows", "1,2", "--with-passes")
    in_turn, hidden = (cases["pencil", "plain", windows] for windows in (1, 2))
    assert in_turn["seconds"] == pytest.approx(in_turn["model_s"], rel=0.05)
    assert hidden["seconds"] < 0.95 * in_turn["seconds"]
