// SPDX-License-Identifier: BSD-3-Clause
// Arrays in HDF5 files: every element's bytes say which it is, and are looked for where another
// layout has it. What the file is to others, tests/hdf5 asks h5py.
#include <gtest/gtest.h>
#include <mpi.h>

#include <complex>
#include <string>
#include <vector>

#include "files.hpp"
#include "most_bytes.hpp"
#include "refuses.hpp"
#include "sixstep/files.hpp"

namespace sixstep {
namespace {

using namespace ::files;

void save(std::string const& path, std::string const& name, Layout const& layout,
          ElementType type) {
  save_hdf5(path, name, layout, MPI_COMM_WORLD, array_of(layout, type).data(), type);
}

bool loads(std::string const& path, std::string const& name, Layout const& to, ElementType type) {
  Bytes loaded = blank_array(to, type);
  load_hdf5(path, name, to, MPI_COMM_WORLD, loaded.data(), type);
  return ranks::everywhere(loaded == array_of(to, type));
}

TEST(hdf5, comes_from_any_layout_and_goes_to_any) {
  Folder const folder;
  Random random(1);
  for (int round = 0; round < ranks::rounds(60) && !ranks::failed_anywhere(); ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 4), 300);
    Layout const from = random_array(random, shape), to = random_array(random, shape);
    ElementType const type = random_type(random);
    std::string const path = folder / text(round, ".h5");
    save(path, "a", from, type);
    EXPECT_EQ(hdf5_header(path, "a", MPI_COMM_WORLD), (FileHeader{shape, type}));
    EXPECT_TRUE(loads(path, "a", to, type))
        << cases::describe(from) << " to " << cases::describe(to) << to_string(type);
  }
}

TEST(hdf5, is_read_by_any_number_of_ranks) {
  Folder const folder;
  Layout const layout = Layout::pencil({6, 5, 4}, ranks::count());
  save(folder / "a.h5", "a", layout, ElementType::complex64);
  Layout const alone = Layout::slab({6, 5, 4}, 1);
  if (ranks::rank() == 0) {
    std::vector<std::uint8_t> loaded(8 * 120);
    load_hdf5(folder / "a.h5", "a", alone, MPI_COMM_SELF, loaded.data(), ElementType::complex64);
    for (std::size_t i = 0; i < loaded.size(); ++i)
      EXPECT_EQ(loaded[i], byte_of(ElementType::complex64, static_cast<Index>(i / 8),
                                   static_cast<int>(i % 8)));
  }
}

TEST(hdf5, has_datasets_in_groups_that_are_replaced) {
  Folder const folder;
  std::string const path = folder / "a.h5";
  auto const slab = [](Shape const& shape) { return Layout::slab(shape, ranks::count()); };
  save(path, "fields/u", slab({5, 3}), ElementType::float64);
  save(path, "fields/v", slab({4}), ElementType::int16);
  save(path, "fields/v", slab({2, 9}), ElementType::complex128);
  EXPECT_TRUE(loads(path, "fields/u", slab({5, 3}), ElementType::float64));
  EXPECT_TRUE(loads(path, "/fields/v", slab({2, 9}), ElementType::complex128));
  if (ranks::rank() == 0) {
    EXPECT_EQ(folder.names(), std::vector<std::string>{"a.h5"});
  }
}

TEST(hdf5, takes_global_arrays) {
  Folder const folder;
  Ranks const all(MPI_COMM_WORLD);
  Array<std::complex<double>> a(Shape{7, 5}, all);
  a.fill([](Shape const& i) { return std::complex<double>(double(i[0]), double(i[1])); });
  save_hdf5(folder / "a.h5", "a", a);
  Array<std::complex<double>> b(Layout::slab({7, 5}, all.size(), 1), all);
  load_hdf5(folder / "a.h5", "a", b);
  EXPECT_EQ(b.at({6, 4}), std::complex<double>(6, 4));
  EXPECT_EQ(max_norm(b - a), 0);
}

