// SPDX-License-Identifier: BSD-3-Clause
// MKL's cluster transforms, through its library for the MPI at hand.
#include <mkl_cdft.h>
#include <mkl_service.h>
#include <omp.h>

#include "node/distributed.hpp"

namespace sixstep::bench::node {
namespace {

using Descriptor = std::shared_ptr<std::remove_pointer_t<DFTI_DESCRIPTOR_DM_HANDLE>>;

/// Null if MKL refuses on any rank.
Descriptor make_descriptor(Case const& c, Setting const& setting) {
  DFTI_DESCRIPTOR_DM_HANDLE handle = nullptr;
  DFTI_CONFIG_VALUE const precision = c.single ? DFTI_SINGLE : DFTI_DOUBLE;
  DFTI_CONFIG_VALUE const domain = c.kind == Kind::r2c ? DFTI_REAL : DFTI_COMPLEX;
  std::array<MKL_LONG, 3> n{c.shape[0], c.shape[1], c.shape[2]};
  MKL_LONG status =
      c.one_axis() ? DftiCreateDescriptorDM(setting.comm, &handle, precision, domain, 1, n[2])
                   : DftiCreateDescriptorDM(setting.comm, &handle, precision, domain, 3, n.data());
  if (status == DFTI_NO_ERROR) status = DftiSetValueDM(handle, DFTI_PLACEMENT, DFTI_NOT_INPLACE);
  if (status == DFTI_NO_ERROR && c.output == Output::transposed && setting.ranks > 1)
    status = c.one_axis() ? DftiSetValueDM(handle, DFTI_ORDERING, DFTI_BACKWARD_SCRAMBLED)
                          : DftiSetValueDM(handle, DFTI_TRANSPOSE, DFTI_ALLOW);
  if (status == DFTI_NO_ERROR) status = DftiCommitDescriptorDM(handle);
  MPI_Allreduce(MPI_IN_PLACE, &status, 1, MPI_LONG, MPI_MAX, setting.comm);
  Descriptor const owner(handle, [](DFTI_DESCRIPTOR_DM_HANDLE each) {
    if (each) DftiFreeDescriptorDM(&each);
  });
  return status == DFTI_NO_ERROR ? owner : nullptr;
}

Index value_of(Descriptor const& descriptor, CDFT_CONFIG_PARAM parameter) {
  MKL_LONG value = 0;
  DftiGetValueDM(descriptor.get(), parameter, &value);
  return value;
}

Range range_of(Descriptor const& descriptor, CDFT_CONFIG_PARAM first, CDFT_CONFIG_PARAM count) {
  Index const lo = value_of(descriptor, first);
  return {lo, lo + value_of(descriptor, count)};
}

Part input_of(Case const& c, Range const& slab) {
  auto const [n0, n1, n2] = c.shape;
  if (c.one_axis()) return {{Range{0, 1}, Range{0, 1}, slab}, {n2, n2, 1}};
  Index const row = c.kind == Kind::r2c ? 2 * c.spectrum()[2] : n2;  // padded
  return {{slab, Range{0, n1}, Range{0, n2}}, {n1 * row, row, 1}};
}

/// Transposed, it is [y][z][x].
Part output_of(Case const& c, Range const& slab, bool transposed) {
  auto const [n0, n1, n2] = c.spectrum();
  if (c.one_axis()) return {{Range{0, 1}, Range{0, 1}, slab}, {n2, n2, 1}};
  if (transposed) return {{Range{0, n0}, slab, Range{0, n2}}, {1, n2 * n0, n0}};
  return {{slab, Range{0, n1}, Range{0, n2}}, {n1 * n2, n2, 1}};
}

std::optional<Prepared> prepare(Case const& c, Setting const& setting) {
  mkl_set_dynamic(0);
  mkl_set_num_threads(setting.threads);
  omp_set_num_threads(setting.threads);  // some of it heeds OpenMP's number alone
  Descriptor const descriptor = make_descriptor(c, setting);
  if (!descriptor) return std::nullopt;
  bool const transposed = c.output == Output::transposed && setting.ranks > 1;
  std::size_t const bytes = static_cast<std::size_t>(value_of(descriptor, CDFT_LOCAL_SIZE)) *
                            (c.single ? sizeof(std::complex<float>) : sizeof(std::complex<double>));
  std::shared_ptr<std::byte[]> const in = allocate(bytes), out = allocate(bytes);
  return Prepared{
      in, out, input_of(c, range_of(descriptor, CDFT_LOCAL_X_START, CDFT_LOCAL_NX)),
      output_of(c, range_of(descriptor, CDFT_LOCAL_OUT_X_START, CDFT_LOCAL_OUT_NX), transposed),
      [=] { DftiComputeForwardDM(descriptor.get(), in.get(), out.get()); }};
}

}  // namespace

Contender mkl_cluster_contender() {
  std::array<char, 256> version{};
  mkl_get_version_string(version.data(), static_cast<int>(version.size()) - 1);
  return {"MKL-cluster", version.data(), false, prepare};
}

}  // namespace sixstep::bench::node
