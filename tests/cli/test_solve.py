# SPDX-License-Identifier: BSD-3-Clause
"""`sixstep solve` against expansions in waves by dense matrices, and against solutions that are known."""

import itertools
import re

import h5py
import numpy as np
import pytest
from drawn_arrays import array_of
from sixstep_command import refuse, run, run_alone, succeed

WALLS = ["periodic", "dirichlet", "neumann", "dirichlet_neumann", "neumann_dirichlet"]


def points(walls, at, n):
    """Where the points are along a side of length 1."""
    j = np.arange(n)
    if walls == "periodic":
        return j / n
    if at == "cells":
        return (j + 0.5) / n
    return {
        "dirichlet": (j + 1) / (n + 1),
        "neumann": j / max(1, n - 1),
        "dirichlet_neumann": (j + 1) / n,
        "neumann_dirichlet": j / n,
    }[walls]


def waves(walls, at, n, side):
    """The values of all waves at all points, and the wave vectors."""
    x, number = points(walls, at, n)[:, None], np.arange(n)
    if walls == "periodic":
        number = np.fft.fftfreq(n, 1 / n)
        return np.exp(2j * np.pi * number * x), 2 * np.pi / side * number
    number = number + {"dirichlet": 1, "neumann": 0}.get(walls, 0.5)
    wave = np.sin if walls.startswith("dirichlet") else np.cos
    return wave(np.pi * number * x), np.pi / side * number


def along(matrix, array, axis):
    return np.moveaxis(np.tensordot(matrix, array, (1, axis)), 0, axis)


def solution(f, walls, at, sides, alpha=None):
    coefficients, squared, bases = f, np.zeros(f.shape), []
    for axis, n in enumerate(f.shape):
        basis, k = waves(walls[axis], at[axis], n, sides[axis])
        bases.append(basis)
        coefficients = along(np.linalg.inv(basis), coefficients, axis)
        squared = squared + k.reshape([-1 if a == axis else 1 for a in range(f.ndim)]) ** 2
    if alpha is None:
        coefficients = np.where(squared > 0, -coefficients / np.where(squared > 0, squared, 1), 0)
    else:
        coefficients = coefficients / (alpha + squared)
    for axis, basis in enumerate(bases):
        coefficients = along(basis, coefficients, axis)
    return coefficients if f.dtype.kind == "c" else coefficients.real


def check(found, expected, dtype):
    single = np.dtype(dtype).newbyteorder("=") in (np.float32, np.complex64)
    kinds = ("c8", "f4") if single else ("c16", "f8")
    assert found.dtype == np.dtype(kinds[0] if expected.dtype.kind == "c" else kinds[1])
    assert found.shape == expected.shape
    assert np.abs(found - expected).max() <= (3e-5 if single else 1e-12) * np.abs(expected).max()


def cases():
    """Each pair of walls, nodes and cells, types and ranks by turns."""
    types, shapes = itertools.cycle(["<f8", "<c16", "<f4", "<i2", "<c8"]), itertools.cycle([(6, 5), (3, 8), (7, 2)])
    ranks = itertools.cycle([1, 2, 3])
    for first, second in itertools.product(WALLS, WALLS):
        for at in ("cells", "nodes") if first != "periodic" else ("cells",):
            yield (first, second), (at, "nodes"), next(shapes), next(types), next(ranks)
    yield ("dirichlet",), ("cells",), (1,), "<f8", 2
    yield ("neumann",), ("nodes",), (13,), "<f8", 3
    yield ("periodic",), ("cells",), (30,), "<c16", 3
    yield ("periodic", "neumann", "dirichlet_neumann"), ("cells",) * 3, (4, 5, 6), "<f8", 3
    yield ("dirichlet", "periodic", "periodic"), ("nodes", "cells", "cells"), (7, 1, 5), "<c16", 4


def options_of(walls, at, sides):
    return ["--walls", ",".join(walls), "--at", ",".join(at), "--sides", ",".join(map(str, sides))]


@pytest.mark.parametrize("walls, at, shape, dtype, ranks", cases())
def test_all_walls_and_points(tmp_path, walls, at, shape, dtype, ranks):
    f, sides = array_of(shape, dtype), [1, 2, 3.5][: len(shape)]
    np.save(tmp_path / "f.npy", np.asarray(f, order="FC"[ranks % 2]))
    outcome = run(ranks, "solve", "poisson", tmp_path / "f.npy", tmp_path / "u.npy", *options_of(walls, at, sides))
    assert outcome.code == 0, outcome.stderr
    has_constants = set(walls) <= {"periodic", "neumann"}
    assert len(outcome.messages) == has_constants
    assert "solved on" in outcome.stdout
    check(np.load(tmp_path / "u.npy"), solution(f, walls, at, sides), dtype)