TEST(hdf5, is_refused_by_all_ranks_alike) {
  Folder const folder;
  Layout const layout = Layout::slab({4, 3}, ranks::count());
  std::string const path = folder / "a.h5", other = folder / "b.h5";
  save(path, "group/a", layout, ElementType::float64);
  write_file(other, "no array");
  auto const load = [&](std::string const& name, Shape const& shape, ElementType type) {
    return [&, name, shape, type] { loads(path, name, Layout::slab(shape, ranks::count()), type); };
  };
  using enum ElementType;
  EXPECT_TRUE(refuses(path, {"12 is needed", "has 4 x 3"}, load("group/a", {12}, float64)));
  EXPECT_TRUE(refuses(path, {"float32", "are float64"}, load("group/a", {4, 3}, float32)));
  EXPECT_TRUE(refuses(path, {"no dataset 'group/b'"}, load("group/b", {4, 3}, float64)));
  EXPECT_TRUE(refuses(path, {"no dataset 'none/a'"}, load("none/a", {4, 3}, float64)));
  EXPECT_TRUE(refuses(path, {"'group' is no dataset", "a group"}, load("group", {4, 3}, float64)));
  EXPECT_TRUE(refuses(path, {"no dataset 'group/a/b'", "'group/a' is a dataset"},
                      load("group/a/b", {4, 3}, float64)));
  std::string const missing = folder / "missing.h5", nowhere = folder / "no/folder.h5";
  EXPECT_TRUE(refuses(missing, {"No such file"}, [&] { loads(missing, "a", layout, int8); }));
  EXPECT_TRUE(refuses(nowhere, {"No such file"}, [&] { save(nowhere, "a", layout, int8); }));
  EXPECT_TRUE(refuses(other, {"not an HDF5 file"}, [&] { save(other, "a", layout, int8); }));
  EXPECT_TRUE(refuses(path, {"'group/a/b' cannot be written", "'group/a' is a dataset"},
                      [&] { save(path, "group/a/b", layout, int8); }));
  EXPECT_TRUE(refuses(path, {"'group' cannot be written", "is a group", "only a dataset"},
                      [&] { save(path, "group", layout, int8); }));
  EXPECT_TRUE(loads(path, "group/a", layout, float64));
  auto const messages = ranks::gather(message_of([&] { save(nowhere, "a", layout, int8); }));
  EXPECT_EQ(messages, std::vector(messages.size(), messages[0]));
}

TEST(hdf5, names_that_mean_nothing_are_refused_by_all_ranks_alike) {
  Folder const folder;
  std::string const path = folder / "a.h5";
  Layout const layout = Layout::slab({4, 3}, ranks::count());
  for (std::string const& name :
       {std::string(), std::string("/"), std::string("a/"), std::string("/a/"), std::string("a//b"),
        std::string("//a"), std::string("./a"), std::string("a/./b"), std::string("."),
        std::string("a\0b", 3), std::string("a\xff"), std::string("\xc0\x80"),
        std::string("\xed\xa0\x80"), std::string("\xe2\x82")}) {
    EXPECT_TRUE(
        refuses("dataset", {"was given"}, [&] { save(path, name, layout, ElementType::int8); }));
    EXPECT_TRUE(
        refuses("dataset", {"was given"}, [&] { loads(path, name, layout, ElementType::int8); }));
    EXPECT_TRUE(
        refuses("dataset", {"was given"}, [&] { hdf5_header(path, name, MPI_COMM_WORLD); }));
  }
  EXPECT_EQ(folder.names(), std::vector<std::string>());
  std::string const euro = "\xe2\x82\xac/..";
  save(path, euro, layout, ElementType::int8);
  EXPECT_TRUE(loads(path, "/" + euro, layout, ElementType::int8));
}

