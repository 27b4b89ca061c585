// SPDX-License-Identifier: BSD-3-Clause
// Headers of .npy files: what is written is read, what is impossible is refused, and what can be
// read instead is named. Any other bytes: tests/fuzz/files_test.cpp.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "../refuses.hpp"
#include "files/dataset_name.hpp"
#include "files/npy.hpp"

namespace sixstep::files {
namespace {

using npy::Header;
using Kind = npy::Type::Kind;

constexpr Index endless = std::numeric_limits<Index>::max();

std::vector<Header> headers() {
  return {npy::make_header({Kind::real, 8, false}, {}, false),
          npy::make_header({Kind::complex, 16, true}, {3, 4, 5}, true),
          npy::make_header({Kind::boolean, 1, false}, {7}, false),
          npy::make_header({Kind::integer, 2, true}, {1000000, 0}, false),
          npy::make_header({Kind::unsigned_integer, 4, false}, {1, 2, 3, 4, 5, 6, 7, 8}, false)};
}

/// A file that has any literal for its header.
std::string file_of(std::string const& literal) {
  std::string const header = literal + '\n';
  std::string file = std::string("\x93NUMPY\1\0", 8);
  file += static_cast<char>(header.size() & 0xff);
  file += static_cast<char>(header.size() >> 8);
  return file + header;
}

std::string file_of(std::string const& descr, std::string const& shape) {
  return file_of("{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }");
}

TEST(npy_header, that_is_written_is_read) {
  for (Header const& header : headers()) {
    std::string const file = npy::header_text(header);
    EXPECT_EQ(file.size() % 64, 0u);
    EXPECT_EQ(npy::parse_header(file, header.file_bytes()), header);
  }
}

TEST(npy_header, of_impossible_extents_is_refused) {
  std::string const most = "9223372036854775807", more = "9223372036854775808";
  auto const parse = [](std::string const& shape) {
    return [shape] { npy::parse_header(file_of("'<f8'", shape), endless); };
  };
  EXPECT_TRUE(refuses("the header is damaged", {}, parse("(" + more + ",)")));
  EXPECT_TRUE(refuses("the header is damaged", {}, parse("(-1,)")));
  for (std::string const& shape :
       {"(" + most + ",)", "(" + most + ", " + most + ")", "(1, " + most + ", 2)"})
    EXPECT_NE(message_of(parse(shape)), "");
  for (std::string const& shape :
       {"(" + most + ", " + most + ", 0)", "(0, " + most + ", " + most + ")"}) {
    std::string const file = file_of("'<f8'", shape);
    EXPECT_EQ(npy::parse_header(file, std::ssize(file)).file_bytes(), std::ssize(file));
  }
}

TEST(npy_header, says_what_can_be_read_instead) {
  for (auto const& [descr, what] : {std::pair{"'<f2'", "float16"},
                                    {"'<f16'", "extended precision"},
                                    {"'<c32'", "extended precision"},
                                    {"'|O'", "Python objects"},
                                    {"'<U7'", "strings"},
                                    {"'|S7'", "strings"},
                                    {"'<M8[s]'", "dates"},
                                    {"'|V16'", "raw bytes"},
                                    {"'<f3'", "unknown"}}) {
    std::string const message =
        message_of([&] { npy::parse_header(file_of(descr, "(2,)"), endless); });
    EXPECT_NE(message.find(what), std::string::npos) << message;
    EXPECT_NE(message.find("float32, float64, complex64 or complex128"), std::string::npos);
  }
  std::string const structured = message_of(
      [] { npy::parse_header(file_of("[('x', '<f8'), ('y', '<f8')]", "(2,)"), endless); });
  EXPECT_NE(structured.find("structured dtype"), std::string::npos);
  std::string const nine = message_of(
      [] { npy::parse_header(file_of("'<f8'", "(1, 1, 1, 1, 1, 1, 1, 1, 1)"), endless); });
  EXPECT_NE(nine.find("9 axes"), std::string::npos);
}

TEST(dataset_name, has_no_slash_at_its_beginning) {
  EXPECT_EQ(canonical_dataset_name("/fields/u"), "fields/u");
  EXPECT_EQ(canonical_dataset_name("\xe2\x82\xac"), "\xe2\x82\xac");
}

}  // namespace
}  // namespace sixstep::files
