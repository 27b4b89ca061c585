// SPDX-License-Identifier: BSD-3-Clause
// Problems: what one round of the soak test asks of the library, and the line that says so.
//
// A problem knows nothing about MPI: ranks are numbers. print() and parse() undo each other; the
// words of a line are explained where the program explains itself, see main.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sixstep/convolution.hpp"
#include "sixstep/open_poisson.hpp"
#include "sixstep/plan.hpp"

namespace soak {

using sixstep::Box;
using sixstep::ConvolutionMode;
using sixstep::Device;
using sixstep::Direction;
using sixstep::Distribution;
using sixstep::Grid;
using sixstep::Index;
using sixstep::Kind;
using sixstep::Layout;
using sixstep::Options;
using sixstep::Order;
using sixstep::PerAxis;
using sixstep::Points;
using sixstep::Range;
using sixstep::Scale;
using sixstep::Shape;
using sixstep::Walls;

/// How ranks share an array, whatever its shape is.
struct Sharing {
  enum class Form { grid, slab, pencil, brick, boxes };
  Form form = Form::slab;
  Grid grid = {};
  PerAxis<Distribution> distribution = {};
  int axis = 0;  // of a slab
  std::vector<Box> boxes = {};
  Order order = {};               // empty: C order
  Shape before = {}, after = {};  // ghosts; empty: none
};

/// Errors: those of the functions of Layout.
Layout layout_of(Sharing const& sharing, Shape const& shape, int ranks);

/// Whose memory an array is: the caller's own, the plan's, the plan's and allocated for this
/// execution alone, or the plan's on odd or even ranks and the caller's on the others.
enum class Whose { own, plans, fresh, odd_plans, even_plans };

/// One execution of a plan. In place, `output` says whose the array is.
struct Execution {
  Direction direction = Direction::forward;
  bool in_place = false;
  Whose input = Whose::own;
  Whose output = Whose::own;
  Scale scale = Scale::none;
};

/// What a job makes.
enum class Make { plan, op, map, convolution, open_poisson };

/// How a solver in free space is given its Green's function: as a function of distances, or as an
/// array of numbers at distances or waves.
enum class GreensBy { function, distances, waves };

/// What an operator, a map, a convolution or a solver in free space has beyond a plan.
struct Solver {
  std::vector<int> results = {};  // rows of an operator's matrix, empty: its symbol is a number; of
                                  // the functions of a map: before, at points and after, 0: none
  bool has_sides = false;
  bool real = false;              // the numbers of symbols and of functions of k
  bool product = false;           // an operator's symbol is a product of one number for each axis
  bool array = false;             // it is an array with a number for each coefficient
  bool called = false;            // an operator without a table
  bool renewed = false;           // another symbol before each execution
  std::vector<Index> back = {};   // OperatorResult::lengths
  std::vector<Index> first = {};  // OperatorResult::first
  Index batch = 16;               // of a map
  Scale to_points = Scale::by_n, from_points = Scale::none;
  std::optional<Sharing> results_in = {};  // MapOptions::results
  ConvolutionMode mode = ConvolutionMode::full;
  bool correlate = false;
  bool even = false;
  Shape kernel = {};
  Sharing kernel_in = {};  // of an array of a Green's function, too
  std::vector<Walls> walls = {};
  std::vector<Points> points = {};
  std::vector<double> shift = {};  // in points
  GreensBy greens = GreensBy::function;
  std::vector<Index> more_waves = {};  // than points, and one, along each of the axes
};

/// A plan or a solver, and what is done with it. The input of a map are points, the output is the
/// layout of the coefficients.
struct Job {
  Make make = Make::plan;
  bool single = false;  // precision
  Shape shape = {};
  Shape output_shape = {};  // empty: that of the result; of an operator, that of the input
  Sharing input = {};
  std::optional<Sharing> output = {};
  Options options = {};
  Solver solver = {};
  bool serial = false;  // each rank transforms all of it, by a serial plan
  Shape input_strides = {}, output_strides = {};  // of that; empty: dense
  int node_ranks = 0;         // ranks that are taken for a node; 0: all that can share memory
  std::string isa = {};       // instruction set; empty: the best
  int late = 0;               // plans of the team are executed so many times before it is made
  bool moved = false;         // the plan is moved to another object, and over a third
  bool early = false;         // destroyed after its last execution, not with the others
  bool outlive = false;       // its arrays outlive the plan
  bool refused = false;       // it is a mistake: all ranks must throw the same Error
  int odd_rank = -1;          // this rank reads
  std::string odd_word = {};  // this word too
  std::vector<Execution> executions = {};
};

/// Ranks with a communicator of their own, in its order, and plans that they have at once.
struct Team {
  std::vector<int> ranks = {};  // empty: all
  std::vector<Job> jobs = {};
};

/// Teams work at the same time.
using Problem = std::vector<Team>;

/// Of so many modes: m/2 + 1 of r2c.
constexpr Index coefficients(Kind kind, Index modes) {
  return kind == Kind::r2c ? modes / 2 + 1 : modes;
}

/// The shape of the result: the coefficients of what is kept along each axis.
Shape result_shape(Job const& job);

/// What each axis that is transformed undergoes: the points of the transform, and the modes that
/// are kept of it.
struct AxisKind {
  int axis;
  Kind kind;
  Index points = 0;
  Index modes = 0;
};
/// Axes, kinds and modes in full, as Options means them.
std::vector<AxisKind> kinds_of(Job const& job);

/// The shape of the layout `output`.
Shape output_shape_of(Job const& job);

/// The reals of a row that has room for its coefficients; 0 if rows are not padded.
Index padded_row(Job const& job);

/// The points of the r2c axis; 0 if there is none.
Index points_along_r2c(std::vector<AxisKind> const& kinds);

/// What Scale::by_n divides by.
long double logical_points(Job const& job);

/// What is done to all fields of a job: as many values at each point, along one more axis.
Job of_all_fields(Job const& job);

/// The job as `rank` of its team understands it.
Job job_on(Job const& job, int rank);

std::string print(Problem const& problem);
/// Errors: sixstep::Error, which names the word that cannot be read.
Problem parse(std::string const& line);

}  // namespace soak
