// SPDX-License-Identifier: BSD-3-Clause
// NumPy's .npy files, read and written by all ranks at once with MPI-IO.
//
// A rank's part is moved in pieces of at most 32 MiB. A piece is read in the order of the file and
// converted into the local array, whatever its memory order; writing does the reverse. All ranks
// make the same number of calls, which are collective.
#include "files/npy.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "files/collective_new_file.hpp"
#include "files/local_array.hpp"
#include "files/same_file.hpp"
#include "local/transform.hpp"
#include "runtime/mpi.hpp"

namespace sixstep::files::npy {
namespace {

// The place of a rank's part in the file.
class PartOfFile {
 public:
  PartOfFile(Header const& header, Layout const& layout, Box const& box)
      : box_(box), element_bytes_(header.type.bytes), data_offset_(header.data_offset) {
    Index stride = element_bytes_;
    strides_ = Shape(box_.axes(), 0);
    for (int axis = box_.axes(); axis-- > 0; stride *= layout.shape()[axis]) {
      strides_[axis] = stride * box_.ranges[axis].step;
      data_offset_ += stride * box_.ranges[axis].lo;
    }
  }

  // Sets the file's view to the bytes of `piece`. Collective.
  int view(MPI_File file, Box const& piece) const {
    Shape const counts = piece.shape();
    MPI_Offset start = data_offset_;
    for (int axis = 0; axis < counts.size(); ++axis)
      start += piece.ranges[axis].lo * strides_[axis];

    // Contiguous axes first: a type of fewer, longer runs is faster.
    Index run = element_bytes_;
    int axis = counts.size() - 1;
    for (; axis >= 0 && (counts[axis] == 1 || strides_[axis] == run); --axis) run *= counts[axis];
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(static_cast<int>(run), MPI_BYTE, &type);
    for (; axis >= 0; --axis) {
      MPI_Datatype inner = type;
      MPI_Type_create_hvector(static_cast<int>(counts[axis]), 1, strides_[axis], inner, &type);
      MPI_Type_free(&inner);
    }
    MPI_Type_commit(&type);
    int const code = MPI_File_set_view(file, start, MPI_BYTE, type, "native", MPI_INFO_NULL);
    MPI_Type_free(&type);
    return code;
  }

 private:
  Box box_;
  Shape strides_;  // in bytes
  Index element_bytes_;
  Index data_offset_;  // of the part's first element
};

// ---- elements ---------------------------------------------------------------------------------

template <class Stored>
Stored load(std::byte const* at, bool swapped) {
  std::array<std::byte, sizeof(Stored)> bytes;
  std::memcpy(bytes.data(), at, sizeof(Stored));
  if (swapped) std::reverse(bytes.begin(), bytes.end());
  return std::bit_cast<Stored>(bytes);
}

// A row of elements of a file, and their places in a local array.
template <class Element>
struct Row {
  std::byte const* from;
  bool swapped;
  Element* to;
  Index stride;
  Index count;
};

template <class Stored, class Element>
void convert_real(Row<Element> const& row) {
  using Real = typename local::RealOf<Element>::type;
  for (Index i = 0; i < row.count; ++i) {
    auto const at = row.from + i * static_cast<Index>(sizeof(Stored));
    row.to[i * row.stride] = static_cast<Real>(load<Stored>(at, row.swapped));
  }
}

template <class Stored, class Element>
void convert_complex(Row<Element> const& row) {
  using Real = typename local::RealOf<Element>::type;
  constexpr Index half = sizeof(Stored);
  for (Index i = 0; i < row.count; ++i) {
    auto const at = row.from + i * 2 * half;
    row.to[i * row.stride] = {static_cast<Real>(load<Stored>(at, row.swapped)),
                              static_cast<Real>(load<Stored>(at + half, row.swapped))};
  }
}

template <class Element>
using Convert = void (*)(Row<Element> const&);

template <class Element>
Convert<Element> conversion(Type const& type) {
  using Kind = Type::Kind;
  bool const sign = type.kind == Kind::integer;
  switch (type.kind) {
    case Kind::complex:
      if constexpr (!std::is_floating_point_v<Element>)
        return type.bytes == 8 ? convert_complex<float, Element> : convert_complex<double, Element>;
      break;
    case Kind::real:
      return type.bytes == 4 ? convert_real<float, Element> : convert_real<double, Element>;
    case Kind::boolean:
    case Kind::integer:
    case Kind::unsigned_integer:
      if (type.bytes == 1)
        return sign ? convert_real<std::int8_t, Element> : convert_real<std::uint8_t, Element>;
      if (type.bytes == 2)
        return sign ? convert_real<std::int16_t, Element> : convert_real<std::uint16_t, Element>;
      if (type.bytes == 4)
        return sign ? convert_real<std::int32_t, Element> : convert_real<std::uint32_t, Element>;
      return sign ? convert_real<std::int64_t, Element> : convert_real<std::uint64_t, Element>;
  }
  return nullptr;
}

// ---- files ------------------------------------------------------------------------------------

// The first failure in a series of MPI calls. Later calls are still made, because other ranks wait
// for them.
class Outcome {
 public:
  void note(int code) {
    if (code_ == MPI_SUCCESS) code_ = code;
  }
  // `bytes` is what the call should have moved.
  void note(int code, MPI_Status const& status, int bytes) {
    note(code);
    int moved = 0;
    if (code == MPI_SUCCESS) MPI_Get_count(&status, MPI_BYTE, &moved);
    is_short_ = is_short_ || (code == MPI_SUCCESS && moved != bytes);
  }
  // Throws on all ranks if a call failed on any rank. Collective.
  void agree(MPI_Comm comm, std::string const& what) const {
    std::string failure;
    if (code_ != MPI_SUCCESS) {
      std::array<char, MPI_MAX_ERROR_STRING> words{};
      int length = 0;
      MPI_Error_string(code_, words.data(), &length);
      // It may be a stack of calls, one a line; the last line has the system's message.
      std::string_view const lines(words.data());
      failure = text(what, ": ", lines.substr(lines.rfind('\n') + 1));
    } else if (is_short_) {
      failure = text(what, ": only a part of it was moved");
    }
    mpi::agree(comm, failure);
  }

