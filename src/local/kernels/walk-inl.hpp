// SPDX-License-Identifier: BSD-3-Clause
// Runs a Recipe over the kernels' own rows, depth first, one tile of groups at a time.
//
// Every pass runs over all groups of a tile before the next pass begins. The processor therefore
// always has independent work, and loads each twiddle once for the whole tile.
// column_transform-inl.hpp loads and stores tiles. Compiled once for each instruction set.
#include <algorithm>
#include <utility>

#include "local/kernels/chain-inl.hpp"
#include "local/kernels/constants.hpp"
#include "local/kernels/passes-inl.hpp"
#include "local/numbers/recipe.hpp"

#if defined(SIXSTEP_LOCAL_WALK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_WALK_INL
#undef SIXSTEP_LOCAL_WALK_INL
#else
#define SIXSTEP_LOCAL_WALK_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

/// The size of Workspace::twiddles in Reals: the most that a pass makes at a time from a product of
/// two tables.
template <class Real>
Index tile_reals(Recipe<Real> const& recipe) {
  Index most = 0;
  for (Pass<Real> const& pass : recipe.passes)
    if (!pass.twiddles.whole()) most = std::max(most, pass.twiddles.tile * 2 * (pass.radix - 1));
  return most;
}

/// Cuts memory into rows and tables that begin at cache lines.
template <class Real>
class Carver {
 public:
  explicit Carver(std::byte* memory) : next_(reinterpret_cast<Real*>(memory)) {}

  // One row more than needed, so that groups do not compete for the same cache sets.
  static Index group_reals(Index rows) { return (rows + 1) * row_reals<Real>; }
  static Index aligned(Index reals) { return (reals + 15) / 16 * 16; }

  OwnRows<Real> rows(Index rows, Index groups) {
    return {take(groups * group_reals(rows)), group_reals(rows)};
  }
  Real* reals(Index count) { return take(aligned(count)); }

 private:
  Real* take(Index reals) { return std::exchange(next_, next_ + reals); }

  Real* next_;
};

/// Computes the first `rows` rows of tile q of a table that is a product of two; see Twiddles.
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

/// Takes row j of a prime's transform in a middle pass: multiplies it by its twiddle and stores it
/// in row p + step j of a block.
template <class Real>
struct MiddleRows {
  OwnRows<Real> rows;
  Index p;
  Index step;
  Index radix;
  Real const* twiddles;

  HWY_INLINE void put(Complex<Real> x, Index j) const {
    if (j > 0) x = x * broadcast<Real>(twiddles[j - 1], twiddles[radix + j - 2]);
    store_row(x, rows.at(p + step * j, 0));
  }
};

/// Takes row j of a prime's transform in the last pass, and stores it at its place in the result.
template <class Real>
struct LastRows {
  OwnRows<Real> rows;
  Index q;
  Places places;

  HWY_INLINE void put(Complex<Real> x, Index j) const {
    store_row(x, rows.at(j == 0 ? places.of_first_row(0, q) : places.of_row(0, q, j), 0));
  }
};

template <class Real>
class Walk;

/// Transforms columns of a prime length by a convolution, whose transforms are walks.
template <class Real>
class Convolution {
 public:
  Convolution(PrimeTransform<Real> const& prime, Chain<Real> const& chain,
              Workspace<Real> const& work)
      : prime_(prime), chain_(chain), work_(work) {
    // The inner twiddles must not overwrite those of the outer pass.
    work_.twiddles = work.inner_twiddles;
  }

  /// Reads rows that are `step` rows apart, and calls out.put(number, row) for each of the result.
  template <class Out>
  void run(OwnRows<Real> in, Index step, Out out) const {
    if (prime_.rader)
      rader(in, step, out);
    else
      bluestein(in, step, out);
  }

 private:
  // Transforms work_.convolution to work_.product.
  void transform(Index sign) const {
    Walk<Real>(chain_, work_, sign).from_buffer(work_.convolution, work_.product);
  }

  // Multiplies by the other operand's spectrum, which is divided by the length, while copying to
  // the input of the second transform.
  void multiply() const {
    PrimeTransform<Real> const& prime = prime_;
    Chain<Real> const& chain = chain_;
    for (Index q = 0; q < chain.recipe.n; ++q)
      store_row(load_row(work_.product.at(q, 0)) *
                    broadcast<Real>(prime.spectrum[static_cast<std::size_t>(2 * q)],
                                    prime.spectrum[static_cast<std::size_t>(2 * q + 1)]),
                work_.convolution.at(chain.buffer_row(q), 0));
  }

