// SPDX-License-Identifier: BSD-3-Clause
// GPUs: transforms in natural order against a plan of cuFFT's for the whole array on rank 0's GPU,
// in turn, in one run. Ranks share GPUs where there are fewer.
//
//   mpiexec -n 1 gpu --shapes 256x256x256,512x512x512 --directions forward,backward
//   mpiexec -n 2 gpu --exchanges opened,staged,messages --windows 1,0
#include <cuda_runtime.h>
#include <cufft.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "node/rounds.hpp"
#include "numbers.hpp"
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
  node::Patience patience = {.rounds = 9, .seconds = 1};
};

void check(bool is_good, char const* what) { require(is_good, what); }

/// A transform of the whole array by cuFFT, out of place.
template <class Real>
class WholeByCufft {
 public:
  using Complex = std::complex<Real>;

  WholeByCufft(Shape const& shape, bool has_reals, bool backward)
      : has_reals_(has_reals), backward_(backward) {
    std::vector<long long> lengths(shape.begin(), shape.end());
    bool const single = sizeof(Real) == sizeof(float);
    cufftType const type = !has_reals ? (single ? CUFFT_C2C : CUFFT_Z2Z)
                           : backward ? (single ? CUFFT_C2R : CUFFT_Z2D)
                                      : (single ? CUFFT_R2C : CUFFT_D2Z);
    check(cufftCreate(&plan_) == CUFFT_SUCCESS, "cuFFT: no plan");
    check(cufftMakePlanMany64(plan_, shape.size(), lengths.data(), nullptr, 1, 0, nullptr, 1, 0,
                              type, 1, &scratch_bytes_) == CUFFT_SUCCESS,
          "cuFFT: the plan cannot be made");
  }
  ~WholeByCufft() { cufftDestroy(plan_); }
  WholeByCufft(WholeByCufft const&) = delete;

  std::size_t scratch_bytes() const { return scratch_bytes_; }
  void run(void* in, void* out) {
    check(execute(in, out) == CUFFT_SUCCESS, "cuFFT: the transform failed");
    check(cudaDeviceSynchronize() == cudaSuccess, "cuda: the transform failed");
  }

 private:
  cufftResult execute(void* in, void* out) {
    int const direction = backward_ ? CUFFT_INVERSE : CUFFT_FORWARD;
    if constexpr (sizeof(Real) == sizeof(float)) {
      auto* const from = static_cast<cufftComplex*>(in);
      auto* const to = static_cast<cufftComplex*>(out);
      if (!has_reals_) return cufftExecC2C(plan_, from, to, direction);
      return backward_ ? cufftExecC2R(plan_, from, static_cast<cufftReal*>(out))
                       : cufftExecR2C(plan_, static_cast<cufftReal*>(in), to);
    } else {
      auto* const from = static_cast<cufftDoubleComplex*>(in);
      auto* const to = static_cast<cufftDoubleComplex*>(out);
      if (!has_reals_) return cufftExecZ2Z(plan_, from, to, direction);
      return backward_ ? cufftExecZ2D(plan_, from, static_cast<cufftDoubleReal*>(out))
                       : cufftExecD2Z(plan_, static_cast<cufftDoubleReal*>(in), to);
    }
  }

  bool has_reals_, backward_;
  cufftHandle plan_ = 0;
  std::size_t scratch_bytes_ = 0;
};

/// Numbers that are no pattern, as reals.
template <class Real>
std::vector<Real> numbers(Index count) {
  std::vector<Real> values(static_cast<std::size_t>(count));
  std::uint64_t state = 1;
  for (Real& value : values) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    value = static_cast<Real>(static_cast<double>(state >> 40) / (1 << 23) - 1);
  }
  return values;
}

/// How far two results are apart, by the largest of them.
template <class Real>
double difference(void const* a, void const* b, Index complex_numbers) {
  constexpr Index most = Index{1} << 24;
  auto const size = static_cast<std::size_t>(2 * std::min(complex_numbers, most));
  std::vector<Real> first(size), second(size);
  copy(Device::cuda, first.data(), a, size * sizeof(Real));
  copy(Device::cuda, second.data(), b, size * sizeof(Real));
  double apart = 0, largest = 0;
  for (std::size_t i = 0; i < size; ++i) {
    apart = std::max(apart, std::abs(static_cast<double>(first[i] - second[i])));
    largest = std::max(largest, std::abs(static_cast<double>(second[i])));
  }
  return apart / largest;
}

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

/// The option for a way to exchange, of which the environment says the rest.
Exchange exchange_by(std::string const& way) {
  if (way == "opened") return Exchange::shared;
  setenv("SIXSTEP_DEVICE_MESSAGES", way == "staged" ? "staged" : "staged-apart", 1);
  return Exchange::pairwise;
}

