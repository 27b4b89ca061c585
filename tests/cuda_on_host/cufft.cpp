// SPDX-License-Identifier: BSD-3-Clause
// cuFFT, as far as sixstep calls it: transforms by recursion over prime factors, in double.
#include <cufft.h>
#include <cufftXt.h>

#include <algorithm>
#include <complex>
#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "cufft_column.hpp"
#include "device.hpp"

namespace {

using namespace cuda_on_host;

struct Plan {
  int gpu = 0;
  bool is_made = false, has_own_area = true;
  std::vector<Index> lengths;
  Side in, out;
  Index columns = 0;
  std::size_t area_bytes = 0;
  void* area = nullptr;
  cudaStream_t stream = nullptr;
  std::shared_ptr<Moment const> last = nullptr;  // transform
};

std::map<cufftHandle, Plan>& plans() {
  static auto& all = *new std::map<cufftHandle, Plan>;
  return all;
}
Plan* plan_of(cufftHandle handle) {
  std::lock_guard const lock(mutex());
  auto const found = plans().find(handle);
  return found == plans().end() ? nullptr : &found->second;
}

/// One column of the plan.
void run(Plan const& plan, Index column, std::byte* in, std::byte* out, int sign) {
  Index points = 1;
  for (Index n : plan.lengths) points *= n;
  std::vector<Complex> array(static_cast<std::size_t>(points));
  bool const is_back = plan.out.is_real, halves = plan.in.is_real;
  double garbage = 0;
  for (Index i = 0; i < points; ++i) {
    auto const [number, is_conjugate] = is_back ? in_half(plan.lengths, i) : std::pair{i, false};
    Complex const value = load(plan.in, in, plan.in.place(column, number));
    array[static_cast<std::size_t>(i)] = is_conjugate ? std::conj(value) : value;
    // What is Hermitian in a real array's spectrum is taken for granted.
    Index const last = plan.lengths.back(), k = i % last;
    if (is_back && (k == 0 || 2 * k == last))
      garbage +=
          std::abs(value - std::conj(load(plan.in, in,
                                          plan.in.place(column, negated(plan.lengths, number)))));
  }
  transform_all(array, plan.lengths, sign);
  if (is_back && in != out)  // may be overwritten
    for (Index i = 0; i < plan.in.elements(); ++i)
      store(plan.in, in, plan.in.place(column, i), {std::numeric_limits<double>::quiet_NaN(), 0});
  for (Index i = 0; i < points; ++i) {
    auto const [number, is_conjugate] = halves ? in_half(plan.lengths, i) : std::pair{i, false};
    if (!is_conjugate)
      store(plan.out, out, plan.out.place(column, number),
            array[static_cast<std::size_t>(i)] + garbage);
  }
}

/// From the first to the last byte of a side.
void expect_side(Plan const& plan, Side const& side, void const* begin, char const* what) {
  Index const last = side.place(plan.columns - 1, side.elements() - 1);
  expect_reach(plan.gpu, begin, static_cast<std::size_t>(last + 1) * side.element_bytes(), what);
}

/// In place columns must lie alike on both sides, and their rows too.
bool lie_alike(Plan const& plan) {
  auto const in_bytes = static_cast<Index>(plan.in.element_bytes());
  auto const out_bytes = static_cast<Index>(plan.out.element_bytes());
  bool const is_complex = !plan.in.is_real && !plan.out.is_real;
  if (plan.columns > 1 && plan.in.distance * in_bytes != plan.out.distance * out_bytes)
    return false;
  if (is_complex) return plan.in.stride == plan.out.stride && plan.in.rows == plan.out.rows;
  bool const has_one = plan.lengths.back() == 1;
  if (!has_one && (plan.in.stride != 1 || plan.out.stride != 1)) return false;
  for (std::size_t axis = 1; axis < plan.lengths.size(); ++axis)
    if (plan.in.rows[axis] * (axis + 1 == plan.lengths.size() ? in_bytes : 1) !=
        plan.out.rows[axis] * (axis + 1 == plan.lengths.size() ? out_bytes : 1))
      return false;
  return true;
}

/// Sides that are not the same array have no element in common.
void expect_apart(Plan const& plan, std::byte const* in, std::byte const* out) {
  constexpr Index most = 100000;
  if (plan.columns * plan.in.elements() > most) return;
  std::vector<std::byte const*> reads;
  auto const at = [&](Side const& side, std::byte const* begin, Index column, Index i) {
    return begin + side.place(column, i) * static_cast<Index>(side.element_bytes());
  };
  for (Index column = 0; column < plan.columns; ++column)
    for (Index i = 0; i < plan.in.elements(); ++i) reads.push_back(at(plan.in, in, column, i));
  std::sort(reads.begin(), reads.end());
  for (Index column = 0; column < plan.columns; ++column)
    for (Index i = 0; i < plan.out.elements(); ++i) {
      std::byte const* const place = at(plan.out, out, column, i);
      auto const after =
          std::upper_bound(reads.begin(), reads.end(), place - plan.in.element_bytes());
      if (after != reads.end() && *after < place + plan.out.element_bytes())
        stop("cuFFT: input and output overlap");
    }
}

[[gnu::destructor]] void end() { expect_none("plans of cuFFT", plans().size()); }

bool is_aligned(void const* address, std::size_t bytes) {
  return reinterpret_cast<std::uintptr_t>(address) % bytes == 0;
}

}  // namespace

