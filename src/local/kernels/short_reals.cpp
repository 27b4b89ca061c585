// SPDX-License-Identifier: BSD-3-Clause
// Short forms of reals, compiled for every instruction set.
//
// All arithmetic is in double precision. Chunks whose numbers are neither very large nor very small
// go by vectors; the others, and those at the end, go number by number.
#include "local/kernels/short_reals.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "local/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "local/kernels/short_reals.cpp"
#include "hwy/foreach_target.h"  // includes this file again for each further target
#include "hwy/highway.h"

#ifndef SIXSTEP_SHORT_REALS_COMMON
#define SIXSTEP_SHORT_REALS_COMMON
namespace sixstep::local::short_form {

/// A scale is an upper bound of the block's numbers with 5 bits behind the leading one: 16 bits of
/// a double behind its sign. The code of 0 is 0.
using Code = std::uint16_t;
inline constexpr int code_shift = 47;
inline constexpr Index most_reals = ShortChunk::most_reals;
inline constexpr Code not_finite = 0xFFFF;  // of a block with an infinity or a NaN
/// Numbers of usual size are between 2^-256 and 2^256, so that no square over- or underflows.
inline constexpr int usual_exponent = 256, shift_exponent = 600;
inline constexpr Code least_usual = (1023 - usual_exponent) << 5;
inline constexpr Code largest_usual = (1023 + usual_exponent) << 5;

inline Code code_of(double largest) {
  auto const bits = std::bit_cast<std::uint64_t>(largest);
  return static_cast<Code>((bits + ((std::uint64_t{1} << code_shift) - 1)) >> code_shift);
}
inline bool is_usual(Code code) {
  return code == 0 || (code >= least_usual && code <= largest_usual);
}
inline double scale_of(Code code) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(code) << code_shift);
}

/// The factor that brings the numbers of a block to the usual size, its reciprocal, and the scale
/// times that factor.
struct Lift {
  RoundingSums::Size size;
  double up, down, scale;
};
inline Lift lift_of(Code code) {
  double const far = std::ldexp(1.0, shift_exponent), near = std::ldexp(1.0, -shift_exponent);
  if (is_usual(code)) return {RoundingSums::usual, 1, 1, scale_of(code)};
  if (code < least_usual) return {RoundingSums::small, far, near, scale_of(code) * far};
  // The scale may be 2^1024, which no double is.
  auto const bits = (static_cast<std::uint64_t>(code) << code_shift) -
                    (static_cast<std::uint64_t>(shift_exponent) << 52);
  return {RoundingSums::large, near, far, std::bit_cast<double>(bits)};
}

/// The largest finite number of a precision.
template <class Real>
inline constexpr double largest = static_cast<double>(std::numeric_limits<Real>::max());

/// A number as Real has it.
template <class Real>
double rounded(double x) {
  return static_cast<double>(static_cast<Real>(std::clamp(x, -largest<Real>, largest<Real>)));
}

}  // namespace sixstep::local::short_form
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using namespace short_form;

HWY_INLINE void store_integer(std::int64_t k, ShortChunk const& parts, Index i,
                              std::uint8_t* chunk) {
  std::int64_t const upper = k >> (8 * parts.lower_bytes);
  std::memcpy(chunk + parts.upper + i * parts.upper_bytes, &upper,
              static_cast<std::size_t>(parts.upper_bytes));
  std::memcpy(chunk + parts.lower + i * parts.lower_bytes, &k,
              static_cast<std::size_t>(parts.lower_bytes));
}

HWY_INLINE std::int64_t load_integer(ShortChunk const& parts, Index i, std::uint8_t const* chunk) {
  std::uint32_t upper = 0, lower = 0;
  std::memcpy(&upper, chunk + parts.upper + i * parts.upper_bytes,
              static_cast<std::size_t>(parts.upper_bytes));
  std::memcpy(&lower, chunk + parts.lower + i * parts.lower_bytes,
              static_cast<std::size_t>(parts.lower_bytes));
  std::int64_t const of_sign = parts.upper_bytes == 4
                                   ? std::int64_t{static_cast<std::int32_t>(upper)}
                                   : std::int64_t{static_cast<std::int16_t>(upper)};
  return of_sign * (std::int64_t{1} << (8 * parts.lower_bytes)) + lower;
}

