# SPDX-License-Identifier: BSD-3-Clause
"""In a wheel, the module for the MPI in use takes the place of this one. A module for a single MPI is found before."""

import sys

from . import _library

sys.modules[__name__] = _library.module(__name__)
