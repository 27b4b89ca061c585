// SPDX-License-Identifier: BSD-3-Clause
// GPUs: transforms in natural order against a plan of cuFFT's for the whole array on rank 0's GPU,
// in turn, in one run. Ranks share GPUs where there are fewer.
//
//   mpiexec -n 1 gpu --shapes 256x256x256,512x512x512 --directions forward,backward
//   mpiexec -n 2 gpu --exchanges opened,staged,messages --windows 1,0
//   gpu --operators                      an inverse Laplacian, against forward, kernel, backward
//   gpu --errors --shapes 343x343x343    against long double, and those of plans on the host
//   gpu --passes --kinds c2c             single passes of our own kernel
//   mpiexec -n 2 gpu --copies            GB/s from and to memory of the host, by where that is from
//   gpu --kinds cosines,modes,fields,ghosts    beside cuFFT's c2c of as many points
#include <cuda_runtime.h>
#include <cufft.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "gpus/copies.hpp"
#include "gpus/errors.hpp"
#include "gpus/passes.hpp"
#include "gpus/product.hpp"
#include "gpus/transforms.hpp"
#include "gpus/whole.hpp"
#include "harness.hpp"
#include "node/rounds.hpp"
#include "ranks.hpp"
#include "sixstep/sixstep.hpp"