/// The leading bits of a number. A NaN stays one.
HWY_INLINE std::int64_t leading_bits(double x, int bytes) {
  auto const bits = std::bit_cast<std::int64_t>(x) | (std::isnan(x) ? std::int64_t{1} << 51 : 0);
  return bits >> (64 - 8 * bytes);
}

/// Shortens any numbers, one by one.
template <class Real>
HWY_NOINLINE void shorten_carefully(Real const* from, Index count, ShortForm const& form,
                                    std::uint8_t* chunk, RoundingSums& sums) {
  ShortChunk const parts(count, form);
  double const most = largest_integer(form.bytes);
  for (Index block = 0; block < parts.blocks; ++block) {
    Index const begin = block * form.block, end = std::min(begin + form.block, count);
    double bound = 0;
    bool is_finite = true;
    for (Index i = begin; i < end; ++i) {
      double const x = std::abs(static_cast<double>(from[i]));
      is_finite = is_finite && x <= largest<double>;
      bound = std::max(bound, x);
    }
    Code const code = is_finite ? code_of(bound) : not_finite;
    std::memcpy(chunk + block * Index{sizeof(Code)}, &code, sizeof(Code));
    Lift const lift = lift_of(is_finite ? code : Code{0});
    double const per_step = code == 0 ? 0 : most / lift.scale, step = lift.scale / most;
    for (Index i = begin; i < end; ++i) {
      auto const x = static_cast<double>(from[i]);
      if (!is_finite) {
        store_integer(leading_bits(x, form.bytes), parts, i, chunk);
        continue;
      }
      double const lifted = x * lift.up, k = std::nearbyint(lifted * per_step);
      store_integer(static_cast<std::int64_t>(k), parts, i, chunk);
      double const error = lifted - rounded<Real>(k * step * lift.down) * lift.up;
      sums.values[lift.size] += lifted * lifted;
      sums.errors[lift.size] += error * error;
    }
  }
}

template <class Real>
HWY_NOINLINE void lengthen_carefully(std::uint8_t const* chunk, Index count, ShortForm const& form,
                                     Real* to) {
  ShortChunk const parts(count, form);
  double const most = largest_integer(form.bytes);
  for (Index block = 0; block < parts.blocks; ++block) {
    Index const begin = block * form.block, end = std::min(begin + form.block, count);
    Code code = 0;
    std::memcpy(&code, chunk + block * Index{sizeof(Code)}, sizeof(Code));
    Lift const lift = lift_of(code == not_finite ? Code{0} : code);
    double const step = lift.scale / most;
    for (Index i = begin; i < end; ++i) {
      std::int64_t const k = load_integer(parts, i, chunk);
      if (code == not_finite)
        to[i] = static_cast<Real>(
            std::bit_cast<double>(static_cast<std::uint64_t>(k) << (64 - 8 * form.bytes)));
      else
        to[i] = static_cast<Real>(rounded<Real>(static_cast<double>(k) * step * lift.down));
    }
  }
}

template <class D>
HWY_INLINE hn::Vec<D> reals_at(D d, double const* from) {
  return hn::LoadU(d, from);
}
template <class D>
HWY_INLINE hn::Vec<D> reals_at(D d, float const* from) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, D>(), from));
}
template <class D>
HWY_INLINE void put_reals(D d, hn::Vec<D> v, double* to) {
  hn::StoreU(v, d, to);
}
template <class D>
HWY_INLINE hn::Vec<hn::Rebind<float, D>> as_float(D d, hn::Vec<D> v) {
  auto const most = hn::Set(d, largest<float>);
  return hn::DemoteTo(hn::Rebind<float, D>(), hn::Max(hn::Min(v, most), hn::Neg(most)));
}
template <class D>
HWY_INLINE void put_reals(D d, hn::Vec<D> v, float* to) {
  hn::StoreU(as_float(d, v), hn::Rebind<float, D>(), to);
}
template <class Real, class D>
HWY_INLINE hn::Vec<D> rounded_lanes(D d, hn::Vec<D> v) {
  if constexpr (std::is_same_v<Real, float>)
    return hn::PromoteTo(d, as_float(d, v));
  else
    return v;
}

