// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/cufft_planned.hpp"

#include "cuda/cufft_library.hpp"
#include "sixstep/error.hpp"

namespace sixstep::device {

namespace {

/// cuFFT has no function for this.
char const* name_of(cufftResult status) {
  switch (status) {
    case CUFFT_INVALID_PLAN:
      return "CUFFT_INVALID_PLAN";
    case CUFFT_ALLOC_FAILED:
      return "CUFFT_ALLOC_FAILED";
    case CUFFT_INVALID_VALUE:
      return "CUFFT_INVALID_VALUE";
    case CUFFT_INTERNAL_ERROR:
      return "CUFFT_INTERNAL_ERROR";
    case CUFFT_EXEC_FAILED:
      return "CUFFT_EXEC_FAILED";
    case CUFFT_SETUP_FAILED:
      return "CUFFT_SETUP_FAILED";
    case CUFFT_INVALID_SIZE:
      return "CUFFT_INVALID_SIZE";
    case CUFFT_UNALIGNED_DATA:
      return "CUFFT_UNALIGNED_DATA";
    case CUFFT_INVALID_DEVICE:
      return "CUFFT_INVALID_DEVICE";
    case CUFFT_NO_WORKSPACE:
      return "CUFFT_NO_WORKSPACE";
    case CUFFT_NOT_SUPPORTED:
      return "CUFFT_NOT_SUPPORTED";
    default:
      return "an error that this library does not know";
  }
}

void check(cufftResult status, char const* what) {
  if (status == CUFFT_SUCCESS) return;
  throw Error(text("cuFFT: ", what, ": ", name_of(status), " (", static_cast<int>(status), ")"),
              status == CUFFT_ALLOC_FAILED ? ErrorCode::memory : ErrorCode::library);
}

/// One side in cuFFT's terms: the extents of its axes in memory (`rows`), and its strides.
struct Embedding {
  long long rows[3] = {1, 1, 1};
  long long stride = 1;
  long long distance = 1;
};

/// Whether cuFFT can describe this side.
bool embed(Columns::Side const& side, Shape const& extents, Embedding& embedding) {
  int const axes = extents.size();
  embedding.rows[0] = extents[0];
  for (int axis = 1; axis < axes; ++axis) {
    Index const inner = side.strides[axis];
    if (inner <= 0 || side.strides[axis - 1] % inner != 0) return false;
    embedding.rows[axis] = side.strides[axis - 1] / inner;
    if (embedding.rows[axis] < extents[axis]) return false;
  }
  embedding.stride = side.strides[axes - 1];
  embedding.distance = side.distance;
  return true;
}

}  // namespace

CufftPlanned::CufftPlanned() { check(cufft().create(&plan_), "a plan"); }

CufftPlanned::~CufftPlanned() { cufft().destroy(plan_); }

bool CufftPlanned::plan(Columns const& columns) {
  using Kind = Columns::Kind;
  constexpr int most_axes = 3;
  int const axes = columns.lengths.size();
  if (axes > most_axes) return false;
  long long lengths[most_axes];
  for (int axis = 0; axis < axes; ++axis) lengths[axis] = columns.lengths[axis];
  Shape halved = columns.lengths;
  halved[axes - 1] = halved[axes - 1] / 2 + 1;
  Embedding source, target;
  if (!embed(columns.source, columns.kind == Kind::c2r ? halved : columns.lengths, source) ||
      !embed(columns.target, columns.kind == Kind::r2c ? halved : columns.lengths, target))
    return false;
  to_reals_ = columns.kind == Kind::c2r;
  bool const single = columns.real_bytes == sizeof(float);
  cudaDataType const complex = single ? CUDA_C_32F : CUDA_C_64F;
  cudaDataType const real = single ? CUDA_R_32F : CUDA_R_64F;
  check(cufft().set_auto_allocation(plan_, 0), "a plan without memory");
  return cufft().make_plan_many(plan_, axes, lengths, source.rows, source.stride, source.distance,
                                columns.kind == Kind::r2c ? real : complex, target.rows,
                                target.stride, target.distance,
                                columns.kind == Kind::c2r ? real : complex, columns.columns,
                                &scratch_bytes_, complex) == CUFFT_SUCCESS;
}

void CufftPlanned::run(cudaStream_t stream, void const* in, void* out, bool backward,
                       void* scratch) const {
  check(cufft().set_stream(plan_, stream), "the stream of a plan");
  if (scratch_bytes_ > 0) check(cufft().set_work_area(plan_, scratch), "the work area of a plan");
  check(cufft().execute(plan_, const_cast<void*>(in), out,
                        backward || to_reals_ ? CUFFT_INVERSE : CUFFT_FORWARD),
        "a transform");
}

}  // namespace sixstep::device
