// SPDX-License-Identifier: BSD-3-Clause
// Parses and writes the headers of .npy files as text. Pure; knows nothing about MPI.
//
// A file is "\x93NUMPY", two bytes of version, the length of the header (little-endian; 2 bytes in
// version 1, 4 in versions 2 and 3), the header, and the data. The header is a Python literal like
//   {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
// It is padded with blanks and ended by a line feed, so that the data begins at a multiple of 64.
// Source: numpy.lib.format.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdio>
#include <limits>
#include <vector>

#include "files/npy.hpp"

namespace sixstep::files::npy {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr bool little = std::endian::native == std::endian::little;

// The first bytes of a file that is not an .npy file, in quotation marks, for a message.
std::string shown(std::string_view bytes) {
  std::string words = "'";
  for (char const byte : bytes.substr(0, 8)) {
    char code[8];
    bool const printable = byte >= 32 && byte < 127;
    std::snprintf(code, sizeof code, printable ? "%c" : "\\x%02x",
                  static_cast<unsigned>(static_cast<unsigned char>(byte)));
    words += code;
  }
  return words + "'";
}

std::string what_else(std::string_view file) {
  if (file.empty()) return "it is empty";
  std::string found = text("it begins with ", shown(file));
  if (file.starts_with("PK")) return found + ", as .npz and other zip archives do";
  if (file.starts_with("\x89HDF")) return found + ", as HDF5 files do";
  return found;
}

// Reads the kinds of Python literals that a header contains.
class Scanner {
 public:
  explicit Scanner(std::string_view literal) : literal_(literal) {}