/// Stores whole numbers as integers of so many bytes, from place i of a whole chunk on.
template <int bytes, class D>
HWY_INLINE void store_integers(D d, hn::Vec<D> k, ShortChunk const& parts, Index i,
                               std::uint8_t* chunk) {
  hn::Rebind<std::int32_t, D> const d32;
  hn::Rebind<std::int16_t, D> const d16;
  auto* const upper = chunk + parts.upper + i * (bytes >= 4 ? 4 : 2);
  [[maybe_unused]] auto* const lower = chunk + parts.lower + i * parts.lower_bytes;
  if constexpr (bytes == 6) {
    auto const above = hn::Floor(hn::Mul(k, hn::Set(d, 0x1p-16)));
    auto const below = hn::NegMulAdd(above, hn::Set(d, 0x1p16), k);
    hn::StoreU(hn::DemoteTo(d32, above), d32, reinterpret_cast<std::int32_t*>(upper));
    hn::Rebind<std::uint16_t, D> const du16;
    hn::StoreU(hn::DemoteTo(du16, hn::DemoteTo(d32, below)), du16,
               reinterpret_cast<std::uint16_t*>(lower));
  } else {
    auto const whole = hn::DemoteTo(d32, k);
    if constexpr (bytes == 4) {
      hn::StoreU(whole, d32, reinterpret_cast<std::int32_t*>(upper));
    } else if constexpr (bytes == 3) {
      hn::StoreU(hn::DemoteTo(d16, hn::ShiftRight<8>(whole)), d16,
                 reinterpret_cast<std::int16_t*>(upper));
      hn::Rebind<std::uint8_t, D> const du8;
      hn::StoreU(hn::DemoteTo(du8, hn::And(whole, hn::Set(d32, 255))), du8, lower);
    } else {
      hn::StoreU(hn::DemoteTo(d16, whole), d16, reinterpret_cast<std::int16_t*>(upper));
    }
  }
}

template <int bytes, class D>
HWY_INLINE hn::Vec<D> load_integers(D d, ShortChunk const& parts, Index i,
                                    std::uint8_t const* chunk) {
  hn::Rebind<std::int32_t, D> const d32;
  hn::Rebind<std::int16_t, D> const d16;
  auto const* const upper = chunk + parts.upper + i * (bytes >= 4 ? 4 : 2);
  [[maybe_unused]] auto const* const lower = chunk + parts.lower + i * parts.lower_bytes;
  if constexpr (bytes >= 4) {
    auto const above =
        hn::PromoteTo(d, hn::LoadU(d32, reinterpret_cast<std::int32_t const*>(upper)));
    if constexpr (bytes == 4) return above;
    hn::Rebind<std::uint16_t, D> const du16;
    auto const below =
        hn::PromoteTo(d32, hn::LoadU(du16, reinterpret_cast<std::uint16_t const*>(lower)));
    return hn::MulAdd(above, hn::Set(d, 0x1p16), hn::PromoteTo(d, below));
  } else {
    auto const above =
        hn::PromoteTo(d32, hn::LoadU(d16, reinterpret_cast<std::int16_t const*>(upper)));
    if constexpr (bytes == 2) return hn::PromoteTo(d, above);
    hn::Rebind<std::uint8_t, D> const du8;
    auto const below = hn::PromoteTo(d32, hn::LoadU(du8, lower));
    return hn::PromoteTo(d, hn::Add(hn::ShiftLeft<8>(above), below));
  }
}

/// Shortens a whole chunk. Returns false, and has done nothing, if a number is very large, very
/// small or not finite.
template <int bytes, std::size_t most_lanes, class Real>
HWY_INLINE bool shorten_chunk(Real const* from, int block, std::uint8_t* chunk,
                              RoundingSums& sums) {
  hn::CappedTag<double, most_lanes> const d;
  auto const lanes = static_cast<Index>(hn::Lanes(d));
  ShortChunk const parts(most_reals, {bytes, block});
  double per_step[most_reals / 4], step[most_reals / 4];
  constexpr double most = largest_integer(bytes);
  for (Index b = 0; b < parts.blocks; ++b) {
    auto bound = hn::Zero(d), not_numbers = bound;
    for (Index i = b * block; i < (b + 1) * block; i += lanes) {
      auto const x = reals_at(d, from + i);
      bound = hn::Max(bound, hn::Abs(x));
      not_numbers = hn::MulAdd(x, hn::Zero(d), not_numbers);
    }
    if (!hn::AllTrue(d, hn::Eq(not_numbers, hn::Zero(d)))) return false;
    Code const code = code_of(hn::GetLane(hn::MaxOfLanes(d, bound)));
    if (!is_usual(code)) return false;
    std::memcpy(chunk + b * Index{sizeof(Code)}, &code, sizeof(Code));
    per_step[b] = code == 0 ? 0 : most / scale_of(code);
    step[b] = scale_of(code) / most;
  }
  auto values = hn::Zero(d), errors = values;
  for (Index b = 0; b < parts.blocks; ++b) {
    auto const by = hn::Set(d, per_step[b]), back = hn::Set(d, step[b]);
    for (Index i = b * block; i < (b + 1) * block; i += lanes) {
      auto const x = reals_at(d, from + i), k = hn::Round(hn::Mul(x, by));
      store_integers<bytes>(d, k, parts, i, chunk);
      auto const error = hn::Sub(x, rounded_lanes<Real>(d, hn::Mul(k, back)));
      values = hn::MulAdd(x, x, values);
      errors = hn::MulAdd(error, error, errors);
    }
  }
  sums.values[RoundingSums::usual] += hn::GetLane(hn::SumOfLanes(d, values));
  sums.errors[RoundingSums::usual] += hn::GetLane(hn::SumOfLanes(d, errors));
  return true;
}

