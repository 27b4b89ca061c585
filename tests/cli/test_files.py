# SPDX-License-Identifier: BSD-3-Clause
"""Files that are written are there as a whole or as they were, and nothing else of the user's is touched."""

import os
import subprocess

import h5py
import numpy as np
import pytest
from sixstep_command import COMMAND, ENVIRONMENT, MPIEXEC, TIMEOUT_S, refuse, run_line, succeed

RANKS = 2


@pytest.fixture
def field(tmp_path):
    array = np.random.default_rng(1).normal(size=(6, 5))
    np.save(tmp_path / "in.npy", array)
    return array


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def limited(ranks, limit_kib, *arguments):
    """Under a limit of the length of files, which is to programs what a full disk is. MPI itself needs some MiB."""
    shell = ["bash", "-c", f'trap "" XFSZ; ulimit -f {limit_kib}; exec "$@"', "bash"]
    return run_line([*MPIEXEC, "-n", ranks, *shell, COMMAND, *arguments])


def test_a_file_beside_the_output_is_left_alone(tmp_path, field):
    """It may even be the input: the output does not borrow its name."""
    os.rename(tmp_path / "in.npy", tmp_path / "v.npy.new")
    succeed(RANKS, "fft", tmp_path / "v.npy.new", tmp_path / "v.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "v.npy.new"), field)
    np.testing.assert_allclose(np.load(tmp_path / "v.npy"), np.fft.fft2(field))
    assert names(tmp_path) == ["v.npy", "v.npy.new"]


@pytest.mark.parametrize("length", [252, 255])
def test_long_names(tmp_path, field, length):
    output = tmp_path / ("x" * (length - 4) + ".npy")
    succeed(RANKS, "fft", tmp_path / "in.npy", output)
    np.testing.assert_allclose(np.load(output), np.fft.fft2(field))


@pytest.mark.parametrize("mode", [0o600, 0o664])
@pytest.mark.parametrize("name", ["out.npy", "out.raw"])
def test_a_replaced_file_keeps_its_mode(tmp_path, field, mode, name):
    (tmp_path / name).write_bytes(b"before")
    (tmp_path / name).chmod(mode)
    succeed(RANKS, "fft", tmp_path / "in.npy", tmp_path / name)
    assert (tmp_path / name).stat().st_mode & 0o7777 == mode


def test_two_runs_with_one_output_both_write_it_whole(tmp_path, field):
    np.save(tmp_path / "other.npy", 2 * field)
    line = [*MPIEXEC, "-n", str(RANKS), COMMAND, "fft"]
    runs = [
        subprocess.Popen([*line, tmp_path / name, tmp_path / "out.npy"], env=ENVIRONMENT, stdout=subprocess.DEVNULL)
        for name in ["in.npy", "other.npy"] * 2
    ]
    assert [run.wait(TIMEOUT_S) for run in runs] == [0] * len(runs)
    found = np.load(tmp_path / "out.npy") / np.fft.fft2(field)
    np.testing.assert_allclose(found, found[0, 0])
    assert round(found[0, 0].real) in (1, 2)
    assert names(tmp_path) == ["in.npy", "other.npy", "out.npy"]


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_full_disk_leaves_what_was_there(tmp_path, ranks):
    array = np.ones((1000, 1500))  # and 24 MB transformed
    np.save(tmp_path / "in.npy", array)
    np.save(tmp_path / "out.npy", array)
    with h5py.File(tmp_path / "out.h5", "w") as file:
        file["u"] = array
    before = {name: (tmp_path / name).read_bytes() for name in names(tmp_path)}
    for output in ["out.npy", "new.npy", "out.h5:u", "out.h5:v", "out.h5:u/v", "new.h5:u"]:
        outcome = limited(ranks, 20_000, "fft", tmp_path / "in.npy", f"{tmp_path}/{output}")
        assert outcome.code == 1, outcome.stderr
        assert len(outcome.messages) == 1
        assert "cannot be written" in outcome.messages[0]
    assert {name: (tmp_path / name).read_bytes() for name in names(tmp_path)} == before


def test_outputs_that_are_no_regular_files(tmp_path, field):
    os.mkfifo(tmp_path / "pipe.npy")
    (tmp_path / "folder.npy").mkdir()
    for output, why in [("pipe.npy", "not a regular file"), ("folder.npy", "a folder"), ("none/a.npy", "No such file")]:
        message = refuse(RANKS, "fft", tmp_path / "in.npy", tmp_path / output)
        assert f"{tmp_path / output}: cannot be written" in message
        assert why in message
    assert "not a regular file" in refuse(RANKS, "fft", tmp_path / "in.npy", "/dev/null")
    assert "not a regular file" in refuse(RANKS, "fft", tmp_path / "pipe.npy", tmp_path / "out.npy")
    assert "a folder" in refuse(RANKS, "fft", tmp_path / "folder.npy", tmp_path / "out.npy")
