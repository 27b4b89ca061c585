// SPDX-License-Identifier: BSD-3-Clause
// Real transforms: blocks of columns come into dense memory, are transformed there, and leave.
#include "local/real_transform.hpp"

#include <algorithm>
#include <utility>

#include "local/real_core.hpp"
#include "local/real_tables.hpp"

namespace sixstep::local {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// Columns of reals: element k of column c is data[row[k] + c * lane].
template <class Element>
struct Reals {
  Element* data;
  RowMap row;
  Index lane;
};

/// A row on its way: element c goes from `from` + c lane of one side to `to` + c lane of the other.
template <class Real>
struct Way {
  Index from;
  Index to;
  Real sign;
};

/// Moves `columns` elements of every row. Columns that lie side by side move row by row, others a
/// few rows at a time, so that each cache line is used while it is there.
template <class Real>
void move(std::vector<Way<Real>> const& ways, Reals<Real const> const& from, Reals<Real> const& to,
          Index columns) {
  constexpr std::size_t most_rows = 16;
  bool const side_by_side = from.lane <= 2 && to.lane <= 2;
  std::size_t const tile = side_by_side ? 1 : most_rows;
  for (std::size_t first = 0; first < ways.size(); first += tile) {
    if (side_by_side) {
      Way<Real> const& way = ways[first];
      Real const* const source = from.data + from.row[way.from];
      Real* const target = to.data + to.row[way.to];
      Real const sign = way.sign;
      for (Index c = 0; c < columns; ++c) target[c * to.lane] = sign * source[c * from.lane];
      continue;
    }
    std::size_t const end = std::min(first + tile, ways.size());
    for (Index c = 0; c < columns; ++c)
      for (std::size_t i = first; i < end; ++i)
        to.data[to.row[ways[i].to] + c * to.lane] =
            ways[i].sign * from.data[from.row[ways[i].from] + c * from.lane];
  }
}

template <class Real>
Reals<Real> view(Real* data, Rows const& rows) {
  return {data, rows.row.data(), rows.lane};
}

/// The columns from `first` on.
template <class Element>
Columns<Element> from_column(Columns<Element> const& all, Index first) {
  return {all.data + first * all.lane, all.row, all.lane};
}

template <class Real>
Reals<Real const> as_reals(Columns<Real const> const& columns) {
  return {columns.data, columns.row, columns.lane};
}
template <class Real>
Reals<Real> as_reals(Columns<Real> const& columns) {
  return {columns.data, columns.row, columns.lane};
}

/// n rows, each from and to the same number.
template <class Real>
std::vector<Way<Real>> straight(Index n) {
  std::vector<Way<Real>> ways;
  for (Index k = 0; k < n; ++k) ways.push_back({k, k, Real{1}});
  return ways;
}

/// User's complex rows to or from rows of real parts and, `imaginary` behind, imaginary parts.
template <class Real>
void load(Columns<std::complex<Real> const> const& from, Real* to, Rows const& rows,
          Index imaginary, Index columns) {
  for (std::size_t k = 0; k < rows.row.size(); ++k) {
    Real* const re = to + rows.row[k];
    std::complex<Real> const* const source = from.data + from.row[k];
    for (Index c = 0; c < columns; ++c) {
      re[c] = source[c * from.lane].real();
      re[imaginary + c] = source[c * from.lane].imag();
    }
  }
}

template <class Real>
void store(Real const* from, Rows const& rows, Index imaginary,
           Columns<std::complex<Real>> const& to, Index columns) {
  constexpr std::size_t most_rows = 8;
  std::size_t const tile = to.lane == 1 ? 1 : most_rows;
  for (std::size_t first = 0; first < rows.row.size(); first += tile) {
    std::size_t const end = std::min(first + tile, rows.row.size());
    if (to.lane == 1) {
      Real const* const re = from + rows.row[first];
      std::complex<Real>* const target = to.data + to.row[first];
      for (Index c = 0; c < columns; ++c) target[c] = {re[c], re[imaginary + c]};
      continue;
    }
    for (Index c = 0; c < columns; ++c)
      for (std::size_t k = first; k < end; ++k) {
        Real const* const re = from + rows.row[k];
        to.data[to.row[k] + c * to.lane] = {re[c], re[imaginary + c]};
      }
  }
}

template <class In, class Out>
void check(Batch<In, Out> const& batch) {
  require(batch.twist.roots == nullptr, "real transform: a twist is for complex transforms only");
  require(!batch.backward, "real transform: backward is a kind of its own");
}

std::size_t bytes_of(Index reals, std::size_t real_bytes) {
  return (at(reals) * real_bytes + 63) / 64 * 64;
}

/// The part of a real transform that all kinds share: a core, and a block's memory.
template <class Real>
struct Engine {
  RealCore<Real> core;

