// SPDX-License-Identifier: BSD-3-Clause
// Runs a Program over groups of L columns: the Transform of one instruction set.
//
// A group is read into the kernels' own rows, or its first pass reads the user's array directly;
// the passes run depth first; and the last one writes the user's array directly, or rows that are
// then twisted, scaled and stored. All of a group is read before any of it is written.
#include <algorithm>
#include <concepts>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "local/groups-inl.hpp"
#include "local/passes-inl.hpp"
#include "local/program.hpp"
#include "local/transform.hpp"
#include "local/twist-inl.hpp"

#if defined(SIXSTEP_LOCAL_COLUMN_TRANSFORM_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_COLUMN_TRANSFORM_INL
#undef SIXSTEP_LOCAL_COLUMN_TRANSFORM_INL
#else
#define SIXSTEP_LOCAL_COLUMN_TRANSFORM_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

/// The passes of a program with their kernels.
template <class Real>
struct Chain {
  struct Stage {
    Pass<Real> const* pass;
    RadixKernels<Real> kernels;
    std::unique_ptr<Chain> convolution;  // of a prime
  };

  Program<Real> const& program;
  std::vector<Stage> stages;

  explicit Chain(Program<Real> const& from) : program(from) {
    for (Pass<Real> const& pass : program.passes)
      stages.push_back({&pass, local::HWY_NAMESPACE::kernels<Real>(pass.radix),
                        pass.prime ? std::make_unique<Chain>(*pass.prime->convolution) : nullptr});
  }

  /// Where row k of the input belongs in the buffer.
  Index buffer_row(Index k) const {
    if (stages.empty()) return k;
    Pass<Real> const& pass = *stages.front().pass;
    return pass.step == pass.count ? k : k + k / pass.count * (pass.step - pass.count);
  }
};

/// Memory of one run: rows of 2 L reals each.
template <class Real>
struct Workspace {
  Real* rows;            // the group
  Real* result;          // in natural order, where the last pass cannot write the user's array
  Real* twiddles;        // one tile of a two-level table
  Real* inner_twiddles;  // the same, of a convolution
  Real* convolution;     // of a prime: operand ...
  Real* product;         // ... and result
};

/// Twiddle rows of tile q from a two-level table.
template <class Real>
HWY_NOINLINE void make_twiddles(Twiddles<Real> const& table, Index q, Index rows, Index radix,
                                Real* HWY_RESTRICT out) {
  Index const width = radix - 1;
  Real const* HWY_RESTRICT const high = table.coarse.data() + q * 2 * width;
  Real const* HWY_RESTRICT const low = table.coarse_rest.data() + q * 2 * width;
  for (Index i = 0; i < rows; ++i, out += 2 * width) {
    Real const* HWY_RESTRICT const fine = table.fine.data() + i * 2 * width;
    for (Index j = 0; j < width; ++j) {
      Real const re = high[j];
      Real const im = high[width + j];
      out[j] = re + (low[j] + (re * fine[j] - im * fine[width + j]));
      out[width + j] = im + (low[width + j] + (re * fine[width + j] + im * fine[j]));
    }
  }
}

/// Row j of a prime's transform to row p + step j of a block, times its twiddle.
template <class Real>
struct MiddleRows {
  OwnRows<Real> rows;
  Index p;
  Index step;
  Index radix;
  Real const* twiddles;

  HWY_INLINE void put(Complex<Real> x, Index j) const {
    if (j > 0) x = x * broadcast<Real>(twiddles[j - 1], twiddles[radix + j - 2]);
    rows.store(x, p + step * j);
  }
};

/// Row j of a prime's transform to its place in the result.
template <class Real>
struct LastRows {
  OwnRows<Real> rows;
  Index q;
  Places places;

  HWY_INLINE void put(Complex<Real> x, Index j) const {
    rows.store(x, j == 0 ? places.of_first_row(q) : places.of_row(q, j));
  }
};

/// One group's way through a chain.
template <class Real>
class Walk {
 public:
  Walk(Chain<Real> const& chain, Workspace<Real> const& work, Index sign)
      : chain_(chain), work_(work), sign_(sign) {}

  /// From the buffer's rows to `to`, natural order. OwnRows or UserSink.
  template <class Sink>
  void from_buffer(Real* rows, Sink to) const {
    descend(0, rows, 0, 1, to);
  }

  /// The first pass, of a small radix, from the user's rows to the buffer.
  void first_pass(UserSource<Real> from) const {
    Stage const& stage = chain_.stages.front();
    middle(stage, stage.kernels.first, from, stage.pass->count, work_.rows);
  }

