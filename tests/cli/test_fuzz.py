# SPDX-License-Identifier: BSD-3-Clause
"""Command lines that are nearly right: each does what it says or is refused in words, once.

Changes are random, with seed 1 and with a new seed, which a failure shows. Environment: FUZZ_SEED=N takes this seed
alone, FUZZ_RUNS=N tries that many lines a seed.
"""

import os
import random
import resource
import subprocess

import pytest
from sixstep_command import COMMAND, ENVIRONMENT, TIMEOUT_S

LINES = [
    "plan 64 48 30 --ranks 4 --layout 2x2 --axes 0,2 --kind r2c --output transposed",
    "plan 256x256x256 --ranks 4096 --layout=64x64 --node-ranks 64 --windows 4 --machine t2k-tsukuba",
    "plan 1048576 --ranks 64 --precision single",
    "plan 60 60 --ranks 12 --kind dct2,dst3 --modes 20,20 --split-untransformed",
    "plan 60 60 --ranks 12 --operator inverse_laplacian --walls periodic,neumann --at nodes",
    "model 64 64 64 --machine bluegene-q --ranks 1-64 --layout slab,pencil --json",
    "model --machines",
    "wisdom list --json",
    "info --json",
    "fft missing.npy out.npy --filter exp(-(k/20)^2) --sides 1,1,2.5 --layout 3x1",
    "fft missing.h5:u out.h5:/a/b --inverse --kind r2c --points 7 --threads 2",
    "fft missing.raw out.npy --raw 4x4:float64 --device emulated --exchange shared",
    "solve poisson missing.npy out.npy --walls periodic,neumann --at nodes --sides 1,2 --mean 3 --residual",
    "solve helmholtz missing.npy out.npy --alpha 2.5 --layout 2x2 --exchange shared",
    "convolve missing.npy missing.h5:u out.npy --raw 4x4:float64 --precision single",
    "spectrum missing.npy --layout pencil",
]
WORDS = """-1 0 1 00 2147483648 9223372036854775807 9223372036854775808 1e-310 1e999 nan inf 0x10 x , = - --
    --help --version --axes --kind --layout --ranks --windows --json --machine c2c r2c dct4 slab
    [1,2] ((((((((( {} %% ' " : / ./ .. .h5:
    """.split()
WORDS += ["", " ", "9" * 400, "(" * 3000, "\n", "\t", "\x1b[31m", "\u009b31m", "\udcff", "\U0001f600"]
RUNS = 120


def change(generator, line):
    """One change of the words of a line, or of the letters of a word."""
    at = generator.randrange(len(line) + 1)
    word = line[at] if at < len(line) else ""
    letter = generator.randrange(len(word) + 1)
    other = generator.choice(WORDS)
    words = {
        "put in": [other, word],
        "left out": [],
        "repeated": [word] * generator.randrange(2, 9),
        "of another line": [generator.choice(generator.choice(LINES).split())],
        "replaced": [other],
        "cut": [word[:letter]],
        "letters left out": [word[:letter] + word[letter + generator.randrange(4) :]],
        "letters put in": [word[:letter] + other + word[letter:]],
    }
    return line[:at] + words[generator.choice(list(words))] + line[at + 1 :]


def nearly_right(generator):
    line = generator.choice(LINES).split()
    for _ in range(generator.choice([1, 1, 2, 3, 5])):
        line = change(generator, line)
    return line


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))


def complaint(line, folder):
    """What is wrong with the outcome; None if nothing is."""
    done = subprocess.run(
        [COMMAND, *line],
        env=ENVIRONMENT,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=TIMEOUT_S,
        preexec_fn=limit_memory,
        check=False,
    )
    messages = [each for each in done.stderr.split(b"\n") if each.startswith(b"sixstep:")]
    if done.returncode not in (0, 1, 2):
        return f"exit code {done.returncode}: {done.stderr!r}"
    if len(messages) != (done.returncode != 0):
        return f"exit code {done.returncode} and {len(messages)} messages: {done.stderr!r}"
    for words in (b"internal", b"bad_alloc", b"stoi", b"stod", b"basic_string"):
        if messages and words in messages[0].replace(b" ".join(map(os.fsencode, line)), b""):
            return messages[0]
    printed = (done.stdout + done.stderr).decode(errors="replace")
    harmful = [letter for letter in printed if not letter.isprintable() and letter not in "\n\t\ufffd\u2028"]
    return f"control characters are printed: {harmful}" if harmful else None


SEEDS = [int(os.environ["FUZZ_SEED"])] if "FUZZ_SEED" in os.environ else [1, random.SystemRandom().getrandbits(32)]


@pytest.mark.parametrize("seed", SEEDS, ids=["seed", "new seed"][: len(SEEDS)])
def test_lines_are_obeyed_or_refused(tmp_path, seed):
    generator = random.Random(seed)
    for _ in range(int(os.environ.get("FUZZ_RUNS", RUNS))):
        line = nearly_right(generator)
        assert complaint(line, tmp_path) is None, f"FUZZ_SEED={seed}: {line!r}"
