// SPDX-License-Identifier: BSD-3-Clause
// What can be done with a plan: executing, describing and destroying it.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "names.hpp"
#include "plan_object.hpp"

namespace {

using sixstep::fftw::FftwComplex;
using sixstep::fftw::Real;
using Object = sixstep::fftw::PlanObject<Real>;
using Plan = SIXSTEP_FFTW(plan);

Object& object_of(Plan plan) { return *reinterpret_cast<Object*>(plan); }

Real* real_part(FftwComplex* numbers) { return reinterpret_cast<Real*>(numbers); }
Real* imaginary_part(FftwComplex* numbers) { return real_part(numbers) + 1; }

}  // namespace

extern "C" {

void SIXSTEP_FFTW(execute)(Plan const plan) {
  Object const& object = object_of(plan);
  object.execute(object.planned);
}

void SIXSTEP_FFTW(execute_dft)(Plan const plan, FftwComplex* in, FftwComplex* out) {
  object_of(plan).execute({real_part(in), imaginary_part(in), real_part(out), imaginary_part(out)});
}

void SIXSTEP_FFTW(execute_split_dft)(Plan const plan, Real* ri, Real* ii, Real* ro, Real* io) {
  object_of(plan).execute({ri, ii, ro, io});
}

void SIXSTEP_FFTW(execute_dft_r2c)(Plan const plan, Real* in, FftwComplex* out) {
  object_of(plan).execute({in, nullptr, real_part(out), imaginary_part(out)});
}

void SIXSTEP_FFTW(execute_split_dft_r2c)(Plan const plan, Real* in, Real* ro, Real* io) {
  object_of(plan).execute({in, nullptr, ro, io});
}

void SIXSTEP_FFTW(execute_dft_c2r)(Plan const plan, FftwComplex* in, Real* out) {
  object_of(plan).execute({real_part(in), imaginary_part(in), out, nullptr});
}

void SIXSTEP_FFTW(execute_split_dft_c2r)(Plan const plan, Real* ri, Real* ii, Real* out) {
  object_of(plan).execute({ri, ii, out, nullptr});
}

void SIXSTEP_FFTW(execute_r2r)(Plan const plan, Real* in, Real* out) {
  object_of(plan).execute({in, nullptr, out, nullptr});
}

void SIXSTEP_FFTW(destroy_plan)(Plan plan) { delete reinterpret_cast<Object*>(plan); }

void SIXSTEP_FFTW(flops)(Plan const plan, double* add, double* multiply, double* fused) {
  object_of(plan).flops(add, multiply, fused);
}

double SIXSTEP_FFTW(estimate_cost)(Plan const plan) {
  double add, multiply, fused;
  object_of(plan).flops(&add, &multiply, &fused);
  return add + multiply + 2 * fused;
}

double SIXSTEP_FFTW(cost)(Plan const plan) { return SIXSTEP_FFTW(estimate_cost)(plan); }

void SIXSTEP_FFTW(fprint_plan)(Plan const plan, std::FILE* file) {
  std::fputs(object_of(plan).describe().c_str(), file);
}

void SIXSTEP_FFTW(print_plan)(Plan const plan) { SIXSTEP_FFTW(fprint_plan)(plan, stdout); }

char* SIXSTEP_FFTW(sprint_plan)(Plan const plan) {
  std::string const words = object_of(plan).describe();
  auto* const copy = static_cast<char*>(std::malloc(words.size() + 1));
  if (copy != nullptr) std::memcpy(copy, words.c_str(), words.size() + 1);
  return copy;
}

}  // extern "C"
