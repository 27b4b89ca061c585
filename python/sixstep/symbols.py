# SPDX-License-Identifier: BSD-3-Clause
"""Symbols of common operators, for sixstep.Operator: functions of the wave vector k, in which exp(i k x) is the wave.

Derivatives of odd order, and shifts, need periodic axes; those of even order are possible between walls too.
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
