# SPDX-License-Identifier: BSD-3-Clause
"""Compiled functions, which a map calls without Python: those of ctypes, of numba's cfunc and of SciPy's
LowLevelCallable. Neither numba nor SciPy is imported."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

from ._error import Error


class Compiled(NamedTuple):
    """Where a function is, the pointer that it is called with, and how many arguments it takes."""

    address: int
    context: int
    arguments: int


_NONE = Compiled(0, 0, 0)


def _capsule_call(name: str, result: Any) -> Any:
    return ctypes.PYFUNCTYPE(result, ctypes.py_object)((name, ctypes.pythonapi))


_name_of = _capsule_call("PyCapsule_GetName", ctypes.c_char_p)
_context_of = _capsule_call("PyCapsule_GetContext", ctypes.c_void_p)
_pointer_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


def _found(function: Any) -> tuple[int, int, list[str] | None]:
    """Address, context and types of the arguments, None if they are unknown; address 0: it is not compiled."""
    if isinstance(function, tuple) and hasattr(function, "user_data"):  # a LowLevelCallable
        function = tuple.__getitem__(function, 0)
    if type(function).__name__ == "PyCapsule":
        signature = _name_of(function)
        types = signature.decode().partition("(")[2].split(",") if signature else None
        return _pointer_of(function, signature), _context_of(function) or 0, types
    if isinstance(function, ctypes._CFuncPtr):
        types = None if function.argtypes is None else [each.__name__ for each in function.argtypes]
        return ctypes.cast(function, ctypes.c_void_p).value or 0, 0, types
    address = getattr(function, "address", None)
    if not isinstance(address, int):
        return 0, 0, None
    signature = getattr(function, "_sig", None)  # numba's
    return address, 0, [str(each) for each in signature.args] if signature else ["", "", ""]


def _bytes_of(words: str) -> int:
    """The size of the reals that a type names; 0 if it names none."""
    if any(word in words for word in ("double", "float64", "complex128")):
        return 8
    return 4 if any(word in words for word in ("float", "complex64")) else 0


def compiled(name: str, function: Any, tells: bool, real_bytes: int) -> Compiled:
    """Address 0 if the function is one of Python's. Raises Error if its arguments do not fit."""
    address, context, types = _found(function)
    if address == 0:
        return _NONE
    counts = (2, 3, 4) if tells else (2, 3)
    if types is None or len(types) not in counts:
        raise Error(
            f"{name}: a compiled function with the arguments (context, batch)"
            f"{', (n, values, results) or (n, values, results, told)' if tells else ' or (n, values, results)'} is "
            f"needed, one with {'unknown arguments' if types is None else f'{len(types)} arguments'} was given"
        )
    size = _bytes_of(types[1])
    if len(types) > 2 and size not in (0, real_bytes):
        raise Error(f"{name}: values have {real_bytes} bytes a real, the compiled function takes {types[1].strip()}")
    return Compiled(address, context, len(types))
