// SPDX-License-Identifier: BSD-3-Clause
// FFTW's functions for Fortran before 2003: dfftw_execute_ and its like.
//
// Arguments are addresses, and arrays are in Fortran's order: n, embeddings and kinds are reversed,
// but in the guru interface. Each function has two names, as compilers differ: with one and with
// two underscores behind it.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "names.hpp"

#ifdef SIXSTEP_FFTW_SINGLE
#define SIXSTEP_FORTRAN_NAME(name, end) sfftw_##name##end
#define SIXSTEP_FORTRAN_STRING(name) "sfftw_" #name "_"
#else
#define SIXSTEP_FORTRAN_NAME(name, end) dfftw_##name##end
#define SIXSTEP_FORTRAN_STRING(name) "dfftw_" #name "_"
#endif
// The head of a function, and its other name.
#define SIXSTEP_FORTRAN(name, ...)                          \
  void SIXSTEP_FORTRAN_NAME(name, _)(__VA_ARGS__);          \
  void SIXSTEP_FORTRAN_NAME(name, __)(__VA_ARGS__)          \
      __attribute__((alias(SIXSTEP_FORTRAN_STRING(name)))); \
  void SIXSTEP_FORTRAN_NAME(name, _)(__VA_ARGS__)

namespace {

using sixstep::fftw::FftwComplex;
using sixstep::fftw::Real;
using Plan = SIXSTEP_FFTW(plan);
using Dim = SIXSTEP_FFTW(iodim);
using Kind = SIXSTEP_FFTW(r2r_kind);

/// An array for a call that it does not outlive; null if there is none.
template <class Element>
class ForCall {
 public:
  ForCall() = default;
  explicit ForCall(std::vector<Element> values) : values_(std::move(values)), given_(true) {}
  operator Element const*() const { return given_ ? values_.data() : nullptr; }