  Engine(Index n, Local whose) : core(n, whose) {}

  std::size_t scratch_bytes() const {
    return bytes_of(core.reals_size(), sizeof(Real)) +
           bytes_of(core.spectrum_size(), sizeof(Real)) + core.scratch_bytes();
  }

  /// Calls body(block, first column) for each block of a batch.
  template <class In, class Out, class Body>
  void for_each_block(Batch<In, Out> const& batch, std::byte* scratch, Body const& body) const {
    check(batch);
    auto* const reals = reinterpret_cast<Real*>(scratch);
    std::byte* const next = scratch + bytes_of(core.reals_size(), sizeof(Real));
    auto* const spectrum = reinterpret_cast<Real*>(next);
    std::byte* const rest = next + bytes_of(core.spectrum_size(), sizeof(Real));
    // Wide blocks pay where columns lie side by side; otherwise those that stay in the first cache.
    bool const wide = batch.in.lane == 1 || batch.out.lane == 1;
    Index const most = wide ? core.columns() : core.lanes();
    for (Index first = 0; first < batch.columns; first += most) {
      Index const columns = std::min(most, batch.columns - first);
      body(RealBlock<Real>{reals, spectrum, columns, batch.scale, rest}, first);
    }
  }

  /// Whether the transform may work on the user's reals directly.
  bool paired(RowMap const& row, Index lane) const {
    return core.n() % 2 == 0 && lane % 2 == 0 && row.step(core.n()) == 1;
  }

  /// Reals from a user's rows.
  void load_reals(std::vector<Way<Real>> const& ways, Columns<Real const> const& from,
                  RealBlock<Real> const& block) const {
    move(ways, as_reals(from), view(block.reals, core.reals()), block.columns);
  }
};

template <class Real>
class RealToComplex final : public Transform<Real, std::complex<Real>> {
 public:
  RealToComplex(Index n, Local whose) : engine_(n, whose), ways_(straight<Real>(n)) {}

  Index n() const override { return engine_.core.n(); }
  Index lanes() const override { return engine_.core.lanes(); }
  std::size_t scratch_bytes() const override { return engine_.scratch_bytes(); }
  std::string describe() const override { return "r2c by " + engine_.core.describe(); }

  void run(Batch<Real, std::complex<Real>> const& batch, std::byte* scratch) const override {
    RealCore<Real> const& core = engine_.core;
    bool const paired = engine_.paired(batch.in.row, batch.in.lane);
    engine_.for_each_block(batch, scratch, [&](RealBlock<Real> block, Index first) {
      Columns<Real const> const in = from_column(batch.in, first);
      if (paired) {
        block.pairs = const_cast<Real*>(in.data + in.row[0]);  // which forward() only reads
        block.lane = in.lane;
      } else {
        engine_.load_reals(ways_, in, block);
      }
      core.forward(block);
      store(block.spectrum, core.spectrum(), core.columns(), from_column(batch.out, first),
            block.columns);
    });
  }

 private:
  Engine<Real> engine_;
  std::vector<Way<Real>> ways_;
};

template <class Real>
class ComplexToReal final : public Transform<std::complex<Real>, Real> {
 public:
  ComplexToReal(Index n, Local whose) : engine_(n, whose), ways_(straight<Real>(n)) {}

  Index n() const override { return engine_.core.n(); }
  Index lanes() const override { return engine_.core.lanes(); }
  std::size_t scratch_bytes() const override { return engine_.scratch_bytes(); }
  std::string describe() const override { return "c2r by " + engine_.core.describe(); }

  void run(Batch<std::complex<Real>, Real> const& batch, std::byte* scratch) const override {
    RealCore<Real> const& core = engine_.core;
    bool const paired = engine_.paired(batch.out.row, batch.out.lane);
    engine_.for_each_block(batch, scratch, [&](RealBlock<Real> block, Index first) {
      Columns<Real> const out = from_column(batch.out, first);
      if (paired) {
        block.pairs = out.data + out.row[0];
        block.lane = out.lane;
      }
      load(from_column(batch.in, first), block.spectrum, core.spectrum(), core.columns(),
           block.columns);
      core.backward(block);
      if (paired) return;
      move(ways_, {block.reals, core.reals().row.data(), core.reals().lane}, as_reals(out),
           block.columns);
    });
  }

 private:
  Engine<Real> engine_;
  std::vector<Way<Real>> ways_;
};

/// DCT-I, DST-I, DCT-II, DST-II; DCT-IV and DST-IV of odd n.
template <class Real>
class Analysed final : public Transform<Real> {
 public:
  Analysed(Kind kind, Index n, Local whose)
      : Analysed(analysis<Real>(kind, n), to_string(kind), whose) {}

