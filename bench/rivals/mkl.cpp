// SPDX-License-Identifier: BSD-3-Clause
// Intel's MKL through its own interface (DFTI).
#include <mkl_dfti.h>
#include <mkl_service.h>

#include <array>
#include <memory>

#include "contender.hpp"

// Before MKL looks at what a processor can do it asks who made it, and takes slow paths on those
// that are not Intel's. Definitions in the program go before those in MKL, so that its best is
// compared. Versions until 2025 ask by the first name, later ones for a function to ask.
extern "C" {
int mkl_serv_intel_cpu_true();
int (*mkl_serv_get_cpu_true())();
}
int mkl_serv_intel_cpu_true() { return 1; }
int (*mkl_serv_get_cpu_true())() { return mkl_serv_intel_cpu_true; }

namespace sixstep::bench {
namespace {

/// How transforms lie, in MKL's types.
struct Strides {
  std::array<MKL_LONG, 2> strides;
  MKL_LONG distance;
  explicit Strides(Side const& side) : strides{0, side.stride}, distance(side.distance) {}
};

DFTI_DESCRIPTOR_HANDLE make_descriptor(Problem const& problem, DFTI_CONFIG_VALUE precision) {
  DFTI_DESCRIPTOR_HANDLE descriptor = nullptr;
  auto const domain = problem.kind == Kind::c2c ? DFTI_COMPLEX : DFTI_REAL;
  auto const n = static_cast<MKL_LONG>(problem.n);
  if (DftiCreateDescriptor(&descriptor, precision, domain, 1, n) != DFTI_NO_ERROR) return nullptr;
  Strides const points(problem.kind == Kind::c2r ? problem.out : problem.in);
  Strides const spectrum(problem.kind == Kind::c2r ? problem.in : problem.out);
  DftiSetValue(descriptor, DFTI_PLACEMENT, DFTI_NOT_INPLACE);
  if (problem.kind != Kind::c2c)
    DftiSetValue(descriptor, DFTI_CONJUGATE_EVEN_STORAGE, DFTI_COMPLEX_COMPLEX);
  DftiSetValue(descriptor, DFTI_NUMBER_OF_TRANSFORMS, static_cast<MKL_LONG>(problem.count));
  DftiSetValue(descriptor, DFTI_FWD_STRIDES, points.strides.data());
  DftiSetValue(descriptor, DFTI_FWD_DISTANCE, points.distance);
  DftiSetValue(descriptor, DFTI_BWD_STRIDES, spectrum.strides.data());
  DftiSetValue(descriptor, DFTI_BWD_DISTANCE, spectrum.distance);
  DftiSetValue(descriptor, DFTI_THREAD_LIMIT, static_cast<MKL_LONG>(problem.threads));
  if (DftiCommitDescriptor(descriptor) == DFTI_NO_ERROR) return descriptor;
  DftiFreeDescriptor(&descriptor);
  return nullptr;
}

template <DFTI_CONFIG_VALUE precision>
Run prepare(Problem const& problem, void* in, void* out) {
  if (problem.kind == Kind::dct2) return {};
  mkl_set_dynamic(0);
  mkl_set_num_threads(problem.threads);
  DFTI_DESCRIPTOR_HANDLE const descriptor = make_descriptor(problem, precision);
  if (!descriptor) return {};
  std::shared_ptr<void> const owner(descriptor, [descriptor](void*) {
    DFTI_DESCRIPTOR_HANDLE handle = descriptor;
    DftiFreeDescriptor(&handle);
  });
  if (problem.kind == Kind::c2r)
    return [owner, descriptor, in, out] { DftiComputeBackward(descriptor, in, out); };
  return [owner, descriptor, in, out] { DftiComputeForward(descriptor, in, out); };
}

}  // namespace

Contender mkl_contender() {
  std::array<char, 256> version{};
  mkl_get_version_string(version.data(), static_cast<int>(version.size()) - 1);
  return {"MKL", version.data(), prepare<DFTI_DOUBLE>, prepare<DFTI_SINGLE>};
}

}  // namespace sixstep::bench
