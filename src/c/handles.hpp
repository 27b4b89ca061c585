// SPDX-License-Identifier: BSD-3-Clause
// The objects behind the handles of the C interface. Each but a symbol stores how its maker counts
// axes, so that messages about it count the same way.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "layout/counting.hpp"
#include "runtime/communicator.hpp"
#include "sixstep.h"
#include "sixstep/convolution.hpp"
#include "sixstep/differences.hpp"
#include "sixstep/layout.hpp"
#include "sixstep/map.hpp"
#include "sixstep/open_poisson.hpp"
#include "sixstep/operator.hpp"
#include "sixstep/plan.hpp"
#include "sixstep/poisson.hpp"
#include "sixstep/redistribution.hpp"
#include "sixstep/symbol.hpp"

namespace sixstep::c {

/// A plan, or what is made of plans, in either precision.
template <template <class> class Made>
using Either = std::variant<std::shared_ptr<Made<double>>, std::shared_ptr<Made<float>>>;

/// A plan, an operator, a map, a solver or a convolution, and what its calls return pointers to.
template <template <class> class Made>
struct Planned {
  Either<Made> made;
  bool real_input = false;
  bool real_output = false;
  int rank = 0;
  std::string words = {};
  std::vector<Part> parts = {};  // own the words of `steps`
  std::vector<sixstep_step> steps = {};
  Counting counts = counting();
};

}  // namespace sixstep::c

struct sixstep_layout {
  sixstep::Layout layout;
  std::string words = {};
  sixstep::Counting counts = sixstep::counting();
};

struct sixstep_plan : sixstep::c::Planned<sixstep::Plan> {
  static constexpr char const* name = "plan";
};

struct sixstep_symbol {
  sixstep::Symbol symbol;
};

struct sixstep_operator : sixstep::c::Planned<sixstep::Operator> {
  static constexpr char const* name = "op";
  sixstep::mpi::Communicator comm;
};

struct sixstep_map : sixstep::c::Planned<sixstep::Map> {
  static constexpr char const* name = "map";
};

struct sixstep_poisson : sixstep::c::Planned<sixstep::Poisson> {
  static constexpr char const* name = "poisson";
  sixstep::mpi::Communicator comm;
};

struct sixstep_convolution : sixstep::c::Planned<sixstep::Convolution> {
  static constexpr char const* name = "convolution";
  // Null unless the convolution belongs to a solver in free space.
  sixstep::c::Either<sixstep::OpenPoisson> solver = {};
  sixstep::mpi::Communicator comm = {};
};

struct sixstep_redistribution {
  sixstep::ByteRedistribution redistribution;
  std::string words = {};
  sixstep::Counting counts = sixstep::counting();
};

namespace sixstep::c {

/// sixstep_plan_create(), except that `adjust` may change the options, or throw, before they are
/// used.
int create_plan(int precision, sixstep_layout const* input, sixstep_layout const* output,
                MPI_Comm comm, sixstep_options const* options, sixstep_plan** plan,
                std::function<void(Options&)> const& adjust);

struct OperatorRequest {
  OperatorOptions options;
  std::optional<OperatorResult> result;
};
/// sixstep_operator_create(), with the options that wanted() returns or throws Error about.
int create_operator(int precision, sixstep_layout const* layout, sixstep_symbol const* symbol,
                    MPI_Comm comm, std::function<OperatorRequest()> const& wanted,
                    sixstep_operator** op);

/// A function of a map, and how many results it has at each point. Both are missing, or neither.
struct MapStep {
  std::function<int(sixstep_batch const&)> function = {};
  int results = 0;
};
struct MapRequest {
  MapStep before, at_points, after;
  MapOptions options;
};
/// sixstep_map_create(), with the functions and options that wanted() returns or throws Error
/// about.
int create_map(int precision, sixstep_layout const* points, sixstep_layout const* coefficients,
               MPI_Comm comm, std::function<MapRequest()> const& wanted, sixstep_map** map);

/// sixstep_poisson_create(), with the options that options() returns or throws Error about.
int create_poisson(int precision, sixstep_layout const* layout, MPI_Comm comm,
                   std::function<PoissonOptions()> const& options, sixstep_poisson** poisson);

/// sixstep_convolution_create() and sixstep_open_poisson_create(), with the options that options()
/// returns or throws Error about.
int create_convolution(int precision, sixstep_layout const* signal, sixstep_layout const* kernel,
                       sixstep_layout const* result, MPI_Comm comm,
                       std::function<ConvolutionOptions()> const& options,
                       sixstep_convolution** convolution);
int create_open_poisson(int precision, sixstep_layout const* layout, MPI_Comm comm,
                        std::function<OpenPoissonOptions()> const& options,
                        sixstep_convolution** convolution);

/// The given differences; exact derivatives if NULL.
Differences differences_of(sixstep_differences const* given);

/// Writes `numbers` for `count` wave vectors, as a sixstep_symbol_numbers does.
using WriteNumbers = std::function<void(int axes, Index count, double const* k, void* numbers)>;
/// A symbol whose numbers, SIXSTEP_REAL_NUMBERS or SIXSTEP_COMPLEX_NUMBERS, write() writes.
Symbol symbol_of(WriteNumbers write, int numbers);
/// A symbol of matrices, whose numbers write() writes.
Symbol symbol_of(WriteNumbers write, int numbers, int results, int fields);

/// The box of `rank` in a layout whose local array has these strides.
sixstep_part part_of(Layout const& layout, int rank, Shape const& strides);

}  // namespace sixstep::c
