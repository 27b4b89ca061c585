# SPDX-License-Identifier: BSD-3-Clause
"""Whatever is wrong is said once, by all ranks together, and none of them hangs."""

import os
import struct

import numpy as np
import pytest
from sixstep_command import COMMAND, ENVIRONMENT, run, run_alone, run_line

RANKS = 4


def npy(header, data=b"", version=(1, 0)):
    """A file with any header."""
    text = header.encode() + b"\n"
    length = struct.pack("<H" if version == (1, 0) else "<I", len(text))
    return b"\x93NUMPY" + bytes(version) + length + text + data


def numbers(descr="<f8", shape="(2, 2)", data=bytes(32)):
    return npy(f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}", data)


def refused(outcome, code, *fragments):
    assert outcome.code == code, outcome.stderr
    assert len(outcome.messages) == 1, outcome.stderr
    for fragment in fragments:
        assert fragment in outcome.messages[0]
    assert outcome.stdout == ""


BAD_FILES = {
    "empty": (b"", ["not an .npy file", "empty"]),
    "text": (b"1, 2, 3\n4, 5, 6\n", ["not an .npy file", "'1, 2, 3"]),
    "archive": (b"PK\x03\x04" + bytes(50), ["not an .npy file", ".npz"]),
    "version": (b"\x93NUMPY\x07\x00" + bytes(80), ["version 7.0", "1, 2 and 3"]),
    "only the magic": (b"\x93NUMPY", ["truncated", "6 bytes"]),
    "half a header": (numbers()[:40], ["truncated", "40 bytes"]),
    "half the data": (numbers()[:-5], ["truncated", "32 bytes", "27 found"]),
    "impossibly large": (numbers(shape=f"({2**62}, 4)"), ["impossibly large"]),
    "truncated at 2^60": (numbers(shape=f"({2**57},)"), ["truncated", f"{2**60} bytes"]),
    "negative extent": (numbers(shape="(-3, 4)"), ["damaged"]),
    "no dictionary": (npy("[1, 2]"), ["damaged"]),
    "unclosed": (npy("{'descr': '<f8"), ["damaged", "quote"]),
    "no shape": (npy("{'descr': '<f8', 'fortran_order': False}"), ["the entry 'shape' is missing"]),
    "entry unknown": (npy("{'colour': 'red'}"), ["unexpected entry 'colour'"]),
    "something behind": (npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2)} + 1", bytes(32)), ["damaged"]),
    "a number too many": (numbers("<f8<f8"), ["'<f8<f8'", "unknown"]),
    "unprintable": (numbers("<f\x1b[31m"), [r"'<f\x1b[31m'", "unknown"]),
    "objects": (numbers("|O"), ["'|O'", "objects"]),
    "strings": (numbers("<U5"), ["'<U5'", "strings"]),
    "bytes": (numbers("|S8"), ["'|S8'", "strings"]),
    "dates": (numbers("<M8[s]"), ["'<M8[s]'", "dates"]),
    "raw": (numbers("|V8"), ["'|V8'", "raw"]),
    "structured": (
        npy("{'descr': [('a', '<f8'), ('b', '<i4')], 'fortran_order': False, 'shape': (2,), }"),
        ["structured"],
    ),
    "float16": (numbers("<f2"), ["'<f2'", "float16"]),
    "float128": (numbers("<f16"), ["'<f16'", "extended"]),
    "nine axes": (numbers(shape="(1,1,1,1,1,1,1,1,1)"), ["9 axes", "at most 8"]),
    "no axes": (numbers(shape="()"), ["no axes"]),
    "no points": (numbers(shape="(3, 0, 2)"), ["empty", "3 x 0 x 2"]),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_file_that_cannot_be_transformed_is_refused(tmp_path, name):
    content, fragments = BAD_FILES[name]
    (tmp_path / "in.npy").write_bytes(content)
    outcome = run(RANKS, "fft", tmp_path / "in.npy", tmp_path / "out.npy")
    refused(outcome, 1, str(tmp_path / "in.npy"), *fragments)
    assert not (tmp_path / "out.npy").exists()


def test_a_file_that_is_not_there_is_named(tmp_path):
    outcome = run(RANKS, "fft", tmp_path / "missing.npy", tmp_path / "out.npy")
    refused(outcome, 1, str(tmp_path / "missing.npy"), "No such file")


def test_a_folder_is_no_file(tmp_path):
    outcome = run(RANKS, "fft", tmp_path, tmp_path / "out.npy")
    refused(outcome, 1, str(tmp_path), "it is a folder")


