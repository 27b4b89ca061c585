// SPDX-License-Identifier: BSD-3-Clause
// Headers of .npy files and names of datasets: what is written is read, and whatever else the bytes
// are, they are refused by an Error or mean something that can be.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <random>
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

/// Every single change of these bytes: one replaced, left out, put in, and what ends early.
template <class Visit>
void for_each_change(std::string const& bytes, Visit const& visit) {
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    visit(bytes.substr(0, at));
    visit(bytes.substr(0, at) + bytes.substr(at + 1));
    for (int value = 0; value < 256; value += 5) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(value);
      visit(changed);
    }
    for (char const put_in : std::string("\0'(),-.0189<>=L[]{}|", 20))
      visit(bytes.substr(0, at) + put_in + bytes.substr(at));
  }
}

/// Many changes at once: pieces of all these bytes, one behind the other.
template <class Visit>
void for_each_mixture(std::vector<std::string> const& all, int count, Visit const& visit) {
  std::mt19937 random(1);
  auto const below = [&](std::size_t end) { return random() % (end + 1); };
  for (int i = 0; i < count; ++i) {
    std::string mixture = all[below(all.size() - 1)].substr(0, below(20));
    for (std::size_t pieces = below(5); pieces > 0; --pieces) {
      std::string const& from = all[below(all.size() - 1)];
      mixture += from.substr(below(from.size()), below(40));
    }
    visit(mixture);
  }
}

/// Whether the bytes are refused or give a header whose numbers are possible.
testing::AssertionResult is_sound(std::string const& file, Index file_bytes) {
  try {
    Header const found = npy::parse_header(file, file_bytes);
    bool const fits = found.data_offset >= 10 && found.data_offset <= file_bytes &&
                      found.file_bytes() >= found.data_offset && found.file_bytes() <= file_bytes;
    bool const is_shape = found.shape.size() <= max_axes &&
                          std::ranges::all_of(found.shape, [](Index n) { return n >= 0; });
    constexpr std::array sizes{1, 2, 4, 8, 16};
    if (fits && is_shape && std::ranges::count(sizes, found.type.bytes) == 1)
      return testing::AssertionSuccess();
    return testing::AssertionFailure() << testing::PrintToString(file);
  } catch (Error const& error) {
    if (error.code() == ErrorCode::argument && std::string(error.what()).size() < 500)
      return testing::AssertionSuccess();
    return testing::AssertionFailure() << error.what();
  }
}

TEST(npy_header, that_is_written_is_read) {
  for (Header const& header : headers()) {
    std::string const file = npy::header_text(header);
    EXPECT_EQ(file.size() % 64, 0u);
    EXPECT_EQ(npy::parse_header(file, header.file_bytes()), header);
  }
}

TEST(npy_header, that_is_damaged_is_refused_or_possible) {
  std::vector<std::string> all;
  for (Header const& header : headers()) all.push_back(npy::header_text(header));
  for (std::string const& header : all)
    for_each_change(header, [](std::string const& file) {
      ASSERT_TRUE(is_sound(file, std::ssize(file)));
      ASSERT_TRUE(is_sound(file, endless));
    });
  for_each_mixture(all, 20'000, [](std::string const& file) {
    ASSERT_TRUE(is_sound(file, std::ssize(file)));
    ASSERT_TRUE(is_sound(file, endless));
  });
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

/// Whether the name is refused or has become one that HDF5 takes as it stands.
testing::AssertionResult is_sound_name(std::string const& name) {
  try {
    std::string const found = canonical_dataset_name(name);
    bool const is_plain = !found.empty() && found.front() != '/' && found.back() != '/' &&
                          found.find("//") == std::string::npos &&
                          found.find('\0') == std::string::npos && name.ends_with(found);
    if (is_plain && canonical_dataset_name(found) == found &&
        canonical_dataset_name('/' + found) == found)
      return testing::AssertionSuccess();
  } catch (Error const& error) {
    std::string const message = error.what();
    bool const is_ascii = std::ranges::all_of(message, [](char c) { return c >= ' ' && c < 0x7f; });
    if (message.starts_with("dataset: ") && is_ascii) return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << testing::PrintToString(name);
}

TEST(dataset_name, is_refused_or_canonical) {
  std::vector<std::string> const all{"u",
                                     "/fields/u",
                                     "a/b.c/../d",
                                     "\xe2\x82\xac/\xf0\x9f\x98\x80",
                                     "./a//b/",
                                     std::string("a\0b", 3),
                                     "\xed\xa0\x80\xff"};
  for (std::string const& name : all)
    for_each_change(name, [](std::string const& changed) { ASSERT_TRUE(is_sound_name(changed)); });
  for_each_mixture(all, 20'000, [](std::string const& name) { ASSERT_TRUE(is_sound_name(name)); });
  EXPECT_EQ(canonical_dataset_name("/fields/u"), "fields/u");
  EXPECT_EQ(canonical_dataset_name("\xe2\x82\xac"), "\xe2\x82\xac");
}

}  // namespace
}  // namespace sixstep::files
