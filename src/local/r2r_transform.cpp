// SPDX-License-Identifier: BSD-3-Clause
// Cosine and sine transforms: chooses a core for each batch, and moves data around it.
#include "local/real_transform.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "local/beside.hpp"
#include "local/cosines_alone.hpp"
#include "local/kernels/codelets.hpp"
#include "local/kernels/columns.hpp"
#include "local/kernels/real_kernels.hpp"
#include "local/long_reals.hpp"
#include "local/numbers/at.hpp"
#include "local/numbers/real_factors.hpp"
#include "local/numbers/real_tables.hpp"
#include "local/numbers/reproducible.hpp"
#include "local/numbers/roots.hpp"
#include "local/odd_reals.hpp"
#include "local/radix_core.hpp"
#include "local/real_blocks.hpp"
#include "local/real_core.hpp"
#include "local/targets.hpp"

namespace sixstep::local {
namespace {

/// The outputs of each of the coefficients 0 ... n/2, from the `mixes`, which name coefficients by
/// row.
template <class Real>
std::vector<Outputs<Real>> outputs_of(std::vector<Mix<Real>> const& mixes, Index n) {
  std::vector<Outputs<Real>> outputs(at(n / 2 + 1));
  for (Index k = 0; k < static_cast<Index>(mixes.size()); ++k) {
    Mix<Real> const& mix = mixes[at(k)];
    Outputs<Real>& of_row = outputs[at(mix.row)];
    of_row[of_row[0].row < 0 ? 0 : 1] = {k, mix.re, mix.im};
  }
  return outputs;
}

/// Whether the batch uses HalfCosineCore, which may be missing: not if columns fill the vectors
/// side by side, and are short or have a half that no kernel takes by rows.
template <class Real>
bool goes_by_halves(std::optional<HalfCosineCore<Real>> const& halves, Batch<Real> const& batch,
                    RealCore<Real> const& core) {
  if (!halves || !halves->fits(batch.in) || !halves->fits(as_source(batch.out))) return false;
  auto const* const radices = std::get_if<RadixCore<Real>>(&core);
  if (radices == nullptr || batch.columns < radices->lanes()) return true;
  Index const n = radices->n(), lanes = radices->lanes();
  constexpr Index longest = sizeof(Real) == 4 ? 160 : 112;
  bool const by_rows = lanes < 8 || n > longest || suits_rows(n / 2, lanes);
  return n > 4 * lanes && by_rows;
}

template <class Real>
bool are_contiguous(Batch<Real> const& batch, Index n) {
  return batch.in.row.step(n) == 1 && batch.out.row.step(n) == 1;
}

/// The contiguous columns that are faster one after another.
enum class OneByOne { few, in_cache, all };

/// All go alone if vectors hold few and periods of the columns have mirror images, and an odd
/// number of points with a large prime factor does. Many odd points do, because the columns of a
/// vector would leave the first-level cache.
template <class Real>
OneByOne which_go_alone(Kind kind, Index n) {
  constexpr Index least = 24, least_of_eight = 48, least_lanes_second = 36, least_lanes_third = 80;
  Index const lanes = vector_lanes<Real>();
  if (n < (lanes <= 4 ? least : least_of_eight) || lanes > 8) return OneByOne::few;
  if (!has_codelets(chosen_target())) return OneByOne::few;
  if (kind == Kind::dct1 || kind == Kind::dst1) return OneByOne::all;
  if (lanes <= 4 && are_odd_reals_alone<Real>(n)) return OneByOne::all;
  if (n % 2 == 0 || vectors_fill_lines<Real>() || real_radices(n).empty()) return OneByOne::few;
  bool const second = kind == Kind::dct2 || kind == Kind::dst2;
  bool const third = kind == Kind::dct3 || kind == Kind::dst3;
  if (second && n >= least_lanes_second * lanes) return OneByOne::all;
  if (third && n >= least_lanes_third * lanes) return OneByOne::in_cache;
  return OneByOne::few;
}

/// The steps of DCT-I, DST-I, DCT-II, DST-II, and of DCT-IV and DST-IV of odd n, around a core.
template <class Real>
class Analysed {
 public:
  using Tables = Analysis<Real>;
  static constexpr auto users = &Way<Real>::from;  // the rows of x, where picks move them

  explicit Analysed(Tables const& tables)
      : outputs_(outputs_of(tables.mixes, static_cast<Index>(tables.picks.size()))) {}

  static Tables tables(Kind kind, Index n) { return analysis<Real>(kind, n); }
  static bool has_halves(Kind kind) { return kind == Kind::dct2 || kind == Kind::dst2; }
  static void by_halves(HalfCosineCore<Real> const& halves, Batch<Real> const& batch,
                        std::byte* scratch) {
    halves.forward(batch, scratch);
  }
  void run(auto const& core, auto const& in, auto const& block, auto const& out) const {
    core.analyse(in, block);
    core.put(block, outputs_, out);
  }

