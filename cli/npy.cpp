// SPDX-License-Identifier: BSD-3-Clause
// NumPy's .npy files, read and written by all ranks at once with MPI-IO.
//
// A rank's part is moved in pieces of at most 32 MiB: a piece is read from the file as it lies
// there and converted into the local array, whatever the order of that; or the other way round.
// Every piece is one collective call, and all ranks make the same number of them.
#include "npy.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "local/transform.hpp"
#include "ranks.hpp"

namespace sixstep::npy {
namespace {

constexpr Index piece_bytes = Index{32} << 20;

// The local positions [0, count) along each axis of a rank's part, cut into pieces of at most
// `most` points: whole along the fast axes, blocks of one axis, single positions of the slow ones.
class Pieces {
 public:
  Pieces(Shape const& counts, Index most) : counts_(counts), cut_(counts.size() - 1) {
    if (volume(counts) == 0) return;
    Index inner = 1;
    for (; cut_ > 0 && inner * counts[cut_] <= most; --cut_) inner *= counts[cut_];
    block_ = std::max<Index>(1, most / inner);
    blocks_ = (counts[cut_] + block_ - 1) / block_;
    count_ = blocks_;
    for (int axis = 0; axis < cut_; ++axis) count_ *= counts[axis];
  }

  Index count() const { return count_; }

  Box operator[](Index piece) const {
    Box box;
    for (Index const count : counts_) box.ranges.push_back({0, count});
    Index const lo = piece % blocks_ * block_;
    box.ranges[cut_] = {lo, std::min(lo + block_, counts_[cut_])};
    Index outer = piece / blocks_;
    for (int axis = cut_; axis-- > 0; outer /= counts_[axis])
      box.ranges[axis] = {outer % counts_[axis], outer % counts_[axis] + 1};
    return box;
  }

 private:
  Shape counts_;
  int cut_;
  Index block_ = 1;
  Index blocks_ = 0;
  Index count_ = 0;
};

// Calls row(position) for every row along the last axis of `piece`, with the row's first position,
// in the order of the file.
template <class Row>
void for_each_row(Box const& piece, Row const& row) {
  Shape position;
  for (Range const& range : piece.ranges) position.push_back(range.lo);
  int axis = 0;
  do {
    row(position);
    for (axis = piece.axes() - 2; axis >= 0; --axis) {
      if (++position[axis] < piece.ranges[axis].hi) break;
      position[axis] = piece.ranges[axis].lo;
    }
  } while (axis >= 0);
}

// Where a rank's part lies: in its memory, and in the file.
class Part {
 public:
  Part(Header const& header, Layout const& layout, int rank)
      : box_(layout.box(rank)),
        local_strides_(layout.strides(rank)),
        element_bytes_(header.type.bytes),
        data_offset_(header.data_offset) {
    Index stride = element_bytes_;
    file_strides_ = Shape(box_.axes(), 0);
    for (int axis = box_.axes(); axis-- > 0; stride *= layout.shape()[axis]) {
      file_strides_[axis] = stride * box_.ranges[axis].step;
      data_offset_ += stride * box_.ranges[axis].lo;
    }
  }

  Pieces pieces() const { return {box_.shape(), piece_bytes / element_bytes_}; }

  // Elements between the first of the local array and the one at `position`.
  Index local_offset(Shape const& position) const {
    Index offset = 0;
    for (int axis = 0; axis < position.size(); ++axis)
      offset += position[axis] * local_strides_[axis];
    return offset;
  }
  // Elements between neighbours of a row in the local array.
  Index row_stride() const { return local_strides_.back(); }

  // Makes the bytes of `piece` all that is seen of `file`. Collective.
  int view(MPI_File file, Box const& piece) const {
    Shape const counts = piece.shape();
    MPI_Offset start = data_offset_;
    for (int axis = 0; axis < counts.size(); ++axis)
      start += piece.ranges[axis].lo * file_strides_[axis];

    // What is contiguous first: a type of fewer, longer runs is faster to work with.
    Index run = element_bytes_;
    int axis = counts.size() - 1;
    for (; axis >= 0 && (counts[axis] == 1 || file_strides_[axis] == run); --axis)
      run *= counts[axis];
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(static_cast<int>(run), MPI_BYTE, &type);
    for (; axis >= 0; --axis) {
      MPI_Datatype inner = type;
      MPI_Type_create_hvector(static_cast<int>(counts[axis]), 1, file_strides_[axis], inner, &type);
      MPI_Type_free(&inner);
    }
    MPI_Type_commit(&type);
    int const code = MPI_File_set_view(file, start, MPI_BYTE, type, "native", MPI_INFO_NULL);
    MPI_Type_free(&type);
    return code;
  }

