# SPDX-License-Identifier: BSD-3-Clause
"""SciPy's and NumPy's own tests of their transforms, with ours in their place."""

import importlib.util
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
sys.path.append(str(HERE.parent / "cli"))
from sixstep_command import ENVIRONMENT

ONE_AXIS = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
SEVERAL_AXES = ("fft2", "ifft2", "fftn", "ifftn", "rfftn", "irfftn")


def outcome(suite):
    """How many tests passed and how many calls of each function there were."""
    tests = pathlib.Path(importlib.util.find_spec(suite).origin).parent / "tests"
    command = [*(sys.executable, "-m", "pytest", "-q", "-p", "stand_in", "-p", "no:cacheprovider"), str(tests)]
    environment = {**ENVIRONMENT, "PYTHONPATH": str(HERE)}
    done = subprocess.run(command, cwd=HERE, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-10000:] + done.stderr
    passed = int(re.search(r"(\d+) passed", done.stdout)[1])
    return passed, {name: int(count) for name, count in re.findall(r"asked (.+): (\d+)", done.stdout)}


def test_scipy():
    passed, calls = outcome("scipy.fft")
    assert passed > 3000
    names = {f"scipy.fft.{name}" for name in (*ONE_AXIS, *SEVERAL_AXES, "dct", "dst", "dctn", "idstn")}
    assert names <= calls.keys() and sum(calls[name] for name in names) > 3000


def test_numpy():
    passed, calls = outcome("numpy.fft")
    assert passed > 100
    assert {f"numpy.fft.{name}" for name in (*ONE_AXIS, *SEVERAL_AXES, "fftfreq", "rfftfreq")} <= calls.keys()