 private:
  int code_ = MPI_SUCCESS;
  bool is_short_ = false;
};

// Open MPI's collective calls report success even if they failed, for example on a full disk. Its
// calls for single ranks report how much they moved, and are no slower.
#ifdef OPEN_MPI
constexpr auto read_bytes = MPI_File_read;
constexpr auto write_bytes = MPI_File_write;
#else
constexpr auto read_bytes = MPI_File_read_all;
constexpr auto write_bytes = MPI_File_write_all;
#endif

// ROMIO takes text before a colon for the name of a file system; "ufs" stands for any.
std::string name_for_mpi(std::string const& path) {
#ifdef ROMIO_VERSION
  if (path.find(':') != std::string::npos) return "ufs:" + path;
#endif
  return path;
}

class OpenFile {
 public:
  // `name` is the file that is opened; file.path is its name in messages.
  OpenFile(File const& file, std::string const& name, int mode)
      : path_(file.path), comm_(file.comm) {
    Outcome opened;
    opened.note(MPI_File_open(comm_, name_for_mpi(name).c_str(), mode, MPI_INFO_NULL, &handle_));
    opened.agree(comm_, path_ + ": cannot be opened");
  }
  ~OpenFile() {
    if (handle_ != MPI_FILE_NULL) MPI_File_close(&handle_);
  }
  OpenFile(OpenFile const&) = delete;
  OpenFile& operator=(OpenFile const&) = delete;

  MPI_File handle() const { return handle_; }
  void close() {
    Outcome closed;
    mpi::meet(comm_);
    closed.note(MPI_File_close(&handle_));
    closed.agree(comm_, path_ + ": cannot be closed");
  }