@pytest.fixture
def good(tmp_path):
    np.save(tmp_path / "good.npy", np.ones((4, 6, 5)))
    return tmp_path / "good.npy"


@pytest.mark.parametrize(
    "options, fragments",
    [
        (["--axes", "3"], ["no axis 3", "has 3"]),
        (["--axes", "-4"], ["no axis -4"]),
        (["--axes", "1,-2"], ["axis 1", "twice"]),
        (["--layout", "3x2"], ["3x2", "6 ranks", "there are 4", "2x2 would fit"]),
        (["--layout", "2"], ["2 ranks", "there are 4", "4 would fit"]),
        (["--layout", "1x1x1x4"], ["1x1x1x4", "4 axes", "4 x 6 x 5"]),
    ],
)
def test_options_that_do_not_fit_the_array_are_refused(good, tmp_path, options, fragments):
    refused(run(RANKS, "fft", good, tmp_path / "out.npy", *options), 1, *fragments)
    assert not (tmp_path / "out.npy").exists()


def test_pencils_need_two_axes(tmp_path):
    np.save(tmp_path / "line.npy", np.ones(8))
    outcome = run(RANKS, "fft", tmp_path / "line.npy", tmp_path / "out.npy", "--layout", "pencil")
    refused(outcome, 1, "pencils need 2 axes")


def test_the_input_is_not_overwritten(good):
    before = good.read_bytes()
    refused(run(RANKS, "fft", good, good), 1, "overwrite")
    os.link(good, good.with_name("link.npy"))
    refused(run(RANKS, "fft", good, good.with_name("link.npy")), 1, "overwrite")
    assert good.read_bytes() == before


def test_a_name_is_needed(good, tmp_path):
    refused(run(RANKS, "fft", "", tmp_path / "out.npy"), 1, "'': cannot be read: no name was given")
    refused(run(RANKS, "fft", good, ""), 1, "'': cannot be written: no name was given")


@pytest.mark.parametrize("output", ["missing/out.npy", ".", "/dev/full", "/proc/sixstep.npy"])
def test_an_output_that_cannot_be_written_is_refused(good, tmp_path, output):
    refused(run(RANKS, "fft", good, tmp_path / output), 1, str(tmp_path / output))


HUGE = "9" * 20
USAGE = {
    "nothing": ([], "A subcommand is required", "Usage: sixstep [OPTIONS] SUBCOMMAND"),
    "no such command": (["fftt", "a", "b"], "'fftt'", "Usage: sixstep [OPTIONS] SUBCOMMAND"),
    "no files": (["fft"], "IN is required", "Usage: sixstep fft"),
    "one file": (["fft", "in.npy"], "OUT is required", "Usage: sixstep fft"),
    "a file too many": (["fft", "a", "b", "c"], "not expected", "Usage: sixstep fft"),
    "no such option": (["fft", "a", "b", "--fast"], "no option '--fast'", "Usage: sixstep fft"),
    "no such option of this": (["bench", "8", "--points", "7"], "no option '--points'", "Usage: sixstep bench"),
    "axes": (["fft", "a", "b", "--axes", "x"], "no list of axes", "Usage: sixstep fft"),
    "axis": (["fft", "a", "b", "--axes", HUGE], "from -8 to 7 are needed", "Usage: sixstep fft"),
    "layout": (["bench", "8", "--layout", "cube"], "'cube' is no layout", "Usage: sixstep bench"),
    "layout 0": (["bench", "8", "--layout", "0x4"], "'0x4' is no layout", "Usage: sixstep bench"),
    "precision": (["bench", "8", "--precision", "half"], "half", "Usage: sixstep bench"),
    "local": (["bench", "8", "--local", "cufft"], "cufft", "Usage: sixstep bench"),
    "exchange": (["bench", "8", "--exchange", "pigeon"], "pigeon", "Usage: sixstep bench"),
    "no shape": (["bench"], "shape is required", "Usage: sixstep bench"),
    "shape": (["bench", "8", "8q"], "'8q' is no extent", "Usage: sixstep bench"),
    "extent 0": (["bench", "8", "0"], "'0' is no extent", "Usage: sixstep bench"),
    "repeats": (["bench", "8", "--repeats", "0"], "--repeats", "Usage: sixstep bench"),
    "no ranks": (["plan", "8", "8"], "--ranks is required", "Usage: sixstep plan"),
}