  template <class Out>
  void rader(OwnRows<Real> in, Index step, Out out) const {
    PrimeTransform<Real> const& prime = prime_;
    Chain<Real> const& chain = chain_;
    for (Index q = 0; q < prime.p - 1; ++q)
      store_row(load_row(in.at(prime.from[static_cast<std::size_t>(q)] * step, 0)),
                work_.convolution.at(chain.buffer_row(q), 0));
    Complex<Real> const x0 = load_row(in.first);
    transform(1);
    out.put(x0 + load_row(work_.product.first), 0);
    multiply();
    // x0 is added to every row of the result, so to the mean of its spectrum.
    store_row(load_row(work_.convolution.first) + x0, work_.convolution.first);
    transform(-1);
    for (Index q = 0; q < prime.p - 1; ++q)
      out.put(load_row(work_.product.at(q, 0)), prime.to[static_cast<std::size_t>(q)]);
  }

  template <class Out>
  void bluestein(OwnRows<Real> in, Index step, Out out) const {
    PrimeTransform<Real> const& prime = prime_;
    Chain<Real> const& chain = chain_;
    auto const chirp = [&prime](Index k) HWY_ATTR {
      return broadcast<Real>(prime.chirp[static_cast<std::size_t>(2 * k)],
                             prime.chirp[static_cast<std::size_t>(2 * k + 1)]);
    };
    for (Index k = 0; k < chain.recipe.n; ++k)
      store_row(k < prime.p ? load_row(in.at(k * step, 0)) * chirp(k) : broadcast<Real>(0, 0),
                work_.convolution.at(chain.buffer_row(k), 0));
    transform(1);
    multiply();
    transform(-1);
    for (Index j = 0; j < prime.p; ++j) out.put(load_row(work_.product.at(j, 0)) * chirp(j), j);
  }

  PrimeTransform<Real> const& prime_;
  Chain<Real> const& chain_;
  Workspace<Real> work_;
};

/// Takes tiles through the passes of a chain, in the order that keeps them in cache.
template <class Real>
class Walk {
 public:
  Walk(Chain<Real> const& chain, Workspace<Real> const& work, Index sign)
      : chain_(chain), work_(work), sign_(sign) {}

  Workspace<Real> const& workspace() const { return work_; }
  void set_groups(Index groups) { work_.groups = groups; }

  /// Runs all passes, from rows of the buffer to `to` (OwnRows or UserSink), in natural order.
  template <class Sink>
  void from_buffer(OwnRows<Real> rows, Sink to) const {
    descend(0, rows, 0, 1, to);
  }

  /// Runs all passes between rows that do not overlap. Overwrites `from`.
  void between(OwnRows<Real> from, OwnRows<Real> to) const {
    if (chain_.links.empty()) {
      for (Index g = 0; g < work_.groups; ++g) store_row(load_row(from.at(0, g)), to.at(0, g));
    } else if (chain_.links.size() == 1 || chain_.links.front().pass->prime) {
      from_buffer(from, to);  // a buffer that begins with a larger prime has no padding
    } else {
      first_pass(from);
      other_passes(to);
    }
  }

  /// Runs the first pass, which must not be of a larger prime, from the user's rows to the buffer.
  void first_pass(UserSource<Real> from) const {
    Link const& link = chain_.links.front();
    middle(link, link.kernels.first, from, link.pass->count, work_.rows);
  }

  /// Runs the first pass from other rows in the kernels' own form.
  void first_pass(OwnRows<Real> from) const {
    Link const& link = chain_.links.front();
    middle(link, link.kernels.middle, from, link.pass->count, work_.rows);
  }

  /// Runs the passes after the first, to `to`.
  template <class Sink>
  void other_passes(Sink to) const {
    below(0, work_.rows, 0, 1, to);
  }

  /// Runs the only pass of a chain, which must not be of a larger prime, from array to array.
  void whole(UserSource<Real> from, UserSink<Real, Unchanged<Real>> to) const {
    Link const& link = chain_.links.front();
    link.kernels.whole(from, {work_.groups, 1, 0, 1, 0, direct(link)}, places(0, 0, 1, 1), to);
  }

 private:
  using Link = typename Chain<Real>::Link;

  // Runs passes t, t + 1, ... of a block, whose rows are first, first + weight, ... of the result.
  template <class Sink>
  void descend(std::size_t t, OwnRows<Real> block, Index first, Index weight, Sink to) const {
    if (t + 1 == chain_.links.size()) {
      last(chain_.links[t], block, {work_.groups, 1, 0, 1, 0}, places(first, 0, weight, weight),
           to);
      return;
    }
    Link const& link = chain_.links[t];
    middle(link, link.kernels.middle, block, link.pass->step, block);
    below(t, block, first, weight, to);
  }

