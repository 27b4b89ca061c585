// SPDX-License-Identifier: BSD-3-Clause
// Arrays in .npy files: every element's bytes say which it is, and are looked for where another
// layout has it, and by rank 0 in the file itself.
#include "files.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <string>
#include <vector>

#include "files/npy.hpp"
#include "most_bytes.hpp"
#include "refuses.hpp"
#include "sixstep/files.hpp"

namespace sixstep {
namespace {

using namespace ::files;
namespace npy = sixstep::files::npy;

/// What a .npy file of an array in C or in Fortran order has behind its header.
std::string npy_data(Shape const& shape, ElementType type, bool fortran) {
  int const bytes = bytes_of(type);
  std::string data(at(oracle::points_of(shape) * bytes), '\0');
  oracle::for_each_point(shape, [&](Shape const& point) {
    Shape extents = shape, from = point;
    if (fortran) {
      std::reverse(extents.begin(), extents.end());
      std::reverse(from.begin(), from.end());
    }
    Index const place = oracle::number_of(extents, from);
    for (int byte = 0; byte < bytes; ++byte)
      data[at(place * bytes + byte)] =
          static_cast<char>(byte_of(type, oracle::number_of(shape, point), byte));
  });
  return data;
}

/// A file with any header that fits in 256 bytes.
std::string npy_file(std::string const& header, std::string const& data) {
  std::string const padded = header + std::string(117 - header.size() % 64, ' ') + "\n";
  std::string file = std::string("\x93NUMPY") + '\1' + '\0';
  file += {static_cast<char>(padded.size() & 0xff), static_cast<char>(padded.size() >> 8)};
  return file + padded + data;
}

TEST(npy, comes_from_any_layout_and_goes_to_any) {
  Folder const folder;
  Random random(1);
  for (int round = 0; round < ranks::rounds(100) && !ranks::failed_anywhere(); ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 4), 300);
    Layout const from = random_array(random, shape), to = random_array(random, shape);
    ElementType const type = random_type(random);
    std::string const path = folder / "a.npy";
    save_npy(path, from, MPI_COMM_WORLD, array_of(from, type).data(), type);
    if (ranks::rank() == 0) {
      std::string const data = npy_data(shape, type, false), file = content_of(path);
      EXPECT_EQ(file.size() % 64, data.size() % 64);
      EXPECT_TRUE(file.ends_with(data)) << cases::describe(from) << to_string(type);
      EXPECT_EQ(folder.names(), std::vector<std::string>{"a.npy"});
    }
    EXPECT_EQ(npy_header(path, MPI_COMM_WORLD), (FileHeader{shape, type}));
    Bytes loaded = blank_array(to, type);
    load_npy(path, to, MPI_COMM_WORLD, loaded.data(), type);
    EXPECT_TRUE(ranks::everywhere(loaded == array_of(to, type)))
        << cases::describe(to) << to_string(type);
  }
}

TEST(npy, may_be_in_fortran_order) {
  Folder const folder;
  Random random(2);
  for (int round = 0; round < ranks::rounds(50) && !ranks::failed_anywhere(); ++round) {
    Shape const shape = cases::random_shape(random, 3, 200);
    Layout const to = random_array(random, shape);
    std::string const path = folder / "f.npy";
    write_file(path, npy_file(text("{'descr': '<f4', 'fortran_order': True, 'shape': (", shape[0],
                                   ", ", shape[1], ", ", shape[2], "), }"),
                              npy_data(shape, ElementType::float32, true)));
    Bytes loaded = blank_array(to, ElementType::float32);
    load_npy(path, to, MPI_COMM_WORLD, loaded.data(), ElementType::float32);
    EXPECT_TRUE(ranks::everywhere(loaded == array_of(to, ElementType::float32)))
        << cases::describe(to);
  }
}

TEST(npy, may_be_in_the_other_byte_order) {
  Folder const folder;
  std::string const path = folder / "swapped.npy";
  // 1 + 2i and 3 - 4i, the most significant byte first.
  std::string const data(
      "\x3f\xf0\0\0\0\0\0\0\x40\0\0\0\0\0\0\0"
      "\x40\x08\0\0\0\0\0\0\xc0\x10\0\0\0\0\0\0",
      32);
  write_file(path, npy_file("{'descr': '>c16', 'fortran_order': False, 'shape': (2,), }", data));
  Array<std::complex<double>> a(Shape{2}, MPI_COMM_WORLD);
  load_npy(path, a);
  EXPECT_EQ(a.at({0}), std::complex<double>(1, 2));
  EXPECT_EQ(a.at({1}), std::complex<double>(3, -4));
}