  /// The same from the buffer's rows.
  void first_pass() const {
    Stage const& stage = chain_.stages.front();
    middle(stage, stage.kernels.middle, OwnRows<Real>{work_.rows}, stage.pass->step, work_.rows);
  }

  /// The passes after the first, to `to`.
  template <class Sink>
  void other_passes(Sink to) const {
    below(0, work_.rows, 0, 1, to);
  }

  /// A chain of one small pass, from array to array.
  void whole(UserSource<Real> from, UserSink<Real, Unchanged<Real>> to) const {
    chain_.stages.front().kernels.whole(from, 1, 0, places(0, 1, 1), to);
  }

 private:
  using Stage = typename Chain<Real>::Stage;

  // Passes t, t + 1, ... of a block whose results belong to first, first + weight, ...
  template <class Sink>
  void descend(std::size_t t, Real* block, Index first, Index weight, Sink to) const {
    if (t + 1 == chain_.stages.size()) {
      last(chain_.stages[t], block, 1, 0, places(first, weight, weight), to);
      return;
    }
    Stage const& stage = chain_.stages[t];
    middle(stage, stage.kernels.middle, OwnRows<Real>{block}, stage.pass->step, block);
    below(t, block, first, weight, to);
  }

  // The blocks that pass t has left.
  template <class Sink>
  void below(std::size_t t, Real* block, Index first, Index weight, Sink to) const {
    Pass<Real> const& pass = *chain_.stages[t].pass;
    if (t + 2 == chain_.stages.size()) {
      last(chain_.stages[t + 1], block, pass.radix, pass.step,
           places(first, weight, weight * pass.radix), to);
      return;
    }
    for (Index j = 0; j < pass.radix; ++j)
      descend(t + 1, block + pass.step * j * row_reals<Real>, first + weight * j,
              weight * pass.radix, to);
  }

  Places places(Index first, Index weight, Index stride) const {
    Index const n = chain_.program.n;
    return {n, sign_ < 0 ? n - first : first, sign_ * weight, sign_ * stride};
  }

  template <class Source>
  void middle(Stage const& stage, void (*kernel)(Source, Butterflies<Real>), Source from,
              Index from_step, Real* block) const {
    Pass<Real> const& pass = *stage.pass;
    for (Index p = 0; p < pass.count; p += pass.twiddles.tile) {
      Butterflies<Real> const part{{block + p * row_reals<Real>},
                                   std::min(pass.twiddles.tile, pass.count - p),
                                   pass.step,
                                   from_step,
                                   twiddles(pass, p)};
      if (kernel != nullptr)
        kernel(from.from_row(p), part);
      else
        prime_butterflies(stage, part);
    }
  }

  // Those of the tile that begins at row p; of a two-level table they are made now.
  Real const* twiddles(Pass<Real> const& pass, Index p) const {
    Twiddles<Real> const& table = pass.twiddles;
    if (table.whole()) return table.fine.data();
    make_twiddles(table, p / table.tile, std::min(table.tile, pass.count - p), pass.radix,
                  work_.twiddles);
    return work_.twiddles;
  }

  void prime_butterflies(Stage const& stage, Butterflies<Real> const& part) const {
    Index const radix = stage.pass->radix;
    for (Index p = 0; p < part.count; ++p)
      prime(stage, part.own.rows + p * row_reals<Real>, part.step,
            MiddleRows<Real>{part.own, p, part.step, radix, part.twiddles + p * 2 * (radix - 1)});
  }

  void last(Stage const& stage, Real* block, Index blocks, Index step, Places places,
            OwnRows<Real> to) const {
    if (stage.kernels.last != nullptr) {
      stage.kernels.last({block}, blocks, step, places, to);
      return;
    }
    for (Index q = 0; q < blocks; ++q)
      prime(stage, block + q * step * row_reals<Real>, 1, LastRows<Real>{to, q, places});
  }

  template <class Finish>
  void last(Stage const& stage, Real* block, Index blocks, Index step, Places places,
            UserSink<Real, Finish> to) const {
    stage.kernels.last_to_user(to.finish)({block}, blocks, step, places, to);
  }

  template <class Out>
  void prime(Stage const& stage, Real const* in, Index step, Out out) const {
    if (stage.pass->prime->rader)
      rader(stage, in, step, out);
    else
      bluestein(stage, in, step, out);
  }

  // A convolution's transform; its tile must leave alone that of the pass around it.
  Walk inner(Chain<Real> const& chain, Index sign) const {
    Workspace<Real> work = work_;
    work.twiddles = work.inner_twiddles;
    return Walk(chain, work, sign);
  }

