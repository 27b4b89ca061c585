// SPDX-License-Identifier: BSD-3-Clause
// Arrays for h5py, and arrays from it. Usage: arrays save|load PATH
#include <complex>
#include <cstdio>
#include <string>
#include <string_view>

#include "sixstep/sixstep.hpp"

using namespace sixstep;
using Complex = std::complex<double>;

namespace {

double number(Shape const& i) { return static_cast<double>(100 * i[0] + 10 * i[1] + i[2]); }
Complex value(Shape const& i) { return {number(i), -number(i)}; }

bool run(std::string_view verb, std::string const& path) {
  Ranks const ranks(MPI_COMM_WORLD);
  Array<Complex> u(Layout::brick({5, 7, 3}, ranks.size()).with_ghosts({1, 0, 2}, {1, 1, 0}), ranks);
  Array<bool> even(Shape{5, 7, 3}, ranks);
  u.fill(value);
  even.fill([](Shape const& i) { return (i[0] + i[1] + i[2]) % 2 == 0; });
  if (verb == "save") {
    save_hdf5(path, "fields/u", u);
    save_hdf5(path, "even", even);
    return true;
  }
  Array<Complex> loaded(Layout::pencil({5, 7, 3}, ranks.size()), ranks);
  load_hdf5(path, "fields/u", loaded);
  Array<bool> loaded_even(Layout::slab({5, 7, 3}, ranks.size(), 1), ranks);
  load_hdf5(path, "even", loaded_even);
  Index wrong = 0;
  for_each_index(loaded, [&](Shape const& i, Complex& x) { wrong += x != value(i); });
  for_each_index(loaded_even,
                 [&](Shape const& i, bool& x) { wrong += x != ((i[0] + i[1] + i[2]) % 2 == 0); });
  ranks.sum({&wrong, 1});
  if (wrong > 0 && ranks.rank() == 0) std::printf("%ld elements are wrong\n", long{wrong});
  return wrong == 0;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool const right = run(argv[1], argv[2]);
  MPI_Finalize();
  return right ? 0 : 1;
}