  Index n() const override { return static_cast<Index>(mixes_.size()); }
  Index lanes() const override { return engine_.core.lanes(); }
  std::size_t scratch_bytes() const override { return engine_.scratch_bytes(); }
  std::string describe() const override { return name_ + " by " + engine_.core.describe(); }

  void run(Batch<Real> const& batch, std::byte* scratch) const override {
    engine_.for_each_block(batch, scratch, [&](RealBlock<Real> const& block, Index first) {
      engine_.load_reals(in_, from_column(batch.in, first), block);
      engine_.core.forward(block);
      mix(block);
      move(out_, {block.reals, dense_.data(), 1}, as_reals(from_column(batch.out, first)),
           block.columns);
    });
  }

 private:
  Analysed(Analysis<Real> const& tables, std::string name, Local whose)
      : name_(std::move(name)),
        engine_(static_cast<Index>(tables.picks.size()), whose),
        mixes_(tables.mixes),
        out_(straight<Real>(static_cast<Index>(tables.mixes.size()))) {
    for (std::size_t j = 0; j < tables.picks.size(); ++j)
      in_.push_back({tables.picks[j].row, static_cast<Index>(j), tables.picks[j].sign});
    for (Index k = 0; k < n(); ++k) dense_.push_back(k * engine_.core.columns());
  }

  /// To dense rows, where the reals were.
  void mix(RealBlock<Real> const& block) const {
    for (std::size_t k = 0; k < mixes_.size(); ++k) {
      Mix<Real> const with = mixes_[k];
      Real const* const re = block.spectrum + engine_.core.spectrum().row[at(with.row)];
      Real const* const im = re + engine_.core.columns();
      Real* const to = block.reals + dense_[k];
      for (Index c = 0; c < block.columns; ++c) to[c] = with.re * re[c] + with.im * im[c];
    }
  }

  std::string name_;
  Engine<Real> engine_;
  std::vector<Mix<Real>> mixes_;
  std::vector<Way<Real>> in_;
  std::vector<Way<Real>> out_;
  std::vector<Index> dense_;
};

/// DCT-III, DST-III.
template <class Real>
class Synthesised final : public Transform<Real> {
 public:
  Synthesised(Kind kind, Index n, Local whose)
      : name_(to_string(kind)),
        engine_(n, whose),
        tables_(synthesis<Real>(kind, n)),
        in_(straight<Real>(n)) {
    for (Index j = 0; j < n; ++j) {
      Pick<Real> const& pick = tables_.picks[at(j)];
      out_.push_back({j, pick.row, pick.sign});
      dense_.push_back(j * engine_.core.columns());
    }
  }

  Index n() const override { return engine_.core.n(); }
  Index lanes() const override { return engine_.core.lanes(); }
  std::size_t scratch_bytes() const override { return engine_.scratch_bytes(); }
  std::string describe() const override { return name_ + " by " + engine_.core.describe(); }

  void run(Batch<Real> const& batch, std::byte* scratch) const override {
    RealCore<Real> const& core = engine_.core;
    engine_.for_each_block(batch, scratch, [&](RealBlock<Real> const& block, Index first) {
      move(in_, as_reals(from_column(batch.in, first)), {block.reals, dense_.data(), 1},
           block.columns);
      spread(block);
      core.backward(block);
      move(out_, {block.reals, core.reals().row.data(), core.reals().lane},
           as_reals(from_column(batch.out, first)), block.columns);
    });
  }

 private:
  /// From dense rows, where the reals will be.
  void spread(RealBlock<Real> const& block) const {
    for (std::size_t k = 0; k < tables_.spreads.size(); ++k) {
      Spread<Real> const way = tables_.spreads[k];
      Real const* const a = block.reals + dense_[at(way.a)];
      Real const* const b = block.reals + dense_[at(way.b)];
      Real* const re = block.spectrum + engine_.core.spectrum().row[k];
      Real* const im = re + engine_.core.columns();
      for (Index c = 0; c < block.columns; ++c) {
        re[c] = way.cosine * a[c] + way.sine * b[c];
        im[c] = way.sine * a[c] - way.cosine * b[c];
      }
    }
  }