  // Multiplies by the other operand's spectrum on the way back, which is scaled for it.
  void multiply(PrimeTransform<Real> const& prime, Chain<Real> const& chain) const {
    for (Index q = 0; q < chain.program.n; ++q) {
      Complex<Real> const x = load_row(work_.product + q * row_reals<Real>);
      store_row(x * broadcast<Real>(prime.spectrum[static_cast<std::size_t>(2 * q)],
                                    prime.spectrum[static_cast<std::size_t>(2 * q + 1)]),
                work_.convolution + chain.buffer_row(q) * row_reals<Real>);
    }
  }

  template <class Out>
  void rader(Stage const& stage, Real const* in, Index step, Out out) const {
    PrimeTransform<Real> const& prime = *stage.pass->prime;
    Chain<Real> const& chain = *stage.convolution;
    for (Index q = 0; q < prime.p - 1; ++q)
      store_row(load_row(in + prime.from[static_cast<std::size_t>(q)] * step * row_reals<Real>),
                work_.convolution + chain.buffer_row(q) * row_reals<Real>);
    Complex<Real> const x0 = load_row(in);
    inner(chain, 1).from_buffer(work_.convolution, OwnRows<Real>{work_.product});
    out.put(x0 + load_row(work_.product), 0);
    multiply(prime, chain);
    // x0 belongs to every row of the result, so to the mean of its spectrum.
    store_row(load_row(work_.convolution) + x0, work_.convolution);
    inner(chain, -1).from_buffer(work_.convolution, OwnRows<Real>{work_.product});
    for (Index q = 0; q < prime.p - 1; ++q)
      out.put(load_row(work_.product + q * row_reals<Real>), prime.to[static_cast<std::size_t>(q)]);
  }

  template <class Out>
  void bluestein(Stage const& stage, Real const* in, Index step, Out out) const {
    PrimeTransform<Real> const& prime = *stage.pass->prime;
    Chain<Real> const& chain = *stage.convolution;
    auto const chirp = [&prime](Index k) HWY_ATTR {
      return broadcast<Real>(prime.chirp[static_cast<std::size_t>(2 * k)],
                             prime.chirp[static_cast<std::size_t>(2 * k + 1)]);
    };
    for (Index k = 0; k < chain.program.n; ++k)
      store_row(k < prime.p ? load_row(in + k * step * row_reals<Real>) * chirp(k)
                            : broadcast<Real>(0, 0),
                work_.convolution + chain.buffer_row(k) * row_reals<Real>);
    inner(chain, 1).from_buffer(work_.convolution, OwnRows<Real>{work_.product});
    multiply(prime, chain);
    inner(chain, -1).from_buffer(work_.convolution, OwnRows<Real>{work_.product});
    for (Index j = 0; j < prime.p; ++j)
      out.put(load_row(work_.product + j * row_reals<Real>) * chirp(j), j);
  }

  Chain<Real> const& chain_;
  Workspace<Real> work_;
  Index sign_;  // -1: backward
};

/// The Transform of one program and instruction set.
template <class Real>
class ColumnTransform final : public Transform<std::complex<Real>> {
 public:
  explicit ColumnTransform(Program<Real> program)
      : program_(std::move(program)), chain_(program_), twist_(program_.n) {
    for (Pass<Real> const& pass : program_.passes) {
      if (!pass.twiddles.whole())
        tile_reals_ = std::max(tile_reals_, pass.twiddles.tile * 2 * (pass.radix - 1));
      if (!pass.prime) continue;
      Program<Real> const& convolution = *pass.prime->convolution;
      convolution_rows_ = std::max(convolution_rows_, convolution.rows);
      for (Pass<Real> const& inner : convolution.passes)
        if (!inner.twiddles.whole())
          inner_tile_reals_ =
              std::max(inner_tile_reals_, inner.twiddles.tile * 2 * (inner.radix - 1));
    }
  }

  Index n() const override { return program_.n; }
  Index lanes() const override { return local::HWY_NAMESPACE::lanes<Real>; }

  std::size_t scratch_bytes() const override {
    Index const rows = program_.rows + program_.n + 2 * convolution_rows_;
    Index const reals = rows * row_reals<Real> + aligned(tile_reals_) + aligned(inner_tile_reals_);
    return static_cast<std::size_t>(reals) * sizeof(Real) + twist_.bytes();
  }

  std::string describe() const override {
    return "radix " + program_.describe() + ", " + hwy::TargetName(HWY_TARGET);
  }

