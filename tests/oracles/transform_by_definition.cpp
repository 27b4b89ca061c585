// SPDX-License-Identifier: BSD-3-Clause
// Complex transforms by the definition in the place of the library's own: a sanitizer sees every
// access of memory, and kernels need not be compiled for it.
#include <memory>
#include <vector>

#include "local/transform.hpp"
#include "oracles/fourier.hpp"

namespace sixstep::local {

namespace {

using oracle::at;
using oracle::Exact;

template <class Real>
class ByDefinition final : public Transform<std::complex<Real>> {
 public:
  explicit ByDefinition(Index n) : n_(n) {}

  Index n() const override { return n_; }
  Index lanes() const override { return 1; }
  std::size_t scratch_bytes() const override { return 0; }
  std::string describe() const override { return "by the definition"; }

  void run(Batch<std::complex<Real>> const& batch, std::byte*) const override {
    int const sign = batch.backward ? 1 : -1;
    Columns<std::complex<Real> const> const& in = batch.in;
    Columns<std::complex<Real>> const& out = batch.out;
    for (Index c = 0; c < batch.columns; ++c) {
      std::vector<Exact> column;
      for (Index k = 0; k < n_; ++k) column.emplace_back(in.data[in.row[k] + c * in.lane]);
      oracle::transform(column, {n_}, 0, sign);
      for (Index k = 0; k < n_; ++k)
        out.data[out.row[k] + c * out.lane] =
            std::complex<Real>(column[at(k)] * factor(batch.twist, k, c, sign) *
                               static_cast<long double>(batch.scale));
    }
  }

 private:
  static Exact factor(Twist const& twist, Index k, Index c, int sign) {
    if (!twist.roots) return 1;
    Index const n = twist.roots->n(), power = k * (twist.first + c * twist.step) % n;
    return std::polar(1.0L, static_cast<long double>(sign) * oracle::turn *
                                static_cast<long double>(power) / static_cast<long double>(n));
  }

  Index n_;
};

}  // namespace

template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_transform(Index n, Local, Tuning const&) {
  return std::make_unique<ByDefinition<Real>>(n);
}

template std::unique_ptr<Transform<std::complex<float>>> make_transform(Index, Local,
                                                                        Tuning const&);
template std::unique_ptr<Transform<std::complex<double>>> make_transform(Index, Local,
                                                                         Tuning const&);

}  // namespace sixstep::local
