# SPDX-License-Identifier: BSD-3-Clause
"""PETSc's Fourier matrix (MATFFTW) of real points, by the C functions of PETSc's library.

It transforms a field forward and backward some times, and prints norms and sums of the spectrum and of what comes back.
"""

import ctypes

SHAPE = (64, 60, 72)
ROUNDS = 100
NORM_2 = 1

PETSC = ctypes.CDLL("libpetsc_real.so.3.18")
INDEX = ctypes.c_int32
POINTER = ctypes.c_void_p
# Open MPI's MPI_COMM_WORLD is the address of this object.
WORLD = POINTER(ctypes.addressof(ctypes.c_char.in_dll(ctypes.CDLL("libmpi.so.40"), "ompi_mpi_comm_world")))


def call(name, *arguments):
    """Calls a function of PETSc. Errors: SystemExit."""
    code = getattr(PETSC, name)(*arguments)
    if code != 0:
        raise SystemExit(f"{name}: error {code}")


def fourier_matrix():
    """The matrix, and vectors for its input, its output and its output backward."""
    matrix, *vectors = (POINTER() for _ in range(4))
    shape = (INDEX * len(SHAPE))(*SHAPE)
    call("MatCreateFFT", WORLD, INDEX(len(SHAPE)), shape, b"fftw", ctypes.byref(matrix))
    call("MatCreateVecsFFTW", matrix, *map(ctypes.byref, vectors))
    return matrix, vectors


def fill(vector, number):
    """Sets element i to number(i), whatever the ranks. Rows of reals end with padding, which is set to 0."""
    first, last, data = INDEX(), INDEX(), POINTER()
    row = 2 * (SHAPE[-1] // 2 + 1)
    call("VecGetOwnershipRange", vector, ctypes.byref(first), ctypes.byref(last))
    call("VecGetArray", vector, ctypes.byref(data))
    numbers = ctypes.cast(data, ctypes.POINTER(ctypes.c_double))
    for i in range(first.value, last.value):
        numbers[i - first.value] = number(i) if i % row < SHAPE[-1] else 0
    call("VecRestoreArray", vector, ctypes.byref(data))


def show(name, vector, scale):
    norm, total = ctypes.c_double(), ctypes.c_double()
    call("VecNorm", vector, INDEX(NORM_2), ctypes.byref(norm))
    call("VecSum", vector, ctypes.byref(total))
    call("PetscPrintf", WORLD, f"{name} {norm.value / scale:.10e} {total.value / scale:.10e}\n".encode())


call("PetscInitialize", None, None, None, None)
fourier, (field, spectrum, back) = fourier_matrix()
inside = POINTER()
call("VecDuplicate", field, ctypes.byref(inside))
fill(field, lambda i: ((7919 * i) % 1009) / 1009)
fill(inside, lambda i: 1)
for _ in range(ROUNDS):
    call("MatMult", fourier, field, spectrum)
    call("MatMultTranspose", fourier, spectrum, back)
call("MatMult", fourier, field, spectrum)  # the way back may overwrite it
call("VecPointwiseMult", back, back, inside)
show("spectrum", spectrum, 1)
show("back", back, SHAPE[0] * SHAPE[1] * SHAPE[2])
for vector in (inside, field, spectrum, back):
    call("VecDestroy", ctypes.byref(vector))
call("MatDestroy", ctypes.byref(fourier))
call("PetscFinalize")
