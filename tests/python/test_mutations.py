# SPDX-License-Identifier: BSD-3-Clause
"""The faults that tests/mutations plants still fit the sources; planting them is no part of this."""

import subprocess
import sys

from documents import ROOT


def test_each_fault_fits_its_file():
    done = subprocess.run([sys.executable, ROOT / "tests" / "mutations" / "run", "--check"], text=True,
                          capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