 private:
  std::vector<Outputs<Real>> outputs_;
};

/// The steps of DCT-III and DST-III.
template <class Real>
class Synthesised {
 public:
  using Tables = Synthesis<Real>;
  static constexpr auto users = &Way<Real>::to;

  explicit Synthesised(Tables const& tables) : spreads_(tables.spreads) {}

  static Tables tables(Kind kind, Index n) { return synthesis<Real>(kind, n); }
  static bool has_halves(Kind) { return true; }
  static void by_halves(HalfCosineCore<Real> const& halves, Batch<Real> const& batch,
                        std::byte* scratch) {
    halves.backward(batch, scratch);
  }
  void run(auto const& core, auto const& in, auto const& block, auto const& out) const {
    core.get(in, spreads_, block);
    core.synthesise(block, out);
  }

 private:
  std::vector<Spread<Real>> spreads_;
};

/// A transform by a core and the steps around it.
template <class Real, class Steps>
class ByCore final : public Transform<Real> {
 public:
  ByCore(Kind kind, Index n, Local whose, Tuning const& tuning)
      : ByCore(Steps::tables(kind, n), to_string(kind), n, whose, tuning) {
    bool const is_sine = kind == Kind::dst2 || kind == Kind::dst3;
    if (n % 2 == 0 && Steps::has_halves(kind) && !is_reproducible(tuning))
      halves_.emplace(n, is_sine, whose, tuning);
    if (whose == Local::own && !is_reproducible(tuning)) {
      alone_ = make_cosines_alone<Real>(kind, n);
      short_ = make_short_cosines<Real>(kind, n);
    }
    go_alone_ = which_go_alone<Real>(kind, n);
  }

  Index n() const override { return n_; }
  Index lanes() const override {
    return std::visit([](auto const& core) { return core.lanes(); }, core_);
  }
  std::size_t scratch_bytes() const override {
    return std::max({std::visit([](auto const& core) { return core.scratch_bytes(); }, core_),
                     halves_ ? halves_->scratch_bytes() : 0, alone_ ? alone_->scratch_bytes() : 0});
  }
  std::string describe() const override {
    return name_ + " by " + std::visit([](auto const& core) { return core.describe(); }, core_);
  }

  void run(Batch<Real> const& batch, std::byte* scratch) const override {
    check(batch);
    if (short_ && are_contiguous(batch, n_)) return short_->run(batch, scratch);
    auto const contiguous = with_free_lanes(batch, n());
    if (goes_by_halves(halves_, contiguous, core_)) {
      Steps::by_halves(*halves_, contiguous, scratch);
      return;
    }
    bool const goes_alone = go_alone_ == OneByOne::all ||
                            (go_alone_ == OneByOne::in_cache && !batch.far) ||
                            !fills_vectors(core_, batch.columns);
    if (alone_ && goes_alone && are_contiguous(batch, n_)) {
      alone_->run(batch, scratch);
      return;
    }
    std::visit(
        [&](auto const& core) {
          for_each_block(batch, core, [&](auto const& in, auto const& out, Index columns) {
            steps_.run(core, in, core.block(scratch, columns, batch.scale, batch.far), out);
          });
        },
        core_);
  }

 private:
  ByCore(typename Steps::Tables const& tables, std::string name, Index n, Local whose,
         Tuning const& tuning)
      : name_(std::move(name)),
        n_(n),
        core_(make_core<Real>({tables.picks, Steps::users}, {n, false}, whose, tuning)),
        steps_(tables) {}

  std::string name_;
  Index n_;
  RealCore<Real> core_;
  Steps steps_;
  std::optional<HalfCosineCore<Real>> halves_;  // for contiguous columns
  std::unique_ptr<Transform<Real>> alone_;      // for some of them
  OneByOne go_alone_ = OneByOne::few;
  std::unique_ptr<Transform<Real>> short_;  // for all of them; null for most lengths
};

/// DCT-IV and DST-IV of even n, by m = n/2 complex points:
///   z[j] = (x[2j] + i x[n-1-2j]) w_8n^(4j+1), D[k] = 2 w_2n^k sum_j z[j] w_m^(jk),
///   y[2k] = Re D[k], y[n-1-2k] = -Im D[k].
/// The DCT-IV of the reversed x is the DST-IV with every other sign changed.
template <class Real>
class Halved final : public Transform<Real> {
 public:
  Halved(Kind kind, Index n, Local whose, Tuning const& tuning)
      : name_(to_string(kind)),
        n_(n),
        complex_(make_transform<Real>(n / 2, whose, tuning)),
        kernels_(real_kernels<Real>(tuning.bits)) {
    if (whose == Local::own && !is_reproducible(tuning)) alone_ = make_cosines_alone<Real>(kind, n);
    bool const sines = kind == Kind::dst4;
    columns_ = block_columns(n * static_cast<Index>(sizeof(Real)), complex_->lanes(), sizeof(Real),
                             tuning);
    stride_ = 2 * columns_ + tuning.real_pad_bytes / static_cast<Index>(sizeof(Real));
    Roots const roots(8 * n);
    for (Index j = 0; j < n / 2; ++j) {
      rows_.push_back(j * stride_ / 2);
      slots_.insert(slots_.end(), {j * stride_, j * stride_ + 1});
      Index const first = 2 * j, second = n - 1 - 2 * j;
      in_.push_back({sines ? second : first, 2 * j, Real{1}});
      in_.push_back({sines ? first : second, 2 * j + 1, Real{1}});
      out_.push_back({2 * j, first, Real{1}});
      out_.push_back({2 * j + 1, second, sines ? Real{1} : Real{-1}});
      before_.push_back(roots.at<Real>(4 * j + 1));
      after_.push_back(Real{2} * roots.at<Real>(4 * j));
    }
  }

