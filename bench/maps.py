# SPDX-License-Identifier: BSD-3-Clause
"""What a map's function costs: two transforms back, a product at points and a transform forward, with a function of
NumPy and with one that cc compiles. One rank, OMP_NUM_THREADS threads, and the functions in turn.

    python bench/maps.py [POINTS AN AXIS]
"""

import ctypes
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy
import sixstep

SOURCE = """#include <stdint.h>
void product(int64_t n, const double* const* v, double* const* result) {
  for (int64_t i = 0; i < n; ++i) result[0][i] = v[0][i] * v[1][i] + v[2][i] * v[3][i];
}"""


def compiled():
    with tempfile.TemporaryDirectory() as folder:
        library = pathlib.Path(folder, "product.so")
        command = ["cc", "-O3", "-march=native", "-shared", "-fPIC", "-x", "c", "-", "-o", library]
        subprocess.run(command, input=SOURCE.encode(), check=True)
        function = ctypes.CDLL(str(library)).product
    rows = ctypes.POINTER(ctypes.POINTER(ctypes.c_double))
    function.argtypes, function.restype = (ctypes.c_int64, rows, rows), None
    return function


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 128
    layout = sixstep.Layout.slab((n, n, n), 1)
    functions = {"NumPy": lambda v: v[:1] * v[1:2] + v[2:3] * v[3:4], "compiled": compiled()}
    maps = {name: sixstep.Map(layout, (each, 1), kinds="r2c", fields=4) for name, each in functions.items()}
    arrays = {name: map_.empty_input() for name, map_ in maps.items()}
    for array in arrays.values():
        array[...] = numpy.arange(array.size).reshape(array.shape) % 7
    seconds = dict.fromkeys(maps, float("inf"))
    results = {name: map_.empty_output() for name, map_ in maps.items()}
    for _ in range(10):
        for name, map_ in maps.items():
            begin = time.perf_counter()
            map_(arrays[name], results[name])
            seconds[name] = min(seconds[name], time.perf_counter() - begin)
    assert numpy.allclose(*results.values())
    print(f"{n}^3 points: " + ", ".join(f"{name} {1000 * s:.1f} ms" for name, s in seconds.items()))


main()
