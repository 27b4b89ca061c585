# SPDX-License-Identifier: BSD-3-Clause
"""Transforms of JAX's arrays, for jit, grad, jvp, vjp, vmap and scan, on the host.

    import sixstep.jax
    spectrum = sixstep.jax.rfftn(field)          # sixstep.fft.rfftn, which takes arrays that JAX traces
    spectrum = sixstep.jax.forward(plan, field)  # this rank's part, in the plan's layouts
    u = sixstep.jax.apply(solve, f)              # a sixstep.Operator

Derivatives of any order follow JAX's conventions, as those of jax.numpy.fft do. Functions of whole arrays use as many
threads as JAX has cores unless `workers` is given. They take arrays whose parts lie on several devices of the process,
and in jax.shard_map the part of each.

forward(), backward(), apply() and move() are collective, and so are their gradients: all ranks need the same calls in
the same order. A compiled function makes them in the order of the program on every rank. Each rank differentiates its
own part of a loss: the gradients are those of the sum over all ranks. A process has one device.

Compiled functions may still run when they return. jax.effects_barrier() waits for their calls; it is needed before
collective calls of NumPy arrays, of mpi4py and of sixstep outside of this module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax as _jax_itself

from ._error import Error as _Error
from ._jax import Collective as _Collective
from ._jax import applied as _applied
from .fft import dct, dctn, dst, dstn, fft, fft2, fftn, hfft, hfft2, hfftn, idct, idctn, idst, idstn, ifft, ifft2
from .fft import ifftn, ihfft, ihfft2, ihfftn, irfft, irfft2, irfftn, rfft, rfft2, rfftn

if TYPE_CHECKING:
    from .operator import Operator
    from .plan import Plan
    from .redistribution import Redistribution

__all__ = [
    *("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fft2", "ifft2", "rfft2", "irfft2", "hfft2", "ihfft2"),
    *("fftn", "ifftn", "rfftn", "irfftn", "hfftn", "ihfftn", "dct", "idct", "dst", "idst"),
    *("dctn", "idctn", "dstn", "idstn", "forward", "backward", "apply", "move"),
]


def _collective(made: Any, x: Any) -> Any:
    dtype = made.form(False)[2]
    if dtype in ("float64", "complex128") and not _jax_itself.config.jax_enable_x64:
        raise _Error(f"dtype: jax_enable_x64 is needed for arrays of {dtype}, JAX has single precision alone")
    return _applied(_Collective(made), _jax_itself.numpy.asarray(x))


def forward(plan: Plan, x: _jax_itself.Array, scale: str = "none", sign: str | None = None) -> _jax_itself.Array:
    """plan.forward() of this rank's part of the input. Collective.

    Errors: those of plan.forward(), which compiled functions raise as errors of JAX; the plan has double precision and
    JAX has not; the plan has the option preserve_input=False, interleaved, twiddle or device, or both reals and a list
    of waves (sphere, columns).
    """
    from ._planned import planned

    return _collective(planned(plan, True, scale, sign), x)


def backward(plan: Plan, x: _jax_itself.Array, scale: str = "none", sign: str | None = None) -> _jax_itself.Array:
    """plan.backward() of this rank's part of the output; as forward()."""
    from ._planned import planned

    return _collective(planned(plan, False, scale, sign), x)


def apply(operator: Operator, x: _jax_itself.Array) -> _jax_itself.Array:
    """operator.apply() of this rank's part of the input. Gradients use operator.adjoint(), which they make when they
    first need it. Collective.

    The symbol has no gradient here. Numbers that are to be learned are factors between two transforms:

        backward(plan, numbers * forward(plan, x), "by_n")
    """
    from ._planned import operated

    return _collective(operated(operator), x)


def move(moves: Redistribution, x: _jax_itself.Array, forward: bool = True) -> _jax_itself.Array:
    """moves.forward(), or moves.backward(), of this rank's part. Collective."""
    from ._planned import Moved

    return _collective(Moved(moves, forward), x)