  std::string name_;
  Engine<Real> engine_;
  Synthesis<Real> tables_;
  std::vector<Way<Real>> in_;
  std::vector<Way<Real>> out_;
  std::vector<Index> dense_;
};

/// DCT-IV and DST-IV of even n, by m = n/2 complex points:
///   z[j] = (x[2j] + i x[n-1-2j]) w_8n^(4j+1), D[k] = 2 w_2n^k sum_j z[j] w_m^(jk),
///   y[2k] = Re D[k], y[n-1-2k] = -Im D[k].
/// A DCT-IV of x from the other end is a DST-IV of alternating sign.
template <class Real>
class Halved final : public Transform<Real> {
 public:
  Halved(Kind kind, Index n, Local whose)
      : name_(to_string(kind)), n_(n), complex_(make_transform<Real>(n / 2, whose)) {
    bool const sines = kind == Kind::dst4;
    columns_ = block_columns(n * static_cast<Index>(sizeof(Real)), complex_->lanes(), sizeof(Real));
    stride_ = 2 * columns_ + 64 / static_cast<Index>(sizeof(Real));
    for (Index j = 0; j < n / 2; ++j) {
      rows_.push_back(j * stride_ / 2);
      slots_.row.insert(slots_.row.end(), {j * stride_, j * stride_ + 1});
      Index const first = 2 * j, second = n - 1 - 2 * j;
      in_.push_back({sines ? second : first, 2 * j, Real{1}});
      in_.push_back({sines ? first : second, 2 * j + 1, Real{1}});
      out_.push_back({2 * j, first, Real{1}});
      out_.push_back({2 * j + 1, second, sines ? Real{1} : Real{-1}});
      before_.push_back(root<Real>(4 * j + 1, 8 * n));
      after_.push_back(Real{2} * root<Real>(j, 2 * n));
    }
    slots_.lane = 2;
  }

  Index n() const override { return n_; }
  Index lanes() const override { return complex_->lanes(); }
  std::size_t scratch_bytes() const override {
    return bytes_of(n_ / 2 * stride_, sizeof(Real)) + complex_->scratch_bytes();
  }
  std::string describe() const override { return name_ + " by " + complex_->describe(); }

  void run(Batch<Real> const& batch, std::byte* scratch) const override {
    check(batch);
    auto* const z = reinterpret_cast<Real*>(scratch);
    auto* const data = reinterpret_cast<std::complex<Real>*>(scratch);
    std::byte* const rest = scratch + bytes_of(n_ / 2 * stride_, sizeof(Real));
    for (Index first = 0; first < batch.columns; first += columns_) {
      Index const columns = std::min(columns_, batch.columns - first);
      move(in_, as_reals(from_column(batch.in, first)), view(z, slots_), columns);
      twiddle(before_, z, columns);
      complex_->run({.in = {data, rows_.data(), 1},
                     .out = {data, rows_.data(), 1},
                     .columns = columns,
                     .scale = batch.scale},
                    rest);
      twiddle(after_, z, columns);
      move(out_, {z, slots_.row.data(), 2}, as_reals(from_column(batch.out, first)), columns);
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
  Index columns_ = 0;
  Index stride_ = 0;  // reals from row to row
  std::vector<Index> rows_;
  Rows slots_;
  std::vector<Way<Real>> in_;
  std::vector<Way<Real>> out_;
  std::vector<std::complex<Real>> before_;
  std::vector<std::complex<Real>> after_;
};

}  // namespace

template <class Real>
std::unique_ptr<Transform<Real, std::complex<Real>>> make_r2c(Index n, Local whose) {
  return std::make_unique<RealToComplex<Real>>(n, whose);
}

template <class Real>
std::unique_ptr<Transform<std::complex<Real>, Real>> make_c2r(Index n, Local whose) {
  return std::make_unique<ComplexToReal<Real>>(n, whose);
}

template <class Real>
std::unique_ptr<Transform<Real>> make_r2r(Kind kind, Index n, Local whose) {
  Index const least = kind == Kind::dct1 ? 2 : 1;
  require(is_r2r(kind), "kind: a cosine or sine transform is needed, ", to_string(kind),
          " was given");
  require(n >= least, to_string(kind), ": at least ", least,
          least == 1 ? " point is needed, " : " points are needed, ", n, " were given");
  if (kind == Kind::dct3 || kind == Kind::dst3)
    return std::make_unique<Synthesised<Real>>(kind, n, whose);
  bool const fourth = kind == Kind::dct4 || kind == Kind::dst4;
  if (fourth && n % 2 == 0) return std::make_unique<Halved<Real>>(kind, n, whose);
  return std::make_unique<Analysed<Real>>(kind, n, whose);
}

template std::unique_ptr<Transform<float, std::complex<float>>> make_r2c(Index, Local);
template std::unique_ptr<Transform<double, std::complex<double>>> make_r2c(Index, Local);
template std::unique_ptr<Transform<std::complex<float>, float>> make_c2r(Index, Local);
template std::unique_ptr<Transform<std::complex<double>, double>> make_c2r(Index, Local);
template std::unique_ptr<Transform<float>> make_r2r(Kind, Index, Local);
template std::unique_ptr<Transform<double>> make_r2r(Kind, Index, Local);

}  // namespace sixstep::local
