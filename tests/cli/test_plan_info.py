# SPDX-License-Identifier: BSD-3-Clause
"""`sixstep plan` and `sixstep info` need no ranks; every command can explain itself."""

import json
import re
import resource
from pathlib import Path

import pytest
from sixstep_command import run_alone, succeed


def told(*arguments, prepare=None):
    outcome = run_alone(*arguments, prepare=prepare)
    assert outcome.code == 0, outcome.stderr
    assert outcome.stderr == ""
    return outcome.stdout


@pytest.mark.parametrize(
    "arguments, fragment",
    [
        (["4096x4096x4096", "--ranks", 16384], "128 x 128 x 1 ranks (pencil)"),
        (["64", "64", "64", "--ranks", 4], "4 x 1 x 1 ranks (slab)"),
        (["64", "64", "64", "--ranks", 8, "--layout", "brick"], "2 x 2 x 2 ranks (brick)"),
        (["64", "64", "64", "--ranks", 4, "--axes", "-1"], "0 exchanges"),
        (["1073741824", "--ranks", 64, "--output", "transposed"], "1073741824 over 64 ranks"),
        (["32", "32", "32", "--ranks", 4, "--sphere", "8"], "fft 32 to 15, gather 193 columns"),
    ],
)
def test_a_plan_is_told(arguments, fragment):
    assert fragment in told("plan", *arguments)


@pytest.mark.parametrize(
    "arguments, lines",
    [
        (["64x64x64", "--ranks", 2, "--operator", "inverse_laplacian"],
         ["pass      fft 64, fft 64", "pass      fft 64, times symbol, fft 64 back",
          "pass      fft 64 back, fft 64 back", "total     2 exchanges, 3 passes over memory"]),
        (["64x64x64", "--ranks", 2, "--operator", "lowpass=16", "--sphere", "16"],
         ["pass      fft 64 to 31, fft 64 to 31, gather 793 columns",
          "pass      fft 64 to 31, times symbol, fft 64 from 31 back",
          "pass      scatter 793 columns, fft 64 from 31 back, fft 64 from 31 back"]),
        (["64x48", "--ranks", 3, "--operator", "derivative=-1", "--kind", "r2c"],
         ["pass      r2c 48", "pass      fft 64, times symbol, fft 64 back", "pass      c2r 48"]),
        (["64x48", "--ranks", 3, "--operator", "helmholtz=2.5", "--walls", "periodic,neumann_dirichlet"],
         ["pass      dct4 48", "pass      r2c 64, times symbol, c2r 64", "pass      dct4 48"]),
        (["64x48", "--ranks", 1, "--operator", "laplacian", "--walls", "neumann", "--at", "nodes"],
         ["pass      dct1 64, times symbol, dct1 64", "total     0 exchanges, 3 passes over memory"]),
        (["16x12x10", "--ranks", 2, "--kind", "r2c", "--operator", "gradient"],
         ["input     16 x 12 x 10 x 1 over 2 x 1 x 1 x 1 ranks (slab), memory order 3 0 1 2, reals",
          "pass      fft 16, times symbol, fft 16 back",
          "output    16 x 12 x 10 x 3 over 2 x 1 x 1 x 1 ranks (slab), memory order 3 0 1 2, reals"]),
    ],
)  # fmt: skip
def test_an_operator_is_told(arguments, lines):
    words = told("plan", *arguments)
    assert all(line in words for line in lines), words
    priced = told("plan", *arguments, "--machine", "t2k-tsukuba")
    assert re.search(r"^ *[\d.]+ [mu]?s  total .*; communication .*, computation ", priced, re.MULTILINE)


@pytest.mark.parametrize(
    "words, complaint",
    [
        (["--operator", "inverse"], "--operator inverse: derivative=A, laplacian, "),
        (["--operator", "derivative=2"], "--operator derivative=2: axes are 0 to 1"),
        (["--operator", "curl"], "--operator curl: 3 axes are needed, the array has 2"),
        (["--operator", "gaussian=x"], "a number is needed after gaussian="),
        (["--operator", "laplacian", "--output", "natural"], "--output excludes --operator"),
        (["--walls", "neumann", "--kind", "dct2"], "--kind excludes --walls"),
        (["--walls", "neumann,neumann,neumann"], "--walls: 2 words are needed"),
    ],
)
def test_what_is_no_operator(words, complaint):
    (message,) = run_alone("plan", 8, 8, "--ranks", 2, *words).messages
    assert complaint in message


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))


# Primes, products of two, and a power of two; axes that no rank can hold.
@pytest.mark.parametrize("kind", ["c2c", "r2c", "dct2"])
@pytest.mark.parametrize(
    "shape, ranks",
    [
        ([1099511627791], 4096),
        ([2**57 - 13], 1),
        ([2**57 - 13], 64),
        ([268435399 * 268435367], 64),
        ([2**57], 1),
        ([2**56 - 5, 2], 4),
        ([2, 2**56 - 5], 4),
        ([3, 5, 1099511627791], 16),
        ([10000, 10000, 10000], 1000003),
    ],
)
def test_a_plan_takes_little_time_and_memory(shape, ranks, kind):
    words = told("plan", *shape, "--ranks", ranks, "--kind", kind, "--precision", "single", prepare=limits)
    assert "total " in words