 private:
  Box box_;
  Shape local_strides_;  // in elements
  Shape file_strides_;   // in bytes
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

// A row of elements as they lie in a file, and their places in a local array.
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

// The first failure of a row of MPI calls; later calls are made all the same, since others wait for
// them.
class Outcome {
 public:
  void note(int code) {
    if (code_ == MPI_SUCCESS) code_ = code;
  }
  // Throws on all ranks if a call failed on any. Collective.
  void agree(MPI_Comm comm, std::string const& what) const {
    std::string failure;
    if (code_ != MPI_SUCCESS) {
      std::array<char, MPI_MAX_ERROR_STRING> words{};
      int length = 0;
      MPI_Error_string(code_, words.data(), &length);
      // It may be a stack of calls, a line each; the last tells what the system said.
      std::string_view const lines(words.data());
      failure = text(what, ": ", lines.substr(lines.rfind('\n') + 1));
    }
    mpi::agree(comm, failure);
  }

 private:
  int code_ = MPI_SUCCESS;
};

// ROMIO takes what is before a colon for the name of a file system; "ufs" is any.
std::string name_for_mpi(std::string const& path) {
#ifdef ROMIO_VERSION
  if (path.find(':') != std::string::npos) return "ufs:" + path;
#endif
  return path;
}

class OpenFile {
 public:
  OpenFile(File const& file, int mode) : path_(file.path), comm_(file.comm) {
    Outcome opened;
    std::string const name = name_for_mpi(path_);
    opened.note(MPI_File_open(comm_, name.c_str(), mode, MPI_INFO_NULL, &handle_));
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
    closed.note(MPI_File_close(&handle_));
    closed.agree(comm_, path_ + ": cannot be closed");
  }

