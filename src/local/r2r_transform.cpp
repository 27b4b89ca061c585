// SPDX-License-Identifier: BSD-3-Clause
// Cosine and sine transforms: the choice of a way for each batch, and the moves around it.
#include "local/real_transform.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "local/kernels/real_kernels.hpp"
#include "local/numbers/real_tables.hpp"
#include "local/numbers/roots.hpp"
#include "local/real_blocks.hpp"
#include "local/real_core.hpp"

namespace sixstep::local {
namespace {

/// The same ways in ascending order of their rows on `side`, so that rows that follow each other
/// there can be moved together. A row that is used several times is there once first, then once
/// again and so on. Zeros, which come from no row, are the last.
template <class Real>
std::vector<Way<Real>> sorted(std::vector<Way<Real>> ways, Index Way<Real>::*side) {
  std::map<Index, Index> uses;
  std::vector<std::pair<Index, Way<Real>>> numbered;
  for (Way<Real> const& way : ways)
    numbered.push_back({way.sign == 0 ? static_cast<Index>(ways.size()) : uses[way.*side]++, way});
  std::stable_sort(numbered.begin(), numbered.end(), [side](auto const& a, auto const& b) {
    return std::pair(a.first, a.second.*side) < std::pair(b.first, b.second.*side);
  });
  ways.clear();
  for (auto const& [use, way] : numbered) ways.push_back(way);
  return ways;
}

/// What cosine and sine transforms share: PairCore with the user's rows in another order, and a
/// second block for results or input that do not lie side by side in the user's array.
template <class Real>
struct Reordered {
  PairCore<Real> pairs;
  RealKernels<Real> kernels = real_kernels<Real>();
  std::vector<Index> order;         // for each row of the first block, the user's row
  std::vector<Way<Real>> ways;      // between the user's rows and the first block, as in `order`
  std::vector<Way<Real>> straight;  // between the user's rows and the second block
  bool signs = false;               // whether any row changes its sign or is zero on its way

  Reordered(std::vector<Pick<Real>> const& picks, Index rows, Index Way<Real>::*users, Local whose,
            Tuning const& tuning)
      : pairs(static_cast<Index>(picks.size()), whose, tuning),
        straight(local::straight<Real>(rows)) {
    for (std::size_t j = 0; j < picks.size(); ++j) {
      Way<Real> way{static_cast<Index>(j), static_cast<Index>(j), picks[j].sign};
      way.*users = picks[j].row;
      ways.push_back(way);
      order.push_back(picks[j].row);
      signs = signs || picks[j].sign != 1;
    }
    ways = sorted(std::move(ways), users);
  }

  std::size_t scratch_bytes() const {
    return pairs.scratch_bytes() + Scratch::bytes<Real>(pairs.block_size());
  }

  struct Memory {
    typename PairCore<Real>::Block block;
    Columns<Real> second;
  };
  Memory memory(std::byte* first) const {
    Scratch scratch(first);
    auto block = pairs.block(scratch);
    Columns<Real> const second = pairs.rows(scratch.template take<Real>(pairs.block_size()));
    block.rest = scratch.rest();
    return {block, second};
  }

  bool in_pairs(RowMap row, Index lane, Index* users_row) const {
    return !signs && pairs.lie_in_pairs(row, lane, order, users_row);
  }
};

/// The transforms that an Analysis describes: DCT-I, DST-I, DCT-II, DST-II; DCT-IV and DST-IV of
/// odd n.
template <class Real>
class Analysed final : public Transform<Real> {
 public:
  Analysed(Kind kind, Index n, Local whose, Tuning const& tuning)
      : Analysed(analysis<Real>(kind, n), to_string(kind), whose, tuning) {
    if (n % 2 == 0 && (kind == Kind::dct2 || kind == Kind::dst2))
      halves_.emplace(n, kind == Kind::dst2, whose, tuning);
  }

