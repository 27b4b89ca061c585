// SPDX-License-Identifier: BSD-3-Clause
// Transforms of whole arrays in one process, ready to run, and those that ran last. A call has to
// cost little beside a transform of a thousand points, which takes two microseconds.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "serial/plan_cache.hpp"

namespace sixstep::python {

/// A kept plan in one direction, for arrays in C order of one shape on each side. The plan is made
/// when the first transform runs, and again whenever the cache has dropped it.
class Transform {
 public:
  /// An array before or after the transform. `format` is that of Python's module struct.
  struct Side {
    std::vector<Index> shape;
    char const* format;
    std::size_t alignment;
    Index bytes;

    Side(std::vector<Index> extents, bool is_real, bool is_single);
  };

  /// The shapes may have adjacent axes where the plan has one. `type` is NumPy's of the result.
  Transform(serial::PlanCache& cache, serial::PlanKey const& key, bool forward, Scale scale,
            std::vector<Index> before, std::vector<Index> after, nanobind::object type);

  /// Transforms one array to another. Errors: a type, a shape or an order is not that of the side.
  void operator()(nanobind::handle in, nanobind::handle out) const;
  /// Whether it can transform one array to the other, and they have no memory in common.
  bool can_write(nanobind::handle in, nanobind::handle out) const;
  /// Transforms aligned elements in memory. Errors: so many bytes are not those of the arrays.
  void run(void const* in, Index bytes_in, void* out, Index bytes_out) const;

 private:
  friend class Calls;

  void run(void const* in, void* out) const;

  serial::PlanCache& cache_;
  std::shared_ptr<serial::PlanCache::Entry> entry_;
  bool forward_, crosses_, is_complex_;  // crosses_: has an r2c axis; is_complex_: a c2c axis
  Scale scale_;
  Side before_, after_;
  nanobind::object shape_, type_;  // of the result
};

/// The transforms that were called last, by the words of the calls: whatever decides, beside the
/// array, which transform is meant.
class Calls {
 public:
  /// Results of fewer than `most_bytes` bytes come from empty(shape, type).
  Calls(nanobind::object empty, std::size_t most_bytes);

  /// The transform of x under these words, in `out` unless that is None. None, with nothing done,
  /// if it is not known, or x or `out` needs more than a transform of arrays in C order.
  nanobind::object run(nanobind::handle words, nanobind::handle x, nanobind::handle out) const;
  /// Remembers a transform, in the place of an older one.
  void keep(nanobind::object words, nanobind::object transform);

 private:
  struct Known {
    Py_hash_t hash = 0;
    nanobind::object words, transform;
  };
  // Calls with equal words, of arrays of several shapes, are in one of these sets.
  static constexpr std::size_t sets = 16;
  struct Set {
    std::array<Known, 4> known;
    std::size_t oldest = 0;
  };

  nanobind::object empty_;
  std::size_t most_bytes_;
  std::array<Set, sets> sets_;
};

}  // namespace sixstep::python