TEST(npy, takes_global_arrays) {
  Folder const folder;
  Ranks const all(MPI_COMM_WORLD);
  Array<float> a(Shape{7, 5}, all);
  a.fill([](Shape const& i) { return 10 * i[0] + i[1]; });
  save_npy(folder / "a.npy", a);
  Array<float> b(Layout::slab({7, 5}, all.size(), 1), all);
  load_npy(folder / "a.npy", b);
  EXPECT_EQ(max_norm(b - a), 0);
  EXPECT_EQ(b.at({6, 4}), 64);
}

TEST(npy, of_no_points_is_a_header) {
  Folder const folder;
  Layout const none = Layout::slab({3, 0}, ranks::count());
  save_npy(folder / "none.npy", none, MPI_COMM_WORLD, nullptr, ElementType::int8);
  load_npy(folder / "none.npy", none, MPI_COMM_WORLD, nullptr, ElementType::int8);
  EXPECT_EQ(npy_header(folder / "none.npy", MPI_COMM_WORLD).shape, (Shape{3, 0}));
}

TEST(npy, is_refused_by_all_ranks_alike) {
  Folder const folder;
  Layout const layout = Layout::slab({4, 3}, ranks::count());
  auto const save = [&](std::string const& path, ElementType type = ElementType::float64) {
    Bytes const array = array_of(layout, type);
    save_npy(path, layout, MPI_COMM_WORLD, array.data(), type);
  };
  auto const load = [&](std::string const& path, Layout const& to, ElementType type) {
    Bytes array = blank_array(to, type);
    load_npy(path, to, MPI_COMM_WORLD, array.data(), type);
    EXPECT_EQ(array, blank_array(to, type));
  };
  std::string const path = folder / "a.npy", other = folder / "b.npy";
  save(path);
  write_file(other, "no array");
  auto const as = [&](Layout const& to, ElementType type = ElementType::float64) {
    return [&, to, type] { load(path, to, type); };
  };
  auto const slab = [](Shape const& shape) { return Layout::slab(shape, ranks::count()); };
  EXPECT_TRUE(refuses(path, {"4 x 4 is needed", "has 4 x 3"}, as(slab({4, 4}))));
  EXPECT_TRUE(refuses(path, {"12 is needed", "has 4 x 3"}, as(slab({12}))));
  EXPECT_TRUE(refuses(path, {"complex64", "are float64"}, as(layout, ElementType::complex64)));
  EXPECT_TRUE(refuses("layout", {"ranks"}, as(Layout::slab({4, 3}, ranks::count() + 1))));
  EXPECT_TRUE(refuses("local", {"null"}, [&] {
    load_npy(path, slab({8 * ranks::count()}), MPI_COMM_WORLD, nullptr, ElementType::int8);
  }));
  EXPECT_TRUE(refuses(other, {"not an .npy file"}, [&] { npy_header(other, MPI_COMM_WORLD); }));
  std::string const number = folder / "number.npy";
  write_file(number, npy_file("{'descr': '<f8', 'fortran_order': False, 'shape': (), }",
                              std::string(8, 0)));
  EXPECT_TRUE(refuses(number, {"no axes"}, [&] { load(number, layout, ElementType::float64); }));
  std::string const zero = path + std::string("\0", 1) + ".npy";
  EXPECT_TRUE(refuses("'" + path + "\\0.npy'", {"zero byte"}, [&] { save(zero); }));
  EXPECT_TRUE(refuses("'" + path + "\\0.npy'", {"zero byte"},
                      [&] { load(zero, layout, ElementType::float64); }));
  std::string const missing = folder / "missing.npy", nowhere = folder / "no/folder.npy";
  EXPECT_TRUE(refuses(missing, {"No such file"}, [&] { npy_header(missing, MPI_COMM_WORLD); }));
  EXPECT_TRUE(refuses(nowhere, {"No such file"}, [&] { save(nowhere); }));
  EXPECT_TRUE(refuses("/dev/full", {"not a regular file"}, [&] { save("/dev/full"); }));
  if (ranks::count() > 1) {
    EXPECT_TRUE(refuses("type", {"all ranks must give the same"}, [&] {
      save(path, ranks::rank() == 0 ? ElementType::float32 : ElementType::float64);
    }));
  }
  auto const messages = ranks::gather(message_of([&] { save(nowhere); }));
  EXPECT_EQ(messages, std::vector(messages.size(), messages[0]));
}