NUMBERS = {  # what is not possible of an option, and what is said of it
    "plan 8 --ranks": {
        "0": "1 or more are needed, 0 was given",
        "-3": "1 or more are needed, -3 was given",
        "1048577": "at most 1048576 are possible, 1048577 was given",
        HUGE: f"at most 1048576 are possible, {HUGE} was given",
    },
    "bench 8 --threads": {
        "-3": "0 or more are needed, -3 was given",
        "4097": "at most 4096 are possible, 4097 was given",
        HUGE: f"at most 4096 are possible, {HUGE} was given",
    },
    "bench 8 --repeats": {
        "0": "1 or more are needed, 0 was given",
        f"-{HUGE}": f"1 or more are needed, -{HUGE} was given",
        HUGE: f"at most 1000000 are possible, {HUGE} was given",
    },
    "gfft --threads": {"-3": "0 or more are needed, -3 was given"},
    "gfft --size": {
        "1": "2 or more are needed, 1 was given",
        HUGE: f"at most {2**63 - 1} are possible, {HUGE} was given",
    },
    "fft a b --points": {"0": "1 or more are needed, 0 was given"},
}
NO_NUMBERS = ["1e99", "nan", "inf", "abc", "", "2x", "0x10", "2.5", " 2", "+2"]


def option_of(line):
    return line.split()[-1]


@pytest.mark.parametrize("line", NUMBERS)
def test_numbers_that_cannot_be_are_refused_in_words(line):
    for number, words in NUMBERS[line].items():
        outcome = run_alone(*line.split(), number)
        refused(outcome, 2)
        assert outcome.messages == [f"sixstep: {option_of(line)}: {words}"]
    for word in NO_NUMBERS:
        outcome = run_alone(*line.split(), word)
        refused(outcome, 2)
        assert outcome.messages == [f"sixstep: {option_of(line)}: a whole number is needed, '{word}' was given"]
    refused(run_alone(*line.split()), 2, f"{option_of(line)}: a value is needed, none was given")


def test_numbers_are_decimal():
    assert run_alone("plan", 8, "--ranks", "010").stdout == run_alone("plan", 8, "--ranks", 10).stdout


def test_a_number_is_refused_by_one_rank():
    refused(run(RANKS, "bench", 8, "--threads", -3), 2, "--threads: 0 or more are needed, -3 was given")


@pytest.mark.parametrize("name", USAGE)
def test_misuse_is_answered_with_the_help_of_what_was_meant(name):
    arguments, message, usage = USAGE[name]
    outcome = run_alone(*arguments)
    refused(outcome, 2, message)
    assert usage in outcome.stderr


def test_misuse_is_answered_by_one_rank():
    outcome = run(RANKS, "fft", "in.npy")
    refused(outcome, 2, "OUT is required")
    assert outcome.stderr.count("Usage:") == 1


def test_bench_refuses_together(tmp_path):
    refused(run(RANKS, "bench", 8, 8, "--layout", "3x1"), 1, "3 ranks", "there are 4")
    path = tmp_path / "missing" / "figures.json"
    refused(run(RANKS, "bench", 8, 8, "--json", path), 1, str(path))


@pytest.mark.parametrize("word", ["abc", "-5", "0", "2x"])
def test_a_wrong_size_of_nodes_is_refused_together(monkeypatch, word):
    monkeypatch.setitem(ENVIRONMENT, "SIXSTEP_NODE_RANKS", word)
    words = f"SIXSTEP_NODE_RANKS: a whole number from 1 to 2147483647 is needed, '{word}'"
    refused(run(RANKS, "bench", 8, 8), 1, words)


@pytest.mark.parametrize("word", ["abc", "-5", "0", "2x", "inf"])
def test_a_wrong_timeout_is_refused_together(monkeypatch, word):
    monkeypatch.setitem(ENVIRONMENT, "SIXSTEP_TIMEOUT", word)
    words = f"SIXSTEP_TIMEOUT: a positive number of seconds is needed, '{word}' was given"
    refused(run(RANKS, "bench", 8, 8), 1, words)


def test_plan_refuses():
    refused(run_alone("plan", 8, 8, "--ranks", 4, "--layout", "3x1"), 1, "3 ranks", "there are 4")
    refused(run_alone("plan", 8, 8, "--ranks", 4, "--axes", "2"), 1, "no axis 2")
    refused(run_alone("plan", 2**62, "--ranks", 4), 1, "at most 2^57 points", str(2**62))


# Which variable is set says whose mpiexec it was; without one a process is alone.
@pytest.mark.parametrize("variable", ["PMI_SIZE", "OMPI_COMM_WORLD_SIZE"])
def test_the_launcher_of_another_mpi_is_told(variable):
    refused(run_line(["env", f"{variable}=2", COMMAND, "bench", "16"]), 1, "2 processes were started", variable)
    assert run_line(["env", f"{variable}=1", COMMAND, "bench", "16"]).code == 0
