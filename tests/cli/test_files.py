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


def test_two_runs_add_to_one_hdf5_file(tmp_path, field):
    with h5py.File(tmp_path / "out.h5", "w") as file:
        file["before"] = field
    line = [*MPIEXEC, "-n", str(RANKS), COMMAND, "fft", tmp_path / "in.npy"]
    runs = [
        subprocess.Popen([*line, f"{tmp_path}/out.h5:group/{name}"], env=ENVIRONMENT, stdout=subprocess.DEVNULL)
        for name in "abcd"
    ]
    assert [run.wait(TIMEOUT_S) for run in runs] == [0] * len(runs)
    with h5py.File(tmp_path / "out.h5") as file:
        np.testing.assert_array_equal(file["before"], field)
        for name in "abcd":
            np.testing.assert_allclose(file["group"][name], np.fft.fft2(field))


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


@pytest.mark.parametrize("spelling", ["s.h5:x", "s.h5:/x", "./s.h5:x", "link.h5:x", "hard.h5:/x"])
def test_an_input_is_not_overwritten_however_it_is_spelled(tmp_path, field, spelling):
    with h5py.File(tmp_path / "s.h5", "w") as file:
        file["x"] = field
    (tmp_path / "link.h5").symlink_to("s.h5")
    os.link(tmp_path / "s.h5", tmp_path / "hard.h5")
    assert "overwrite the input" in refuse(RANKS, "fft", f"{tmp_path}/s.h5:x", f"{tmp_path}/{spelling}")
    with h5py.File(tmp_path / "s.h5") as file:
        np.testing.assert_array_equal(file["x"], field)


def everything(path):
    """An HDF5 file with all kinds of links."""
    with h5py.File(path.with_name("other.h5"), "w") as file:
        file["u"] = np.arange(4.0)
    with h5py.File(path, "w", userblock_size=512) as file:
        file["run1/u"] = np.arange(6.0)
        file["chunked"] = np.arange(8.0)
        file["type"] = np.dtype("f8")
        file["soft"] = h5py.SoftLink("/run1/u")
        file["soft_group"] = h5py.SoftLink("/run1")
        file["nowhere"] = h5py.SoftLink("/none")
        file["elsewhere"] = h5py.ExternalLink("other.h5", "/u")
        file["elsewhere_group"] = h5py.ExternalLink("other.h5", "/")
        file["scalar"] = 1.0
        file["void"] = h5py.Empty("f8")
        file["half"] = np.zeros(4, "f2")
        file["strings"] = ["a", "b"]


REPLACED = {
    "run1": "is a group; only a dataset can be replaced",
    "type": "is a named datatype; only",
    "soft": "is a soft link; only",
    "soft_group": "is a soft link; only",
    "nowhere": "is a soft link; only",
    "elsewhere": "is a link to another file; only",
    "run1/u/v": "'run1/u' is a dataset, a group is needed there",
    "type/v": "'type' is a named datatype",
    "nowhere/v": "'nowhere' is a soft link",
    "soft/v": "'soft' is a dataset",
    "elsewhere_group/v": "'elsewhere_group' is a link to another file",
}


def test_only_datasets_are_replaced(tmp_path, field):
    everything(tmp_path / "a.h5")
    before = (tmp_path / "a.h5").read_bytes()
    for name, why in REPLACED.items():
        message = refuse(RANKS, "fft", tmp_path / "in.npy", f"{tmp_path}/a.h5:{name}")
        assert f"a.h5: '{name}' cannot be written: " in message
        assert why in message
    assert (tmp_path / "a.h5").read_bytes() == before
    for name in ["run1/u", "chunked", "soft_group/w", "scalar", "new/group/u"]:
        succeed(RANKS, "fft", tmp_path / "in.npy", f"{tmp_path}/a.h5:{name}")
    with h5py.File(tmp_path / "a.h5") as file:
        assert file.userblock_size == 512
        for name in ["run1/u", "chunked", "run1/w", "scalar", "new/group/u"]:
            np.testing.assert_allclose(file[name], np.fft.fft2(field))
        assert sorted(file) == sorted(
            "run1 chunked type soft soft_group nowhere elsewhere elsewhere_group scalar void half strings new".split()
        )


READ = {
    "run1": "'run1' is no dataset, it is a group",
    "type": "'type' is no dataset, it is a named datatype",
    "run1/u/v": "there is no dataset 'run1/u/v': 'run1/u' is a dataset, not a group",
    "nowhere": "there is no dataset 'nowhere': 'nowhere' is a soft link that leads nowhere",
    "nowhere/v": "there is no dataset 'nowhere/v': 'nowhere' is a soft link that leads nowhere",
    "none/v": "there is no dataset 'none/v'",
    "scalar": "no axes",
    "void": "'void' is empty",
    "strings": "float32, float64",
}


def test_what_is_no_dataset_of_numbers_is_not_read(tmp_path):
    everything(tmp_path / "a.h5")
    for name, why in READ.items():
        message = refuse(RANKS, "fft", f"{tmp_path}/a.h5:{name}", tmp_path / "out.npy")
        assert "a.h5" in message
        assert why in message
    for name in ["run1/u", "soft", "soft_group/u", "elsewhere", "elsewhere_group/u", "half"]:
        succeed(RANKS, "fft", f"{tmp_path}/a.h5:{name}", tmp_path / "out.npy")


@pytest.mark.parametrize("name", ["a//b", "./a", "a/", "/"])
def test_names_of_datasets(tmp_path, field, name):
    message = refuse(RANKS, "fft", tmp_path / "in.npy", f"{tmp_path}/a.h5:{name}")
    assert f"'{name}' was given" in message
    assert names(tmp_path) == ["in.npy"]


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