TEST(npy, is_there_as_a_whole_or_as_it_was) {
  Folder const folder;
  std::string const path = folder / "a.npy";
  write_file(path, "before");
  write_file(path + ".new", "a file of the user's");
  Layout const layout = Layout::slab({400, 30}, ranks::count());
  Bytes const array = array_of(layout, ElementType::float64);
  auto const save = [&] {
    save_npy(path, layout, MPI_COMM_WORLD, array.data(), ElementType::float64);
  };
  {
    MostBytes const limit(1000);
    EXPECT_TRUE(refuses(path, {"96128 bytes cannot be written", "ulimit -f"}, save));
  }
  if (ranks::count() > 1) {  // only the last rank notices that it does not fit
    MostBytes const limit(ranks::rank() == ranks::count() - 1 ? 90'000 : RLIM_INFINITY);
    EXPECT_TRUE(refuses(path, {"cannot be written"}, save));
  }
  MPI_Barrier(MPI_COMM_WORLD);  // rank 0 has removed what it could not complete
  EXPECT_TRUE(content_of(path) == "before");
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"a.npy", "a.npy.new"}));
  MPI_Barrier(MPI_COMM_WORLD);
  save();
  EXPECT_TRUE(content_of(path).ends_with(npy_data({400, 30}, ElementType::float64, false)));
  EXPECT_EQ(content_of(path + ".new"), "a file of the user's");
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"a.npy", "a.npy.new"}));
}

TEST(npy, of_a_rank_of_its_own_is_refused) {
  if (ranks::count() == 1) return;
  Folder const folder;
  OwnFolder const own(folder);
  Layout const layout = Layout::slab({40, 3}, ranks::count());
  Bytes array = array_of(layout, ElementType::float64);
  auto const load = [&] {
    load_npy("a.npy", layout, MPI_COMM_WORLD, array.data(), ElementType::float64);
  };
  auto const write = [](Shape const& shape) {
    std::ofstream("a.npy", std::ios::binary)
        << npy_file(text("{'descr': '<f8', 'fortran_order': False, 'shape': (", shape[0], ", ",
                         shape[1], "), }"),
                    npy_data(shape, ElementType::float64, false));
  };
  // On rank 0 alone, in another shape on the last rank, and with fewer bytes there.
  if (ranks::rank() == 0) write({40, 3});
  EXPECT_TRUE(refuses("a.npy", {"No such file", "rank 1"}, load));
  write(ranks::rank() == ranks::count() - 1 ? Shape{20, 6} : Shape{40, 3});
  EXPECT_TRUE(refuses("a.npy", {"differ", "need the same file"}, load));
  write({40, 3});
  if (ranks::rank() == ranks::count() - 1) fs::resize_file("a.npy", 500);
  EXPECT_TRUE(refuses("a.npy", {"1088 bytes", "500", "need the same file"}, load));
  auto const save = [&] {
    save_npy("b.npy", layout, MPI_COMM_WORLD, array.data(), ElementType::float64);
  };
  EXPECT_TRUE(refuses("b.npy", {"cannot be written", "rank 1 cannot open"}, save));
  EXPECT_FALSE(fs::exists("b.npy"));
}

TEST(npy, that_changes_after_its_header_was_read_is_refused) {
  Folder const folder;
  std::string const path = folder / "a.npy";
  Layout const layout = Layout::slab({40, 3}, ranks::count());
  Bytes array = array_of(layout, ElementType::float64);
  save_npy(path, layout, MPI_COMM_WORLD, array.data(), ElementType::float64);
  npy::File const file{path, npy::read_header(path, MPI_COMM_WORLD), MPI_COMM_WORLD};
  auto const read = [&] { npy::read_as_stored(file, layout, array.data()); };
  auto const on_rank_0 = [](auto const& action) {
    if (ranks::rank() == 0) action();
    MPI_Barrier(MPI_COMM_WORLD);
  };
  read();
  on_rank_0([&] { fs::resize_file(path, 1087); });
  EXPECT_TRUE(refuses(path, {"truncated"}, read));
  on_rank_0([&] { fs::remove(path); });
  EXPECT_TRUE(refuses(path, {"No such file"}, read));
  Layout const other = Layout::slab({20, 6}, ranks::count());
  save_npy(path, other, MPI_COMM_WORLD, array_of(other, ElementType::float64).data(),
           ElementType::float64);
  EXPECT_TRUE(refuses(path, {"replaced by another array"}, read));
}

TEST(npy, that_shrinks_while_it_is_read_is_refused) {
  Folder const folder;
  std::string const path = folder / "raw";
  constexpr Index elements = 5'000'000;  // two pieces
  write_file(path, "");
  if (ranks::rank() == 0) fs::resize_file(path, 8 * elements);
  MPI_Barrier(MPI_COMM_WORLD);
  std::vector<Box> boxes(static_cast<std::size_t>(ranks::count()), Box{{{0, 0}}});
  boxes[0] = Box{{{0, elements}}};
  std::vector<double> array(ranks::rank() == 0 ? at(elements) : 0);
  auto const cut = [&](double share) {
    if (ranks::rank() == 0 && share < 1) fs::resize_file(path, 4 * elements);
  };
  npy::Header const header{npy::type_of<double>(), {elements}};
  auto const read = [&] {
    npy::read({path, header, MPI_COMM_WORLD, cut}, Layout::boxes({elements}, boxes), array.data());
  };
  EXPECT_TRUE(refuses(path, {}, read));
}

}  // namespace
}  // namespace sixstep
