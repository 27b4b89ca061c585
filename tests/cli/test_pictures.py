# SPDX-License-Identifier: BSD-3-Clause
"""`--plot`: whatever files are called, gnuplot takes no name for a command."""

import os
import subprocess

import numpy as np
import pytest
from sixstep_command import ENVIRONMENT, TIMEOUT_S, run_alone

COMMANDS = {
    "spectrum": ["spectrum", "field.npy"],
    "bench": ["bench", "--sizes", "8x8,6x10"],
    "model": ["model", 64, 64, "--machine", "miyabi-g", "--ranks", "1:4"],
}
# Each would make a file "planted" if gnuplot took it for more than a name.
NAMES = ["| touch planted #", "|touch planted #", "`touch planted`", "a' ; !touch planted #",
         "a\nset output '|touch planted #", '"`touch planted`"', "@planted", "~", "%s%n", "\x1b[31m"]


@pytest.fixture(name="folder")
def folder_with_a_field(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("field.npy", np.random.default_rng(0).random((6, 5)))
    return tmp_path


def drawn(line, name, folder):
    outcome = run_alone(*line, "--plot", name)
    assert outcome.code == 0, outcome.stderr
    assert "planted" not in os.listdir(folder)
    return (folder / name).read_bytes()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_picture_may_have_any_name(folder, command, name):
    assert drawn(COMMANDS[command], f"{name}.png", folder).startswith(b"\x89PNG")


@pytest.mark.parametrize("name", NAMES)
def test_a_script_may_have_any_name(folder, name):
    script = drawn(COMMANDS["spectrum"], f"{name}.gp", folder)
    done = subprocess.run(["gnuplot"], input=script, cwd=folder, capture_output=True, timeout=TIMEOUT_S, check=False)
    assert done.returncode == 0, done.stderr
    assert "planted" not in os.listdir(folder)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_drawn_may_have_any_name(folder, name):
    os.rename("field.npy", f"{name}.npy")
    assert drawn(["spectrum", f"{name}.npy"], "picture.png", folder).startswith(b"\x89PNG")


def test_what_was_there_stays_where_gnuplot_fails(folder, monkeypatch):
    failing = folder / "bin" / "gnuplot"
    failing.parent.mkdir()
    failing.write_text("#!/bin/sh\necho half a picture\nexit 1\n")
    failing.chmod(0o755)
    monkeypatch.setitem(ENVIRONMENT, "PATH", f"{failing.parent}:{os.environ['PATH']}")
    (folder / "picture.png").write_text("before")
    outcome = run_alone("spectrum", "field.npy", "--plot", "picture.png")
    assert outcome.code == 1 and outcome.messages == ["sixstep: --plot: gnuplot has failed"]
    assert (folder / "picture.png").read_text() == "before"
    assert sorted(os.listdir(folder)) == ["bin", "field.npy", "picture.png"]
