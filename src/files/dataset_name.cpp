// SPDX-License-Identifier: BSD-3-Clause
// Names of datasets in HDF5 files.
#include "files/dataset_name.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sixstep/error.hpp"

namespace sixstep::files {

namespace {

/// Bytes of the UTF-8 character that `bytes` begin with; 0 if there is none.
std::size_t character_bytes(std::string_view bytes) {
  auto const byte = [&](std::size_t at) {
    return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0u;
  };
  std::uint32_t const first = byte(0);
  if (first < 0x80) return 1;
  std::size_t const length = first >> 5 == 0x6    ? 2
                             : first >> 4 == 0xe  ? 3
                             : first >> 3 == 0x1e ? 4
                                                  : 0;
  if (length == 0) return 0;
  std::uint32_t code = first & (0x7fu >> length);
  for (std::size_t at = 1; at < length; ++at) {
    if (byte(at) >> 6 != 0x2) return 0;
    code = code << 6 | (byte(at) & 0x3f);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};  // by length
  bool const is_surrogate = code >= 0xd800 && code < 0xe000;
  return code < least[length] || code > 0x10ffff || is_surrogate ? 0 : length;
}

bool is_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    std::size_t const length = character_bytes(bytes);
    if (length == 0) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

/// The name in quotation marks; bytes other than printable ASCII are shown as "\x00".
std::string shown(std::string_view name) {
  constexpr char digits[] = "0123456789abcdef";
  std::string words = "'";
  for (char const letter : name) {
    auto const byte = static_cast<unsigned char>(letter);
    if (byte >= 0x20 && byte < 0x7f)
      words += letter;
    else
      words += {'\\', 'x', digits[byte >> 4], digits[byte & 0xf]};
  }
  return words + "'";
}

}  // namespace

std::string canonical_dataset_name(std::string const& name) {
  auto const refuse = [&](char const* why) {
    throw Error(text("dataset: a name as in 'u' or 'fields/u' is needed, ", shown(name),
                     " was given: ", why));
  };
  if (name.empty() || name == "/") refuse("it is empty");
  if (name.find('\0') != std::string::npos) refuse("it contains a zero byte");
  if (!is_utf8(name)) refuse("it is not UTF-8");
  std::string const canonical = name.substr(name.front() == '/' ? 1 : 0);
  for (std::size_t begin = 0, end; begin <= canonical.size(); begin = end + 1) {
    end = std::min(canonical.find('/', begin), canonical.size());
    std::string_view const part = std::string_view(canonical).substr(begin, end - begin);
    if (part.empty()) refuse("a part of it is empty");
    if (part == ".") refuse("a part of it is '.'");
  }
  return canonical;
}

}  // namespace sixstep::files
