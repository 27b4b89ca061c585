// SPDX-License-Identifier: BSD-3-Clause
// Sharings as words: grid:2x1cx3@2.0.1, slab:0, pencil, brick, boxes:0:4x0:3/4:8x0:3; a memory
// order follows @, ghosts before and after %, as in %1.0.2,0.0.1.
#include <algorithm>
#include <cstddef>

#include "sixstep/error.hpp"
#include "tokens.hpp"
#include "words.hpp"

namespace soak {

using sixstep::Error;
using sixstep::require;
using sixstep::text;

namespace {

std::string word_of(Box const& box) {
  std::vector<std::string> ranges;
  for (Range const& range : box.ranges) {
    ranges.push_back(text(range.lo, ":", range.hi));
    if (range.step != 1) ranges.back() += text(":", range.step);
  }
  return joined(ranges, "x");
}

Box read_box(std::string const& word) {
  Box box;
  for (std::string const& part : split(word, 'x')) {
    std::vector<Index> const ends = numbers<Index>(part, ':');
    require(ends.size() == 2 || ends.size() == 3, "\"", part, "\": a range is lo:hi or lo:hi:step");
    box.ranges.push_back({ends[0], ends[1], ends.size() == 3 ? ends[2] : 1});
  }
  return box;
}

std::string word_of_grid(Sharing const& sharing) {
  std::vector<std::string> parts;
  for (int axis = 0; axis < sharing.grid.size(); ++axis) {
    bool const cyclic =
        axis < sharing.distribution.size() && sharing.distribution[axis] == Distribution::cyclic;
    parts.push_back(text(sharing.grid[axis], cyclic ? "c" : ""));
  }
  return joined(parts, "x");
}

void read_grid(Sharing& sharing, std::string const& word) {
  for (std::string part : split(word, 'x')) {
    bool const cyclic = part.ends_with('c');
    if (cyclic) part.pop_back();
    sharing.grid.push_back(number<int>(part));
    sharing.distribution.push_back(cyclic ? Distribution::cyclic : Distribution::block);
  }
}

}  // namespace

std::string word_of(Sharing const& sharing) {
  std::string word;
  switch (sharing.form) {
    case Sharing::Form::grid:
      word = "grid:" + word_of_grid(sharing);
      break;
    case Sharing::Form::slab:
      word = text("slab:", sharing.axis);
      break;
    case Sharing::Form::pencil:
      word = "pencil";
      break;
    case Sharing::Form::brick:
      word = "brick";
      break;
    case Sharing::Form::boxes: {
      std::vector<std::string> boxes;
      for (Box const& box : sharing.boxes) boxes.push_back(word_of(box));
      word = "boxes:" + joined(boxes, "/");
      break;
    }
  }
  if (!sharing.order.empty()) word += "@" + joined(sharing.order, ".");
  if (!sharing.before.empty())
    word += "%" + joined(sharing.before, ".") + "," + joined(sharing.after, ".");
  return word;
}

Sharing read_sharing(std::string const& words) {
  Sharing sharing;
  std::size_t const percent = std::min(words.find('%'), words.size());
  std::string const word = words.substr(0, percent);
  if (percent < words.size()) {
    std::vector<std::string> const sides = split(words.substr(percent + 1), ',');
    require(sides.size() == 2, "\"", words, "\": ghosts are BEFORE,AFTER");
    sharing.before = Shape(numbers<Index>(sides[0], '.'));
    sharing.after = Shape(numbers<Index>(sides[1], '.'));
  }
  std::size_t const at = std::min(word.find('@'), word.size());
  if (at < word.size())
    for (int axis : numbers<int>(word.substr(at + 1), '.')) sharing.order.push_back(axis);
  std::string const form = word.substr(0, std::min(word.find_first_of(":@"), word.size()));
  std::string const rest =
      form.size() < at ? word.substr(form.size() + 1, at - form.size() - 1) : "";
  if (form == "grid") {
    sharing.form = Sharing::Form::grid;
    read_grid(sharing, rest);
  } else if (form == "slab") {
    sharing.form = Sharing::Form::slab;
    sharing.axis = rest.empty() ? 0 : number<int>(rest);
  } else if (form == "pencil") {
    sharing.form = Sharing::Form::pencil;
  } else if (form == "brick") {
    sharing.form = Sharing::Form::brick;
  } else if (form == "boxes") {
    sharing.form = Sharing::Form::boxes;
    for (std::string const& box : split(rest, '/')) sharing.boxes.push_back(read_box(box));
  } else {
    throw Error(text("\"", word, "\": grid, slab, pencil, brick or boxes is needed"));
  }
  return sharing;
}

}  // namespace soak