 private:
  std::string path_;
  MPI_Comm comm_;
  MPI_File handle_ = MPI_FILE_NULL;
};

// Moves this rank's part piece by piece. move(local, buffer, piece, n) makes the collective call
// for the n bytes of the piece, which are the file's whole view; n may be 0. Ranks meet before each
// call, because waits inside it have no limit.
template <class Move>
void move_pieces(File const& file, MPI_File handle, Layout const& layout, Outcome& outcome,
                 Move const& move) {
  LocalArray const local(layout, mpi::rank_of(file.comm), file.header.type.bytes);
  PartOfFile const in_file(file.header, layout, local.box());
  Pieces const pieces = local.pieces();
  Index rounds = pieces.count();
  mpi::reduce_to_all(file.comm, &rounds, 1, MPI_INT64_T, MPI_MAX);
  std::unique_ptr<std::byte[]> buffer;
  mpi::together(file.comm, [&] {
    Index const largest = pieces.count() > 0 ? local.bytes(pieces[0]) : 0;
    buffer = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(largest));
  });
  for (Index round = 0; round < rounds; ++round) {
    Box piece;
    int bytes = 0;
    mpi::meet(file.comm);
    if (round < pieces.count()) {
      piece = pieces[round];
      bytes = static_cast<int>(local.bytes(piece));
      outcome.note(in_file.view(handle, piece));
    } else {
      outcome.note(MPI_File_set_view(handle, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    }
    move(local, buffer.get(), piece, bytes);
    file.watch(static_cast<double>(round + 1) / static_cast<double>(rounds));
  }
}

Header named_header(std::string const& path, std::string_view begin, Index file_bytes) {
  try {
    return parse_header(begin, file_bytes);
  } catch (Error const& error) {
    throw Error(text(path, ": ", error.what()));
  }
}

Header header_of(std::string const& path) {
  return named_header(path, first_bytes(path, most_header_bytes), length_of(path));
}

// Throws on all ranks unless the file still has the header that was read, and all its data. It may
// have been replaced or cut since then.
void require_as_it_was(File const& file) {
  require_same_file(file.path, file.comm);
  mpi::together(file.comm, [&] {
    if (mpi::rank_of(file.comm) != 0) return;
    bool const has_header = file.header.data_offset > 0;
    require(!has_header || header_of(file.path) == file.header, file.path,
            ": it was replaced by another array after its header was read");
    Index const found = length_of(file.path), needed = file.header.file_bytes();
    require(found >= needed, file.path, ": it became shorter after its header was read: ", needed,
            " bytes are needed, ", found, " are left");
  });
}

// Reads this rank's part piece by piece; take(local, piece, buffer) gets each in the order of the
// file.
template <class Take>
void read_pieces(File const& file, Layout const& layout, Take const& take) {
  require_as_it_was(file);
  OpenFile const opened(file, file.path, MPI_MODE_RDONLY);
  Outcome outcome;
  auto const read_piece = [&](LocalArray const& local, std::byte* buffer, Box const& piece,
                              int bytes) {
    MPI_Status status;
    int const code = read_bytes(opened.handle(), buffer, bytes, MPI_BYTE, &status);
    outcome.note(code, status, bytes);
    if (bytes > 0) take(local, piece, buffer);
  };
  move_pieces(file, opened.handle(), layout, outcome, read_piece);
  outcome.agree(file.comm, file.path + ": cannot be read");
  // ROMIO counts the bytes that a collective call should read, not those that it found.
  require_length(file.path, file.header.file_bytes(), file.comm);
}

// Reverses the bytes of each number.
void swap_numbers(Type const& type, std::byte* elements, Index bytes) {
  Index const number = type.kind == Type::Kind::complex ? type.bytes / 2 : type.bytes;
  for (Index at = 0; at < bytes; at += number) std::reverse(elements + at, elements + at + number);
}

}  // namespace

Header read_header(std::string const& path, MPI_Comm comm) {
  std::string begin;
  Index file_bytes = 0;
  mpi::together(comm, [&] {
    if (mpi::rank_of(comm) != 0) return;
    begin = first_bytes(path, most_header_bytes);
    file_bytes = length_of(path);
  });
  begin = mpi::broadcast(comm, begin);
  mpi::broadcast(comm, &file_bytes, sizeof file_bytes);
  return named_header(path, begin, file_bytes);
}

template <class Element>
void read(File const& file, Layout const& layout, Element* data) {
  Convert<Element> const convert = conversion<Element>(file.header.type);
  read_pieces(file, layout, [&](LocalArray const& local, Box const& piece, std::byte const* from) {
    Index const count = piece.ranges.back().count();
    local.for_each_row(piece, [&](Index first) {
      convert({from, file.header.type.swapped, data + first, local.row_stride(), count});
      from += count * file.header.type.bytes;
    });
  });
}

void read_as_stored(File const& file, Layout const& layout, void* data) {
  read_pieces(file, layout, [&](LocalArray const& local, Box const& piece, std::byte* buffer) {
    if (file.header.type.swapped) swap_numbers(file.header.type, buffer, local.bytes(piece));
    local.scatter(piece, buffer, data);
  });
}

void write(File const& file, Layout const& layout, void const* data) {
  CollectiveNewFile beside(file.path, file.comm, file.header.file_bytes());
  mpi::together(file.comm, [&] {
    bool const has_header = file.header.data_offset > 0;
    if (mpi::rank_of(file.comm) == 0 && has_header) beside.write(header_text(file.header));
  });
  write_data(file, beside.name(), layout, data);
  beside.keep();
}

void write_data(File const& file, std::string const& name, Layout const& layout, void const* data) {
  require_opens_for_writing(file.path, name, file.comm);
  OpenFile opened(file, name, MPI_MODE_WRONLY);
  Outcome outcome;
  auto const write_piece = [&](LocalArray const& local, std::byte* buffer, Box const& piece,
                               int bytes) {
    if (bytes > 0) local.gather(piece, data, buffer);
    MPI_Status status;
    int const code = write_bytes(opened.handle(), buffer, bytes, MPI_BYTE, &status);
    outcome.note(code, status, bytes);
  };
  move_pieces(file, opened.handle(), layout, outcome, write_piece);
  outcome.agree(file.comm, file.path + ": cannot be written");
  opened.close();
}

template void read(File const&, Layout const&, float*);
template void read(File const&, Layout const&, double*);
template void read(File const&, Layout const&, std::complex<float>*);
template void read(File const&, Layout const&, std::complex<double>*);

}  // namespace sixstep::files::npy
