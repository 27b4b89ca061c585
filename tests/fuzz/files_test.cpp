// SPDX-License-Identifier: BSD-3-Clause
// Headers of .npy files and names of datasets: whatever the bytes are, they are refused by an Error
// that can be printed, or mean something that can be, which is written and read again.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "files/dataset_name.hpp"
#include "files/npy.hpp"
#include "fuzz/fuzz.hpp"

namespace sixstep::files {
namespace {

using npy::Header;
using Kind = npy::Type::Kind;

bool is_printable_ascii(std::string const& words) {
  return std::ranges::all_of(words, [](char c) { return c >= ' ' && c < 0x7f; });
}

std::string complaint_of_header(Header const& found, Index file_bytes) {
  bool const fits = found.data_offset >= 10 && found.data_offset <= file_bytes &&
                    found.file_bytes() >= found.data_offset && found.file_bytes() <= file_bytes;
  bool const is_shape = found.shape.size() <= max_axes &&
                        std::ranges::all_of(found.shape, [](Index n) { return n >= 0; });
  constexpr std::array sizes{1, 2, 4, 8, 16};
  if (!fits || !is_shape || std::ranges::count(sizes, found.type.bytes) != 1)
    return "the header is impossible";
  Header const written = npy::make_header(found.type, found.shape, found.fortran);
  // Blanks in the header of `found` may have been more or fewer.
  if (written.file_bytes() < written.data_offset) return "";
  bool const is_same =
      npy::parse_header(npy::header_text(written), written.file_bytes()) == written;
  return is_same ? "" : "it is written as another header";
}

std::string complaint_of_file(std::string const& file, Index file_bytes) {
  try {
    return complaint_of_header(npy::parse_header(file, file_bytes), file_bytes);
  } catch (Error const& error) {
    std::string const message = error.what();
    bool const is_right =
        error.code() == ErrorCode::argument && message.size() < 500 && is_printable_ascii(message);
    return is_right ? "" : message;
  }
}

TEST(fuzz, npy_header) {
  fuzz::Target target;
  for (Header const& header :
       {npy::make_header({Kind::real, 8, false}, {}, false),
        npy::make_header({Kind::complex, 16, true}, {3, 4, 5}, true),
        npy::make_header({Kind::boolean, 1, false}, {7}, false),
        npy::make_header({Kind::integer, 2, true}, {1000000, 0}, false),
        npy::make_header({Kind::unsigned_integer, 4, false}, {1, 2, 3, 4, 5, 6, 7, 8}, false)})
    target.samples.push_back(npy::header_text(header));
  target.words = {"'descr': ", "'fortran_order': ", "'shape': ", "True", "False", "'<f8'", "'>c16'",
                  "(3, 4)",    "[('x', '<f8')]",    "'|O'",      "1L",   "{",     "}",     "\n"};
  target.letters = std::string("\0'(),-.0189<>=L[]{}|", 20);
  target.complaint = [](std::string const& file) {
    std::string const complaint = complaint_of_file(file, std::ssize(file));
    if (!complaint.empty()) return complaint;
    return complaint_of_file(file, std::numeric_limits<Index>::max());
  };
  target.runs = 20'000;
  fuzz::run(target);
}

std::string complaint_of_name(std::string const& name) {
  try {
    std::string const found = canonical_dataset_name(name);
    bool const is_plain = !found.empty() && found.front() != '/' && found.back() != '/' &&
                          found.find("//") == std::string::npos &&
                          found.find('\0') == std::string::npos && name.ends_with(found);
    bool const stays = is_plain && canonical_dataset_name(found) == found &&
                       canonical_dataset_name('/' + found) == found;
    return stays ? "" : "it became " + found;
  } catch (Error const& error) {
    std::string const message = error.what();
    return message.starts_with("dataset: ") && is_printable_ascii(message) ? "" : message;
  }
}

TEST(fuzz, dataset_name) {
  fuzz::Target target;
  target.samples = {"u",
                    "/fields/u",
                    "a/b.c/../d",
                    "\xe2\x82\xac/\xf0\x9f\x98\x80",
                    "./a//b/",
                    std::string("a\0b", 3),
                    "\xed\xa0\x80\xff"};
  target.words = {"/", ".", "..", "//", "\xc3\xa4", "\xe2\x82\xac", "\xf4\x8f\xbf\xbf", "\xc0\x80"};
  target.letters = std::string("\0/.a\x7f\x80\xbf\xc2\xe0\xed\xf0\xf4\xff", 13);
  target.complaint = complaint_of_name;
  target.runs = 20'000;
  fuzz::run(target);
}

}  // namespace
}  // namespace sixstep::files