TEST(hdf5, on_a_full_disk_leaves_what_was_there) {
  Folder const folder;
  std::string const path = folder / "a.h5";
  Layout const layout = Layout::slab({400, 30}, ranks::count());
  Layout const small = Layout::slab({4, 3}, ranks::count());
  using enum ElementType;
  save(path, "u", small, float64);
  save(path, "v", small, int16);
  std::string const before = content_of(path);
  auto const each_fails = [&] {
    for (std::string const name : {"u", "w", "group/w"})
      EXPECT_TRUE(refuses(path, {"cannot be written"}, [&] { save(path, name, layout, float64); }));
    EXPECT_TRUE(refuses(folder / "b.h5", {"cannot be written"},
                        [&] { save(folder / "b.h5", "u", layout, float64); }));
  };
  {
    MostBytes const limit(50'000);
    each_fails();
  }
  if (ranks::count() > 1) {  // only the last rank notices that the elements do not fit
    MostBytes const limit(ranks::rank() == ranks::count() - 1 ? 50'000 : RLIM_INFINITY);
    each_fails();
  }
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_TRUE(content_of(path) == before);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.h5"});
  EXPECT_TRUE(loads(path, "u", small, float64));
  EXPECT_TRUE(refuses(path, {"no dataset 'w'"}, [&] { loads(path, "w", layout, float64); }));
  save(path, "u", layout, float64);
  EXPECT_TRUE(loads(path, "u", layout, float64));
  EXPECT_TRUE(loads(path, "v", small, int16));
}

TEST(hdf5, takes_datasets_of_several_processes_one_after_another) {
  Folder const folder;
  std::string const path = folder / "a.h5";
  save(path, "first", Layout::slab({4}, ranks::count()), ElementType::int8);
  Layout const alone = Layout::slab({50}, 1);
  for (int round = 0; round < 5; ++round) {
    std::vector<double> const mine(50, 100.0 * ranks::rank() + round);
    save_hdf5(path, text("of rank ", ranks::rank()), alone, MPI_COMM_SELF, mine.data(),
              ElementType::float64);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int rank = 0; rank < ranks::count(); ++rank) {
    std::vector<double> theirs(50);
    load_hdf5(path, text("of rank ", rank), alone, MPI_COMM_SELF, theirs.data(),
              ElementType::float64);
    EXPECT_EQ(theirs, std::vector<double>(50, 100.0 * rank + 4));
  }
}

TEST(hdf5, of_a_rank_of_its_own_is_refused) {
  if (ranks::count() == 1) return;
  Folder const folder;
  OwnFolder const own(folder);
  Layout const layout = Layout::slab({40, 3}, ranks::count());
  auto const load = [&] { loads("a.h5", "u", layout, ElementType::float64); };
  std::vector<double> const array(240);
  auto const write = [&](Shape const& shape) {
    save_hdf5("a.h5", "u", Layout::slab(shape, 1), MPI_COMM_SELF, array.data(),
              ElementType::float64);
  };
  if (ranks::rank() == 0) write({40, 3});
  EXPECT_TRUE(refuses("a.h5", {"No such file", "rank 1"}, load));
  EXPECT_TRUE(refuses("a.h5", {"cannot be written", "rank 1 cannot open"},
                      [&] { save("a.h5", "v", layout, ElementType::int8); }));
  EXPECT_TRUE(refuses("b.h5", {"cannot be written", "rank 1 cannot open"},
                      [&] { save("b.h5", "v", layout, ElementType::int8); }));
  write(ranks::rank() == ranks::count() - 1 ? Shape{80, 3} : Shape{40, 3});
  EXPECT_TRUE(refuses("a.h5", {"bytes", "need the same file"}, load));
}

TEST(hdf5, of_no_points_is_a_dataset) {
  Folder const folder;
  std::string const path = folder / "a.h5";
  Layout const none = Layout::slab({3, 0}, ranks::count());
  save(path, "none", none, ElementType::float32);
  save(path, "none", none, ElementType::float32);
  EXPECT_EQ(hdf5_header(path, "none", MPI_COMM_WORLD).shape, (Shape{3, 0}));
  EXPECT_TRUE(loads(path, "none", none, ElementType::float32));
}

}  // namespace
}  // namespace sixstep
