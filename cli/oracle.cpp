// SPDX-License-Identifier: BSD-3-Clause
// Checks transforms: a field to transform, and sums over it that need no FFT.
//
// All sums are in long double. Waves are products of two factors with correctly reduced arguments:
// with 64 bits of mantissa, the sums are exact enough to serve as references.
#include "oracle.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <vector>

#include "base/run_team.hpp"
#include "ranks.hpp"

namespace sixstep::cli {
namespace {

using Wide = std::complex<long double>;

// Points of a row that one thread sums or fills at a time.
constexpr Index block_points = 1024;

// Source: Steele, Lea, Flood (2014), the finaliser of SplitMix64.
std::uint64_t hash(std::uint64_t seed) {
  seed += 0x9e3779b97f4a7c15;
  seed = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9;
  seed = (seed ^ (seed >> 27)) * 0x94d049bb133111eb;
  return seed ^ (seed >> 31);
}

// The field at a row-major global index. Each part has 24 bits, so that single precision is exact.
std::complex<double> field(Index index) {
  std::uint64_t const bits = hash(static_cast<std::uint64_t>(index));
  auto const part = [](std::uint64_t word) {
    return static_cast<double>(word & 0xffffff) * 0x1p-24 - 0.5;
  };
  return {part(bits), part(bits >> 32)};
}

// A rank's part: its rows, which are contiguous in memory, cut into blocks.
class Blocks {
 public:
  struct Block {
    Shape index;   // global index of the block's first point
    Index offset;  // of that point in the local array
    Index points;
  };

  Blocks(Layout const& layout, int rank) : box_(layout.box(rank)), order_(layout.order()) {
    if (box_.volume() == 0) return;
    length_ = row().count();
    blocks_in_row_ = (length_ + block_points - 1) / block_points;
    count_ = box_.volume() / length_ * blocks_in_row_;
  }

  Index count() const { return count_; }
  // The axis of the rows, and their global indices.
  int axis() const { return order_.back(); }
  Range const& row() const { return box_.ranges[axis()]; }

  Block operator[](Index number) const {
    Index const begin = number % blocks_in_row_ * block_points;
    Index outer = number / blocks_in_row_;
    Block block{Shape(box_.axes(), 0), outer * length_ + begin,
                std::min(block_points, length_ - begin)};
    block.index[axis()] = row().lo + begin * row().step;
    for (int place = order_.size() - 1; place-- > 0;) {
      Range const& range = box_.ranges[order_[place]];
      block.index[order_[place]] = range.lo + outer % range.count() * range.step;
      outer /= range.count();
    }
    return block;
  }

 private:
  Box box_;
  Order order_;
  Index length_ = 0;
  Index blocks_in_row_ = 1;
  Index count_ = 0;
};

Index row_major(Shape const& index, Shape const& shape) {
  Index position = 0;
  for (int axis = 0; axis < shape.size(); ++axis) position = position * shape[axis] + index[axis];
  return position;
}

Shape from_row_major(Index position, Shape const& shape) {
  Shape index(shape.size(), 0);
  for (int axis = shape.size(); axis-- > 0; position /= shape[axis])
    index[axis] = position % shape[axis];
  return index;
}

Index row_major_stride(Shape const& shape, int axis) {
  Index stride = 1;
  for (int inner = axis + 1; inner < shape.size(); ++inner) stride *= shape[inner];
  return stride;
}

// exp(2 pi i sign sum_a turns[a] index[a] / period[a])
struct Wave {
  Shape turns;
  Shape period;
  int sign;