@pytest.mark.parametrize("walls", [["periodic"] * 3, ["neumann"] * 3, ["dirichlet", "periodic", "neumann_dirichlet"]])
@pytest.mark.parametrize("dtype", ["<f8", "<c8"])
def test_helmholtz(tmp_path, walls, dtype):
    f, at, sides = array_of((5, 4, 6), dtype), ["nodes", "cells", "nodes"], [1, 2, 3.5]
    np.save(tmp_path / "f.npy", f)
    succeed(2, "solve", "helmholtz", tmp_path / "f.npy", tmp_path / "u.npy", "--alpha", 2.5, "--layout", "pencil",
            *options_of(walls, at, sides))  # fmt: skip
    check(np.load(tmp_path / "u.npy"), solution(f, walls, at, sides, 2.5), dtype)


def test_a_known_solution_and_its_mean(tmp_path):
    x = 2 * np.pi * np.arange(32)[:, None] / 32
    y = 3 * (np.arange(24) + 0.5) / 24
    u = np.exp(np.sin(x)) * np.cos(np.pi * y / 3)
    f = (np.cos(x) ** 2 - np.sin(x) - (np.pi / 3) ** 2) * u
    np.save(tmp_path / "f.npy", f)
    outcome = succeed(3, "solve", "poisson", tmp_path / "f.npy", tmp_path / "u.npy", "--walls", "periodic,neumann",
                      "--sides", f"{2 * np.pi},3", "--mean", -4.25, "--residual")  # fmt: skip
    assert np.abs(np.load(tmp_path / "u.npy") - (u - 4.25)).max() < 1e-13
    assert float(re.search(r"residual (\S+) of", outcome.stdout)[1]) < 1e-13


def extended(u, walls, at):
    """u along axis 0, with two more points at each end."""
    if walls == "periodic":
        return np.concatenate([u[-2:], u, u[:2]])

    def behind(wall, v):  # the two points behind the wall before v[0], the nearest first
        if at == "cells":
            return v[:2] * (1 if wall == "neumann" else -1)
        return v[1:3] if wall == "neumann" else np.stack([0 * v[0], -v[0]])

    first, last = walls.split("_") if "_" in walls else (walls, walls)
    return np.concatenate([behind(first, u)[::-1], u, behind(last, u[::-1])])


def laplacian_of_neighbours(u, walls, at, sides, order):
    total = 0
    for axis, n in enumerate(u.shape):
        x = sides[axis] * points(walls[axis], at[axis], n)
        v = extended(np.moveaxis(u, axis, 0), walls[axis], at[axis])
        near, far = v[1:-3] + v[3:-1], v[:-4] + v[4:]
        second = near - 2 * v[2:-2] if order == 2 else (16 * near - far - 30 * v[2:-2]) / 12
        total = total + np.moveaxis(second, 0, axis) / (x[1] - x[0]) ** 2
    return total


@pytest.mark.parametrize("order", [2, 4])
@pytest.mark.parametrize("walls, at", [*zip(WALLS, ["cells"] * 5), *zip(WALLS[1:], ["nodes"] * 4)])
def test_differences_of_neighbours(tmp_path, walls, at, order):
    f, sides = array_of((6, 5, 8), "<f8"), [1, 2, 3.5]
    every = ["neumann", walls, "dirichlet_neumann"]
    np.save(tmp_path / "f.npy", np.asfortranarray(f))
    outcome = succeed(2, "solve", "poisson", tmp_path / "f.npy", tmp_path / "u.npy", "--accuracy", order,
                      "--residual", *options_of(every, [at] * 3, sides))  # fmt: skip
    u = np.load(tmp_path / "u.npy")
    assert np.abs(laplacian_of_neighbours(u, every, [at] * 3, sides, order) - f).max() < 1e-12 * np.abs(f).max()
    assert float(re.search(r"residual (\S+) of", outcome.stdout)[1]) < 1e-13