  Index n() const override { return static_cast<Index>(mixes_.size()); }
  Index lanes() const override { return tools_.pairs.lanes(); }
  std::size_t scratch_bytes() const override {
    return std::max(tools_.scratch_bytes(), halves_ ? halves_->scratch_bytes() : 0);
  }
  std::string describe() const override { return name_ + " by " + tools_.pairs.describe(); }

  void run(Batch<Real> const& batch, std::byte* scratch) const override {
    check(batch);
    auto const contiguous = with_free_lanes(batch, n());
    if (halves_ && halves_->fits(contiguous.in) && halves_->fits(as_source(contiguous.out))) {
      halves_->forward(contiguous, scratch);
      return;
    }
    PairCore<Real> const& pairs = tools_.pairs;
    auto memory = tools_.memory(scratch);
    auto& block = memory.block;
    Columns<Real> const& second = memory.second;
    bool const in_pairs = tools_.in_pairs(batch.in.row, batch.in.lane, block.users_row);
    for_each_block(batch, pairs, in_pairs, [&](Index first, Index columns) {
      auto const in = from_column(batch.in, first);
      auto const out = from_column(batch.out, first);
      block.z.columns = columns;
      if (in_pairs && columns > 1) {
        pairs.forward_from(in, block);
      } else {
        tools_.kernels.move(tools_.ways, in, pairs.rows(block.z.data), columns);
        pairs.forward(block);
      }
      tools_.kernels.mix_pairs(block.z, mixes_, batch.scale / 2, out.lane == 1 ? out : second);
      if (out.lane != 1) tools_.kernels.move(tools_.straight, as_source(second), out, columns);
    });
  }

 private:
  Analysed(Analysis<Real> const& tables, std::string name, Local whose, Tuning const& tuning)
      : name_(std::move(name)),
        tools_(tables.picks, static_cast<Index>(tables.mixes.size()), &Way<Real>::from, whose,
               tuning),
        mixes_(tables.mixes) {}

  std::string name_;
  Reordered<Real> tools_;
  std::vector<Mix<Real>> mixes_;
  std::optional<HalfCosineCore<Real>> halves_;  // for contiguous columns
};

/// The transforms that a Synthesis describes: DCT-III, DST-III.
template <class Real>
class Synthesised final : public Transform<Real> {
 public:
  Synthesised(Kind kind, Index n, Local whose, Tuning const& tuning)
      : name_(to_string(kind)),
        tables_(synthesis<Real>(kind, n)),
        tools_(tables_.picks, n, &Way<Real>::to, whose, tuning) {
    if (n % 2 == 0) halves_.emplace(n, kind == Kind::dst3, whose, tuning);
  }

  Index n() const override { return tools_.pairs.n(); }
  Index lanes() const override { return tools_.pairs.lanes(); }
  std::size_t scratch_bytes() const override {
    return std::max(tools_.scratch_bytes(), halves_ ? halves_->scratch_bytes() : 0);
  }
  std::string describe() const override { return name_ + " by " + tools_.pairs.describe(); }

  void run(Batch<Real> const& batch, std::byte* scratch) const override {
    check(batch);
    auto const contiguous = with_free_lanes(batch, n());
    if (halves_ && halves_->fits(contiguous.in) && halves_->fits(as_source(contiguous.out))) {
      halves_->backward(contiguous, scratch);
      return;
    }
    PairCore<Real> const& pairs = tools_.pairs;
    auto memory = tools_.memory(scratch);
    auto& block = memory.block;
    Columns<Real> const& second = memory.second;
    bool const in_pairs = tools_.in_pairs(batch.out.row, batch.out.lane, block.users_row);
    for_each_block(batch, pairs, in_pairs, [&](Index first, Index columns) {
      auto const in = from_column(batch.in, first);
      auto const out = from_column(batch.out, first);
      block.z.columns = columns;
      if (in.lane != 1) tools_.kernels.move(tools_.straight, in, second, columns);
      tools_.kernels.spread_pairs(in.lane == 1 ? in : as_source(second), tables_.spreads, block.z);
      if (in_pairs && columns > 1) {
        pairs.backward_to(block, batch.scale, out);
      } else {
        pairs.backward(block, batch.scale);
        tools_.kernels.move(tools_.ways, as_source(pairs.rows(block.z.data)), out, columns);
      }
    });
  }