 private:
  std::string path_;
  MPI_Comm comm_;
  MPI_File handle_ = MPI_FILE_NULL;
};

// Moves this rank's part piece by piece. move(buffer, piece, n) makes the collective call for the n
// bytes of the piece, which are all that the file's view shows; n may be 0.
template <class Move>
void move_pieces(File const& file, MPI_File handle, Part const& part, Outcome& outcome,
                 Move const& move) {
  Pieces const pieces = part.pieces();
  Index const rounds = cli::max_over(file.comm, pieces.count());
  std::unique_ptr<std::byte[]> buffer;
  mpi::together(file.comm, [&] {
    Index largest = 0;
    if (pieces.count() > 0) largest = pieces[0].volume() * file.header.type.bytes;
    buffer = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(largest));
  });
  for (Index round = 0; round < rounds; ++round) {
    Box piece;
    int bytes = 0;
    if (round < pieces.count()) {
      piece = pieces[round];
      bytes = static_cast<int>(piece.volume() * file.header.type.bytes);
      outcome.note(part.view(handle, piece));
    } else {
      outcome.note(MPI_File_set_view(handle, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    }
    move(buffer.get(), piece, bytes);
    file.watch(static_cast<double>(round + 1) / static_cast<double>(rounds));
  }
}

std::string reason() { return std::strerror(errno); }

std::pair<std::string, Index> first_bytes(std::string const& path) {
  std::error_code failure;
  auto const status = std::filesystem::status(path, failure);
  require(!path.empty(), "'': cannot be read: no name was given");
  require(std::filesystem::exists(status), path, ": ",
          failure ? failure.message() : "no such file");
  require(std::filesystem::is_regular_file(status), path + ": not a file");
  std::ifstream file(path, std::ios::binary);
  require(file.is_open(), path, ": cannot be opened: ", reason());
  std::string bytes(most_header_bytes, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return {bytes, static_cast<Index>(std::filesystem::file_size(path))};
}

void require_writable_here(std::string const& path, std::string const& input) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  require(!path.empty(), "'': cannot be written: no name was given");
  bool const existed = fs::exists(path, ignored);
  if (existed) {
    require(!fs::equivalent(path, input, ignored),
            path + ": the output would overwrite the input; name another file");
    require(fs::is_regular_file(path, ignored), path + ": not a file");
  }
  int const descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT, 0666);
  require(descriptor >= 0, path, ": cannot be written: ", reason());
  ::close(descriptor);
  if (!existed) fs::remove(fs::canonical(path, ignored), ignored);  // a link stays
}

// A new file of this many bytes, all of them reserved where the file system can do so: a disk that
// is full then says so here. Some MPI libraries do not notice it when they write.
void create(std::string const& path, Index bytes) {
  int const descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  require(descriptor >= 0, path, ": cannot be written: ", reason());
  bool reserved = true;
#ifdef __linux__
  reserved = ::fallocate(descriptor, 0, 0, bytes) == 0 || errno == EOPNOTSUPP || errno == ENOSYS;
#endif
  bool const sized = reserved && ::ftruncate(descriptor, bytes) == 0;
  std::string const why = reason();
  ::close(descriptor);
  require(sized, path, ": ", bytes, " bytes cannot be written: ", why);
}

void remove_on_rank_0(File const& file) {
  std::error_code ignored;
  if (cli::rank_of(file.comm) == 0) std::filesystem::remove(file.path, ignored);
}

}  // namespace

Header read_header(std::string const& path, MPI_Comm comm) {
  std::string begin;
  Index file_bytes = 0;
  mpi::together(comm, [&] {
    if (cli::rank_of(comm) == 0) std::tie(begin, file_bytes) = first_bytes(path);
  });
  begin = cli::broadcast(comm, begin);
  MPI_Bcast(&file_bytes, 1, MPI_INT64_T, 0, comm);
  try {
    return parse_header(begin, file_bytes);
  } catch (Error const& error) {
    throw Error(text(path, ": ", error.what()));
  }
}

void require_writable(std::string const& path, std::string const& input, MPI_Comm comm) {
  mpi::together(comm, [&] {
    if (cli::rank_of(comm) == 0) require_writable_here(path, input);
  });
}

template <class Element>
void read(File const& file, Layout const& layout, Element* data) {
  OpenFile const opened(file, MPI_MODE_RDONLY);
  Part const part(file.header, layout, cli::rank_of(file.comm));
  Convert<Element> const convert = conversion<Element>(file.header.type);
  Outcome outcome;
  auto const load_piece = [&](std::byte* buffer, Box const& piece, int bytes) {
    MPI_Status status;
    outcome.note(MPI_File_read_all(opened.handle(), buffer, bytes, MPI_BYTE, &status));
    if (bytes == 0) return;
    std::byte const* from = buffer;
    Index const count = piece.ranges.back().count();
    for_each_row(piece, [&](Shape const& position) {
      convert({from, file.header.type.swapped, data + part.local_offset(position),
               part.row_stride(), count});
      from += count * file.header.type.bytes;
    });
  };
  move_pieces(file, opened.handle(), part, outcome, load_piece);
  outcome.agree(file.comm, file.path + ": cannot be read");
}

template <class Element>
void write(File const& file, Layout const& layout, Element const* data) try {
  mpi::together(file.comm, [&] {
    if (cli::rank_of(file.comm) == 0) create(file.path, file.header.file_bytes());
  });
  OpenFile opened(file, MPI_MODE_WRONLY);
  Part const part(file.header, layout, cli::rank_of(file.comm));
  Outcome outcome;
  if (cli::rank_of(file.comm) == 0) {
    std::string const begin = header_text(file.header);
    outcome.note(MPI_File_write_at(opened.handle(), 0, begin.data(), static_cast<int>(begin.size()),
                                   MPI_BYTE, MPI_STATUS_IGNORE));
  }
  auto const store_piece = [&](std::byte* buffer, Box const& piece, int bytes) {
    auto* to = reinterpret_cast<Element*>(buffer);
    Index const stride = part.row_stride();
    if (bytes > 0)
      for_each_row(piece, [&](Shape const& position) {
        Element const* const from = data + part.local_offset(position);
        for (Index i = 0; i < piece.ranges.back().count(); ++i) *to++ = from[i * stride];
      });
    outcome.note(MPI_File_write_all(opened.handle(), buffer, bytes, MPI_BYTE, MPI_STATUS_IGNORE));
  };
  move_pieces(file, opened.handle(), part, outcome, store_piece);
  outcome.agree(file.comm, file.path + ": cannot be written");
  opened.close();
} catch (Error const&) {
  // Part of a spectrum looks like a spectrum.
  remove_on_rank_0(file);
  throw;
}

template void read(File const&, Layout const&, float*);
template void read(File const&, Layout const&, double*);
template void write(File const&, Layout const&, float const*);
template void write(File const&, Layout const&, double const*);
template void read(File const&, Layout const&, std::complex<float>*);
template void read(File const&, Layout const&, std::complex<double>*);
template void write(File const&, Layout const&, std::complex<float> const*);
template void write(File const&, Layout const&, std::complex<double> const*);

}  // namespace sixstep::npy