def scarce():
    resource.setrlimit(resource.RLIMIT_CPU, (5, 5))
    resource.setrlimit(resource.RLIMIT_DATA, (256 << 20, 256 << 20))


@pytest.mark.parametrize(
    "arguments",
    [
        [2**32],
        [2**32, "--output", "transposed"],
        [2**26],
        [2**32, "--kind", "r2c"],
        [65536, 65536],
        [65536, 65536, "--output", "transposed"],
        [4096, 4096, 4096],
        [4096, 4096, 4096, "--kind", "r2c"],
        [4096, 4096, 4096, "--layout", "brick"],
        [4096, 4096, 4096, "--layout", "brick", "--kind", "r2c", "--output", "transposed"],
    ],
)
def test_a_plan_for_65536_ranks_takes_as_much_as_its_messages(arguments):
    assert "total " in told("plan", *arguments, "--ranks", 65536, prepare=scarce)


@pytest.mark.parametrize("arguments", [[2**32], [4096, 4096, 4096, "--layout", "brick"]])
def test_a_plan_for_a_million_ranks_lists_none_of_them(arguments):
    assert "total " in told("plan", *arguments, "--ranks", 1 << 20, prepare=scarce)


def test_messages_between_nodes_are_told():
    def messages(*options):
        arguments = ["--ranks", 1024, "--layout", "32x32", "--output", "natural", *options]
        lines = told("plan", 256, 256, 256, *arguments).splitlines()
        return [line.partition(": ")[2] for line in lines if line.startswith("exchange")]

    assert messages() == 3 * ["31 messages of 8 KiB, 248 KiB sent"]
    row, column, home = messages("--node-ranks", 16)
    assert row.endswith("; 16 messages from the node")  # to the other node: all carry a part
    assert column.endswith("; 31 messages from the node")
    assert home.endswith(("; 31 messages from the node", "; 32 messages from the node"))
    row, column, home = messages("--node-ranks", 32)
    assert row == "in shared memory, no messages"
    row, column, home = messages("--node-ranks", 1, "--precision", "single")
    assert row.endswith("in two hops") and column.endswith("in two hops")
    assert home == "31 messages of 4 KiB, 124 KiB sent"  # from few to few: nothing to join


def test_windows_are_told():
    words = told("plan", 128, 128, 128, "--ranks", 4, "--layout", "pencil", "--windows", 16, "--output", "natural")
    assert re.search(r": 16 messages of 256 KiB, 4 MiB sent, from 16 windows to 16\n", words)
    outcome = run_alone("plan", 64, 64, "--ranks", 4, "--windows", 16, "--node-ranks", 2)
    assert outcome.code == 2 and "--node-ranks excludes --windows" in outcome.stderr


def test_transposed_output_saves_exchanges():
    def exchanges(*options):
        words = told("plan", 256, 256, 256, "--ranks", 4, *options)
        return int(re.search(r"(\d+) exchanges?", words)[1])

    assert exchanges("--output", "transposed") < exchanges("--output", "natural")


def test_single_precision_sends_half():
    double = told("plan", 64, 64, "--ranks", 4, "--precision", "double")
    single = told("plan", 64, 64, "--ranks", 4, "--precision", "single")
    assert "messages of 4 KiB" in double
    assert "messages of 2 KiB" in single


def test_info_is_an_aligned_table():
    lines = told("info").splitlines()
    assert len(lines) > 8
    column = lines[0].index(" ") + len(re.search(r" +", lines[0])[0])
    assert all(line[column - 1] == " " and line[column] != " " for line in lines)


def test_info_is_json():
    facts = json.loads(told("info", "--json"))
    assert facts["cores"] >= 1
    assert len(facts["cache_bytes"]) == 3
    assert facts["instruction_set"]
    assert re.fullmatch(r"\d\.\d", facts["mpi_standard"])
    assert facts["version"] in told("--version")
    pages = Path("/sys/kernel/mm/transparent_hugepage/shmem_enabled")
    choices = pages.read_text() if pages.exists() else "[]"
    assert f"[{facts['shared_huge_pages']}]" in choices


@pytest.mark.parametrize("arguments", [["info"], ["plan", "8", "8", "--ranks", "2"], ["--version"]])
def test_one_rank_speaks(arguments):
    alone = told(*arguments)
    together = succeed(3, *arguments).stdout
    assert len(together.splitlines()) == len(alone.splitlines())


@pytest.mark.parametrize("command", ["fft", "solve", "convolve", "bench", "gfft", "plan", "model", "info"])
def test_help_teaches_by_examples(command):
    help_text = told(command, "--help")
    assert help_text.count(f"sixstep {command}") >= 2
    assert "Examples:" in help_text


def test_the_main_help_names_the_commands():
    help_text = told("--help")
    for command in ("fft", "solve", "convolve", "bench", "gfft", "plan", "model", "info"):
        assert re.search(rf"^  {command} +\S", help_text, re.MULTILINE)
