# SPDX-License-Identifier: BSD-3-Clause
"""mypy finds no error in the documents' snippets and the examples, and in a program that it checks strictly only those
that are there."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]
PROGRAMS = sorted([*(ROOT / "examples").glob("*.py"), *(ROOT / "examples" / "snippets").glob("*.py")])

STRICT = """
from typing import Any
import numpy
from numpy.typing import NDArray
import sixstep

layout: sixstep.Layout = sixstep.Layout.slab((4, 6), sixstep.ranks())
rows: slice = layout.box(sixstep.rank())[0]
sizes: tuple[int, ...] = layout.local_shape(0) + layout.strides(0) + layout.shape
same: bool = layout == None
plan = sixstep.Plan(layout, kinds="r2c", dtype=numpy.float32)
field: NDArray[Any] = plan.empty_input()
field[...] = 1
spectrum: NDArray[Any] = plan.forward(field, plan.empty_output(), scale="by_n")
k: NDArray[numpy.float64] = 2 * plan.wavenumbers(0)
seconds: float = plan.breakdown()[0].seconds + plan.predict("machine.json").steps[0].bytes
moves = sixstep.Redistribution(layout, sixstep.Layout.slab((4, 6), sixstep.ranks(), 1), dtype="S3")
solve = sixstep.Operator(layout, lambda k: 1 / (1 + (k**2).sum(0)), kinds="r2c", sides=(1, 2))
solve.renew(sixstep.symbols.derivative(-1, order=2))
solved: NDArray[Any] = solve.apply(solve(field), out=solve.empty_output())
work: float = solve.breakdown()[0].seconds + solve.passes
part: NDArray[Any] = moves.forward(moves.empty_from())
a = sixstep.Array(layout, complex)
b: sixstep.Array = a.fft(axis=0).to(layout)
slopes: tuple[sixstep.Array, ...] = sixstep.fields.gradient(a, sides=(1, 2))
shells: NDArray[Any] = sixstep.fields.power_spectrum(sixstep.fields.interpolate(a, (8, 8))).power
whole: NDArray[Any] | None = (2 * b + a).gather(root=0)
x: NDArray[Any] = sixstep.fft.rfft(numpy.zeros(4), workers=2)
plan.forward_async(plan.empty_input(), plan.empty_output(), sign="plus")
plan.wait()
plan.set_stream(0)
try:
    sixstep.save("a.npy", sixstep.load("b.npy", comm=sixstep.Ranks()))
except sixstep.Error:
    print(sixstep.good_size(17), sixstep.__version__, sixstep.DeviceArray, sixstep.gather_boxes((2,), (slice(2),)))
"""


def errors_of(arguments, folder):
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--no-error-summary", "--python-executable", sys.executable, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    return done.stdout + done.stderr


def test_what_the_documents_show_has_types(tmp_path):
    programs = map(str, PROGRAMS)
    assert errors_of(["--check-untyped-defs", "--ignore-missing-imports", *programs], tmp_path) == ""


def test_a_program_in_full_types(tmp_path):
    wrong = STRICT.count("\n") + 1
    mistakes = "wrong: int = plan.empty_input()\nlayout.box('one')\nsixstep.nothing\n"
    (tmp_path / "program.py").write_text(STRICT + mistakes)
    found = errors_of(["--strict", "program.py"], tmp_path).splitlines()
    assert [line.split(":")[1] for line in found if "error:" in line] == [str(wrong + line) for line in range(3)], found
    assert "Incompatible types in assignment" in found[0] and '"str"' in found[1] and '"nothing"' in found[2]