template <class Real>
void compare(Shape const& shape, std::string const& kind, bool backward, int windows,
             std::string const& way, Arguments const& arguments, MPI_Comm comm) {
  using Complex = std::complex<Real>;
  bool const has_reals = kind == "r2c", is_first = cli::rank_of(comm) == 0;
  int const ranks = cli::ranks_of(comm);
  Options options;
  options.device = Device::cuda;
  options.exchange = exchange_by(way);
  options.windows = windows;
  if (has_reals) options.kinds = {Kind::r2c};
  Shape result = shape;
  if (has_reals) result[shape.size() - 1] = shape[shape.size() - 1] / 2 + 1;
  Plan<Real> plan(Layout::slab(shape, ranks), Layout::slab(result, ranks), comm, options);
  auto const points = plan.allocate(), spectrum = plan.allocate();
  auto* const reals = reinterpret_cast<Real*>(points.get());
  std::vector<Real> const values = numbers<Real>(plan.input_size() * (has_reals ? 1 : 2));
  copy(Device::cuda, points.get(), values.data(), values.size() * sizeof(Real));
  auto const ours_forward = [&] {
    if (has_reals)
      plan.forward(reals, spectrum.get());
    else
      plan.forward(points.get(), spectrum.get());
  };
  auto const ours_backward = [&] {
    if (has_reals)
      plan.backward(spectrum.get(), reals, Scale::none);
    else
      plan.backward(spectrum.get(), points.get(), Scale::none);
  };
  auto const ours = [&] { backward ? ours_backward() : ours_forward(); };

  std::unique_ptr<WholeByCufft<Real>> whole;
  std::shared_ptr<void> whole_in, whole_out;
  auto const whole_bytes = static_cast<std::size_t>(volume(shape)) * sizeof(Complex);
  if (is_first) {
    whole = std::make_unique<WholeByCufft<Real>>(shape, has_reals, backward);
    whole_in = allocate(Device::cuda, whole_bytes + whole_bytes / 8);
    whole_out = allocate(Device::cuda, whole_bytes + whole_bytes / 8);
    std::vector<Real> const all = numbers<Real>(volume(shape) * (has_reals ? 1 : 2));
    copy(Device::cuda, whole_in.get(), all.data(), all.size() * sizeof(Real));
  }
  auto const theirs = [&] {
    if (whole) whole->run(whole_in.get(), whole_out.get());
  };
  ours_forward();
  if (backward && ranks == 1)
    copy(Device::cuda, whole_in.get(), spectrum.get(),
         static_cast<std::size_t>(volume(result)) * sizeof(Complex));
  ours();
  theirs();
  double const apart =
      ranks > 1
          ? NAN
          : difference<Real>(backward ? points.get() : spectrum.get(), whole_out.get(),
                             volume(backward ? shape : result) / (backward && has_reals ? 2 : 1));
  Trials const trials = node::take_turns({ours, theirs}, arguments.patience, comm);
  if (way != "opened" && ranks > 1)
    print_parts_of_staging(values.size() * sizeof(Real), arguments.patience, comm);
  if (!is_first) return;
  std::printf("%-18s %-4s %-8s %-6s %-8s %7d %10.3f %10.3f %7.3f %9.1e %8.2f %8.2f\n",
              to_string(shape).c_str(), kind.c_str(), backward ? "backward" : "forward",
              sizeof(Real) == sizeof(float) ? "single" : "double", way.c_str(), windows,
              1e3 * median(trials[0]), 1e3 * median(trials[1]), median_ratio(trials[0], trials[1]),
              apart, static_cast<double>(plan.workspace_bytes()) / static_cast<double>(whole_bytes),
              static_cast<double>(whole->scratch_bytes()) / static_cast<double>(whole_bytes));
  std::fflush(stdout);
}

int run(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("Transforms on GPUs, by sixstep and by cuFFT, in turn", "gpu");
  app.add_option("--shapes", arguments.shapes, "[256x256x256,512x512x512]")->delimiter(',');
  app.add_option("--kinds", arguments.kinds, "[c2c,r2c]")->delimiter(',');
  app.add_option("--precisions", arguments.precisions, "[double,single]")->delimiter(',');
  app.add_option("--directions", arguments.directions, "forward,backward [forward]")
      ->delimiter(',');
  app.add_option("--windows", arguments.windows, "Of exchanges [0: by size]")->delimiter(',');
  app.add_option("--exchanges", arguments.exchanges,
                 "opened: ranks open each other's memory; staged: in the host's memory, which they "
                 "share; messages: MPI sends what is staged [opened]")
      ->delimiter(',')
      ->check(CLI::IsMember({"opened", "staged", "messages"}));
  app.add_option("--rounds", arguments.patience.rounds, "At least [9]")
      ->transform(cli::number_in(1, cli::most_repeats));
  app.add_option("--seconds", arguments.patience.seconds, "For each at least [1]")
      ->transform(cli::number_in(0.0, 3600.0));
  CLI11_PARSE(app, argc, argv);
  return cli::with_mpi(
      [&](MPI_Comm comm) {
        if (cli::rank_of(comm) == 0)
          std::printf(
              "%d ranks, %s; milliseconds, work memory of a rank by the whole array\n"
              "%-18s %-4s %-8s %-6s %-8s %7s %10s %10s %7s %9s %8s %8s\n",
              cli::ranks_of(comm),
              devices(Device::cuda).empty() ? "no GPU" : devices(Device::cuda)[0].c_str(), "shape",
              "kind", "way", "real", "exchange", "windows", "sixstep", "cuFFT", "ratio", "apart",
              "work", "its");
        for (std::string const& words : arguments.shapes)
          for (std::string const& kind : arguments.kinds)
            for (std::string const& precision : arguments.precisions)
              for (std::string const& direction : arguments.directions)
                for (std::string const& way : arguments.exchanges)
                  for (int windows : arguments.windows) {
                    Shape const shape = cli::read_shape({words});
                    bool const backward = direction == "backward";
                    if (precision == "single")
                      compare<float>(shape, kind, backward, windows, way, arguments, comm);
                    else
                      compare<double>(shape, kind, backward, windows, way, arguments, comm);
                  }
      },
      "gpu");
}

}  // namespace
}  // namespace sixstep::bench

int main(int argc, char** argv) { return sixstep::bench::run(argc, argv); }
