# SPDX-License-Identifier: BSD-3-Clause
"""Plans and operators of which torch_on_ranks.py and jax_on_ranks.py check the derivatives."""

import numpy
import sixstep

CASES = {
    "c2c": dict(kinds="c2c"),
    "r2c": dict(kinds="r2c"),
    "r2c along the first axis": dict(kinds="r2c", axes=(2, 0)),
    "fewer modes": dict(kinds="r2c", modes=(3, 4, 4)),
    "fewer complex modes": dict(kinds="c2c", modes=(3, 4, 4)),
    "zeros behind": dict(kinds="r2c", lengths=(6, 9, 10)),
    "walls": dict(kinds=("dct2", "dst2", "dct1")),
    "fewer modes between walls": dict(kinds=("dct2", "dst2", "r2c"), modes=(3, 4, 4)),
    "zeros behind walls": dict(kinds=("dct2", "dst2", "c2c"), lengths=(6, 9, 10)),
    "walls back": dict(kinds=("dst3", "dct3", "dst1")),
    "mixed": dict(kinds=("dct2", "c2c", "r2c")),
    "mixed with walls": dict(kinds=("dct4", "c2c", "dst4")),
    "fields": dict(kinds="r2c", fields=2),
    "a sphere": dict(kinds="c2c", sphere=(2.5,)),
}
SHAPE = (4, 5, 6)

KINDS = ("c2c", "r2c", "dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4")
SCALES = ("none", "by_n", "by_sqrt_n")

SYMBOLS = {
    "real": (sixstep.symbols.helmholtz(2.0), {}),
    "derivative": (sixstep.symbols.derivative(1), {}),
    "shift": (sixstep.symbols.shift((0.1, 0.2, 0.3)), {}),
    "function": (lambda k: (1 + 1j * k[0]) / (1 + (k**2).sum(0)), {}),
    "factors": ([lambda k: numpy.exp(0.3j * k), lambda k: 1 / (1 + k * k), lambda k: numpy.cos(k)], {}),
    "gradient": (sixstep.symbols.gradient(3), {}),
    "divergence": (sixstep.symbols.divergence(3), dict(fields=3)),
    "curl": (sixstep.symbols.curl(), dict(fields=3)),
    "matrix": (lambda k: numpy.stack([[1 + 0 * k[0], 1j * k[0]], [0 * k[0], k[1]], [k[2], 1j * k[1]]]), dict(fields=2)),
}
