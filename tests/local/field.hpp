// SPDX-License-Identifier: BSD-3-Clause
// Columns in memory, of which a test says where their elements lie.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "local/transform.hpp"
#include "oracles/points.hpp"

namespace sixstep::local {

/// Element k of column c lies at row[k] + c lane, in memory for `size` elements.
struct Places {
  std::vector<Index> row;
  Index lane = 1;
  Index size = 0;
};

/// Columns of reals or complex numbers. Between them lie elements that nobody should write.
template <class Element>
class Field {
 public:
  /// The columns lie at places(way, rows, columns), a function beside `Way`.
  template <class Way>
  Field(Way way, Index rows, Index columns)
      : columns_(columns),
        places_(places(way, rows, columns)),
        data_(oracle::at(places_.size), unset()) {}

  Index rows() const { return static_cast<Index>(places_.row.size()); }
  Index columns() const { return columns_; }
  Element& operator()(Index k, Index c) {
    return data_[oracle::at(places_.row[oracle::at(k)] + c * places_.lane)];
  }
  template <class Value>
  std::vector<Value> column(Index c) {
    std::vector<Value> values;
    for (Index k = 0; k < rows(); ++k) values.push_back(static_cast<Value>((*this)(k, c)));
    return values;
  }
  Columns<Element const> source() const { return {data_.data(), places_.row.data(), places_.lane}; }
  Columns<Element> sink() { return {data_.data(), places_.row.data(), places_.lane}; }
  std::vector<Element> const& data() const { return data_; }
  Index size() const { return places_.size; }
  /// The number of elements that hold what the constructor put there.
  Index untouched() const { return std::count(data_.begin(), data_.end(), unset()); }

 private:
  static Element unset() { return Element(static_cast<float>(-77.5)); }

  Index columns_;
  Places places_;
  std::vector<Element> data_;
};

}  // namespace sixstep::local
