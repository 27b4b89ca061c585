// SPDX-License-Identifier: BSD-3-Clause
// The names of the interface for several ranks, in the precision that a source is compiled for.
#pragma once

#include <mpi.h>

#include "names.hpp"

#pragma GCC visibility push(default)
#include "sixstep-fftw/fftw3-mpi.h"
#pragma GCC visibility pop
