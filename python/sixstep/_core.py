# SPDX-License-Identifier: BSD-3-Clause
"""In a wheel, replaces itself by the module for the MPI in use. Elsewhere Python finds the only _core module first."""

import sys

from . import _library

sys.modules[__name__] = _library.module(__name__)