def test_one_word_is_for_all_axes(tmp_path):
    f = array_of((4, 5, 6), "<f8")
    np.save(tmp_path / "f.npy", f)
    for words, walls in (([], "periodic"), (["--walls", "dirichlet"], "dirichlet")):
        run(2, "solve", "poisson", tmp_path / "f.npy", tmp_path / "u.npy", *words)
        side = 2 * np.pi if walls == "periodic" else np.pi
        check(np.load(tmp_path / "u.npy"), solution(f, [walls] * 3, ["cells"] * 3, [side] * 3), "<f8")


@pytest.mark.parametrize(
    "walls, at, mean",
    [
        ("periodic", "cells", lambda f: f.mean()),
        ("neumann", "cells", lambda f: f.mean()),
        ("neumann", "nodes", lambda f: np.trapezoid(f) / 8 if hasattr(np, "trapezoid") else np.trapz(f) / 8),
    ],
)
def test_a_right_side_with_a_mean_has_no_solution(tmp_path, walls, at, mean):
    f = array_of((9,), "<f8") + 7
    words = ["solve", "poisson", tmp_path / "f.npy", tmp_path / "u.npy", "--walls", walls, "--at", at, "--residual"]
    np.save(tmp_path / "f.npy", f)
    outcome = run(2, *words)
    (message,) = outcome.messages
    told = re.fullmatch(r"sixstep: the mean of the right side is (\S+); only for 0 is there a solution, so it was "
                        "subtracted", message)  # fmt: skip
    assert float(told[1]) == pytest.approx(mean(f), rel=1e-5)
    assert float(re.search(r"residual (\S+) of", outcome.stdout)[1]) < 1e-13
    first = np.load(tmp_path / "u.npy")
    np.save(tmp_path / "f.npy", f - mean(f))
    succeed(2, *words)
    assert np.abs(np.load(tmp_path / "u.npy") - first).max() < 1e-13


def test_files_of_other_formats(tmp_path):
    f = array_of((6, 8, 5), "<f8")
    expected = solution(f, ["dirichlet"] * 3, ["cells"] * 3, [1, 1, 1])
    f.tofile(tmp_path / "f.raw")
    words = ["--walls", "dirichlet", "--sides", "1,1,1"]
    succeed(2, "solve", "poisson", tmp_path / "f.raw", f"{tmp_path}/u.h5:u", "--raw", "6x8x5:float64", *words)
    with h5py.File(tmp_path / "u.h5") as file:
        check(file["u"][()], expected, "<f8")


@pytest.mark.parametrize(
    "words, complaint",
    [
        (["--walls", "periodic,neumann"], "--walls: 3 words are needed, one for each axis, or one for all, 2 "),
        (["--walls", "neumann", "--at", "cells,nodes"], "--at: 3 words are needed"),
        (["--walls", "wall"], "'wall' is no boundary of an axis: periodic, dirichlet, neumann, dirichlet_neumann, "),
        (["--walls", "neumann", "--at", "corners"], "'corners' is no place of points: cells, nodes are known"),
        (["--walls", "neumann", "--at", ""], "'' is no place of points"),
        (["--at", "nodes"], "--at requires --walls"),
        (["--sides", "1,2"], "--sides: 3 numbers are needed, one for each axis, 2 were given"),
        (["--walls", "dirichlet,periodic,neumann", "--mean", "1"], "--mean: this equation has only one solution"),
        (["--mean", "nan"], "--mean: a number is needed, 'nan' was given"),
        (["--accuracy", "3"], "--accuracy: 3 not in {2,4}"),
        (["--alpha", "1"], "--alpha: only helmholtz has it"),
        (["--walls", "neumann", "--at", "nodes"], "dct1"),  # along the axis of a single point
    ],
)
def test_errors(tmp_path, words, complaint):
    np.save(tmp_path / "f.npy", np.ones((4, 6, 1)))
    assert complaint in refuse(2, "solve", "poisson", tmp_path / "f.npy", tmp_path / "u.npy", *words)
    assert not (tmp_path / "u.npy").exists()


def test_errors_of_helmholtz(tmp_path):
    np.save(tmp_path / "f.npy", np.ones((4, 6)))
    words = ["solve", "helmholtz", tmp_path / "f.npy", tmp_path / "u.npy"]
    assert "--alpha is required" in refuse(2, *words)
    assert "finite numbers are needed, at k = (0, 0) it is inf" in refuse(2, *words, "--alpha", 0)
    assert "only one solution" in refuse(2, *words, "--alpha", 1, "--mean", 0)
    assert "heat not in {poisson,helmholtz}" in run_alone("solve", "heat", "f.npy", "u.npy").messages[0]
