// SPDX-License-Identifier: BSD-3-Clause
// Bytes that are nearly right, for functions that read what users give: every single change of
// some valid samples, then many changes at once, at random.
//
// Random changes are made with seed 1 and with a new seed, both of which are printed.
// Environment: FUZZ_SEED=N takes this seed alone, FUZZ_RUNS=N makes that many random inputs a
// seed, FUZZ_SHOW=1 prints each input before it is tried, so that the one that crashes is known.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <initializer_list>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.hpp"
#include "cases.hpp"

namespace fuzz {

/// A function that reads bytes, and what to give it.
struct Target {
  std::vector<std::string> samples;  // that are valid, or nearly
  std::vector<std::string> words;    // that mean something there
  std::string letters;               // the same, single ones
  /// Reads the bytes. What is wrong with the outcome, in words; "" if nothing is.
  std::function<std::string(std::string const&)> complaint;
  int runs = 10'000;  // random inputs a seed, as rounds() counts
};

/// Numbers that are at the end of a type, or no numbers.
inline std::vector<std::string> const& odd_numbers() {
  static std::vector<std::string> const numbers{"0",
                                                "-1",
                                                "1",
                                                "00",
                                                "-0",
                                                "1.5",
                                                "2147483647",
                                                "2147483648",
                                                "1048576",
                                                "1e-310",
                                                "1e308",
                                                "1e999",
                                                "nan",
                                                "inf",
                                                "0x10",
                                                "-2e308",
                                                "4.9e-324",
                                                "9223372036854775807",
                                                "9223372036854775808",
                                                "-9223372036854775808",
                                                "18446744073709551616",
                                                std::string(400, '9')};
  return numbers;
}

/// Makes random inputs; the same seed makes the same ones on every machine.
class Mutator {
 public:
  Mutator(Target const& target, std::uint64_t seed) : target_(target), random_(seed) {}

  std::string next() {
    std::string bytes = any(target_.samples);
    for (std::size_t changes = 1 + below(1 + below(8)); changes > 0; --changes) change(bytes);
    return bytes;
  }

 private:
  /// At least 0, less than `end`, which is not 0.
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(random_() % end); }
  std::string const& any(std::vector<std::string> const& of) { return of[below(of.size())]; }
  std::string word() {
    return target_.words.empty() || below(3) == 0 ? any(odd_numbers()) : any(target_.words);
  }

  void change(std::string& bytes) {
    constexpr std::size_t most_bytes = 1 << 20;
    if (bytes.size() > most_bytes) bytes.resize(most_bytes);
    std::size_t const at = below(bytes.size() + 1);
    std::size_t const length = below(std::min<std::size_t>(bytes.size() - at, 40) + 1);
    std::string const piece = bytes.substr(at, length);
    switch (below(12)) {
      case 0:
        if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ 1 << below(8));
        break;
      case 1:
        for (char& byte : bytes)
          if (below(100) == 0) byte = static_cast<char>(random_());
        break;
      case 2: {
        auto const letter = static_cast<char>(random_());
        bytes.insert(at, 1 + below(20), letter);
        break;
      }
      case 3:
        bytes.erase(at, length);
        break;
      case 4:
        bytes.resize(at);
        break;
      case 5:
        for (std::size_t times = below(50); times > 0; --times) bytes.insert(at, piece);
        break;
      case 6:
        bytes.erase(at, length).insert(below(bytes.size() + 1), piece);
        break;
      case 7: {
        std::string const& other = any(target_.samples);
        std::size_t const from = below(other.size() + 1);
        bytes.insert(at, other, from, below(other.size() - from + 1));
        break;
      }
      case 8:
        bytes.insert(at, word());
        break;
      case 9:
        bytes.replace(at, length, word());
        break;
      case 10:
        replace_number(bytes, at);
        break;
      case 11:
        bytes.insert(at, nested());
        break;
    }
  }

  /// The first number behind `at` becomes another one.
  void replace_number(std::string& bytes, std::size_t at) {
    std::size_t const begin = bytes.find_first_of("0123456789", at);
    if (begin == std::string::npos) return;
    std::size_t const end = bytes.find_first_not_of("0123456789.e+-", begin);
    bytes.replace(begin, std::min(end, bytes.size()) - begin, any(odd_numbers()));
  }

  std::string nested() {
    constexpr std::size_t depths[] = {3, 20, 300};
    std::size_t const depth = below(200) == 0 ? 100'000 : depths[below(3)];
    std::size_t const pair = below(3);
    std::string bytes(depth, "([{"[pair]);
    if (below(2) == 0) bytes.append(depth, ")]}"[pair]);
    return bytes;
  }

  Target const& target_;
  std::mt19937_64 random_;
};

