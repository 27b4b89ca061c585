// SPDX-License-Identifier: BSD-3-Clause
// What the tests of files share: folders, and arrays in which every byte says where it belongs.
#pragma once

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cases.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "sixstep/files.hpp"

namespace files {

using sixstep::bytes_of;
using sixstep::ElementType;
using sixstep::Index;
using sixstep::Layout;
using sixstep::Shape;

namespace fs = std::filesystem;
using cases::Random;
using oracle::at;
using Bytes = std::vector<std::uint8_t>;

inline constexpr std::uint8_t blank = 0xee;

/// A folder of the test's own on all ranks, which goes with it.
class Folder {
 public:
  Folder() {
    int id = static_cast<int>(getpid());
    MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD);
    path_ = fs::temp_directory_path() / sixstep::text("sixstep_files_", id);
    if (ranks::rank() == 0) fs::create_directories(path_);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  ~Folder() {
    MPI_Barrier(MPI_COMM_WORLD);
    if (ranks::rank() == 0) fs::remove_all(path_);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  std::string operator/(std::string const& name) const { return (path_ / name).string(); }
  /// Names of what lies there.
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (auto const& entry : fs::directory_iterator(path_))
      found.push_back(entry.path().filename().string());
    std::ranges::sort(found);
    return found;
  }

 private:
  fs::path path_;
};

/// As long as it lives, each rank works in a folder of its own, as on nodes with disks of their
/// own.
class OwnFolder {
 public:
  explicit OwnFolder(Folder const& folder) : before_(fs::current_path()) {
    fs::path const own = folder / std::to_string(ranks::rank());
    fs::create_directories(own);
    fs::current_path(own);
  }
  ~OwnFolder() { fs::current_path(before_); }
  OwnFolder(OwnFolder const&) = delete;
  OwnFolder& operator=(OwnFolder const&) = delete;

 private:
  fs::path before_;
};

inline void write_file(std::string const& path, std::string const& content) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (ranks::rank() == 0) std::ofstream(path, std::ios::binary) << content;
  MPI_Barrier(MPI_COMM_WORLD);
}

inline std::string content_of(std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The byte of the element with this global number.
inline std::uint8_t byte_of(ElementType type, Index number, int byte) {
  if (type == ElementType::boolean) return number % 3 == 0;
  auto const bits = static_cast<std::uint64_t>(1 + 16 * number + byte) * 0x9e3779b97f4a7c15;
  return static_cast<std::uint8_t>(bits >> 56);
}

/// The array of this rank; ghosts are blank.
inline Bytes array_of(Layout const& layout, ElementType type) {
  int const bytes = bytes_of(type);
  Bytes array(at(bytes * layout.array_size(ranks::rank())), blank);
  oracle::for_each_point(layout.box(ranks::rank()), [&](Shape const& point) {
    Index const place = oracle::place_of(layout, ranks::rank(), point);
    Index const number = oracle::number_of(layout.shape(), point);
    for (int byte = 0; byte < bytes; ++byte)
      array[at(place * bytes + byte)] = byte_of(type, number, byte);
  });
  return array;
}

inline Bytes blank_array(Layout const& layout, ElementType type) {
  return Bytes(at(bytes_of(type) * layout.array_size(ranks::rank())), blank);
}

inline Layout random_array(Random& random, Shape const& shape) {
  return cases::with_random_ghosts(random, cases::random_layout(random, shape, ranks::count()), 2);
}

inline ElementType random_type(Random& random) {
  return static_cast<ElementType>(random.between(0, static_cast<int>(ElementType::complex128)));
}

}  // namespace files
