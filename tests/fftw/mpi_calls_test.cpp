// SPDX-License-Identifier: BSD-3-Clause
// All other functions of FFTW's interface for several ranks: those for a fixed number of axes, in C
// and as Fortran calls them; executions on other arrays; plans on any communicators, destroyed in
// any order; wisdom.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "fftw3-mpi.h"
#include "ranks.hpp"

extern "C" {
fftw_plan fftw_mpi_plan_dft_3d_f03(std::ptrdiff_t n0, std::ptrdiff_t n1, std::ptrdiff_t n2,
                                   fftw_complex* in, fftw_complex* out, MPI_Fint comm, int sign,
                                   unsigned flags);
std::ptrdiff_t fftw_mpi_local_size_3d_f03(std::ptrdiff_t n0, std::ptrdiff_t n1, std::ptrdiff_t n2,
                                          MPI_Fint comm, std::ptrdiff_t* local_n0,
                                          std::ptrdiff_t* local_0_start);
}

namespace {

MPI_Comm const world = MPI_COMM_WORLD;
constexpr std::ptrdiff_t n[] = {6, 10, 7};
constexpr unsigned flags = FFTW_ESTIMATE;
constexpr std::size_t room = 2048;  // reals, more than any array here needs

using Array = std::vector<double>;

fftw_complex* complex(Array& array) { return reinterpret_cast<fftw_complex*>(array.data()); }

/// Values that differ between ranks and elements.
Array filled() {
  Array array(room);
  for (std::size_t i = 0; i < room; ++i)
    array[i] = std::sin(static_cast<double>(i) * (1.0 + 0.37 * ranks::rank()));
  return array;
}

/// The same values, in the memory that plans know.
void refill(Array& array) {
  Array const values = filled();
  std::copy(values.begin(), values.end(), array.begin());
}

/// What a plan that `make` makes for two arrays turns filled() into.
Array result_of(std::function<fftw_plan(Array& in, Array& out)> const& make) {
  Array in = filled(), out(room);
  fftw_plan const plan = make(in, out);
  EXPECT_NE(plan, nullptr);
  if (plan == nullptr) return out;
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  return out;
}

bool has_values(Array const& array) {
  double sum = 0;
  for (double const value : array) sum += std::abs(value);
  return ranks::largest(sum) > 1;
}

void expect_same(Array const& found, Array const& wanted) {
  EXPECT_TRUE(found == wanted);
  EXPECT_TRUE(has_values(wanted));
}

TEST(FftwMpiCalls, complex_transforms_of_fixed_axes_are_those_of_any_axes) {
  auto const many = [](int rank) {
    return result_of([=](Array& in, Array& out) {
      return fftw_mpi_plan_many_dft(rank, n, 1, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK,
                                    complex(in), complex(out), world, FFTW_BACKWARD, flags);
    });
  };
  auto const one = result_of([](Array& in, Array& out) {
    return fftw_mpi_plan_dft_1d(n[0], complex(in), complex(out), world, FFTW_BACKWARD, flags);
  });
  auto const two = result_of([](Array& in, Array& out) {
    return fftw_mpi_plan_dft_2d(n[0], n[1], complex(in), complex(out), world, FFTW_BACKWARD, flags);
  });
  auto const three = result_of([](Array& in, Array& out) {
    return fftw_mpi_plan_dft_3d(n[0], n[1], n[2], complex(in), complex(out), world, FFTW_BACKWARD,
                                flags);
  });
  auto const any = result_of([](Array& in, Array& out) {
    return fftw_mpi_plan_dft(3, n, complex(in), complex(out), world, FFTW_BACKWARD, flags);
  });
  auto const fortran = result_of([](Array& in, Array& out) {
    return fftw_mpi_plan_dft_3d_f03(n[0], n[1], n[2], complex(in), complex(out),
                                    MPI_Comm_c2f(world), FFTW_BACKWARD, flags);
  });
  expect_same(one, many(1));
  expect_same(two, many(2));
  expect_same(three, many(3));
  expect_same(any, many(3));
  expect_same(fortran, many(3));
}

TEST(FftwMpiCalls, real_transforms_of_fixed_axes_are_those_of_any_axes) {
  auto const there = [](int rank) {
    return result_of([=](Array& in, Array& out) {
      return fftw_mpi_plan_many_dft_r2c(rank, n, 1, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK,
                                        in.data(), complex(out), world, flags);
    });
  };
  auto const back = [](int rank) {
    return result_of([=](Array& in, Array& out) {
      return fftw_mpi_plan_many_dft_c2r(rank, n, 1, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK,
                                        complex(in), out.data(), world, flags);
    });
  };
  expect_same(result_of([](Array& in, Array& out) {
                return fftw_mpi_plan_dft_r2c_2d(n[0], n[1], in.data(), complex(out), world, flags);
              }),
              there(2));
  expect_same(result_of([](Array& in, Array& out) {
                return fftw_mpi_plan_dft_r2c_3d(n[0], n[1], n[2], in.data(), complex(out), world,
                                                flags);
              }),
              there(3));
  expect_same(result_of([](Array& in, Array& out) {
                return fftw_mpi_plan_dft_c2r_2d(n[0], n[1], complex(in), out.data(), world, flags);
              }),
              back(2));
  expect_same(result_of([](Array& in, Array& out) {
                return fftw_mpi_plan_dft_c2r_3d(n[0], n[1], n[2], complex(in), out.data(), world,
                                                flags);
              }),
              back(3));
}

TEST(FftwMpiCalls, transforms_of_reals_and_transposes_of_fixed_axes_are_those_of_any_axes) {
  fftw_r2r_kind const kinds[] = {FFTW_REDFT10, FFTW_RODFT01, FFTW_R2HC};
  auto const many = [&](int rank) {
    return result_of([=](Array& in, Array& out) {
      return fftw_mpi_plan_many_r2r(rank, n, 1, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK,
                                    in.data(), out.data(), world, kinds, flags);
    });
  };
  expect_same(result_of([&](Array& in, Array& out) {
                return fftw_mpi_plan_r2r_2d(n[0], n[1], in.data(), out.data(), world, kinds[0],
                                            kinds[1], flags);
              }),
              many(2));
  expect_same(result_of([&](Array& in, Array& out) {
                return fftw_mpi_plan_r2r_3d(n[0], n[1], n[2], in.data(), out.data(), world,
                                            kinds[0], kinds[1], kinds[2], flags);
              }),
              many(3));
  expect_same(result_of([](Array& in, Array& out) {
                return fftw_mpi_plan_transpose(n[0], n[1], in.data(), out.data(), world, flags);
              }),
              result_of([](Array& in, Array& out) {
                return fftw_mpi_plan_many_transpose(n[0], n[1], 1, FFTW_MPI_DEFAULT_BLOCK,
                                                    FFTW_MPI_DEFAULT_BLOCK, in.data(), out.data(),
                                                    world, flags);
              }));
}

TEST(FftwMpiCalls, local_sizes_of_fixed_axes_are_those_of_any_axes) {
  std::ptrdiff_t count[2], start[2], others[2], other_starts[2];
  auto const wanted =
      fftw_mpi_local_size_many_transposed(3, n, 1, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK,
                                          world, &count[0], &start[0], &count[1], &start[1]);
  auto const check = [&](std::ptrdiff_t found, bool both) {
    EXPECT_EQ(found, wanted);
    for (int axis = 0; axis < (both ? 2 : 1); ++axis) {
      EXPECT_EQ(others[axis], count[axis]);
      EXPECT_EQ(other_starts[axis], start[axis]);
    }
  };
  auto *const c0 = &others[0], *const s0 = &other_starts[0], *const c1 = &others[1],
              *const s1 = &other_starts[1];
  check(fftw_mpi_local_size_transposed(3, n, world, c0, s0, c1, s1), true);
  check(fftw_mpi_local_size_3d_transposed(n[0], n[1], n[2], world, c0, s0, c1, s1), true);
  check(fftw_mpi_local_size(3, n, world, c0, s0), false);
  check(fftw_mpi_local_size_3d(n[0], n[1], n[2], world, c0, s0), false);
  check(fftw_mpi_local_size_3d_f03(n[0], n[1], n[2], MPI_Comm_c2f(world), c0, s0), false);
  check(n[2] * fftw_mpi_local_size_2d_transposed(n[0], n[1], world, c0, s0, c1, s1), true);
  check(n[2] * fftw_mpi_local_size_2d(n[0], n[1], world, c0, s0), false);
  std::ptrdiff_t const one =
      fftw_mpi_local_size_1d(n[0], world, FFTW_FORWARD, flags, c0, s0, c1, s1);
  EXPECT_EQ(one, (n[0] + ranks::count() - 1) / ranks::count());
  EXPECT_EQ(others[0], others[1]);
}

// Measured with FFTW 3.3.10 on three ranks: each is the most that a rank is told to allocate.
TEST(FftwMpiCalls, local_sizes_are_at_least_those_of_fftw) {
  struct Known {
    std::vector<std::ptrdiff_t> shape;
    std::ptrdiff_t howmany, block0, block1, room;
  };
  Known const known[] = {{{3, 8, 11, 1}, 1, 0, 0, 99},  {{10, 4, 1, 14}, 1, 0, 4, 280},
                         {{29, 7}, 1, 12, 4, 116},      {{7, 32, 10, 4}, 5, 5, 0, 15400},
                         {{40, 7, 16}, 5, 16, 0, 9600}, {{9, 7, 5, 24}, 3, 0, 0, 9720},
                         {{3, 12, 4}, 1, 3, 0, 144},    {{12, 1, 12}, 1, 4, 3, 144}};
  std::ptrdiff_t a, b, c, d;
  MPI_Comm three;
  MPI_Comm_split(world, ranks::rank() / 3, 0, &three);
  for (Known const& each : known) {
    if (ranks::size_of(three) != 3) break;
    EXPECT_GE(fftw_mpi_local_size_many_transposed(static_cast<int>(each.shape.size()),
                                                  each.shape.data(), each.howmany, each.block0,
                                                  each.block1, three, &a, &b, &c, &d),
              each.room);
  }
  MPI_Comm_free(&three);
}

TEST(FftwMpiCalls, plans_execute_on_other_arrays) {
  Array first(room), second(room);
  fftw_plan const plan = fftw_mpi_plan_dft_3d(n[0], n[1], n[2], complex(first), complex(second),
                                              world, FFTW_FORWARD, flags);
  Array in = filled(), out(room), wanted(room);
  fftw_mpi_execute_dft(plan, complex(in), complex(out));
  refill(first);
  fftw_execute(plan);
  expect_same(out, second);
  fftw_destroy_plan(plan);
  fftw_plan const there =
      fftw_mpi_plan_dft_r2c_3d(n[0], n[1], n[2], first.data(), complex(second), world, flags);
  fftw_plan const back =
      fftw_mpi_plan_dft_c2r_3d(n[0], n[1], n[2], complex(second), first.data(), world, flags);
  fftw_r2r_kind const kind = FFTW_REDFT10;
  fftw_plan const real =
      fftw_mpi_plan_r2r_2d(n[0], n[1], first.data(), second.data(), world, kind, kind, flags);
  refill(in);
  fftw_mpi_execute_dft_r2c(there, in.data(), complex(out));
  refill(first);
  fftw_execute(there);
  expect_same(out, second);
  fftw_mpi_execute_dft_c2r(back, complex(out), wanted.data());
  fftw_execute(back);
  EXPECT_EQ(wanted[0], first[0]);
  fftw_mpi_execute_r2r(real, in.data(), out.data());
  std::copy(in.begin(), in.end(), first.begin());
  fftw_execute(real);
  EXPECT_EQ(out[0], second[0]);
  fftw_destroy_plan(back);
  fftw_destroy_plan(real);
  fftw_destroy_plan(there);
}

TEST(FftwMpiCalls, ranks_destroy_plans_in_any_order) {
  for (int round = 0; round < 3; ++round) {
    Array in = filled(), out(room), wanted(room);
    std::vector<fftw_plan> plans;
    for (std::ptrdiff_t extent = 4; extent < 9; ++extent)
      plans.push_back(
          fftw_mpi_plan_dft_2d(extent, 9, complex(in), complex(out), world, FFTW_FORWARD, flags));
    fftw_plan const last = plans.back();
    fftw_execute(last);
    wanted = out;
    plans.pop_back();
    auto const shift = static_cast<std::size_t>(ranks::rank());
    for (std::size_t i = 0; i < plans.size(); ++i)
      fftw_destroy_plan(plans[(i + shift) % plans.size()]);
    fftw_execute(last);
    expect_same(out, wanted);
    fftw_destroy_plan(last);
  }
}

TEST(FftwMpiCalls, communicators_may_be_any) {
  int const mine = ranks::rank();
  MPI_Comm parts, reversed;
  MPI_Comm_split(world, mine % 2, mine, &parts);
  MPI_Comm_split(world, 0, -mine, &reversed);
  for (MPI_Comm const comm : {parts, reversed, MPI_COMM_SELF}) {
    Array in(room), out(room);
    std::ptrdiff_t count, start;
    fftw_mpi_local_size_2d(8, 5, comm, &count, &start);
    for (std::size_t i = 0; i < static_cast<std::size_t>(count * 5); ++i) in[2 * i] = 1;
    fftw_plan const plan =
        fftw_mpi_plan_dft_2d(8, 5, complex(in), complex(out), comm, FFTW_FORWARD, flags);
    fftw_execute(plan);
    for (std::size_t i = 0; i < static_cast<std::size_t>(count * 5); ++i)
      EXPECT_NEAR(out[2 * i], start == 0 && i == 0 ? 40 : 0, 1e-13);
    fftw_destroy_plan(plan);
  }
  MPI_Comm_free(&parts);
  MPI_Comm_free(&reversed);
}

/// The number of the file of which memory is mapped at `array`; 0 if it is none of sixstep's.
long file_at(void const* array) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    long file = 0;
    std::sscanf(line.c_str(), "%lx-%lx %*s %*s %*s %ld", &begin, &end, &file);
    auto const address = reinterpret_cast<std::uintptr_t>(array);
    if (begin <= address && address < end)
      return line.find("memfd:sixstep") == std::string::npos ? 0 : file;
  }
  return 0;
}

