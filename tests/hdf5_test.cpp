// SPDX-License-Identifier: BSD-3-Clause
// Arrays in HDF5 files: every element's bytes say which it is, and are looked for where another
// layout has it. What the file is to others, tests/hdf5 asks h5py.
#include <gtest/gtest.h>
#include <mpi.h>

#include <complex>
#include <string>
#include <vector>

#include "files.hpp"
#include "refuses.hpp"
#include "sixstep/files.hpp"

namespace sixstep {
namespace {

using namespace files;

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
  EXPECT_TRUE(refuses(path, {"'group' is no dataset"}, load("group", {4, 3}, float64)));
  EXPECT_TRUE(refuses("dataset", {"name", "''"}, load("", {4, 3}, float64)));
  std::string const missing = folder / "missing.h5", nowhere = folder / "no/folder.h5";
  EXPECT_TRUE(refuses(missing, {"No such file"}, [&] { loads(missing, "a", layout, int8); }));
  EXPECT_TRUE(refuses(nowhere, {"No such file"}, [&] { save(nowhere, "a", layout, int8); }));
  EXPECT_TRUE(refuses(other, {"not an HDF5 file"}, [&] { save(other, "a", layout, int8); }));
  // A group is on the way where a dataset is.
  EXPECT_TRUE(refuses(path, {"'group/a/b' cannot be written"},
                      [&] { save(path, "group/a/b", layout, int8); }));
  EXPECT_TRUE(loads(path, "group/a", layout, float64));
  auto const messages = ranks::gather(message_of([&] { save(nowhere, "a", layout, int8); }));
  EXPECT_EQ(messages, std::vector(messages.size(), messages[0]));
}

}  // namespace
}  // namespace sixstep