  void run(Batch<std::complex<Real>> const& batch, std::byte* scratch) const override {
    Work const work = carve(scratch);
    TwistTable<Real> twist = twist_;
    bool const twisted = batch.twist.roots != nullptr;
    if (twisted) twist.begin(batch.twist, batch.backward, batch.scale, work.twist);
    constexpr Index width = local::HWY_NAMESPACE::lanes<Real>;
    for (Index column = 0; column < batch.columns; column += width) {
      if (twisted && column > 0) twist.next_group();
      Walk<Real> const walk(chain_, work.rows, batch.backward ? -1 : 1);
      Group<Real const> const in = group<Real const>(batch.in, batch.columns, column);
      Group<Real> const out = group<Real>(batch.out, batch.columns, column);
      if (twisted)
        run_group(walk, in, out, Twisted<Real>{twist.factors()}, work.rows);
      else if (batch.scale == Real{1})
        run_group(walk, in, out, Unchanged<Real>{}, work.rows);
      else
        run_group(walk, in, out, Scaled<Real>{hn::Set(Tag<Real>(), batch.scale)}, work.rows);
    }
  }

 private:
  struct Work {
    Workspace<Real> rows;
    std::byte* twist;
  };

  static Index aligned(Index reals) { return (reals + 15) / 16 * 16; }

  Work carve(std::byte* scratch) const {
    Real* next = reinterpret_cast<Real*>(scratch);
    auto const take = [&next](Index reals) { return std::exchange(next, next + reals); };
    Workspace<Real> rows{};
    rows.rows = take(program_.rows * row_reals<Real>);
    rows.result = take(program_.n * row_reals<Real>);
    rows.convolution = take(convolution_rows_ * row_reals<Real>);
    rows.product = take(convolution_rows_ * row_reals<Real>);
    rows.twiddles = take(aligned(tile_reals_));
    rows.inner_twiddles = take(aligned(inner_tile_reals_));
    return {rows, reinterpret_cast<std::byte*>(next)};
  }

  template <class Scalar, class Complex>
  static Group<Scalar> group(Columns<Complex> const& all, Index columns, Index column) {
    constexpr Index width = local::HWY_NAMESPACE::lanes<Real>;
    return {reinterpret_cast<Scalar*>(all.data + column * all.lane), all.row, all.lane,
            std::min(width, columns - column)};
  }

  template <class Finish>
  void run_group(Walk<Real> const& walk, Group<Real const> const& in, Group<Real> const& out,
                 Finish const& finish, Workspace<Real> const& work) const {
    bool const small_first = !chain_.stages.empty() && !chain_.stages.front().pass->prime;
    if (chain_.stages.size() < 2 || !small_first) {
      run_buffered(walk, in, out, finish, work);
      return;
    }
    if (in.side_by_side()) {
      walk.first_pass(UserSource<Real>{in.first, in.row});
    } else {
      load(in, work.rows);
      walk.first_pass();
    }

    if (out.side_by_side() && !chain_.stages.back().pass->prime) {
      walk.other_passes(UserSink<Real, Finish>{out.first, out.row, finish});
    } else {
      walk.other_passes(OwnRows<Real>{work.result});
      store_group(work.result, program_.n, out, finish);
    }
  }

  // One pass or none, or a prime first: the whole group is loaded before.
  template <class Finish>
  void run_buffered(Walk<Real> const& walk, Group<Real const> const& in, Group<Real> const& out,
                    Finish const& finish, Workspace<Real> const& work) const {
    bool const small = chain_.stages.size() == 1 && !chain_.stages.front().pass->prime;
    if constexpr (std::same_as<Finish, Unchanged<Real>>) {
      if (small && in.side_by_side() && out.side_by_side()) {
        walk.whole(UserSource<Real>{in.first, in.row},
                   UserSink<Real, Finish>{out.first, out.row, finish});
        return;
      }
    }
    load(in, work.rows);
    if (small && out.side_by_side()) {
      walk.from_buffer(work.rows, UserSink<Real, Finish>{out.first, out.row, finish});
    } else {
      if (!chain_.stages.empty()) walk.from_buffer(work.rows, OwnRows<Real>{work.result});
      store_group(chain_.stages.empty() ? work.rows : work.result, program_.n, out, finish);
    }
  }

  void load(Group<Real const> const& in, Real* rows) const {
    bool const padded = program_.rows > program_.n;
    Index const block = padded ? program_.passes.front().count : program_.n;
    for (Index k = 0; k < program_.n; k += block)
      load_group(in, k, k + block, rows + chain_.buffer_row(k) * row_reals<Real>);
  }

  Program<Real> program_;
  Chain<Real> chain_;
  TwistTable<Real> twist_;
  Index convolution_rows_ = 0;
  Index tile_reals_ = 0;
  Index inner_tile_reals_ = 0;
};

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