  // The fraction, in [0, 1), of the turns along one axis.
  long double turn(int axis, Index index) const {
    __extension__ using Product = __int128;
    auto const rest = static_cast<Product>(turns[axis]) * index % period[axis];
    return static_cast<long double>(rest) / static_cast<long double>(period[axis]);
  }
  Wide at_turn(long double share) const {
    long double const angle = 2 * std::numbers::pi_v<long double> * share;
    return {std::cos(angle), static_cast<long double>(sign) * std::sin(angle)};
  }
  Wide at(Shape const& index) const {
    long double share = 0;
    for (int axis = 0; axis < index.size(); ++axis) share += turn(axis, index[axis]);
    return at_turn(share - std::floor(share));
  }
};

// Sums value(row-major index, place in the local array) times the wave over this rank's part.
template <class Value>
Wide sum_with(Wave const& wave, Layout const& layout, int rank, Value const& value) {
  Blocks const blocks(layout, rank);
  std::vector<Wide> along_row;
  for (Index i = 0; i < std::min(block_points, blocks.row().count()); ++i)
    along_row.push_back(wave.at_turn(wave.turn(blocks.axis(), i * blocks.row().step)));
  Index const stride = row_major_stride(layout.shape(), blocks.axis()) * blocks.row().step;

  int const threads = usual_threads();
  std::vector<Wide> sums(static_cast<std::size_t>(threads));
  share_in_stretches(blocks.count(), threads, [&](Index number, int thread) {
    auto const block = blocks[number];
    Index const begin = row_major(block.index, layout.shape());
    long double x = 0;
    long double y = 0;
    for (Index i = 0; i < block.points; ++i) {
      std::complex<double> const v = value(begin + i * stride, block.offset + i);
      Wide const& w = along_row[static_cast<std::size_t>(i)];
      x += v.real() * w.real() - v.imag() * w.imag();
      y += v.real() * w.imag() + v.imag() * w.real();
    }
    Wide const start = wave.at(block.index);
    sums[static_cast<std::size_t>(thread)] +=
        Wide(x * start.real() - y * start.imag(), x * start.imag() + y * start.real());
  });
  return std::accumulate(sums.begin(), sums.end(), Wide{});
}

// Corners of the shape, its middle, and a few other points.
std::vector<Shape> samples(Shape const& shape) {
  std::vector<Shape> points(4, Shape(shape.size(), 0));
  for (int axis = 0; axis < shape.size(); ++axis) {
    points[1][axis] = shape[axis] - 1;
    points[2][axis] = shape[axis] / 2;
    points[3][axis] = std::min<Index>(1, shape[axis] - 1);
  }
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    points.push_back(from_row_major(
        static_cast<Index>(hash(~seed) % static_cast<std::uint64_t>(volume(shape))), shape));
  return points;
}

// The element of an array at a global index; zero if another rank holds it.
template <class Real>
Wide held(Layout const& layout, int rank, Shape const& index, std::complex<Real> const* data) {
  Box const box = layout.box(rank);
  Shape const strides = layout.strides(rank);
  Index offset = 0;
  for (int axis = 0; axis < index.size(); ++axis) {
    Range const& range = box.ranges[axis];
    Index const ahead = index[axis] - range.lo;
    if (ahead < 0 || index[axis] >= range.hi || ahead % range.step != 0) return 0;
    offset += ahead / range.step * strides[axis];
  }
  return {data[offset].real(), data[offset].imag()};
}

void add_over_ranks(std::vector<Wide>& sums, MPI_Comm comm) {
  mpi::reduce_to_all(comm, sums.data(), 2 * static_cast<Index>(sums.size()), MPI_LONG_DOUBLE,
                     MPI_SUM);
}

// The larger number; NaN if either is NaN, so that an unknown error counts as an error.
double worse(double error, double other) {
  return std::isnan(error) || error >= other ? error : other;
}

// Whether the indices of an output of this shape are those of `spectrum`, or their digits in order,
// so that both have the same points row by row.
bool is_in_digits(Shape const& output, Shape const& spectrum) {
  int from = 0;
  for (Index const n : spectrum) {
    if (from < output.size() && output[from] == n)
      from += 1;
    else if (from + 1 < output.size() && output[from] * output[from + 1] == n)
      from += 2;
    else
      return false;
  }
  while (from < output.size() && output[from] == 1) ++from;
  return from == output.size();
}

// The wave exp(+2 pi i j k / n) in the indices of the output, where k is an index of `spectrum`. If
// the output has the indices (k2, k1), of extents N2 and N1, for an axis, then k = k1 + N1 k2 and
// j k / N = j k2 / N2 + j k1 / N.
Wave backward_wave(Shape const& point, Shape const& input, Shape const& spectrum,
                   Shape const& output) {
  Wave wave{{}, {}, +1};
  for (int axis = 0; axis < input.size(); ++axis) {
    Index const extent = output[wave.turns.size()];
    if (extent != spectrum[axis]) {
      wave.turns.push_back(point[axis]);
      wave.period.push_back(extent);
    }
    wave.turns.push_back(point[axis]);
    wave.period.push_back(input[axis]);
  }
  while (wave.turns.size() < output.size()) {
    wave.turns.push_back(0);
    wave.period.push_back(1);
  }
  return wave;
}

}  // namespace

double Errors::worst() const { return worse(forward, backward); }

template <class Element>
void fill(Layout const& layout, int rank, int threads, Element* data) {
  Blocks const blocks(layout, rank);
  Index const stride = row_major_stride(layout.shape(), blocks.axis()) * blocks.row().step;
  share_in_stretches(blocks.count(), threads, [&](Index number, int) {
    auto const block = blocks[number];
    Index const begin = row_major(block.index, layout.shape());
    for (Index i = 0; i < block.points; ++i)
      if constexpr (std::is_floating_point_v<Element>)
        data[block.offset + i] = static_cast<Element>(field(begin + i * stride).real());
      else
        data[block.offset + i] = static_cast<Element>(field(begin + i * stride));
  });
}

template <class Real>
Errors verify(Layout const& input, Layout const& output, MPI_Comm comm,
              std::complex<Real> const* spectrum) {
  Shape const& shape = input.shape();
  require(is_in_digits(output.shape(), shape), "verify: an output of shape ",
          to_string(output.shape()), " for an input of shape ", to_string(shape),
          " cannot be checked");
  auto const points = samples(shape);
  int const rank = rank_of(comm);
  std::vector<Wide> wanted;
  std::vector<Wide> found;
  std::vector<Wide> returned;
  for (Shape const& point : points) {
    wanted.push_back(
        sum_with({point, shape, -1}, input, rank, [](Index index, Index) { return field(index); }));
    found.push_back(
        held(output, rank, from_row_major(row_major(point, shape), output.shape()), spectrum));
    returned.push_back(
        sum_with(backward_wave(point, shape, shape, output.shape()), output, rank,
                 [&](Index, Index place) { return std::complex<double>(spectrum[place]); }));
  }
  for (auto* sums : {&wanted, &found, &returned}) add_over_ranks(*sums, comm);

  auto const total = static_cast<long double>(volume(shape));
  Errors errors;
  for (std::size_t i = 0; i < points.size(); ++i) {
    Wide const original(field(row_major(points[i], shape)));
    errors.forward = worse(errors.forward,
                           static_cast<double>(std::abs(found[i] - wanted[i]) / std::sqrt(total)));
    errors.backward =
        worse(errors.backward, static_cast<double>(std::abs(returned[i] / total - original)));
  }
  return errors;
}

template <class Real>
Errors verify_r2c(Layout const& input, Layout const& output, MPI_Comm comm,
                  std::complex<Real> const* spectrum) {
  Shape const& shape = input.shape();
  int const last = shape.size() - 1;
  Shape half = shape;
  half[last] = shape[last] / 2 + 1;
  require(is_in_digits(output.shape(), half), "verify: an output of shape ", to_string(half),
          " can be checked, it has ", to_string(output.shape()));
  int const rank = rank_of(comm);
  std::vector<Wide> wanted, found, returned;
  for (Shape const& point : samples(half)) {
    wanted.push_back(sum_with({point, shape, -1}, input, rank, [](Index index, Index) {
      return std::complex<double>(field(index).real());
    }));
    found.push_back(
        held(output, rank, from_row_major(row_major(point, half), output.shape()), spectrum));
  }
  // A coefficient that is not stored is the conjugate of one that is.
  for (Shape const& point : samples(shape))
    returned.push_back(sum_with(backward_wave(point, shape, half, output.shape()), output, rank,
                                [&](Index index, Index place) {
                                  Index const k = index % half[last];
                                  double const times = k == 0 || 2 * k == shape[last] ? 1 : 2;
                                  return times * std::complex<double>(spectrum[place]);
                                }));
  for (auto* sums : {&wanted, &found, &returned}) add_over_ranks(*sums, comm);

  auto const total = static_cast<long double>(volume(shape));
  std::vector<Shape> const points = samples(shape);
  Errors errors;
  for (std::size_t i = 0; i < points.size(); ++i) {
    long double const original = field(row_major(points[i], shape)).real();
    errors.forward = worse(errors.forward,
                           static_cast<double>(std::abs(found[i] - wanted[i]) / std::sqrt(total)));
    errors.backward = worse(errors.backward,
                            static_cast<double>(std::abs(returned[i].real() / total - original)));
  }
  return errors;
}

template void fill(Layout const&, int, int, float*);
template void fill(Layout const&, int, int, double*);
template void fill(Layout const&, int, int, std::complex<float>*);
template void fill(Layout const&, int, int, std::complex<double>*);
template Errors verify(Layout const&, Layout const&, MPI_Comm, std::complex<float> const*);
template Errors verify(Layout const&, Layout const&, MPI_Comm, std::complex<double> const*);
template Errors verify_r2c(Layout const&, Layout const&, MPI_Comm, std::complex<float> const*);
template Errors verify_r2c(Layout const&, Layout const&, MPI_Comm, std::complex<double> const*);

}  // namespace sixstep::cli