template <int bytes, std::size_t most_lanes, class Real>
HWY_INLINE bool lengthen_chunk(std::uint8_t const* chunk, int block, Real* to) {
  hn::CappedTag<double, most_lanes> const d;
  auto const lanes = static_cast<Index>(hn::Lanes(d));
  ShortChunk const parts(most_reals, {bytes, block});
  Code codes[most_reals / 4];
  std::memcpy(codes, chunk, static_cast<std::size_t>(parts.upper));
  if (!std::all_of(codes, codes + parts.blocks, is_usual)) return false;
  constexpr double most = largest_integer(bytes);
  for (Index b = 0; b < parts.blocks; ++b) {
    auto const step = hn::Set(d, scale_of(codes[b]) / most);
    for (Index i = b * block; i < (b + 1) * block; i += lanes)
      put_reals(d, hn::Mul(load_integers<bytes>(d, parts, i, chunk), step), to + i);
  }
  return true;
}

template <int bytes, std::size_t most_lanes, class Real>
void shorten_all(Real const* from, Index count, ShortForm const& form, std::byte* to,
                 RoundingSums& sums) {
  alignas(64) std::uint8_t chunk[ShortChunk::most_bytes];  // `to` may be where `from` is
  ShortChunk const whole(most_reals, form);
  Index i = 0;
  for (; i + most_reals <= count; i += most_reals, to += whole.bytes) {
    if (!shorten_chunk<bytes, most_lanes>(from + i, form.block, chunk, sums))
      shorten_carefully(from + i, most_reals, form, chunk, sums);
    std::memcpy(to, chunk, static_cast<std::size_t>(whole.bytes));
  }
  Index const rest = count - i;
  if (rest == 0) return;
  ShortChunk const parts(rest, form);
  auto const as_it_is = rest * Index{sizeof(Real)};
  if (parts.bytes <= as_it_is)
    shorten_carefully(from + i, rest, form, chunk, sums);
  else
    std::memcpy(chunk, from + i, static_cast<std::size_t>(as_it_is));
  std::memcpy(to, chunk, static_cast<std::size_t>(std::min(parts.bytes, as_it_is)));
}

template <int bytes, std::size_t most_lanes, class Real>
void lengthen_all(std::byte const* from, Index count, ShortForm const& form, Real* to) {
  alignas(64) std::uint8_t chunk[ShortChunk::most_bytes];  // `from` may be where `to` ends
  ShortChunk const whole(most_reals, form);
  Index i = 0;
  for (; i + most_reals <= count; i += most_reals, from += whole.bytes) {
    std::memcpy(chunk, from, static_cast<std::size_t>(whole.bytes));
    if (!lengthen_chunk<bytes, most_lanes>(chunk, form.block, to + i))
      lengthen_carefully(chunk, most_reals, form, to + i);
  }
  Index const rest = count - i;
  if (rest == 0) return;
  ShortChunk const parts(rest, form);
  auto const as_it_is = rest * Index{sizeof(Real)};
  std::memcpy(chunk, from, static_cast<std::size_t>(std::min(parts.bytes, as_it_is)));
  if (parts.bytes <= as_it_is)
    lengthen_carefully(chunk, rest, form, to + i);
  else
    std::memcpy(to + i, chunk, static_cast<std::size_t>(as_it_is));
}

