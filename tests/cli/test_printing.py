# SPDX-License-Identifier: BSD-3-Clause
"""What is printed: all of it or an error, short, and without what a terminal would obey."""

import json
import os
import subprocess

import numpy as np
import pytest
from sixstep_command import COMMAND, ENVIRONMENT, TIMEOUT_S, run, run_alone

LINES = ["plan 8 8 --ranks 2", "info", "info --json", "wisdom list --file none.json",
         "wisdom list --json --file none.json", "model 64 64 --machine miyabi-g --ranks 1:2",
         "model 64 64 --machine miyabi-g --json", "model --machines",
         "bench 8 8", "bench --sizes 8x8", "gfft --size 4096", "tune 8 8 --seconds 0.1", "spectrum field.npy",
         "fft field.npy out.npy", "--help", "plan --help", "--version"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("field.npy", np.random.default_rng(0).random((6, 5)))


@pytest.mark.parametrize("line", LINES)
def test_a_full_disk_is_told(line):
    with open("/dev/full", "wb") as full:
        done = subprocess.run([COMMAND, *line.split()], stdout=full, stderr=subprocess.PIPE, env=ENVIRONMENT, text=True,
                              timeout=TIMEOUT_S, check=False)
    assert done.returncode == 1
    assert "sixstep: stdout: cannot be written" in done.stderr
    assert run_alone(*line.split()).code == 0


def test_control_characters_of_names_do_not_reach_the_terminal():
    name = "\x1b[31mred\x07.npy"
    os.rename("field.npy", name)
    outcome = run_alone("fft", name, "\x1b[2Jout.npy")
    assert outcome.code == 0 and "\x1b" not in outcome.stdout
    assert "read \\x1b[31mred\\x07.npy (6 x 5" in outcome.stdout
    for line in (["fft", "\x1b[31mmissing.npy", "out.npy"], ["bench", "\x1b[31m"], ["\x1b[31m"],
                 ["plan", 8, "--ranks", 1, "--\x1b"], ["model", 8, "--machine", "\x1b[31m"],
                 ["wisdom", "import", "\x1b[31m"], ["bench", 8, "--kind", "\x1b[31m"],
                 ["fft", name, "out.npy", "--filter", "\x1b[31m"], ["bench", 8, "--precision", "\x1b[31m"]):
        outcome = run_alone(*line)
        assert outcome.code != 0 and outcome.messages
        assert "\x1b" not in outcome.stderr, line


@pytest.mark.parametrize("line", [
    ["fft", "field.npy", "out.npy", "--filter", "LONG"],
    ["fft", "field.npy", "out.npy", "--filter", "lowpass=LONG"],
    ["fft", "field.npy", "out.npy", "--sides", "LONG"],
    ["fft", "field.npy", "out.npy", "--axes", "LONG"],
    ["fft", "LONG", "out.npy"],
    ["fft", "field.npy", "LONG.npy"],
    ["bench", "LONG"],
    ["bench", 8, "--kind", "LONG"],
    ["bench", 8, "--layout", "LONG"],
    ["bench", 8, "--repeats", "LONG"],
    ["bench", 8, "--precision", "LONG"],
    ["bench", 8, "--LONG"],
    ["gfft", "--memory", "LONG"],
    ["model", 8, "--machine", "LONG"],
    ["model", 8, "--machine", "miyabi-g", "--ranks", "LONG"],
    ["LONG"],
])
def test_long_words_are_shortened(line):
    outcome = run_alone(*(str(word).replace("LONG", "9y" * 50000) for word in line))
    assert outcome.code != 0
    assert len(outcome.messages) == 1 and len(outcome.messages[0]) < 5000


def test_names_that_are_no_utf_8_are_told_in_json_that_is():
    os.rename(b"field.npy", b"f\xff.npy")
    done = subprocess.run([COMMAND, "spectrum", b"f\xff.npy", "--json", "figures.json"], env=ENVIRONMENT,
                          timeout=TIMEOUT_S, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    with open("figures.json", encoding="utf-8") as figures:
        assert json.load(figures)["input"] == "f\ufffd.npy"


def test_figures_for_a_full_disk_are_told_together():
    outcome = run(2, "bench", 8, 8, "--json", "/dev/full")
    assert outcome.code != 0
    assert outcome.messages == ["sixstep: --json /dev/full: cannot be written: No space left on device"]


@pytest.mark.parametrize("word", ["abc", "-1", "1.5", "", " 7", "0x1f", "nan"])
def test_a_wrong_seed_of_the_emulated_device_is_refused_together(monkeypatch, word):
    monkeypatch.setitem(ENVIRONMENT, "SIXSTEP_DEVICE_SEED", word)
    outcome = run(2, "bench", 8, 8, "--device", "emulated")
    assert outcome.code != 0
    needed = "a whole number of at least 0 is needed"
    assert outcome.messages == [f"sixstep: SIXSTEP_DEVICE_SEED: {needed}, '{word}' was given"]
