// SPDX-License-Identifier: BSD-3-Clause
// Both levels run in pieces that threads share: runs of pairs of columns, then blocks of k1.
#include "local/two_level_reals.hpp"

#include <algorithm>

#include "base/memory.hpp"
#include "base/run_team.hpp"
#include "local/caches.hpp"
#include "local/numbers/primes.hpp"
#include "local/shared_transforms.hpp"
#include "local/targets.hpp"
#include "sixstep/error.hpp"

namespace sixstep::local {

namespace {

/// Calls body(first, count, thread) for parts of `columns` columns, one for each thread, all but
/// the last of them a multiple of a cache line of doubles.
template <class Body>
void share_columns(Index columns, int threads, Body const& body) {
  constexpr Index unit = 8;
  run_team(threads, [&](int thread, int team) {
    auto const begin = [&](Index part) {
      return std::min((columns / unit * part / team) * unit, columns);
    };
    Index const first = begin(thread), end = thread + 1 == team ? columns : begin(thread + 1);
    if (first < end) body(first, end - first, thread);
  });
}

/// The usual staging, but none for what stays in the last-level cache: kernels that reach far rows
/// themselves take a fifth less there than through a buffer.
Staging staging_of(Index source_step, Index target_step, Index bytes, Tuning const& tuning) {
  if (bytes <= tuning.staged_of_third.of(third_bytes(tuning))) return {};
  return staging(source_step, target_step, bytes, tuning);
}

/// The columns of a block: strips of a row's usual width that stay in cache, or more of short ones.
template <class Real>
Index width_of(Index rows, Tuning const& tuning) {
  constexpr Index element_bytes = sizeof(std::complex<Real>), least_bytes = 32768;
  Index const usual = std::max(tuning.strip_row_bytes, least_bytes / rows) / element_bytes;
  Index const fits = tuning.strip_of_second.of(caches().second) / element_bytes / rows;
  return std::clamp<Index>(usual, 1, std::max<Index>(fits, 1));
}

}  // namespace

template <class Real>
Index TwoLevelReals<Real>::fast_of(Index n) {
  for (Index const slow : divisors(n / 2))
    if (slow * slow >= n) return n / slow;
  require_internal(false, "two levels need an even length of at least 4");
  return 2;
}

template <class Real>
TwoLevelReals<Real>::TwoLevelReals(Index n, Local whose, Tuning const& tuning)
    : slow_(shared_transform<Complex, Complex>(Kind::c2c, n / fast_of(n), whose, tuning)),
      fast_(shared_transform<Complex, Complex>(Kind::c2c, fast_of(n), whose, tuning)),
      roots_(shared_roots(n)),
      pairs_(*slow_,
             staging_of(half() * Index{sizeof(Complex)}, 0, n * Index{sizeof(Real)}, tuning),
             tuning),
      pairs_back_(*slow_,
                  staging_of(0, half() * Index{sizeof(Complex)}, n * Index{sizeof(Real)}, tuning),
                  tuning),
      kernels_(paired_column_kernels<Real>(chosen_target())),
      width_(width_of<Real>(fast_->n(), tuning)),
      pitch_(width_ + tuning.strip_pad_bytes / Index{sizeof(Complex)}),
      streams_(worth_streaming(n * Index{sizeof(Real)}, tuning)) {
  for (Index p = 0; p < half(); ++p)
    row_factors_.push_back(roots_->template at<Real>(2 * p * slow_->n()));
  for (Index k = 0; k <= slow_->n() / 2; ++k) {
    Complex const root = roots_->template at<Real>(k);
    factors_re_.insert(factors_re_.end(), {root.imag(), root.imag()});
    factors_im_.insert(factors_im_.end(), {root.real(), -root.real()});
  }
}

template <class Real>
std::string TwoLevelReals<Real>::describe() const {
  return text("(", slow_->describe(), ") x (", fast_->describe(), ")");
}

template <class Real>
std::size_t TwoLevelReals<Real>::bytes() const {
  constexpr std::size_t of_roots = 128;  // a number, of which two tables have sqrt(n) each
  return sizeof *this + of_roots * static_cast<std::size_t>(slow_->n() + fast_->n()) +
         row_factors_.capacity() * sizeof(Complex) +
         (factors_re_.capacity() + factors_im_.capacity()) * sizeof(Real) +
         table_bytes(Kind::c2c, slow_->n()) + table_bytes(Kind::c2c, fast_->n());
}

template <class Real>
std::size_t TwoLevelReals<Real>::between_bytes() const {
  return aligned(static_cast<std::size_t>(slow_->n() * half()) * sizeof(Complex));
}

template <class Real>
std::size_t TwoLevelReals<Real>::block_bytes() const {
  return aligned(static_cast<std::size_t>(fast_->n() * pitch_) * sizeof(Complex));
}

template <class Real>
std::size_t TwoLevelReals<Real>::thread_bytes() const {
  std::size_t const pairs = std::max(pairs_.scratch_bytes(), pairs_back_.scratch_bytes());
  return aligned(std::max(pairs, block_bytes() + fast_->scratch_bytes()));
}

template <class Real>
std::size_t TwoLevelReals<Real>::workspace_bytes(bool apart, int threads) const {
  return (apart ? 0 : between_bytes()) + static_cast<std::size_t>(threads) * thread_bytes();
}

template <class Real>
template <class Number>
MirroredColumns<Number> TwoLevelReals<Real>::columns(Number* matrix, Index first) const {
  Index const slow = slow_->n();
  return {.own = matrix + first,
          .image = matrix + slow - first,
          .step = slow,
          .rows = half(),
          .columns = std::min(width_, slow / 2 - first + 1)};
}

template <class Real>
void TwoLevelReals<Real>::forward(Real const* in, Complex* out, Real scale, int threads,
                                  std::byte* workspace) const {
  bool const in_place = static_cast<void const*>(in) == out;
  Complex* const matrix = in_place ? reinterpret_cast<Complex*>(workspace) : out;
  std::byte* const memory = workspace + (in_place ? between_bytes() : 0);
  first_level(in, matrix, threads, memory);
  share_in_turn(blocks(), threads, [&](Index block, int thread) {
    std::byte* const own = memory + static_cast<std::size_t>(thread) * thread_bytes();
    if (block == 0)
      first_coefficients(matrix, out, scale / 2, own);
    else
      coefficients(matrix, 1 + (block - 1) * width_, out, scale / 2, own);
  });
}

template <class Real>
void TwoLevelReals<Real>::backward(Complex const* in, Real* out, Real scale, bool apart,
                                   int threads, std::byte* workspace) const {
  auto* const matrix = apart ? const_cast<Complex*>(in) : reinterpret_cast<Complex*>(workspace);
  std::byte* const memory = workspace + (apart ? 0 : between_bytes());
  share_in_turn(blocks(), threads, [&](Index block, int thread) {
    std::byte* const own = memory + static_cast<std::size_t>(thread) * thread_bytes();
    if (block == 0)
      first_operands(in, matrix, own);
    else
      operands(in, 1 + (block - 1) * width_, matrix, own);
  });
  last_level(matrix, out, scale, threads, memory);
}

template <class Real>
void TwoLevelReals<Real>::first_level(Real const* in, Complex* matrix, int threads,
                                      std::byte* memory) const {
  auto const* const pairs = reinterpret_cast<Complex const*>(in);
  share_columns(half(), threads, [&](Index first, Index count, int thread) {
    pairs_.run({.in = {pairs + first, RowMap::every(half()), 1},
                .out = {matrix + first * slow_->n(), RowMap::every(1), slow_->n()},
                .columns = count,
                .twist = {roots_.get(), 2 * first, 2},
                .stream = streams_},
               memory + static_cast<std::size_t>(thread) * thread_bytes());
  });
}

template <class Real>
void TwoLevelReals<Real>::last_level(Complex const* matrix, Real* out, Real scale, int threads,
                                     std::byte* memory) const {
  auto* const pairs = reinterpret_cast<Complex*>(out);
  share_columns(half(), threads, [&](Index first, Index count, int thread) {
    pairs_back_.run({.in = {matrix + first * slow_->n(), RowMap::every(1), slow_->n()},
                     .out = {pairs + first, RowMap::every(half()), 1},
                     .columns = count,
                     .backward = true,
                     .scale = scale},
                    memory + static_cast<std::size_t>(thread) * thread_bytes());
  });
}

template <class Real>
void TwoLevelReals<Real>::coefficients(Complex const* matrix, Index first, Complex* out, Real scale,
                                       std::byte* memory) const {
  auto* const block = reinterpret_cast<Complex*>(memory);
  auto const from = columns(matrix, first);
  kernels_.separate(from, row_factors_.data(),
                    {factors_re_.data() + 2 * first, factors_im_.data() + 2 * first},
                    {block, pitch_});
  fast_->run({.in = {block, RowMap::every(pitch_), 1},
              .out = {block, RowMap::every(pitch_), 1},
              .columns = from.columns,
              .scale = scale},
             memory + block_bytes());
  kernels_.fold({block, pitch_}, columns(out, first));
}

template <class Real>
void TwoLevelReals<Real>::operands(Complex const* in, Index first, Complex* matrix,
                                   std::byte* memory) const {
  auto* const block = reinterpret_cast<Complex*>(memory);
  auto const to = columns(matrix, first);
  kernels_.unfold(columns(in, first), {block, pitch_});
  fast_->run({.in = {block, RowMap::every(pitch_), 1},
              .out = {block, RowMap::every(pitch_), 1},
              .columns = to.columns,
              .backward = true,
              .twist = {roots_.get(), first, 1}},
             memory + block_bytes());
  kernels_.join({block, pitch_}, to);
}

// The columns of k1 = 0 are their own images, and the sums of reals are real.

template <class Real>
void TwoLevelReals<Real>::first_coefficients(Complex const* matrix, Complex* out, Real scale,
                                             std::byte* memory) const {
  auto* const column = reinterpret_cast<Complex*>(memory);
  Index const slow = slow_->n();
  for (Index p = 0; p < half(); ++p) {
    column[2 * p] = 2 * matrix[p * slow].real();
    column[2 * p + 1] = 2 * matrix[p * slow].imag();
  }
  fast_->run({.in = {column, RowMap::every(1), 1},
              .out = {column, RowMap::every(1), 1},
              .columns = 1,
              .scale = scale},
             memory + block_bytes());
  for (Index p = 0; p < half(); ++p) out[p * slow] = column[p];
  out[0] = column[0].real();
  out[half() * slow] = column[half()].real();
}

template <class Real>
void TwoLevelReals<Real>::first_operands(Complex const* in, Complex* matrix,
                                         std::byte* memory) const {
  auto* const column = reinterpret_cast<Complex*>(memory);
  Index const slow = slow_->n(), fast = fast_->n();
  column[0] = in[0].real();
  column[half()] = in[half() * slow].real();
  for (Index p = 1; p < half(); ++p) {
    column[p] = in[p * slow];
    column[fast - p] = std::conj(column[p]);
  }
  fast_->run({.in = {column, RowMap::every(1), 1},
              .out = {column, RowMap::every(1), 1},
              .columns = 1,
              .backward = true},
             memory + block_bytes());
  for (Index p = 0; p < half(); ++p)
    matrix[p * slow] = {column[2 * p].real(), column[2 * p + 1].real()};
}

template class TwoLevelReals<float>;
template class TwoLevelReals<double>;

}  // namespace sixstep::local
