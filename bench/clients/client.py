# SPDX-License-Identifier: BSD-3-Clause
"""What is known of a client: a program that uses FFTW, and that nobody has changed for sixstep."""

import dataclasses
import re
from collections.abc import Callable
from pathlib import Path

INPUTS = Path(__file__).parent / "inputs"


def no_preparation(folder: Path) -> None:
    """Nothing beside the inputs is needed in `folder`."""


@dataclasses.dataclass(frozen=True)
class Client:
    """A program, what it computes here, and how its results are read from what it prints.

    `prepare` is called once, in the folder in which all runs happen, with `inputs` already there.
    `numbers` gives the results; those of FFTW and of sixstep may differ by `tolerance`, relative to
    each number, or to 1 where that is larger.
    """

    name: str
    what: str
    command: tuple[str, ...]
    packages: tuple[str, ...]
    numbers: Callable[[str], list[float]]
    tolerance: float
    inputs: tuple[str, ...] = ()
    ranks: int = 0  # 0: a program without MPI
    prepare: Callable[[Path], None] = no_preparation
    results: str = ""  # the file that has the results, instead of what is printed


NUMBER = r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?"


def numbers_of_lines(pattern: str) -> Callable[[str], list[float]]:
    """Reads all numbers in what `pattern` finds in each line: its first group, or all of it."""

    def read(text: str) -> list[float]:
        found = []
        for match in re.finditer(pattern, text, re.MULTILINE):
            found += map(float, re.findall(NUMBER, match.group(match.lastindex or 0)))
        return found

    return read