  // Runs the passes after t on the blocks that pass t has left.
  template <class Sink>
  void below(std::size_t t, OwnRows<Real> block, Index first, Index weight, Sink to) const {
    Pass<Real> const& pass = *chain_.links[t].pass;
    Index const inner_weight = weight * pass.radix;
    if (t + 2 == chain_.links.size()) {
      last(chain_.links[t + 1], block, {work_.groups, 1, 0, pass.radix, pass.step},
           places(first, 0, weight, inner_weight), to);
    } else if (t + 3 == chain_.links.size() && are_short(t)) {
      Link const& link = chain_.links[t + 1];
      Pass<Real> const& next = *link.pass;
      link.kernels.middle(block, {block, work_.groups, pass.radix, pass.step, next.count, next.step,
                                  next.step, next.twiddles.fine.data(), direct(link)});
      last(chain_.links[t + 2], block, {work_.groups, pass.radix, pass.step, next.radix, next.step},
           places(first, weight, inner_weight, inner_weight * next.radix), to);
    } else {
      for (Index j = 0; j < pass.radix; ++j)
        descend(t + 1, block.from_row(pass.step * j), first + weight * j, inner_weight, to);
    }
  }

  // Whether the blocks that pass t leaves should be taken together instead of one after another: if
  // they fit the first-level cache, and a single one has too little work for a call.
  bool are_short(std::size_t t) const {
    return chain_.links[t].pass->count * chain_.links[t].pass->radix <= rows_together &&
           !chain_.links[t + 1].pass->prime && !chain_.links[t + 2].pass->prime &&
           chain_.links[t + 1].pass->twiddles.whole();
  }

  Places places(Index first, Index outer_weight, Index weight, Index stride) const {
    Index const n = chain_.recipe.n;
    return {n, sign_ < 0 ? n - first : first, sign_ * outer_weight, sign_ * weight, sign_ * stride};
  }

  template <class Source>
  void middle(Link const& link, void (*kernel)(Source, Butterflies<Real>), Source from,
              Index from_step, OwnRows<Real> block) const {
    Pass<Real> const& pass = *link.pass;
    for (Index p = 0; p < pass.count; p += pass.twiddles.tile) {
      Butterflies<Real> const part{block.from_row(p),
                                   work_.groups,
                                   1,
                                   0,
                                   std::min(pass.twiddles.tile, pass.count - p),
                                   pass.step,
                                   from_step,
                                   twiddles(pass, p),
                                   direct(link)};
      if (kernel != nullptr)
        kernel(from.from_row(p), part);
      else
        prime_butterflies(link, part);
    }
  }

  // The twiddles from row p on, where a tile of the table begins. They are computed here if the
  // table is a product of two.
  Real const* twiddles(Pass<Real> const& pass, Index p) const {
    Twiddles<Real> const& table = pass.twiddles;
    if (table.whole()) return table.fine.data();
    make_twiddles(table, p / table.tile, std::min(table.tile, pass.count - p), pass.radix,
                  work_.twiddles);
    return work_.twiddles;
  }

  void prime_butterflies(Link const& link, Butterflies<Real> const& part) const {
    Index const radix = link.pass->radix;
    for (Index p = 0; p < part.count; ++p)
      prime(link, part.own.from_row(p), part.step,
            MiddleRows<Real>{part.own, p, part.step, radix, part.twiddles + p * 2 * (radix - 1)});
  }

  static DirectRoots<Real> const* direct(Link const& link) {
    return link.pass->direct ? &*link.pass->direct : nullptr;
  }

  void last(Link const& link, OwnRows<Real> block, Blocks<Real> blocks, Places places,
            OwnRows<Real> to) const {
    blocks.direct = direct(link);
    if (link.kernels.last != nullptr) {
      link.kernels.last(block, blocks, places, to);
      return;
    }
    for (Index q = 0; q < blocks.blocks; ++q)
      prime(link, block.from_row(q * blocks.step), 1, LastRows<Real>{to, q, places});
  }

  void last(Link const& link, OwnRows<Real> block, Blocks<Real> blocks, Places places,
            TwiddledRows<Real> to) const {
    blocks.direct = direct(link);
    link.kernels.twiddled(block, blocks, places, to);
  }

  template <class Finish>
  void last(Link const& link, OwnRows<Real> block, Blocks<Real> blocks, Places places,
            UserSink<Real, Finish> to) const {
    blocks.direct = direct(link);
    link.kernels.last_to_user(to.finish)(block, blocks, places, to);
  }

  template <class Out>
  void prime(Link const& link, OwnRows<Real> in, Index step, Out out) const {
    Convolution<Real>(*link.pass->prime, *link.convolution, work_).run(in, step, out);
  }

  Chain<Real> const& chain_;
  Workspace<Real> work_;
  Index sign_;  // -1: backward
};

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
