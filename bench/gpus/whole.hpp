// SPDX-License-Identifier: BSD-3-Clause
// Transforms of a whole array by a plan of cuFFT's on one GPU.
#pragma once

#include <cuda_runtime.h>
#include <cufft.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "numbers.hpp"
#include "sixstep/layout.hpp"

namespace sixstep::bench {

inline void check(bool is_good, char const* what) { require(is_good, what); }

/// Transforms of `fields` whole arrays by cuFFT, out of place, in one direction.
template <class Real>
class WholeByCufft {
 public:
  WholeByCufft(Shape const& shape, bool has_reals, bool backward, int fields = 1)
      : has_reals_(has_reals), backward_(backward) {
    std::vector<long long> lengths(shape.begin(), shape.end());
    bool const single = sizeof(Real) == sizeof(float);
    cufftType const type = !has_reals ? (single ? CUFFT_C2C : CUFFT_Z2Z)
                           : backward ? (single ? CUFFT_C2R : CUFFT_Z2D)
                                      : (single ? CUFFT_R2C : CUFFT_D2Z);
    check(cufftCreate(&plan_) == CUFFT_SUCCESS, "cuFFT: no plan");
    check(cufftMakePlanMany64(plan_, shape.size(), lengths.data(), nullptr, 1, 0, nullptr, 1, 0,
                              type, fields, &scratch_bytes_) == CUFFT_SUCCESS,
          "cuFFT: the plan cannot be made");
  }
  ~WholeByCufft() { cufftDestroy(plan_); }
  WholeByCufft(WholeByCufft const&) = delete;

  std::size_t scratch_bytes() const { return scratch_bytes_; }
  /// Puts the transform into the default stream.
  void put(void* in, void* out) {
    check(execute(in, out) == CUFFT_SUCCESS, "cuFFT: the transform failed");
  }
  void run(void* in, void* out) {
    put(in, out);
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
std::vector<Real> reals_without_pattern(Index count, std::uint64_t seed = 1) {
  std::vector<Real> values(static_cast<std::size_t>(count));
  std::uint64_t state = seed;
  for (Real& value : values) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    value = static_cast<Real>(static_cast<double>(state >> 40) / (1 << 23) - 1);
  }
  return values;
}

}  // namespace sixstep::bench
