// SPDX-License-Identifier: BSD-3-Clause
// Random problems of FFTW's interface.
#pragma once

#include <cmath>

#include "guru_problem.hpp"

namespace guru {

/// Draws problems.
class Drawer {
 public:
  explicit Drawer(std::uint64_t seed) {
    std::seed_seq words{static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)};
    random.seed(words);
  }

  std::mt19937 random;

  Index below(Index n) { return static_cast<Index>(random() % static_cast<std::uint64_t>(n)); }
  bool coin() { return below(2) == 0; }

  /// Strides of dense or padded axes in a random order of memory, some of them negative.
  std::vector<Index> strides(std::vector<std::size_t> const& shape, bool may_be_negative) {
    std::vector<std::size_t> order(shape.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (coin()) std::shuffle(order.begin(), order.end(), random);
    std::vector<Index> result(shape.size());
    Index stride = below(4) == 0 ? 2 : 1;
    for (std::size_t i = order.size(); i-- > 0;) {
      result[order[i]] = may_be_negative && below(8) == 0 ? -stride : stride;
      stride *= static_cast<Index>(shape[order[i]]) + (below(3) == 0 ? below(4) : 0);
    }
    return result;
  }

  std::vector<Dim> dims(std::size_t count, Index most) {
    std::vector<Dim> result;
    for (std::size_t i = 0; i < count; ++i) result.push_back({1 + below(most), 0, 0});
    return result;
  }

  Problem problem(Index most_points) {
    Problem p;
    p.numbers = static_cast<Numbers>(below(4));
    p.sign = coin() ? FFTW_FORWARD : FFTW_BACKWARD;
    bool const is_half = p.numbers == Numbers::r2c || p.numbers == Numbers::c2r;
    auto const rank = static_cast<std::size_t>(below(4) + (is_half ? 1 : 0));
    auto const loops = static_cast<std::size_t>(below(3));
    auto const each = static_cast<Index>(
        std::pow(static_cast<double>(most_points), 1.0 / static_cast<double>(rank + loops + 1)));
    p.dims = dims(rank, 3 * each);
    p.loops = dims(loops, 2 * each);
    draw_kinds(p);
    p.in_place = below(3) == 0;
    p.split = p.numbers != Numbers::r2r && !(p.in_place && is_half) && below(3) == 0;
    draw_options(p);
    set_strides(p);
    return p;
  }

  /// One that the advanced interface can be asked for.
  Problem advanced(Index most_points) {
    Problem p;
    p.numbers = static_cast<Numbers>(below(4));
    p.sign = coin() ? FFTW_FORWARD : FFTW_BACKWARD;
    auto const rank = static_cast<std::size_t>(1 + below(3));
    auto const each = static_cast<Index>(
        std::pow(static_cast<double>(most_points), 1.0 / static_cast<double>(rank + 1)));
    p.dims = dims(rank, 3 * each);
    p.loops = dims(1, 2 * each);
    draw_kinds(p);
    p.in_place = below(3) == 0;
    draw_options(p);
    p.advanced = Advanced{};
    for (Dim const& dim : p.dims) p.advanced->n.push_back(static_cast<int>(dim.n));
    p.advanced->howmany = static_cast<int>(p.loops[0].n);
    embed(p);
    return p;
  }

 private:
  void draw_kinds(Problem& p) {
    for (std::size_t i = 0; p.numbers == Numbers::r2r && i < p.dims.size(); ++i) {
      p.kinds.push_back(static_cast<FFTW(r2r_kind)>(below(11)));
      if (p.kinds[i] == FFTW_REDFT00) p.dims[i].n += 1;
    }
  }

  void draw_options(Problem& p) {
    unsigned const flags[] = {FFTW_ESTIMATE, FFTW_MEASURE, FFTW_PATIENT,
                              FFTW_ESTIMATE | FFTW_DESTROY_INPUT, FFTW_ESTIMATE | FFTW_UNALIGNED};
    p.flags = flags[below(5)];
    if (p.numbers == Numbers::c2r && p.dims.size() == 1 && coin()) p.flags |= FFTW_PRESERVE_INPUT;
    p.threads = static_cast<int>(1 + below(2));
    p.elsewhere = below(3) == 0;
  }

  /// Strides and distances of both sides. In place they are those of the larger side; rows of
  /// reals have room for their coefficients then.
  void embed(Problem& p) {
    bool const is_half = p.numbers == Numbers::r2c || p.numbers == Numbers::c2r;
    std::vector<int> const in = drawn_embed(p, false);
    bool const is_padded = p.in_place && is_half;
    std::vector<int> const out = p.in_place && !is_half ? in : drawn_embed(p, true);
    set_side(p, false, in, is_padded);
    if (p.in_place && !is_half)
      copy_side(p);
    else
      set_side(p, true, out, is_padded);
  }

  /// The extents in memory of all axes; none where they are those of the problem.
  std::vector<int> drawn_embed(Problem const& p, bool output) {
    bool const is_half = p.numbers == Numbers::r2c || p.numbers == Numbers::c2r;
    if ((p.in_place && is_half) || coin()) return {};
    std::vector<int> extents = logical(p, output, false);
    for (int& extent : extents) extent += below(3) == 0 ? static_cast<int>(below(4)) : 0;
    return extents;
  }

  /// The extents of a side without any embedding.
  static std::vector<int> logical(Problem const& p, bool output, bool is_padded) {
    std::vector<int> extents = p.advanced->n;
    int const half = extents.back() / 2 + 1;
    bool const is_half = p.numbers == Numbers::r2c || p.numbers == Numbers::c2r;
    bool const is_complex = output ? has_complex_output(p.numbers) : has_complex_input(p.numbers);
    if (is_half && is_complex) extents.back() = half;
    if (is_padded && !is_complex) extents.back() = 2 * half;
    return extents;
  }

  void set_side(Problem& p, bool output, std::vector<int> const& embed, bool is_padded) {
    Advanced& a = *p.advanced;
    std::vector<int> const extents = embed.empty() ? logical(p, output, is_padded) : embed;
    bool const is_interleaved = !is_padded && below(3) == 0;
    int const dense = is_padded ? 1 : static_cast<int>(1 + below(2));
    int const stride = is_interleaved ? a.howmany + static_cast<int>(below(2)) : dense;
    Index all = stride;
    for (std::size_t i = extents.size(); i-- > 0; all *= extents[i])
      (output ? p.dims[i].os : p.dims[i].is) = all;
    int const gap = is_padded ? 0 : static_cast<int>(below(3));
    int const distance = is_interleaved ? 1 : static_cast<int>(all) + gap;
    (output ? p.loops[0].os : p.loops[0].is) = distance;
    (output ? a.out_embed : a.in_embed) = embed;
    (output ? a.out_stride : a.in_stride) = stride;
    (output ? a.out_distance : a.in_distance) = distance;
  }

  static void copy_side(Problem& p) {
    Advanced& a = *p.advanced;
    for (auto* dims : {&p.dims, &p.loops})
      for (Dim& dim : *dims) dim.os = dim.is;
    a.out_embed = a.in_embed;
    a.out_stride = a.in_stride;
    a.out_distance = a.in_distance;
  }

  void set_strides(Problem& p) {
    std::vector<std::size_t> const in = side_of(p, false).shape, out = side_of(p, true).shape;
    std::vector<Index> const os = strides(out, true);
    std::vector<Index> is = strides(in, true);
    bool const is_half = p.numbers == Numbers::r2c || p.numbers == Numbers::c2r;
    if (p.in_place) is = os;
    std::vector<Dim*> all;
    for (auto* dims : {&p.loops, &p.dims})
      for (Dim& dim : *dims) all.push_back(&dim);
    for (std::size_t i = 0; i < all.size(); ++i) all[i]->is = is[i], all[i]->os = os[i];
    if (p.in_place && is_half) padded_rows(p, all);
    if (!p.in_place && !p.loops.empty() && below(6) == 0) p.loops[0].is = below(3);  // overlap
    if (p.in_place && p.loops.size() == 2 && p.loops[0].n == p.loops[1].n)
      std::swap(p.loops[0].is, p.loops[1].is);
  }

  /// Rows in which reals and their coefficients begin at the same place.
  void padded_rows(Problem& p, std::vector<Dim*> const& all) {
    Index half = p.dims.back().n / 2 + 1;
    bool const is_apart = coin();  // otherwise real rows are dense, too
    Index reals = is_apart ? 2 * half : p.dims.back().n;
    for (std::size_t i = all.size() - 1; i-- > 0;) {
      (p.numbers == Numbers::r2c ? all[i]->is : all[i]->os) = reals;
      (p.numbers == Numbers::r2c ? all[i]->os : all[i]->is) = half;
      reals *= all[i]->n;
      half *= all[i]->n;
    }
    p.dims.back().is = p.dims.back().os = 1;
  }
};

}  // namespace guru