 private:
  std::string name_;
  Synthesis<Real> tables_;
  Reordered<Real> tools_;
  std::optional<HalfCosineCore<Real>> halves_;  // for contiguous columns
};

/// DCT-IV and DST-IV of even n, by m = n/2 complex points:
///   z[j] = (x[2j] + i x[n-1-2j]) w_8n^(4j+1), D[k] = 2 w_2n^k sum_j z[j] w_m^(jk),
///   y[2k] = Re D[k], y[n-1-2k] = -Im D[k].
/// The DCT-IV of x from the last to the first is the DST-IV with every other sign changed.
template <class Real>
class Halved final : public Transform<Real> {
 public:
  Halved(Kind kind, Index n, Local whose, Tuning const& tuning)
      : name_(to_string(kind)), n_(n), complex_(make_transform<Real>(n / 2, whose, tuning)) {
    bool const sines = kind == Kind::dst4;
    columns_ = block_columns(n * static_cast<Index>(sizeof(Real)), complex_->lanes(), sizeof(Real),
                             tuning);
    stride_ = 2 * columns_ + tuning.real_pad_bytes / static_cast<Index>(sizeof(Real));
    for (Index j = 0; j < n / 2; ++j) {
      rows_.push_back(j * stride_ / 2);
      slots_.insert(slots_.end(), {j * stride_, j * stride_ + 1});
      Index const first = 2 * j, second = n - 1 - 2 * j;
      in_.push_back({sines ? second : first, 2 * j, Real{1}});
      in_.push_back({sines ? first : second, 2 * j + 1, Real{1}});
      out_.push_back({2 * j, first, Real{1}});
      out_.push_back({2 * j + 1, second, sines ? Real{1} : Real{-1}});
      before_.push_back(root<Real>(4 * j + 1, 8 * n));
      after_.push_back(Real{2} * root<Real>(j, 2 * n));
    }
  }

  Index n() const override { return n_; }
  Index lanes() const override { return complex_->lanes(); }
  std::size_t scratch_bytes() const override {
    return Scratch::bytes<Real>(n_ / 2 * stride_) + complex_->scratch_bytes();
  }
  std::string describe() const override { return name_ + " by " + complex_->describe(); }

  void run(Batch<Real> const& batch, std::byte* scratch) const override {
    check(batch);
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
  std::unique_ptr<Transform<std::complex<Real>>> complex_;
  RealKernels<Real> kernels_ = real_kernels<Real>();
  Index columns_ = 0;
  Index stride_ = 0;  // reals from row to row
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
  require(is_r2r(kind), "kind: a cosine or sine transform is needed, ", to_string(kind),
          " was given");
  require(n >= least, to_string(kind), ": at least ", least,
          least == 1 ? " point is needed, " : " points are needed, ", n, " were given");
  if (kind == Kind::dct3 || kind == Kind::dst3)
    return std::make_unique<Synthesised<Real>>(kind, n, whose, tuning);
  bool const fourth = kind == Kind::dct4 || kind == Kind::dst4;
  if (fourth && n % 2 == 0) return std::make_unique<Halved<Real>>(kind, n, whose, tuning);
  return std::make_unique<Analysed<Real>>(kind, n, whose, tuning);
}

template std::unique_ptr<Transform<float>> make_r2r(Kind, Index, Local, Tuning const&);
template std::unique_ptr<Transform<double>> make_r2r(Kind, Index, Local, Tuning const&);

}  // namespace sixstep::local
