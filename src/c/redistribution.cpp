// SPDX-License-Identifier: BSD-3-Clause
// Redistributions for C.
#include "c/guarded.hpp"
#include "c/handles.hpp"
#include "c/options.hpp"
#include "c/planned.hpp"
#include "runtime/mpi.hpp"

using namespace sixstep;
using c::given;
using c::guarded;

int sixstep_redistribution_create(size_t element_bytes, sixstep_layout const* from,
                                  sixstep_layout const* to, MPI_Comm comm,
                                  sixstep_options const* options,
                                  sixstep_redistribution** redistribution) {
  return guarded(from, [&] {
    mpi::Communicator const all = mpi::Communicator::duplicate(comm);
    Options chosen;
    mpi::together(all, [&] {
      given(redistribution, "redistribution");
      given(from, "from");
      given(to, "to");
      require(element_bytes > 0, "element_bytes: 1 or more are needed, 0 was given");
      chosen = c::options_of(options);
    });
    c::hand_out(redistribution, ByteRedistribution(from->layout, to->layout, all.get(),
                                                   {chosen.fields, chosen.exchange, chosen.threads,
                                                    chosen.preserve_input, chosen.verify},
                                                   element_bytes));
  });
}

int sixstep_redistribution_free(sixstep_redistribution* redistribution) {
  return guarded([&] { delete redistribution; });
}

int sixstep_redistribution_from(sixstep_redistribution const* redistribution,
                                sixstep_layout** layout) {
  return guarded(redistribution, [&] {
    given(layout, "layout");
    c::hand_out(layout, given(redistribution, "redistribution").redistribution.from());
  });
}

int sixstep_redistribution_to(sixstep_redistribution const* redistribution,
                              sixstep_layout** layout) {
  return guarded(redistribution, [&] {
    given(layout, "layout");
    c::hand_out(layout, given(redistribution, "redistribution").redistribution.to());
  });
}

int sixstep_redistribution_sizes(sixstep_redistribution const* redistribution, int64_t* from,
                                 int64_t* to) {
  return guarded(redistribution, [&] {
    ByteRedistribution const& of = given(redistribution, "redistribution").redistribution;
    c::put(from, of.from_size());
    c::put(to, of.to_size());
  });
}

int sixstep_redistribution_allocate(sixstep_redistribution* redistribution, void** array) {
  return guarded(redistribution, [&] {
    given(array, "array");
    *array = c::lend(given(redistribution, "redistribution").redistribution.allocate());
  });
}

int sixstep_redistribution_execute(sixstep_redistribution* redistribution, void const* in,
                                   void* out, int direction) {
  return guarded(redistribution, [&] {
    given(redistribution, "redistribution")
        .redistribution.execute(in, out,
                                c::enumerated(direction, Direction::backward, "direction"));
  });
}

int sixstep_redistribution_workspace_bytes(sixstep_redistribution const* redistribution,
                                           size_t* bytes) {
  return guarded(redistribution, [&] {
    given(bytes, "bytes") =
        given(redistribution, "redistribution").redistribution.workspace_bytes();
  });
}

int sixstep_redistribution_counts(sixstep_redistribution const* redistribution, int* passes,
                                  int* exchanges) {
  return guarded(redistribution, [&] {
    ByteRedistribution const& of = given(redistribution, "redistribution").redistribution;
    c::put(passes, of.passes());
    c::put(exchanges, of.exchanges());
  });
}

int sixstep_redistribution_communication_seconds(sixstep_redistribution const* redistribution,
                                                 double* seconds) {
  return guarded(redistribution, [&] {
    given(seconds, "seconds") =
        given(redistribution, "redistribution").redistribution.communication_seconds();
  });
}

int sixstep_redistribution_verified(sixstep_redistribution const* redistribution, int64_t* checked,
                                    int64_t* unchecked, int64_t* repaired, int64_t* compared,
                                    double* largest_share) {
  return guarded(redistribution, [&] {
    c::tell_verified(given(redistribution, "redistribution").redistribution.verified(), checked,
                     unchecked, repaired, compared, largest_share);
  });
}

int sixstep_redistribution_on_detection(sixstep_redistribution* redistribution,
                                        sixstep_detection_function* function, void* context) {
  return guarded(redistribution, [&] {
    given(redistribution, "redistribution")
        .redistribution.on_detection(c::told_of(function, context));
  });
}

int sixstep_redistribution_describe(sixstep_redistribution* redistribution, char const** words) {
  return guarded(redistribution, [&] {
    given(words, "words");
    sixstep_redistribution& of = given(redistribution, "redistribution");
    of.words = of.redistribution.describe();
    *words = of.words.c_str();
  });
}