template <std::size_t most_lanes, class Real>
void shorten_in_lanes(Real const* from, Index count, ShortForm const& form, std::byte* to,
                      RoundingSums& sums) {
  auto* const shorten = form.bytes == 2   ? shorten_all<2, most_lanes, Real>
                        : form.bytes == 3 ? shorten_all<3, most_lanes, Real>
                        : form.bytes == 4 ? shorten_all<4, most_lanes, Real>
                                          : shorten_all<6, most_lanes, Real>;
  shorten(from, count, form, to, sums);
}

template <std::size_t most_lanes, class Real>
void lengthen_in_lanes(std::byte const* from, Index count, ShortForm const& form, Real* to) {
  auto* const lengthen = form.bytes == 2   ? lengthen_all<2, most_lanes, Real>
                         : form.bytes == 3 ? lengthen_all<3, most_lanes, Real>
                         : form.bytes == 4 ? lengthen_all<4, most_lanes, Real>
                                           : lengthen_all<6, most_lanes, Real>;
  lengthen(from, count, form, to);
}

/// A vector must not reach beyond a block.
template <class Real>
void shorten(Real const* from, Index count, ShortForm const& form, std::byte* to,
             RoundingSums& sums) {
  (form.block < 8 ? shorten_in_lanes<4, Real> : shorten_in_lanes<8, Real>)(from, count, form, to,
                                                                           sums);
}
template <class Real>
void lengthen(std::byte const* from, Index count, ShortForm const& form, Real* to) {
  (form.block < 8 ? lengthen_in_lanes<4, Real> : lengthen_in_lanes<8, Real>)(from, count, form, to);
}

template <class Real>
void add(Real const* reals, Index count, RoundingSums& sums) {
  hn::CappedTag<double, 8> const d;
  auto const lanes = static_cast<Index>(hn::Lanes(d));
  Index i = 0;
  for (; i + most_reals <= count; i += most_reals) {
    auto values = hn::Zero(d), bound = values;
    for (Index j = i; j < i + most_reals; j += lanes) {
      auto const x = reals_at(d, reals + j);
      values = hn::MulAdd(x, x, values);
      bound = hn::Max(bound, hn::Abs(x));
    }
    double const sum = hn::GetLane(hn::SumOfLanes(d, values));
    double const most = hn::GetLane(hn::MaxOfLanes(d, bound));
    bool const may_add = sum == 0 ? most == 0 : sum >= 0x1p-512 && sum <= 0x1p518;
    if (may_add)
      sums.values[RoundingSums::usual] += sum;
    else
      for (Index j = i; j < i + most_reals; ++j) {
        double const x = std::abs(static_cast<double>(reals[j]));
        if (!(x <= largest<double>)) continue;
        Lift const lift = lift_of(code_of(x));
        sums.values[lift.size] += (x * lift.up) * (x * lift.up);
      }
  }
  for (; i < count; ++i) {
    double const x = std::abs(static_cast<double>(reals[i]));
    if (!(x <= largest<double>)) continue;
    Lift const lift = lift_of(code_of(x));
    sums.values[lift.size] += (x * lift.up) * (x * lift.up);
  }
}

ShortReals<float> short_floats() { return {shorten<float>, lengthen<float>, add<float>}; }
ShortReals<double> short_doubles() { return {shorten<double>, lengthen<double>, add<double>}; }

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace sixstep::local {

HWY_EXPORT(short_floats);
HWY_EXPORT(short_doubles);

template <>
ShortReals<float> short_reals(Target target) {
  return table_entry(HWY_DISPATCH_TABLE(short_floats), target)();
}
template <>
ShortReals<double> short_reals(Target target) {
  return table_entry(HWY_DISPATCH_TABLE(short_doubles), target)();
}

RoundingSums& RoundingSums::operator+=(RoundingSums const& more) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] += more.values[i];
    errors[i] += more.errors[i];
  }
  return *this;
}

double RoundingSums::relative_error() const {
  constexpr double apart = 2 * short_form::shift_exponent;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == 0) continue;
    double const smaller = std::ldexp(1.0, -static_cast<int>(apart));
    double value = values[i], error = errors[i];
    if (i + 1 < values.size()) {
      value += values[i + 1] * smaller;
      error += errors[i + 1] * smaller;
    }
    return std::sqrt(error / value);
  }
  return 0;
}

}  // namespace sixstep::local

#endif  // HWY_ONCE
