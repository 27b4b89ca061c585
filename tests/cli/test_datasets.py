# SPDX-License-Identifier: BSD-3-Clause
"""Datasets of HDF5 files are read and written by their names, and nothing else in the files is touched."""

import os
import subprocess

import h5py
import numpy as np
import pytest
from sixstep_command import COMMAND, ENVIRONMENT, MPIEXEC, TIMEOUT_S, refuse, succeed

RANKS = 2


@pytest.fixture
def field(tmp_path):
    array = np.random.default_rng(1).normal(size=(6, 5))
    np.save(tmp_path / "in.npy", array)
    return array


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
    assert [path.name for path in tmp_path.iterdir()] == ["in.npy"]
