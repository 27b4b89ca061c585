// SPDX-License-Identifier: BSD-3-Clause
// Everything a user of the C++ interface needs.
#pragma once

#include "sixstep/array.hpp"
#include "sixstep/device.hpp"
#include "sixstep/differences.hpp"
#include "sixstep/error.hpp"
#include "sixstep/files.hpp"
#include "sixstep/good_size.hpp"
#include "sixstep/indices.hpp"
#include "sixstep/kind.hpp"
#include "sixstep/layout.hpp"
#include "sixstep/local.hpp"
#include "sixstep/operator.hpp"
#include "sixstep/options.hpp"
#include "sixstep/plan.hpp"
#include "sixstep/poisson.hpp"
#include "sixstep/ranks.hpp"
#include "sixstep/redistribution.hpp"
#include "sixstep/symbol.hpp"
#include "sixstep/symbols.hpp"
#include "sixstep/version.hpp"