cufftResult cufftCreate(cufftHandle* handle) {
  if (!handle) return CUFFT_INVALID_VALUE;
  std::lock_guard const lock(mutex());
  static int next = 1;
  *handle = next++;
  plans()[*handle].gpu = current_gpu();
  return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle handle) {
  Plan const* const plan = plan_of(handle);
  if (!plan) return CUFFT_INVALID_PLAN;
  std::lock_guard const lock(mutex());
  bool const still_runs = plan->last && !plan->last->has_come && failure_of("") == 0;
  if (still_runs) stop("cuFFT: a plan is destroyed before it has run");
  plans().erase(handle);
  return CUFFT_SUCCESS;
}

cufftResult cufftSetAutoAllocation(cufftHandle handle, int automatic) {
  Plan* const plan = plan_of(handle);
  if (!plan || plan->is_made) return CUFFT_INVALID_PLAN;
  plan->has_own_area = automatic != 0;
  return CUFFT_SUCCESS;
}

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  Plan* const plan = plan_of(handle);
  if (!plan) return CUFFT_INVALID_PLAN;
  plan->stream = stream;
  return CUFFT_SUCCESS;
}

cufftResult cufftSetWorkArea(cufftHandle handle, void* area) {
  Plan* const plan = plan_of(handle);
  if (!plan || !plan->is_made) return CUFFT_INVALID_PLAN;
  plan->area = area;
  return CUFFT_SUCCESS;
}

cufftResult cufftXtMakePlanMany(cufftHandle handle, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, cudaDataType inputtype,
                                long long* onembed, long long ostride, long long odist,
                                cudaDataType outputtype, long long batch, std::size_t* workSize,
                                cudaDataType executiontype) {
  constexpr int most_axes = 3;
  Plan* const plan = plan_of(handle);
  if (!plan || plan->is_made) return CUFFT_INVALID_PLAN;
  if (!n || !workSize || rank < 1 || rank > most_axes || batch < 1) return CUFFT_INVALID_VALUE;
  if (!inembed || !onembed || istride < 1 || ostride < 1 || idist < 0 || odist < 0)
    return CUFFT_INVALID_VALUE;
  bool const single = executiontype == CUDA_C_32F;
  if (!single && executiontype != CUDA_C_64F) return CUFFT_INVALID_TYPE;
  cudaDataType const real = single ? CUDA_R_32F : CUDA_R_64F;
  for (cudaDataType type : {inputtype, outputtype})
    if (type != real && type != executiontype) return CUFFT_INVALID_TYPE;
  if (inputtype == real && outputtype == real) return CUFFT_INVALID_TYPE;
  plan->lengths.assign(n, n + rank);
  if (std::any_of(n, n + rank, [](Index length) { return length < 1; })) return CUFFT_INVALID_SIZE;
  auto const make = [&](Side& side, long long const* rows, Index stride, Index distance,
                        bool is_real, bool is_half) {
    side = {plan->lengths, {rows, rows + rank},
            stride,        distance,
            is_real,       single ? sizeof(float) : sizeof(double)};
    if (is_half) side.extents.back() = side.extents.back() / 2 + 1;
    for (int axis = 1; axis < rank; ++axis)
      if (rows[axis] < side.extents[static_cast<std::size_t>(axis)]) return false;
    return true;
  };
  if (!make(plan->in, inembed, istride, idist, inputtype == real, outputtype == real) ||
      !make(plan->out, onembed, ostride, odist, outputtype == real, inputtype == real))
    return CUFFT_INVALID_VALUE;
  plan->columns = batch;
  // Some transforms need one, others none.
  Index const points = plan->in.elements();
  plan->area_bytes = points % 2 == 0 && rank == 1
                         ? 0
                         : static_cast<std::size_t>(points * batch) * plan->out.real_bytes * 2;
  *workSize = plan->area_bytes;
  plan->is_made = true;
  return CUFFT_SUCCESS;
}