/// Whether this process maps memory of that file.
bool maps_file(long file) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.find(" " + std::to_string(file) + " ") != std::string::npos) return true;
  return false;
}

TEST(FftwMpiCalls, ranks_map_one_anothers_arrays_of_fftw_malloc) {
  fftw_mpi_init();
  fftw_complex* const in = fftw_alloc_complex(1 << 16);
  fftw_complex* const out = fftw_alloc_complex(1 << 16);
  long const mine = file_at(in);
  EXPECT_EQ(mine != 0, ranks::count() > 1);
  EXPECT_EQ(file_at(out), mine);
  fftw_plan const plan =
      fftw_mpi_plan_dft_3d(n[0], n[1], n[2], in, out, world, FFTW_FORWARD, flags);
  std::fill_n(&in[0][0], 2 * n[0] * n[1] * n[2], 1);
  std::vector<long> files(static_cast<std::size_t>(ranks::count()));
  MPI_Allgather(&mine, 1, MPI_LONG, files.data(), 1, MPI_LONG, world);
  fftw_execute(plan);
  for (std::size_t rank = 0; mine != 0 && rank < files.size(); ++rank)
    EXPECT_TRUE(maps_file(files[rank])) << rank;
  if (ranks::rank() == 0) {
    EXPECT_NEAR(out[0][0], static_cast<double>(n[0] * n[1] * n[2]), 1e-12);
  }
  fftw_destroy_plan(plan);
  fftw_free(in);
  fftw_free(out);
  MPI_Barrier(world);
  fftw_mpi_cleanup();
  fftw_complex* const afterwards = fftw_alloc_complex(1 << 16);
  EXPECT_EQ(file_at(afterwards), 0);
  fftw_free(afterwards);
}

