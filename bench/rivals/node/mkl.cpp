// SPDX-License-Identifier: BSD-3-Clause
// MKL in one process, through its own interface (DFTI), in natural order.
#include <mkl_dfti.h>
#include <mkl_service.h>

#include "node/distributed.hpp"

namespace sixstep::bench::node {
namespace {

using Descriptor = std::shared_ptr<DFTI_DESCRIPTOR>;
using Strides = std::array<MKL_LONG, 4>;

Descriptor make_descriptor(Case const& c, Part const& input, Part const& output) {
  DFTI_DESCRIPTOR_HANDLE handle = nullptr;
  DFTI_CONFIG_VALUE const precision = c.single ? DFTI_SINGLE : DFTI_DOUBLE;
  DFTI_CONFIG_VALUE const domain = c.kind == Kind::r2c ? DFTI_REAL : DFTI_COMPLEX;
  std::array<MKL_LONG, 3> const n{c.shape[0], c.shape[1], c.shape[2]};
  MKL_LONG status = c.one_axis() ? DftiCreateDescriptor(&handle, precision, domain, 1, n[2])
                                 : DftiCreateDescriptor(&handle, precision, domain, 3, n.data());
  if (status != DFTI_NO_ERROR) return nullptr;
  Descriptor const owner(handle, [](DFTI_DESCRIPTOR_HANDLE each) { DftiFreeDescriptor(&each); });
  DftiSetValue(handle, DFTI_PLACEMENT, DFTI_NOT_INPLACE);
  DftiSetValue(handle, DFTI_CONJUGATE_EVEN_STORAGE, DFTI_COMPLEX_COMPLEX);
  auto const strides = [](Part const& part) {
    return Strides{0, part.strides[0], part.strides[1], part.strides[2]};
  };
  if (!c.one_axis()) {
    DftiSetValue(handle, DFTI_FWD_STRIDES, strides(input).data());
    DftiSetValue(handle, DFTI_BWD_STRIDES, strides(output).data());
  }
  return DftiCommitDescriptor(handle) == DFTI_NO_ERROR ? owner : nullptr;
}

std::optional<Prepared> prepare(Case const& c, Setting const& setting) {
  mkl_set_dynamic(0);
  mkl_set_num_threads(setting.threads);
  Part const input = whole(c.shape), output = whole(c.spectrum());
  Descriptor const descriptor = make_descriptor(c, input, output);
  if (!descriptor) return std::nullopt;
  std::shared_ptr<std::byte[]> const in = allocate(c.input_bytes()),
                                     out = allocate(c.output_bytes());
  return Prepared{in, out, input, output,
                  [=] { DftiComputeForward(descriptor.get(), in.get(), out.get()); }};
}

}  // namespace

Contender mkl_contender() {
  std::array<char, 256> version{};
  mkl_get_version_string(version.data(), static_cast<int>(version.size()) - 1);
  return {"MKL", version.data(), true, prepare};
}

}  // namespace sixstep::bench::node