  bool accept(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }
  void expect(char wanted) {
    if (!accept(wanted)) damaged(text("'", wanted, "'"));
  }
  std::string quoted() {
    char const quote = peek();
    if (quote != '\'' && quote != '"') damaged("a quoted word");
    auto const end = literal_.find(quote, at_ + 1);
    if (end == std::string_view::npos) damaged("a closing quote");
    std::string word(literal_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return word;
  }
  bool boolean() {
    for (std::string_view const word : {"True", "False"})
      if (peek() == word[0] && literal_.substr(at_).starts_with(word)) {
        at_ += word.size();
        return word == "True";
      }
    damaged("True or False");
  }
  Index extent() {
    Index value = 0;
    bool const digits = peek() >= '0' && peek() <= '9';
    auto const [end, failure] =
        std::from_chars(literal_.data() + at_, literal_.data() + literal_.size(), value);
    if (!digits || failure != std::errc()) damaged("an extent");
    at_ = static_cast<std::size_t>(end - literal_.data());
    accept('L');  // Python 2 wrote long integers so
    return value;
  }
  // (), (3,), (3, 4) ...
  std::vector<Index> extents() {
    std::vector<Index> values;
    expect('(');
    while (!accept(')')) {
      values.push_back(extent());
      if (peek() != ')') expect(',');
    }
    return values;
  }
  char peek() {
    while (at_ < literal_.size() && (literal_[at_] == ' ' || literal_[at_] == '\n')) ++at_;
    return at_ < literal_.size() ? literal_[at_] : '\0';
  }

 private:
  [[noreturn]] void damaged(std::string const& wanted) {
    throw Error(text("the header is damaged: ", wanted, " expected at its byte ", at_, ", ",
                     at_ < literal_.size() ? shown(literal_.substr(at_)) : "its end", " found"));
  }

  std::string_view literal_;
  std::size_t at_ = 0;
};

// "<f8": byte order, kind, bytes.
Type parse_type(std::string const& descr) {
  using Kind = Type::Kind;
  auto const refuse = [&](char const* what) {
    throw Error(text("dtype ", shown(descr), " (", what, ") cannot be read: it must be bool, ",
                     "an integer, float32, float64, complex64 or complex128"));
  };
  std::string_view word = descr;
  char const order = word.empty() ? '\0' : word[0];
  if (std::string_view("<>|=").find(order) != std::string_view::npos) word.remove_prefix(1);
  char const kind = word.empty() ? '\0' : word[0];
  int bytes = 0;
  char const* const end = word.data() + word.size();
  bool const digits = !word.empty() && std::from_chars(word.data() + 1, end, bytes).ptr == end;
  if (!digits) bytes = 0;

  bool const swapped = bytes > 1 && order == (little ? '>' : '<');
  bool const integer = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
  if (kind == 'b' && bytes == 1) return {Kind::boolean, bytes, swapped};
  if (kind == 'i' && integer) return {Kind::integer, bytes, swapped};
  if (kind == 'u' && integer) return {Kind::unsigned_integer, bytes, swapped};
  if (kind == 'f' && (bytes == 4 || bytes == 8)) return {Kind::real, bytes, swapped};
  if (kind == 'c' && (bytes == 8 || bytes == 16)) return {Kind::complex, bytes, swapped};

  if (kind == 'f' && bytes == 2) refuse("float16");
  if ((kind == 'f' || kind == 'c') && bytes > 8) refuse("extended precision");
  if (kind == 'O') refuse("Python objects");
  if (kind == 'S' || kind == 'U' || kind == 'a') refuse("strings");
  if (kind == 'M' || kind == 'm') refuse("dates and times");
  if (kind == 'V') refuse("raw bytes");
  refuse("unknown");
  return {};
}

// Bytes of `extents` elements, or -1 if they are more than 2^63 - 1.
Index checked_bytes(std::vector<Index> const& extents, Index element_bytes) {
  // A zero makes the product zero, however large the others are.
  if (std::find(extents.begin(), extents.end(), 0) != extents.end()) return 0;
  Index product = element_bytes;
  for (Index const extent : extents) {
    if (product > std::numeric_limits<Index>::max() / extent) return -1;
    product *= extent;
  }
  return product;
}

struct Literal {
  Type type;
  bool fortran = false;
  std::vector<Index> extents;
};

Literal parse_literal(std::string_view literal) {
  Literal header;
  std::vector<std::string> missing = {"descr", "fortran_order", "shape"};
  Scanner scan(literal);
  scan.expect('{');
  while (!scan.accept('}')) {
    std::string const key = scan.quoted();
    scan.expect(':');
    auto const known = std::find(missing.begin(), missing.end(), key);
    require(known != missing.end(), "the header is damaged: unexpected entry ", shown(key));
    missing.erase(known);
    if (key == "descr") {
      require(scan.peek() != '[',
              "a structured dtype cannot be read: save one of its fields as an array");
      header.type = parse_type(scan.quoted());
    } else if (key == "fortran_order") {
      header.fortran = scan.boolean();
    } else {
      header.extents = scan.extents();
    }
    if (scan.peek() != '}') scan.expect(',');
  }
  require(scan.peek() == '\0', "the header is damaged: something follows its last '}'");
  require(missing.empty(), "the header is damaged: the entry '", missing.empty() ? "" : missing[0],
          "' is missing");
  return header;
}

}  // namespace

Shape Header::file_shape() const {
  Shape reversed = shape;
  if (fortran) std::reverse(reversed.begin(), reversed.end());
  return reversed;
}

Index Header::file_bytes() const { return data_offset + volume(shape) * type.bytes; }

Header parse_header(std::string_view file, Index file_bytes) {
  auto const byte = [&](std::size_t at) { return static_cast<unsigned char>(file[at]); };
  require(file.starts_with(magic), "not an .npy file: " + what_else(file));
  auto const incomplete = [&] {
    return text("truncated: the file ends within its header, after ", file_bytes, " bytes");
  };
  require(file.size() >= 12, incomplete());
  int const version = byte(6);
  require(version >= 1 && version <= 3, "the format has version ", version, ".", int{byte(7)},
          "; 1, 2 and 3 can be read");
  std::size_t const begin = version == 1 ? 10 : 12;
  std::size_t length = 0;
  for (std::size_t at = begin; at-- > 8;) length = length << 8 | byte(at);
  require(static_cast<Index>(begin + length) <= file_bytes, incomplete());
  require(begin + length <= file.size(), "the header has ", length, " bytes; at most ",
          most_header_bytes - begin, " can be read");

  Literal const literal = parse_literal(file.substr(begin, length));
  Header header{literal.type, {}, literal.fortran, static_cast<Index>(begin + length)};
  require(literal.extents.size() <= max_axes, "the array has ", literal.extents.size(),
          " axes; at most ", max_axes, " can be read");
  header.shape = Shape(literal.extents);
  Index const data_bytes = checked_bytes(literal.extents, header.type.bytes);
  require(data_bytes >= 0, "the shape ", to_string(header.shape), " is impossibly large");
  require(file_bytes - header.data_offset >= data_bytes, "truncated: shape ",
          to_string(header.shape), " needs ", data_bytes, " bytes of data, ",
          file_bytes - header.data_offset, " found");
  return header;
}

std::string header_text(Header const& header) {
  constexpr char letters[] = {'b', 'i', 'u', 'f', 'c'};
  char const order = header.type.bytes == 1 ? '|' : header.type.swapped == little ? '>' : '<';
  std::string literal = text(
      "{'descr': '", order, letters[static_cast<std::size_t>(header.type.kind)], header.type.bytes,
      "', 'fortran_order': ", header.fortran ? "True" : "False", ", 'shape': (");
  for (Index const extent : header.shape)
    literal += text(extent, header.shape.size() > 1 ? ", " : ",");
  if (header.shape.size() > 1) literal.resize(literal.size() - 2);
  literal += "), }";
  constexpr std::size_t begin = 10;
  constexpr std::size_t alignment = 64;
  std::size_t const used = begin + literal.size() + 1;
  literal.append((alignment - used % alignment) % alignment, ' ') += '\n';
  std::string file(magic);
  file += {1, 0, static_cast<char>(literal.size() & 0xff), static_cast<char>(literal.size() >> 8)};
  return file + literal;
}

Header make_header(Type const& type, Shape const& shape, bool fortran) {
  Header header{type, shape, fortran, 0};
  header.data_offset = static_cast<Index>(header_text(header).size());
  return header;
}

}  // namespace sixstep::files::npy