  Index n() const override { return n_; }
  Index lanes() const override { return complex_->lanes(); }
  std::size_t scratch_bytes() const override {
    return std::max(Scratch::bytes<Real>(n_ / 2 * stride_) + complex_->scratch_bytes(),
                    alone_ ? alone_->scratch_bytes() : 0);
  }
  std::string describe() const override { return name_ + " by " + complex_->describe(); }

  void run(Batch<Real> const& batch, std::byte* scratch) const override {
    check(batch);
    if (alone_ && are_contiguous(batch, n_)) return alone_->run(batch, scratch);
    auto* const z = reinterpret_cast<Real*>(scratch);
    auto* const data = reinterpret_cast<std::complex<Real>*>(scratch);
    std::byte* const rest = scratch + Scratch::bytes<Real>(n_ / 2 * stride_);
    for (Index first = 0; first < batch.columns; first += columns_) {
      Index const columns = std::min(columns_, batch.columns - first);
      kernels_.move(in_, from_column(batch.in, first), {z, slots_.data(), 2}, columns);
      twiddle(before_, z, columns);
      complex_->run({.in = {data, rows_.data(), 1},
                     .out = {data, rows_.data(), 1},
                     .columns = columns,
                     .scale = batch.scale},
                    rest);
      twiddle(after_, z, columns);
      kernels_.move(out_, {z, slots_.data(), 2}, from_column(batch.out, first), columns);
    }
  }

 private:
  void twiddle(std::vector<std::complex<Real>> const& factors, Real* z, Index columns) const {
    for (std::size_t j = 0; j < factors.size(); ++j, z += stride_) {
      Real const cosine = factors[j].real(), sine = factors[j].imag();
      for (Index c = 0; c < 2 * columns; c += 2) {
        Real const re = z[c], im = z[c + 1];
        z[c] = cosine * re - sine * im;
        z[c + 1] = cosine * im + sine * re;
      }
    }
  }

  std::string name_;
  Index n_;
  std::unique_ptr<Transform<Real>> alone_;  // for contiguous columns
  std::unique_ptr<Transform<std::complex<Real>>> complex_;
  RealKernels<Real> kernels_;
  Index columns_ = 0;
  Index stride_ = 0;  // reals between rows
  std::vector<Index> rows_;
  std::vector<Index> slots_;
  std::vector<Way<Real>> in_;
  std::vector<Way<Real>> out_;
  std::vector<std::complex<Real>> before_;
  std::vector<std::complex<Real>> after_;
};

}  // namespace

template <class Real>
std::unique_ptr<Transform<Real>> make_r2r(Kind kind, Index n, Local whose, Tuning const& tuning) {
  Index const least = kind == Kind::dct1 ? 2 : 1;
  require(
      is_r2r(kind), "kind: a cosine or sine transform is needed, ", [&] { return to_string(kind); },
      " was given");
  require(
      n >= least, [&] { return to_string(kind); }, ": at least ", least,
      least == 1 ? " point is needed, " : " points are needed, ", n, " were given");
  bool const third = kind == Kind::dct3 || kind == Kind::dst3;
  bool const second = kind == Kind::dct2 || kind == Kind::dst2;
  if ((second || third) && n % 2 == 0 && are_long_reals(n, tuning))
    return make_long_cosines<Real>(kind, n, whose, tuning);
  std::unique_ptr<Transform<Real>> by_core;
  if (third) by_core = std::make_unique<ByCore<Real, Synthesised<Real>>>(kind, n, whose, tuning);
  if (second) by_core = std::make_unique<ByCore<Real, Analysed<Real>>>(kind, n, whose, tuning);
  if (by_core) return beside_if_faster<Real, Real>(std::move(by_core), n, n, whose, tuning);
  bool const fourth = kind == Kind::dct4 || kind == Kind::dst4;
  if (fourth && n % 2 == 0) return std::make_unique<Halved<Real>>(kind, n, whose, tuning);
  return std::make_unique<ByCore<Real, Analysed<Real>>>(kind, n, whose, tuning);
}

template std::unique_ptr<Transform<float>> make_r2r(Kind, Index, Local, Tuning const&);
template std::unique_ptr<Transform<double>> make_r2r(Kind, Index, Local, Tuning const&);

}  // namespace sixstep::local