/// For messages: other bytes than those of printable ASCII as \x00, the middle left out.
inline std::string shown(std::string const& bytes) {
  std::string words;
  for (char const letter : bytes) {
    char code[8];
    bool const is_plain = letter >= ' ' && letter < 0x7f && letter != '\\';
    std::snprintf(code, sizeof code, is_plain ? "%c" : "\\x%02x",
                  static_cast<unsigned>(static_cast<unsigned char>(letter)));
    words += code;
  }
  return sixstep::shortened(words, 4000);
}

inline std::optional<std::uint64_t> setting(char const* name) {
  char const* const word = std::getenv(name);
  return word ? sixstep::read_number<std::uint64_t>(word) : std::nullopt;
}

/// Whether the outcome is as it should be.
inline testing::AssertionResult is_right(Target const& target, std::string const& bytes) {
  if (setting("FUZZ_SHOW")) std::fprintf(stderr, "%s\n", shown(bytes).c_str());
  std::string complaint;
  try {
    complaint = target.complaint(bytes);
  } catch (std::exception const& error) {
    complaint = sixstep::text("this was thrown: ", error.what());
  }
  if (complaint.empty()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << complaint << "\nof the bytes " << shown(bytes);
}

/// One bit flipped, one byte replaced, left out or put in, or an early end.
inline void try_every_change(Target const& target, std::string const& sample) {
  ASSERT_TRUE(is_right(target, sample));
  for (std::size_t at = 0; at < sample.size(); ++at) {
    ASSERT_TRUE(is_right(target, sample.substr(0, at)));
    ASSERT_TRUE(is_right(target, sample.substr(0, at) + sample.substr(at + 1)));
    std::string changed = sample;
    for (int bit = 0; bit < 8; ++bit) {
      changed[at] = static_cast<char>(sample[at] ^ 1 << bit);
      ASSERT_TRUE(is_right(target, changed));
    }
    for (char const letter : target.letters) {
      changed[at] = letter;
      ASSERT_TRUE(is_right(target, changed));
      ASSERT_TRUE(is_right(target, sample.substr(0, at) + letter + sample.substr(at)));
    }
  }
}

/// Tries all this, and expects each outcome to be right. Every change is made to small samples.
inline void run(Target const& target) {
  constexpr std::size_t small = 300;
  for (std::string const& sample : target.samples) {
    if (sample.size() > small) continue;
    ASSERT_NO_FATAL_FAILURE(try_every_change(target, sample));
  }
  std::vector<std::uint64_t> seeds{1, std::random_device{}()};
  if (auto const seed = setting("FUZZ_SEED")) seeds = {*seed};
  for (std::uint64_t const seed : seeds) {
    std::printf("FUZZ_SEED=%llu\n", static_cast<unsigned long long>(seed));
    std::fflush(stdout);
    Mutator mutator(target, seed);
    std::uint64_t const runs =
        setting("FUZZ_RUNS").value_or(static_cast<std::uint64_t>(cases::rounds(target.runs)));
    for (std::uint64_t i = 0; i < runs; ++i)
      ASSERT_TRUE(is_right(target, mutator.next())) << "FUZZ_SEED=" << seed << ", input " << i;
  }
}

}  // namespace fuzz
