// SPDX-License-Identifier: BSD-3-Clause
// FFTW's MPI transforms, planned with FFTW_MEASURE; they may destroy their input.
#include <fftw3-mpi.h>

#include "node/distributed.hpp"

namespace sixstep::bench::node {
namespace {

constexpr unsigned flags = FFTW_MEASURE | FFTW_DESTROY_INPUT;

template <class Real>
struct Api;

template <>
struct Api<double> {
  using Plan = fftw_plan;
  using Complex = fftw_complex;
  static constexpr auto local_size_1d = fftw_mpi_local_size_1d;
  static constexpr auto local_size_3d = fftw_mpi_local_size_3d_transposed;
  static constexpr auto c2c_1d = fftw_mpi_plan_dft_1d;
  static constexpr auto c2c_3d = fftw_mpi_plan_dft_3d;
  static constexpr auto r2c_3d = fftw_mpi_plan_dft_r2c_3d;
  static constexpr auto run = fftw_execute;
  static constexpr auto destroy = fftw_destroy_plan;
  static constexpr auto init_threads = fftw_init_threads;
  static constexpr auto init_mpi = fftw_mpi_init;
  static constexpr auto set_threads = fftw_plan_with_nthreads;
  static constexpr auto set_limit = fftw_set_timelimit;
};

template <>
struct Api<float> {
  using Plan = fftwf_plan;
  using Complex = fftwf_complex;
  static constexpr auto local_size_1d = fftwf_mpi_local_size_1d;
  static constexpr auto local_size_3d = fftwf_mpi_local_size_3d_transposed;
  static constexpr auto c2c_1d = fftwf_mpi_plan_dft_1d;
  static constexpr auto c2c_3d = fftwf_mpi_plan_dft_3d;
  static constexpr auto r2c_3d = fftwf_mpi_plan_dft_r2c_3d;
  static constexpr auto run = fftwf_execute;
  static constexpr auto destroy = fftwf_destroy_plan;
  static constexpr auto init_threads = fftwf_init_threads;
  static constexpr auto init_mpi = fftwf_mpi_init;
  static constexpr auto set_threads = fftwf_plan_with_nthreads;
  static constexpr auto set_limit = fftwf_set_timelimit;
};

/// Where FFTW wants a rank's part of a case, and how many complex numbers each array must hold.
struct Parts {
  Part input;
  Part output;
  std::ptrdiff_t size;
};

Range range(std::ptrdiff_t first, std::ptrdiff_t count) { return {first, first + count}; }

bool transposed(Case const& c, Setting const& setting) {
  return c.output == Output::transposed && setting.ranks > 1;
}

unsigned flags_1d(Case const& c, Setting const& setting) {
  return flags | (transposed(c, setting) ? FFTW_MPI_SCRAMBLED_OUT : 0);
}

template <class Real>
Parts parts_1d(Case const& c, Setting const& setting) {
  Index const n = c.shape[2];
  std::ptrdiff_t in, first_in, out, first_out;
  std::ptrdiff_t const size = Api<Real>::local_size_1d(
      n, setting.comm, FFTW_FORWARD, flags_1d(c, setting), &in, &first_in, &out, &first_out);
  return {{{Range{0, 1}, Range{0, 1}, range(first_in, in)}, {n, n, 1}},
          {{Range{0, 1}, Range{0, 1}, range(first_out, out)}, {n, n, 1}},
          size};
}

template <class Real>
Parts parts_3d(Case const& c, Setting const& setting) {
  auto const [n0, n1, n2] = c.shape;
  Index const half = c.spectrum()[2];
  std::ptrdiff_t rows, first_row, columns, first_column;
  std::ptrdiff_t const size = Api<Real>::local_size_3d(n0, n1, half, setting.comm, &rows,
                                                       &first_row, &columns, &first_column);
  Index const row = c.kind == Kind::r2c ? 2 * half : n2;  // padded
  Part const input{{range(first_row, rows), Range{0, n1}, Range{0, n2}}, {n1 * row, row, 1}};
  if (transposed(c, setting))
    return {input,
            {{Range{0, n0}, range(first_column, columns), Range{0, half}}, {half, n0 * half, 1}},
            size};
  return {
      input, {{range(first_row, rows), Range{0, n1}, Range{0, half}}, {n1 * half, half, 1}}, size};
}

template <class Real>
typename Api<Real>::Plan make_plan(Case const& c, Setting const& setting, void* in, void* out) {
  using Complex = typename Api<Real>::Complex;
  auto const [n0, n1, n2] = c.shape;
  unsigned const all_flags = flags | (transposed(c, setting) ? FFTW_MPI_TRANSPOSED_OUT : 0);
  auto* const to = static_cast<Complex*>(out);
  if (c.kind == Kind::r2c)
    return Api<Real>::r2c_3d(n0, n1, n2, static_cast<Real*>(in), to, setting.comm, all_flags);
  auto* const from = static_cast<Complex*>(in);
  if (c.one_axis())
    return Api<Real>::c2c_1d(n2, from, to, setting.comm, FFTW_FORWARD, flags_1d(c, setting));
  return Api<Real>::c2c_3d(n0, n1, n2, from, to, setting.comm, FFTW_FORWARD, all_flags);
}

template <class Real>
std::optional<Prepared> prepare(Case const& c, Setting const& setting) {
  [[maybe_unused]] static bool const ready = [] {
    Api<Real>::init_threads();
    Api<Real>::init_mpi();
    return true;
  }();
  Api<Real>::set_limit(setting.planning_s);
  Api<Real>::set_threads(setting.threads);
  Parts const parts = c.one_axis() ? parts_1d<Real>(c, setting) : parts_3d<Real>(c, setting);
  std::size_t const bytes =
      static_cast<std::size_t>(parts.size) * sizeof(typename Api<Real>::Complex);
  std::shared_ptr<std::byte[]> const in = allocate(bytes), out = allocate(bytes);
  double const begin = MPI_Wtime();
  auto const plan = make_plan<Real>(c, setting, in.get(), out.get());
  if (!plan) return std::nullopt;
  bool const hurried = MPI_Wtime() - begin > setting.planning_s;
  std::shared_ptr<void> const owner(plan, [plan](void*) { Api<Real>::destroy(plan); });
  return Prepared{.in = in,
                  .out = out,
                  .input = parts.input,
                  .output = parts.output,
                  .run = [owner, plan] { Api<Real>::run(plan); },
                  .hurried = hurried};
}

}  // namespace

Contender fftw_contender() {
  return {"FFTW", fftw_version, false, [](Case const& c, Setting const& setting) {
            return c.single ? prepare<float>(c, setting) : prepare<double>(c, setting);
          }};
}

}  // namespace sixstep::bench::node