 private:
  std::vector<Element> values_;
  bool given_ = false;
};

unsigned unsigned_of(int const* flags) { return static_cast<unsigned>(*flags); }
Kind kind_of(int const* kind) { return static_cast<Kind>(*kind); }

ForCall<int> reversed(int const* rank, int const* values) {
  if (values == nullptr || *rank < 0) return {};
  std::vector<int> result(values, values + *rank);
  std::reverse(result.begin(), result.end());
  return ForCall<int>(std::move(result));
}

ForCall<Kind> kinds_of(int const* rank, int const* kinds) {
  std::vector<Kind> result;
  for (int i = 0; i < *rank; ++i) result.push_back(kind_of(kinds + i));
  return ForCall<Kind>(std::move(result));
}

ForCall<Kind> reversed_kinds(int const* rank, int const* kinds) {
  return kinds_of(rank, reversed(rank, kinds));
}

ForCall<Dim> dims_of(int const* rank, int const* n, int const* is, int const* os) {
  std::vector<Dim> dims;
  for (int i = 0; i < *rank; ++i) dims.push_back({n[i], is[i], os[i]});
  return ForCall<Dim>(std::move(dims));
}

// Fortran's procedures for characters.
using WriteCharacter = void (*)(char*, void*);
using ReadCharacter = void (*)(int*, void*);
struct Writer {
  WriteCharacter write;
  void* data;
};
struct Reader {
  ReadCharacter read;
  void* data;
};

void write_character(char c, void* writer) {
  auto const& to = *static_cast<Writer*>(writer);
  to.write(&c, to.data);
}

int read_character(void* reader) {
  auto const& from = *static_cast<Reader*>(reader);
  int c;
  from.read(&c, from.data);
  return c < 0 ? EOF : c;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

SIXSTEP_FORTRAN(execute, Plan* p) { SIXSTEP_FFTW(execute)(*p); }

SIXSTEP_FORTRAN(destroy_plan, Plan* p) { SIXSTEP_FFTW(destroy_plan)(*p); }

SIXSTEP_FORTRAN(cleanup, void) { SIXSTEP_FFTW(cleanup)(); }

SIXSTEP_FORTRAN(forget_wisdom, void) { SIXSTEP_FFTW(forget_wisdom)(); }

SIXSTEP_FORTRAN(export_wisdom, WriteCharacter write, void* data) {
  Writer writer{write, data};
  SIXSTEP_FFTW(export_wisdom)(write_character, &writer);
}

SIXSTEP_FORTRAN(import_wisdom, int* done, ReadCharacter read, void* data) {
  Reader reader{read, data};
  *done = SIXSTEP_FFTW(import_wisdom)(read_character, &reader);
}

SIXSTEP_FORTRAN(import_system_wisdom, int* done) { *done = SIXSTEP_FFTW(import_system_wisdom)(); }

SIXSTEP_FORTRAN(print_plan, Plan* p) {
  SIXSTEP_FFTW(print_plan)(*p);
  std::fflush(stdout);
}

SIXSTEP_FORTRAN(flops, Plan* p, double* add, double* multiply, double* fused) {
  SIXSTEP_FFTW(flops)(*p, add, multiply, fused);
}

SIXSTEP_FORTRAN(estimate_cost, double* cost, Plan* p) { *cost = SIXSTEP_FFTW(estimate_cost)(*p); }

SIXSTEP_FORTRAN(cost, double* cost, Plan* p) { *cost = SIXSTEP_FFTW(cost)(*p); }

SIXSTEP_FORTRAN(set_timelimit, double* seconds) { SIXSTEP_FFTW(set_timelimit)(*seconds); }

SIXSTEP_FORTRAN(init_threads, int* done) { *done = SIXSTEP_FFTW(init_threads)(); }

SIXSTEP_FORTRAN(plan_with_nthreads, int* threads) { SIXSTEP_FFTW(plan_with_nthreads)(*threads); }

SIXSTEP_FORTRAN(planner_nthreads, int* threads) { *threads = SIXSTEP_FFTW(planner_nthreads)(); }

SIXSTEP_FORTRAN(cleanup_threads, void) { SIXSTEP_FFTW(cleanup_threads)(); }

SIXSTEP_FORTRAN(plan_dft, Plan* p, int* rank, int const* n, FftwComplex* in, FftwComplex* out,
                int* sign, int* flags) {
  *p = SIXSTEP_FFTW(plan_dft)(*rank, reversed(rank, n), in, out, *sign, unsigned_of(flags));
}

SIXSTEP_FORTRAN(plan_dft_1d, Plan* p, int* n, FftwComplex* in, FftwComplex* out, int* sign,
                int* flags) {
  *p = SIXSTEP_FFTW(plan_dft_1d)(*n, in, out, *sign, unsigned_of(flags));
}

SIXSTEP_FORTRAN(plan_dft_2d, Plan* p, int* nx, int* ny, FftwComplex* in, FftwComplex* out,
                int* sign, int* flags) {
  *p = SIXSTEP_FFTW(plan_dft_2d)(*ny, *nx, in, out, *sign, unsigned_of(flags));
}

SIXSTEP_FORTRAN(plan_dft_3d, Plan* p, int* nx, int* ny, int* nz, FftwComplex* in, FftwComplex* out,
                int* sign, int* flags) {
  *p = SIXSTEP_FFTW(plan_dft_3d)(*nz, *ny, *nx, in, out, *sign, unsigned_of(flags));
}

SIXSTEP_FORTRAN(plan_many_dft, Plan* p, int* rank, int const* n, int* howmany, FftwComplex* in,
                int const* inembed, int* istride, int* idist, FftwComplex* out, int const* onembed,
                int* ostride, int* odist, int* sign, int* flags) {
  *p = SIXSTEP_FFTW(plan_many_dft)(*rank, reversed(rank, n), *howmany, in, reversed(rank, inembed),
                                   *istride, *idist, out, reversed(rank, onembed), *ostride, *odist,
                                   *sign, unsigned_of(flags));
}

SIXSTEP_FORTRAN(plan_guru_dft, Plan* p, int* rank, int const* n, int const* is, int const* os,
                int* howmany_rank, int const* howmany_n, int const* howmany_is,
                int const* howmany_os, FftwComplex* in, FftwComplex* out, int* sign, int* flags) {
  *p = SIXSTEP_FFTW(plan_guru_dft)(*rank, dims_of(rank, n, is, os), *howmany_rank,
                                   dims_of(howmany_rank, howmany_n, howmany_is, howmany_os), in,
                                   out, *sign, unsigned_of(flags));
}

SIXSTEP_FORTRAN(execute_dft, Plan* p, FftwComplex* in, FftwComplex* out) {
  SIXSTEP_FFTW(execute_dft)(*p, in, out);
}

SIXSTEP_FORTRAN(plan_guru_split_dft, Plan* p, int* rank, int const* n, int const* is, int const* os,
                int* howmany_rank, int const* howmany_n, int const* howmany_is,
                int const* howmany_os, Real* ri, Real* ii, Real* ro, Real* io, int* flags) {
  *p = SIXSTEP_FFTW(plan_guru_split_dft)(*rank, dims_of(rank, n, is, os), *howmany_rank,
                                         dims_of(howmany_rank, howmany_n, howmany_is, howmany_os),
                                         ri, ii, ro, io, unsigned_of(flags));
}

SIXSTEP_FORTRAN(execute_split_dft, Plan* p, Real* ri, Real* ii, Real* ro, Real* io) {
  SIXSTEP_FFTW(execute_split_dft)(*p, ri, ii, ro, io);
}

SIXSTEP_FORTRAN(plan_dft_r2c, Plan* p, int* rank, int const* n, Real* in, FftwComplex* out,
                int* flags) {
  *p = SIXSTEP_FFTW(plan_dft_r2c)(*rank, reversed(rank, n), in, out, unsigned_of(flags));
}

SIXSTEP_FORTRAN(plan_dft_r2c_1d, Plan* p, int* n, Real* in, FftwComplex* out, int* flags) {
  *p = SIXSTEP_FFTW(plan_dft_r2c_1d)(*n, in, out, unsigned_of(flags));
}

SIXSTEP_FORTRAN(plan_dft_r2c_2d, Plan* p, int* nx, int* ny, Real* in, FftwComplex* out,
                int* flags) {
  *p = SIXSTEP_FFTW(plan_dft_r2c_2d)(*ny, *nx, in, out, unsigned_of(flags));
}

SIXSTEP_FORTRAN(plan_dft_r2c_3d, Plan* p, int* nx, int* ny, int* nz, Real* in, FftwComplex* out,
                int* flags) {
  *p = SIXSTEP_FFTW(plan_dft_r2c_3d)(*nz, *ny, *nx, in, out, unsigned_of(flags));
}

SIXSTEP_FORTRAN(plan_many_dft_r2c, Plan* p, int* rank, int const* n, int* howmany, Real* in,
                int const* inembed, int* istride, int* idist, FftwComplex* out, int const* onembed,
                int* ostride, int* odist, int* flags) {
  *p = SIXSTEP_FFTW(plan_many_dft_r2c)(
      *rank, reversed(rank, n), *howmany, in, reversed(rank, inembed), *istride, *idist, out,
      reversed(rank, onembed), *ostride, *odist, unsigned_of(flags));
}

SIXSTEP_FORTRAN(plan_guru_dft_r2c, Plan* p, int* rank, int const* n, int const* is, int const* os,
                int* howmany_rank, int const* howmany_n, int const* howmany_is,
                int const* howmany_os, Real* in, FftwComplex* out, int* flags) {
  *p = SIXSTEP_FFTW(plan_guru_dft_r2c)(*rank, dims_of(rank, n, is, os), *howmany_rank,
                                       dims_of(howmany_rank, howmany_n, howmany_is, howmany_os), in,
                                       out, unsigned_of(flags));
}

SIXSTEP_FORTRAN(execute_dft_r2c, Plan* p, Real* in, FftwComplex* out) {
  SIXSTEP_FFTW(execute_dft_r2c)(*p, in, out);
}

SIXSTEP_FORTRAN(plan_guru_split_dft_r2c, Plan* p, int* rank, int const* n, int const* is,
                int const* os, int* howmany_rank, int const* howmany_n, int const* howmany_is,
                int const* howmany_os, Real* in, Real* ro, Real* io, int* flags) {
  *p = SIXSTEP_FFTW(plan_guru_split_dft_r2c)(
      *rank, dims_of(rank, n, is, os), *howmany_rank,
      dims_of(howmany_rank, howmany_n, howmany_is, howmany_os), in, ro, io, unsigned_of(flags));
}

SIXSTEP_FORTRAN(execute_split_dft_r2c, Plan* p, Real* in, Real* ro, Real* io) {
  SIXSTEP_FFTW(execute_split_dft_r2c)(*p, in, ro, io);
}

SIXSTEP_FORTRAN(plan_dft_c2r, Plan* p, int* rank, int const* n, FftwComplex* in, Real* out,
                int* flags) {
  *p = SIXSTEP_FFTW(plan_dft_c2r)(*rank, reversed(rank, n), in, out, unsigned_of(flags));
}

SIXSTEP_FORTRAN(plan_dft_c2r_1d, Plan* p, int* n, FftwComplex* in, Real* out, int* flags) {
  *p = SIXSTEP_FFTW(plan_dft_c2r_1d)(*n, in, out, unsigned_of(flags));
}

SIXSTEP_FORTRAN(plan_dft_c2r_2d, Plan* p, int* nx, int* ny, FftwComplex* in, Real* out,
                int* flags) {
  *p = SIXSTEP_FFTW(plan_dft_c2r_2d)(*ny, *nx, in, out, unsigned_of(flags));
}

SIXSTEP_FORTRAN(plan_dft_c2r_3d, Plan* p, int* nx, int* ny, int* nz, FftwComplex* in, Real* out,
                int* flags) {
  *p = SIXSTEP_FFTW(plan_dft_c2r_3d)(*nz, *ny, *nx, in, out, unsigned_of(flags));
}

SIXSTEP_FORTRAN(plan_many_dft_c2r, Plan* p, int* rank, int const* n, int* howmany, FftwComplex* in,
                int const* inembed, int* istride, int* idist, Real* out, int const* onembed,
                int* ostride, int* odist, int* flags) {
  *p = SIXSTEP_FFTW(plan_many_dft_c2r)(
      *rank, reversed(rank, n), *howmany, in, reversed(rank, inembed), *istride, *idist, out,
      reversed(rank, onembed), *ostride, *odist, unsigned_of(flags));
}

SIXSTEP_FORTRAN(plan_guru_dft_c2r, Plan* p, int* rank, int const* n, int const* is, int const* os,
                int* howmany_rank, int const* howmany_n, int const* howmany_is,
                int const* howmany_os, FftwComplex* in, Real* out, int* flags) {
  *p = SIXSTEP_FFTW(plan_guru_dft_c2r)(*rank, dims_of(rank, n, is, os), *howmany_rank,
                                       dims_of(howmany_rank, howmany_n, howmany_is, howmany_os), in,
                                       out, unsigned_of(flags));
}

SIXSTEP_FORTRAN(execute_dft_c2r, Plan* p, FftwComplex* in, Real* out) {
  SIXSTEP_FFTW(execute_dft_c2r)(*p, in, out);
}

SIXSTEP_FORTRAN(plan_guru_split_dft_c2r, Plan* p, int* rank, int const* n, int const* is,
                int const* os, int* howmany_rank, int const* howmany_n, int const* howmany_is,
                int const* howmany_os, Real* ri, Real* ii, Real* out, int* flags) {
  *p = SIXSTEP_FFTW(plan_guru_split_dft_c2r)(
      *rank, dims_of(rank, n, is, os), *howmany_rank,
      dims_of(howmany_rank, howmany_n, howmany_is, howmany_os), ri, ii, out, unsigned_of(flags));
}

SIXSTEP_FORTRAN(execute_split_dft_c2r, Plan* p, Real* ri, Real* ii, Real* out) {
  SIXSTEP_FFTW(execute_split_dft_c2r)(*p, ri, ii, out);
}

SIXSTEP_FORTRAN(plan_r2r, Plan* p, int* rank, int const* n, Real* in, Real* out, int const* kinds,
                int* flags) {
  *p = SIXSTEP_FFTW(plan_r2r)(*rank, reversed(rank, n), in, out, reversed_kinds(rank, kinds),
                              unsigned_of(flags));
}

SIXSTEP_FORTRAN(plan_r2r_1d, Plan* p, int* n, Real* in, Real* out, int* kind, int* flags) {
  *p = SIXSTEP_FFTW(plan_r2r_1d)(*n, in, out, kind_of(kind), unsigned_of(flags));
}

SIXSTEP_FORTRAN(plan_r2r_2d, Plan* p, int* nx, int* ny, Real* in, Real* out, int* kindx, int* kindy,
                int* flags) {
  *p = SIXSTEP_FFTW(plan_r2r_2d)(*ny, *nx, in, out, kind_of(kindy), kind_of(kindx),
                                 unsigned_of(flags));
}

SIXSTEP_FORTRAN(plan_r2r_3d, Plan* p, int* nx, int* ny, int* nz, Real* in, Real* out, int* kindx,
                int* kindy, int* kindz, int* flags) {
  *p = SIXSTEP_FFTW(plan_r2r_3d)(*nz, *ny, *nx, in, out, kind_of(kindz), kind_of(kindy),
                                 kind_of(kindx), unsigned_of(flags));
}

SIXSTEP_FORTRAN(plan_many_r2r, Plan* p, int* rank, int const* n, int* howmany, Real* in,
                int const* inembed, int* istride, int* idist, Real* out, int const* onembed,
                int* ostride, int* odist, int const* kinds, int* flags) {
  *p = SIXSTEP_FFTW(plan_many_r2r)(*rank, reversed(rank, n), *howmany, in, reversed(rank, inembed),
                                   *istride, *idist, out, reversed(rank, onembed), *ostride, *odist,
                                   reversed_kinds(rank, kinds), unsigned_of(flags));
}

SIXSTEP_FORTRAN(plan_guru_r2r, Plan* p, int* rank, int const* n, int const* is, int const* os,
                int* howmany_rank, int const* howmany_n, int const* howmany_is,
                int const* howmany_os, Real* in, Real* out, int const* kinds, int* flags) {
  *p = SIXSTEP_FFTW(plan_guru_r2r)(*rank, dims_of(rank, n, is, os), *howmany_rank,
                                   dims_of(howmany_rank, howmany_n, howmany_is, howmany_os), in,
                                   out, kinds_of(rank, kinds), unsigned_of(flags));
}

SIXSTEP_FORTRAN(execute_r2r, Plan* p, Real* in, Real* out) {
  SIXSTEP_FFTW(execute_r2r)(*p, in, out);
}

}  // extern "C"
#pragma GCC visibility pop