namespace sixstep::bench {
namespace {

struct Arguments {
  std::vector<std::string> shapes = {"256x256x256", "512x512x512"};
  std::vector<std::string> kinds = {"c2c", "r2c"};
  std::vector<std::string> precisions = {"double", "single"};
  std::vector<std::string> directions = {"forward"};
  std::vector<int> windows = {0};
  std::vector<std::string> exchanges = {"opened"};
  bool operators = false, errors = false, passes = false, copies = false;
  node::Patience patience = {.rounds = 9, .seconds = 1};
};

/// Prints how long the parts of a staged exchange of `bytes` a rank take alone: the copies of what
/// others get from the GPU, and as many bytes to it at the same time; and an all-to-all from and to
/// the host's pinned memory.
void print_parts_of_staging(std::size_t bytes, node::Patience const& patience, MPI_Comm comm) {
  auto const pinned = [&] {
    void* memory = nullptr;
    check(cudaHostAlloc(&memory, bytes, cudaHostAllocDefault) == cudaSuccess,
          "cuda: no pinned memory");
    return std::shared_ptr<void>(memory, cudaFreeHost);
  };
  auto const there = allocate(Device::cuda, bytes), arrived = allocate(Device::cuda, bytes);
  auto const out = pinned(), in = pinned();
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams)
    check(cudaStreamCreate(&stream) == cudaSuccess, "cuda: no stream");
  auto const ranks = static_cast<std::size_t>(cli::ranks_of(comm));
  std::size_t const sent = bytes / ranks * (ranks - 1);
  auto const copies = [&] {
    check(cudaMemcpyAsync(out.get(), there.get(), sent, cudaMemcpyDefault, streams[0]) ==
                  cudaSuccess &&
              cudaMemcpyAsync(arrived.get(), in.get(), sent, cudaMemcpyDefault, streams[1]) ==
                  cudaSuccess &&
              cudaDeviceSynchronize() == cudaSuccess,
          "cuda: a copy failed");
  };
  auto const count = static_cast<int>(bytes / sizeof(double) / ranks);
  auto const messages = [&] {
    MPI_Alltoall(out.get(), count, MPI_DOUBLE, in.get(), count, MPI_DOUBLE, comm);
  };
  Trials const trials = node::take_turns({copies, messages}, patience, comm);
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  if (cli::rank_of(comm) == 0)
    std::printf("  %.1f MB a rank: copies alone %.3f ms, messages alone %.3f ms\n",
                1e-6 * static_cast<double>(bytes), 1e3 * median(trials[0]),
                1e3 * median(trials[1]));
}

template <class Real>
void compare(Problem const& problem, Arguments const& arguments, MPI_Comm comm) {
  bool const is_first = cli::rank_of(comm) == 0;
  int const ranks = cli::ranks_of(comm);
  Ours<Real> ours(problem, comm);
  std::optional<Theirs<Real>> theirs;
  if (is_first) theirs.emplace(problem);
  auto const run_ours = [&] { ours.run(); };
  auto const run_theirs = [&] {
    if (theirs) theirs->run();
  };
  ours.forward();
  if (problem.backward && ranks == 1)
    theirs->take(ours.spectrum(),
                 static_cast<std::size_t>(volume(problem.result())) * sizeof(std::complex<Real>));
  run_ours();
  run_theirs();
  bool const is_alike = ranks == 1 && (problem.kind == "c2c" || problem.has_reals());
  Index const numbers = problem.backward ? volume(problem.shape) / (problem.has_reals() ? 2 : 1)
                                         : volume(problem.result());
  double const apart = is_alike ? difference<Real>(ours.result(), theirs->result(), numbers) : NAN;
  Trials const trials = node::take_turns({run_ours, run_theirs}, arguments.patience, comm);
  if (problem.way != "opened" && ranks > 1)
    print_parts_of_staging(ours.input_bytes(), arguments.patience, comm);
  if (!is_first) return;
  auto const whole_bytes = static_cast<double>(theirs->bytes());
  std::printf("%-18s %-7s %-8s %-6s %-8s %7d %10.3f %10.3f %7.3f %9.1e %8.2f %8.2f\n",
              to_string(problem.shape).c_str(), problem.kind.c_str(),
              problem.backward ? "backward" : "forward",
              sizeof(Real) == sizeof(float) ? "single" : "double", problem.way.c_str(),
              problem.windows, 1e3 * median(trials[0]), 1e3 * median(trials[1]),
              median_ratio(trials[0], trials[1]), apart,
              static_cast<double>(ours.workspace_bytes()) / whole_bytes,
              static_cast<double>(theirs->scratch_bytes()) / whole_bytes);
  std::fflush(stdout);
}

/// An inverse Laplacian as an operator, against cuFFT's transforms there and back with a kernel
/// between them, in place on the coefficients. On one rank.
template <class Real>
void compare_operators(Shape const& shape, bool has_reals, Arguments const& arguments,
                       MPI_Comm comm) {
  using Complex = std::complex<Real>;
  OperatorOptions options;
  options.device = Device::cuda;
  if (has_reals) options.kinds = {Kind::r2c};
  Operator<Real> solve(Layout::slab(shape, 1), comm, symbols::inverse_laplacian(), options);
  Index const points = volume(shape), n2 = shape[2], kept = has_reals ? n2 / 2 + 1 : n2;
  auto const bytes = static_cast<std::size_t>(points) * sizeof(Complex);
  auto const in = solve.allocate(), out = solve.allocate();
  auto const whole_out = allocate(Device::cuda, bytes);
  auto const between = allocate(Device::cuda, bytes + bytes / 8);
  std::vector<Real> const values = reals_without_pattern<Real>(points * (has_reals ? 1 : 2));
  copy(Device::cuda, in.get(), values.data(), values.size() * sizeof(Real));
  WholeByCufft<Real> there(shape, has_reals, false), back(shape, has_reals, true);
  auto const ours = [&] {
    if (has_reals)
      solve.apply(reinterpret_cast<Real const*>(in.get()), reinterpret_cast<Real*>(out.get()));
    else
      solve.apply(in.get(), out.get());
  };
  auto const theirs = [&] {
    there.put(in.get(), between.get());
    check(divide_by_laplacian<Real>(between.get(), shape[0], shape[1], n2, kept),
          "cuda: the kernel failed");
    back.run(between.get(), whole_out.get());
  };
  ours();
  theirs();
  double const apart =
      difference<Real>(out.get(), whole_out.get(), has_reals ? points / 2 : points);
  Trials const trials = node::take_turns({ours, theirs}, arguments.patience, comm);
  std::printf("%-18s %-7s operator %-6s                  %10.3f %10.3f %7.3f %9.1e %8.2f %8.2f\n",
              to_string(shape).c_str(), has_reals ? "r2c" : "c2c",
              sizeof(Real) == sizeof(float) ? "single" : "double", 1e3 * median(trials[0]),
              1e3 * median(trials[1]), median_ratio(trials[0], trials[1]), apart,
              static_cast<double>(solve.workspace_bytes()) / static_cast<double>(bytes),
              static_cast<double>(there.scratch_bytes() + back.scratch_bytes()) /
                      static_cast<double>(bytes) +
                  (has_reals ? 0.5 : 1));
  std::fflush(stdout);
}

/// The errors of a forward transform on the GPU, by cuFFT and on the host. On one rank.
template <class Real>
void print_errors(Shape const& shape, bool has_reals, MPI_Comm comm) {
  using Complex = std::complex<Real>;
  ProductInput const input(shape, has_reals);
  Shape result = shape;
  if (has_reals) result[shape.size() - 1] = shape[shape.size() - 1] / 2 + 1;
  std::vector<Complex> spectrum(static_cast<std::size_t>(volume(result)));
  auto const run = [&]<class Number>(std::vector<Number> const& points) {
    std::vector<double> errors;
    std::size_t const spectrum_bytes = spectrum.size() * sizeof(Complex);
    for (Device device : {Device::cuda, Device::none}) {
      Options options;
      options.device = device;
      if (has_reals) options.kinds = {Kind::r2c};
      Plan<Real> plan(Layout::slab(shape, 1), Layout::slab(result, 1), comm, options);
      auto const in = plan.allocate(), out = plan.allocate();
      auto const move = [device](void* to, void const* from, std::size_t bytes) {
        if (device == Device::none)
          std::memcpy(to, from, bytes);
        else
          copy(device, to, from, bytes);
      };
      move(in.get(), points.data(), points.size() * sizeof(Number));
      plan.forward(reinterpret_cast<Number*>(in.get()), out.get());
      move(spectrum.data(), out.get(), spectrum_bytes);
      errors.push_back(input.error(spectrum));
      if (device == Device::none) continue;
      WholeByCufft<Real>(shape, has_reals, false).run(in.get(), out.get());
      move(spectrum.data(), out.get(), spectrum_bytes);
      errors.push_back(input.error(spectrum));
    }
    std::printf("%-18s %-7s %-6s errors: GPU %.2e, cuFFT %.2e, host %.2e, GPU / host %.2f\n",
                to_string(shape).c_str(), has_reals ? "r2c" : "c2c",
                sizeof(Real) == sizeof(float) ? "single" : "double", errors[0], errors[1],
                errors[2], errors[0] / errors[2]);
    std::fflush(stdout);
  };
  if (has_reals)
    run(input.points<Real>());
  else
    run(input.points<Complex>());
}

void add_options(CLI::App& app, Arguments& arguments) {
  app.add_option("--shapes", arguments.shapes, "[256x256x256,512x512x512]")->delimiter(',');
  app.add_option("--kinds", arguments.kinds, "c2c, r2c, cosines, modes, fields, ghosts [c2c,r2c]")
      ->delimiter(',');
  app.add_option("--precisions", arguments.precisions, "[double,single]")->delimiter(',');
  app.add_option("--directions", arguments.directions, "forward,backward [forward]")
      ->delimiter(',');
  app.add_option("--windows", arguments.windows, "Of exchanges [0: by size]")->delimiter(',');
  app.add_option("--exchanges", arguments.exchanges,
                 "opened: ranks open each other's memory; staged: in the host's memory, which they "
                 "share; messages: MPI sends what is staged [opened]")
      ->delimiter(',')
      ->check(CLI::IsMember({"opened", "staged", "messages"}));
  app.add_flag("--operators", arguments.operators, "Operators in place of transforms; one rank");
  app.add_flag("--errors", arguments.errors, "Errors in place of times; one rank");
  app.add_flag("--passes", arguments.passes, "Single passes of our own kernel; one rank");
  app.add_flag("--copies", arguments.copies,
               "Copies between GPU and host in place of transforms, by kind of memory");
  add_rounds(app, arguments.patience.rounds, "At least [9]");
  add_seconds(app, arguments.patience.seconds, "For each at least [1]");
}

template <class Real>
void run_one(Problem const& problem, Arguments const& arguments, MPI_Comm comm) {
  if (arguments.passes)
    for (int axis : {0, 1})
      for (bool const back : {false, true}) print_pass<Real>(problem.shape, axis, back);
  else if (arguments.operators)
    compare_operators<Real>(problem.shape, problem.has_reals(), arguments, comm);
  else if (arguments.errors)
    print_errors<Real>(problem.shape, problem.has_reals(), comm);
  else
    compare<Real>(problem, arguments, comm);
}

void run_all(Arguments const& arguments, MPI_Comm comm) {
  if (cli::rank_of(comm) == 0)
    std::printf(
        "%d ranks, %s; milliseconds, work memory of a rank by the whole array\n"
        "%-18s %-7s %-8s %-6s %-8s %7s %10s %10s %7s %9s %8s %8s\n",
        cli::ranks_of(comm),
        devices(Device::cuda).empty() ? "no GPU" : devices(Device::cuda)[0].c_str(), "shape",
        "kind", "way", "real", "exchange", "windows", "sixstep", "cuFFT", "ratio", "apart", "work",
        "its");
  for (std::string const& words : arguments.shapes)
    for (std::string const& kind : arguments.kinds)
      for (std::string const& precision : arguments.precisions)
        for (std::string const& direction : arguments.directions)
          for (std::string const& way : arguments.exchanges)
            for (int windows : arguments.windows) {
              Problem const problem{cli::read_shape({words}), kind, direction == "backward",
                                    windows, way};
              auto const run = precision == "single" ? run_one<float> : run_one<double>;
              run(problem, arguments, comm);
            }
}

void print_all_copies(Arguments const& arguments, MPI_Comm comm) {
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  for (std::size_t part : {4 * mebibyte, 512 * mebibyte})
    print_copies(512 * mebibyte, part, arguments.patience, comm);
}

int run(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("Transforms on GPUs, by sixstep and by cuFFT, in turn", "gpu");
  add_options(app, arguments);
  return run_on_ranks(app, argc, argv, [&](MPI_Comm comm) {
    auto const chosen = arguments.copies ? print_all_copies : run_all;
    chosen(arguments, comm);
  });
}

}  // namespace
}  // namespace sixstep::bench

int main(int argc, char** argv) { return sixstep::bench::run(argc, argv); }
