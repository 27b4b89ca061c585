// SPDX-License-Identifier: BSD-3-Clause
// Words that users give: numbers are read strictly, and what is shown of words harms no terminal.
#include "base/words.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace sixstep {
namespace {

TEST(words, are_numbers_in_decimal_digits_alone) {
  EXPECT_EQ(read_number<int>("17"), 17);
  EXPECT_EQ(read_number<int>("-3"), -3);
  EXPECT_EQ(read_number<int>("007"), 7);
  EXPECT_EQ(read_number<std::uint64_t>("18446744073709551615"), ~std::uint64_t{0});
  for (char const* word : {"", " ", "2 ", " 2", "+2", "0x10", "2.5", "1e3", "2x", "nan", "abc",
                           "99999999999", "--1", "-"})
    EXPECT_EQ(read_number<int>(word), std::nullopt) << word;
  EXPECT_EQ(read_number<unsigned>("-1"), std::nullopt);
}

TEST(words, are_finite_where_they_are_fractions) {
  EXPECT_EQ(read_number<double>("2.5"), 2.5);
  EXPECT_EQ(read_number<double>("-1e3"), -1000);
  EXPECT_EQ(read_number<double>("1e-310"), 1e-310);  // subnormal
  EXPECT_EQ(read_number<double>("5e-324"), std::numeric_limits<double>::denorm_min());
  for (char const* word : {"", "nan", "-nan", "NaN", "inf", "-inf", "infinity", "1e999", "-1e999",
                           "0x1p3", "1,5", "1.5.2", "1e", "e1", "+1", " 1", "1 "})
    EXPECT_EQ(read_number<double>(word), std::nullopt) << word;
}

TEST(words, are_printed_without_what_a_terminal_obeys) {
  EXPECT_EQ(printable("K\xc3\xb6ln\tis\nthere"), "K\xc3\xb6ln\tis\nthere");
  EXPECT_EQ(printable("\x1b[31mred\r\x7f"), "\\x1b[31mred\\x0d\\x7f");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\xc2\x9b"  // U+009B begins a command as "\x1b[" does
                      "31m"),
            "\\xc2\x9b"
            "31m");
  EXPECT_EQ(printable("\xc2\xa0"), "\xc2\xa0");
}

TEST(words, that_are_long_are_shortened_between_characters) {
  EXPECT_EQ(shortened("short"), "short");
  EXPECT_EQ(shortened("abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(shortened("abcdefghijk", 4), "ab [7 bytes left out] jk");
  EXPECT_EQ(shortened("\xc3\xb6\xc3\xb6\xc3\xb6\xc3\xb6", 6),
            "\xc3\xb6 [4 bytes left out] \xc3\xb6");
  EXPECT_LT(shortened(std::string(100000, 'x')).size(), 250u);
}

}  // namespace
}  // namespace sixstep
