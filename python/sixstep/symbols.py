# SPDX-License-Identifier: BSD-3-Clause
"""Symbols of common operators, for sixstep.Operator: functions of the wave vector k, in which exp(i k x) is the wave.

Derivatives of odd order, and shifts, need periodic axes; those of even order are possible between walls too.

Derivatives are exact, or finite differences of a grid:

    h = (0.1, 0.1, 0.2)  # the distance between points along each axis
    symbols.laplacian(accuracy=2, spacing=h)               # u[i+1] - 2 u[i] + u[i-1], over the square of h
    symbols.project(3, accuracy=4, spacing=h)              # without the divergence of centred differences
    symbols.project(3, accuracy=2, spacing=h, faces="above")  # component a lies half a cell after the scalar
"""

from ._core import Symbol

derivative = Symbol.derivative
laplacian = Symbol.laplacian
inverse_laplacian = Symbol.inverse_laplacian
helmholtz = Symbol.helmholtz
gaussian = Symbol.gaussian
lowpass = Symbol.lowpass
shift = Symbol.shift
curl = Symbol.curl
gradient = Symbol.gradient
divergence = Symbol.divergence
project = Symbol.project