/// As bench/gpu has it: arrays without gaps.
cufftResult cufftMakePlanMany64(cufftHandle handle, int rank, long long* n, long long* inembed,
                                long long, long long, long long* onembed, long long, long long,
                                cufftType type, long long batch, std::size_t* workSize) {
  if (inembed || onembed || batch != 1) return CUFFT_NOT_SUPPORTED;
  bool const single = type == CUFFT_C2C || type == CUFFT_R2C || type == CUFFT_C2R;
  bool const from_reals = type == CUFFT_R2C || type == CUFFT_D2Z;
  bool const to_reals = type == CUFFT_C2R || type == CUFFT_Z2D;
  if (!single && !from_reals && !to_reals && type != CUFFT_Z2Z) return CUFFT_NOT_SUPPORTED;
  cudaDataType const complex = single ? CUDA_C_32F : CUDA_C_64F;
  std::vector<long long> rows(n, n + rank), results = rows;
  if (from_reals) results.back() = results.back() / 2 + 1;
  if (to_reals) rows.back() = rows.back() / 2 + 1;
  cudaDataType const real = single ? CUDA_R_32F : CUDA_R_64F;
  return cufftXtMakePlanMany(handle, rank, n, rows.data(), 1, 0, from_reals ? real : complex,
                             results.data(), 1, 0, to_reals ? real : complex, 1, workSize, complex);
}

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* in, cufftComplex* out, int direction) {
  return cufftXtExec(plan, in, out, direction);
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleComplex* out,
                         int direction) {
  return cufftXtExec(plan, in, out, direction);
}
cufftResult cufftExecR2C(cufftHandle plan, cufftReal* in, cufftComplex* out) {
  return cufftXtExec(plan, in, out, CUFFT_FORWARD);
}
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* in, cufftDoubleComplex* out) {
  return cufftXtExec(plan, in, out, CUFFT_FORWARD);
}

cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* in, cufftReal* out) {
  return cufftXtExec(plan, in, out, CUFFT_INVERSE);
}
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleReal* out) {
  return cufftXtExec(plan, in, out, CUFFT_INVERSE);
}

cufftResult cufftXtExec(cufftHandle handle, void* input, void* output, int direction) {
  if (failure_of("transform") != 0) return CUFFT_EXEC_FAILED;
  Plan* const plan = plan_of(handle);
  if (!plan || !plan->is_made) return CUFFT_INVALID_PLAN;
  if (!input || !output || (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE))
    return CUFFT_INVALID_VALUE;
  if (direction == (plan->out.is_real ? CUFFT_FORWARD : 0)) return CUFFT_INVALID_VALUE;
  std::size_t const complex_bytes = 2 * plan->in.real_bytes;
  if (!is_aligned(input, complex_bytes) || !is_aligned(output, complex_bytes))
    return CUFFT_INVALID_VALUE;
  Stream* const stream = stream_of(plan->stream);
  if (!stream) return CUFFT_INVALID_PLAN;
  if (stream->gpu != plan->gpu || current_gpu() != plan->gpu)
    stop("cuFFT: a plan runs on another GPU than that it was made on");
  constexpr std::size_t area_alignment = 256;
  std::size_t const area_bytes = plan->has_own_area ? 0 : plan->area_bytes;
  if (area_bytes > 0 && !is_aligned(plan->area, area_alignment))
    stop("cuFFT: a work area that is not aligned to 256 bytes");
  auto* const in = static_cast<std::byte*>(input);
  auto* const out = static_cast<std::byte*>(output);
  if (in == out && !lie_alike(*plan)) stop("cuFFT: in place, columns that do not lie alike");
  int const sign = plan->in.is_real ? -1 : plan->out.is_real ? 1 : direction;
  // The work area has been written when others run, and must still be as it was afterwards.
  auto const token = std::make_shared<unsigned char>();
  put(*stream, {[=, run_as = *plan] {
    expect_side(run_as, run_as.in, in, "what cuFFT reads");
    expect_side(run_as, run_as.out, out, "what cuFFT writes");
    expect_reach(run_as.gpu, run_as.area, area_bytes, "the work area of cuFFT");
    if (in != out) expect_apart(run_as, in, out);
    static unsigned char next = 0;
    *token = ++next;
    if (area_bytes > 0) std::memset(run_as.area, *token, area_bytes);
    for (Index column = 0; column < run_as.columns; ++column) run(run_as, column, in, out, sign);
  }});
  plan->last = put(*stream, {[=, run_as = *plan] {
    auto const* const area = static_cast<unsigned char const*>(run_as.area);
    for (std::size_t i = 0; i < area_bytes; ++i)
      if (area[i] != *token) stop("cuFFT: a work area that others use too");
  }});
  return CUFFT_SUCCESS;
}
