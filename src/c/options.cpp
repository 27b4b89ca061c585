// SPDX-License-Identifier: BSD-3-Clause
// Options for C, from this version of the header or an older one.
#include "c/options.hpp"

#include <cstring>
#include <vector>

#include "c/guarded.hpp"

namespace sixstep::c {

namespace {

template <class Enum>
constexpr bool same(Enum ours, int theirs) {
  return static_cast<int>(ours) == theirs;
}

static_assert(same(Kind::c2c, SIXSTEP_C2C) && same(Kind::r2c, SIXSTEP_R2C) &&
              same(Kind::dct1, SIXSTEP_DCT1) && same(Kind::dct2, SIXSTEP_DCT2) &&
              same(Kind::dct3, SIXSTEP_DCT3) && same(Kind::dct4, SIXSTEP_DCT4) &&
              same(Kind::dst1, SIXSTEP_DST1) && same(Kind::dst2, SIXSTEP_DST2) &&
              same(Kind::dst3, SIXSTEP_DST3) && same(Kind::dst4, SIXSTEP_DST4));
static_assert(same(Exchange::shared, SIXSTEP_SHARED) &&
              same(Exchange::collective, SIXSTEP_COLLECTIVE) &&
              same(Exchange::pairwise, SIXSTEP_PAIRWISE) &&
              same(Exchange::persistent, SIXSTEP_PERSISTENT) &&
              same(Exchange::one_sided, SIXSTEP_ONE_SIDED));
static_assert(same(Driver::between, SIXSTEP_BETWEEN) && same(Driver::master, SIXSTEP_MASTER) &&
              same(Driver::pipelines, SIXSTEP_PIPELINES) && same(Driver::thread, SIXSTEP_THREAD) &&
              same(Driver::automatic, SIXSTEP_AUTOMATIC));
static_assert(same(Local::own, SIXSTEP_OWN) && same(Local::fftw, SIXSTEP_FFTW) &&
              same(Local::mkl, SIXSTEP_MKL));
static_assert(same(Device::none, SIXSTEP_NONE) && same(Device::cuda, SIXSTEP_CUDA) &&
              same(Device::emulated, SIXSTEP_EMULATED));
static_assert(same(Output::cheapest, SIXSTEP_CHEAPEST) &&
              same(Output::as_input, SIXSTEP_AS_INPUT) &&
              same(Output::natural_axes, SIXSTEP_NATURAL_AXES));
static_assert(same(TuningLevel::model, SIXSTEP_MODEL) && same(TuningLevel::quick, SIXSTEP_QUICK) &&
              same(TuningLevel::exhaustive, SIXSTEP_EXHAUSTIVE));

/// Completes options of an older header, which have fewer members.
sixstep_options complete(sixstep_options const& given) {
  sixstep_options options = SIXSTEP_OPTIONS;
  constexpr std::size_t least = offsetof(sixstep_options, trace) + sizeof(char const*);
  require(given.size >= least && given.size <= sizeof options, "options: a size from ", least,
          " to ", sizeof options, " is needed, ", given.size,
          " was given; begin with SIXSTEP_OPTIONS of this library's sixstep.h");
  std::memcpy(&options, &given, given.size);
  return options;
}

template <class T>
std::vector<T> list(int count, T const (&values)[SIXSTEP_MAX_AXES], char const* name) {
  require(count >= 0 && count <= SIXSTEP_MAX_AXES, name, "_count: 0 to ", SIXSTEP_MAX_AXES,
          " are possible, ", count, " was given");
  return {values, values + count};
}

}  // namespace

Options options_of(sixstep_options const* given) {
  if (given == nullptr) return {};
  sixstep_options const from = complete(*given);
  Options options;
  options.axes = list(from.axes_count, from.axes, "axes");
  for (int const kind : list(from.kinds_count, from.kinds, "kinds"))
    options.kinds.push_back(enumerated(kind, Kind::dst4, "kinds"));
  options.modes = list(from.modes_count, from.modes, "modes");
  options.transform = from.transform != 0;
  options.padded = from.padded != 0;
  options.fields = from.fields;
  options.interleaved = from.interleaved != 0;
  options.preserve_input = from.preserve_input != 0;
  options.low_memory = from.low_memory != 0;
  options.exchange = enumerated(from.exchange, Exchange::one_sided, "exchange");
  options.threads = from.threads;
  options.windows = from.windows;
  options.driver = enumerated(from.driver, Driver::automatic, "driver");
  options.pipelines = from.pipelines;
  options.regrid = from.regrid != 0;
  options.split_untransformed = from.split_untransformed != 0;
  options.own_workspace = from.own_workspace != 0;
  options.local = enumerated(from.local, Local::mkl, "local");
  options.tuning = enumerated(from.tuning, TuningLevel::exhaustive, "tuning");
  options.tuning_seconds = from.tuning_seconds;
  if (from.trace != nullptr) options.trace = from.trace;
  options.twiddle = from.twiddle;
  options.device = enumerated(from.device, Device::emulated, "device");
  options.gpu = from.gpu;
  options.output = enumerated(from.output, Output::natural_axes, "output");
  return options;
}

}  // namespace sixstep::c
