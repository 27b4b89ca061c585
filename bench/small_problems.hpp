// SPDX-License-Identifier: BSD-3-Clause
// Random small problems for FFTW's guru interface, as programs have them: boxes one after another,
// fields side by side, both, rows with gaps, results transposed, and boxes in place; or chosen
// ones.
#pragma once

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "sixstep-fftw/fftw3.h"

namespace sixstep::bench {

enum class Arrangement { boxes, fields, boxes_of_fields, padded, transposed, in_place };
inline constexpr std::array arrangement_names{"boxes",  "fields",     "boxes of fields",
                                              "padded", "transposed", "in place"};

enum class Numbers { c2c, r2c, c2r };
inline constexpr std::array number_names{"c2c", "r2c", "c2r"};

struct SmallProblem {
  Arrangement arrangement;
  Numbers numbers;
  std::vector<fftw_iodim> axes;   // strides in elements of each side
  std::vector<fftw_iodim> loops;  // over transforms
  int elements = 1;               // of the longer array, as complex numbers
};

/// Draws problems of one to three axes, of which `most_points` bounds the points.
class SmallProblems {
 public:
  explicit SmallProblems(unsigned seed) : random_(seed) {}

  SmallProblem draw(Arrangement arrangement, Numbers numbers) {
    using enum Arrangement;
    bool const has_boxes =
        arrangement == boxes || arrangement == boxes_of_fields || arrangement == in_place;
    bool const has_fields = arrangement == fields || arrangement == boxes_of_fields;
    int count = 1, together = 1, points = 0;
    std::vector<int> lengths;
    do {
      points = 1;
      lengths.assign(static_cast<std::size_t>(between(1, 3)), 0);
      for (int& n : lengths) points *= n = length();
      count = has_boxes ? between(2, between(0, 2) > 0 ? 200 : 12) : 1;
      together = has_fields ? between(2, 12) : 1;
    } while (points < 8 || points * count * together > most_points);
    return make({arrangement, numbers}, lengths, count, together);
  }

  struct Type {
    Arrangement arrangement;
    Numbers numbers;
  };
  /// `count` boxes of these lengths one after another, each of `together` fields side by side.
  SmallProblem make(Type type, std::vector<int> const& lengths, int count, int together) {
    SmallProblem problem{type.arrangement, type.numbers, {}, {}};
    for (int n : lengths) problem.axes.push_back({n, 0, 0});
    arrange(problem, count, together);
    return problem;
  }

 private:
  static constexpr int most_points = 16384;

  int between(int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random_);
  }

  /// Most programs choose lengths without large prime factors.
  int length() {
    for (;;) {
      int const n = between(2, between(0, 1) > 0 ? 16 : 40);
      int rest = n;
      for (int prime : {2, 3, 5, 7})
        while (rest % prime == 0) rest /= prime;
      if (rest == 1 || between(0, 9) == 0) return n;
    }
  }

  void arrange(SmallProblem& problem, int count, int together) {
    int const n = problem.axes.back().n, half = n / 2 + 1;
    bool const is_in_place = problem.arrangement == Arrangement::in_place;
    int const reals = is_in_place ? 2 * half : n;
    int row_in = problem.numbers == Numbers::r2c ? reals : n, row_out = row_in;
    if (problem.numbers == Numbers::r2c) row_out = half;
    if (problem.numbers == Numbers::c2r) row_in = half, row_out = reals;
    if (problem.arrangement == Arrangement::padded)
      row_in += between(1, 5), row_out += between(1, 5);
    int in = together, out = together;
    for (std::size_t i = problem.axes.size(); i-- > 0;) {
      bool const is_row = i + 1 == problem.axes.size();
      problem.axes[i].is = in;
      problem.axes[i].os = out;
      in *= is_row ? row_in : problem.axes[i].n;
      out *= is_row ? row_out : problem.axes[i].n;
    }
    if (problem.arrangement == Arrangement::transposed) {
      int stride = 1;
      for (fftw_iodim& axis : problem.axes) {
        axis.os = stride;
        stride *= &axis == &problem.axes.back() ? row_out : axis.n;
      }
    }
    if (count > 1) problem.loops.push_back({count, in, out});
    if (together > 1) problem.loops.push_back({together, 1, 1});
    problem.elements = count * std::max(in, out);
  }

  std::mt19937 random_;
};

}  // namespace sixstep::bench