TEST(FftwMpiCalls, arrays_can_be_kept_private_by_the_environment) {
  setenv("SIXSTEP_FFTW_MALLOC", "private", 1);
  fftw_mpi_init();
  unsetenv("SIXSTEP_FFTW_MALLOC");
  fftw_complex* const array = fftw_alloc_complex(1 << 16);
  EXPECT_EQ(file_at(array), 0);
  std::free(array);
  fftw_mpi_cleanup();
}

TEST(FftwMpiCalls, arrays_with_fewer_points_than_ranks_are_transformed) {
  Array in(room), out(room);
  std::ptrdiff_t count, start;
  fftw_mpi_local_size_3d(1, 1, 64, world, &count, &start);
  for (std::size_t i = 0; i < static_cast<std::size_t>(64 * count); ++i) in[2 * i] = 1;
  fftw_plan const plan =
      fftw_mpi_plan_dft_3d(1, 1, 64, complex(in), complex(out), world, FFTW_FORWARD, flags);
  ASSERT_NE(plan, nullptr);
  fftw_execute(plan);
  if (count > 0) {
    EXPECT_NEAR(out[0], 64, 1e-13);
  }
  fftw_destroy_plan(plan);
}

TEST(FftwMpiCalls, what_has_no_plan_is_null) {
  Array in(room), out(room);
  std::ptrdiff_t const none[] = {0, 4};
  EXPECT_EQ(fftw_mpi_plan_dft(0, n, complex(in), complex(out), world, FFTW_FORWARD, flags),
            nullptr);
  EXPECT_EQ(fftw_mpi_plan_dft(2, none, complex(in), complex(out), world, FFTW_FORWARD, flags),
            nullptr);
  EXPECT_EQ(
      fftw_mpi_plan_many_dft(2, n, 1, 1, 1, complex(in), complex(out), world, FFTW_FORWARD, flags),
      nullptr);  // blocks of one index are too few on fewer than six ranks
}

TEST(FftwMpiCalls, wisdom_goes_to_the_first_rank_and_to_all) {
  fftw_mpi_gather_wisdom(world);
  fftw_mpi_broadcast_wisdom(world);
  char* const words = fftw_export_wisdom_to_string();
  ASSERT_NE(words, nullptr);
  EXPECT_EQ(fftw_import_wisdom_from_string(words), 1);
  fftw_free(words);
  fftw_mpi_init();
  fftw_mpi_cleanup();
}

}  // namespace
