# SPDX-License-Identifier: BSD-3-Clause
"""Global arrays that are spread over ranks.

    a = sixstep.Array.from_function(lambda x, y: numpy.sin(x + y), (256, 256))
    b = sixstep.Array(sixstep.Layout.slab((256, 256), sixstep.ranks(), axis=1))
    b[...] = a                               # moves the elements to the layout of b
    c = numpy.exp(2 * a + b)                 # evaluated in the layout of a
    spectrum = a.fft(axis=0)

One rule: an expression is evaluated in the layout of its target (`out`, or the array to which it is assigned), or else
in that of its first array; an operand in another layout is moved there first. All functions are collective unless their
description says otherwise.
"""

from . import array_namespace
from ._array import Array

Array._namespace = array_namespace
