// SPDX-License-Identifier: BSD-3-Clause
// Long transforms in two levels, and by the rows of another transform.
#include "local/long_transform.hpp"

#include <algorithm>
#include <utility>

#include "base/memory.hpp"
#include "local/column_by_column.hpp"
#include "local/staged.hpp"
#include "sixstep/error.hpp"

namespace sixstep::local {
namespace {

template <class Real>
class Gathered final : public ColumnByColumn<Real> {
 public:
  using Complex = std::complex<Real>;

  explicit Gathered(std::unique_ptr<Transform<Complex>> rows)
      : ColumnByColumn<Real>(rows->n()), rows_(std::move(rows)) {}

  std::string describe() const override { return rows_->describe(); }

 private:
  std::size_t column_scratch_bytes() const override { return rows_->scratch_bytes(); }

  void run_column(Complex const* in, Complex* out, bool backward, Real scale,
                  std::byte* scratch) const override {
    rows_->run({.in = {in, RowMap::every(1), this->n()},
                .out = {out, RowMap::every(1), this->n()},
                .columns = 1,
                .backward = backward,
                .scale = scale},
               scratch);
  }

  std::unique_ptr<Transform<Complex>> rows_;
};

template <class Real>
class TwoLevel final : public ColumnByColumn<Real> {
 public:
  using Complex = std::complex<Real>;

  TwoLevel(Index slow, Index fast, Tuning const& tuning)
      : ColumnByColumn<Real>(slow * fast),
        roots_(slow * fast),
        slow_(make_transform<Real>(slow, Local::own, tuning)),
        fast_(make_transform<Real>(fast, Local::own, tuning)),
        pitch_(fast + tuning.strip_pad_bytes / static_cast<Index>(sizeof(Complex))),
        slow_pass_(*slow_, staging(bytes(fast), bytes(pitch_), bytes(slow * fast), tuning), tuning),
        fast_pass_(*fast_, staging(0, bytes(slow), bytes(slow * fast), tuning), tuning) {}

  std::string describe() const override {
    return text("(", slow_->describe(), ") x (", fast_->describe(), ")");
  }

 private:
  static Index bytes(Index points) { return points * static_cast<Index>(sizeof(Complex)); }

  std::size_t work_bytes() const {
    return aligned(static_cast<std::size_t>(slow_->n() * pitch_) * sizeof(Complex));
  }

  std::size_t column_scratch_bytes() const override {
    return work_bytes() + std::max(slow_pass_.scratch_bytes(), fast_pass_.scratch_bytes());
  }

  void run_column(Complex const* in, Complex* out, bool backward, Real scale,
                  std::byte* scratch) const override {
    auto* const work = reinterpret_cast<Complex*>(scratch);
    std::byte* const rest = scratch + work_bytes();
    slow_pass_.run({.in = {in, RowMap::every(fast_->n()), 1},
                    .out = {work, RowMap::every(pitch_), 1},
                    .columns = fast_->n(),
                    .backward = backward,
                    .scale = 1,
                    .twist = {&roots_, 0, 1}},
                   rest);
    fast_pass_.run({.in = {work, RowMap::every(1), pitch_},
                    .out = {out, RowMap::every(slow_->n()), 1},
                    .columns = slow_->n(),
                    .backward = backward,
                    .scale = scale,
                    .twist = {}},
                   rest);
  }

  Roots roots_;
  std::unique_ptr<Transform<Complex>> slow_;
  std::unique_ptr<Transform<Complex>> fast_;
  // between rows between the levels: rows a power of two apart would share cache sets
  Index pitch_;
  Staged<Real> slow_pass_;
  Staged<Real> fast_pass_;
};

}  // namespace

template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_two_level(Index slow, Index fast,
                                                              Tuning const& tuning) {
  return std::make_unique<TwoLevel<Real>>(slow, fast, tuning);
}

template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_gathered(
    std::unique_ptr<Transform<std::complex<Real>>> rows) {
  return std::make_unique<Gathered<Real>>(std::move(rows));
}

template std::unique_ptr<Transform<std::complex<float>>> make_two_level(Index, Index,
                                                                        Tuning const&);
template std::unique_ptr<Transform<std::complex<double>>> make_two_level(Index, Index,
                                                                         Tuning const&);
template std::unique_ptr<Transform<std::complex<float>>> make_gathered(
    std::unique_ptr<Transform<std::complex<float>>>);
template std::unique_ptr<Transform<std::complex<double>>> make_gathered(
    std::unique_ptr<Transform<std::complex<double>>>);

}  // namespace sixstep::local
