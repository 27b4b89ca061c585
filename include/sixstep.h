// SPDX-License-Identifier: BSD-3-Clause
// The C interface: layouts, plans and redistributions as handles.
//
// Every call returns a code, SIXSTEP_OK or what went wrong, and sixstep_error_message() says what
// was given and what is needed, in the words of the C++ interface. Results come by the last
// pointers; where a call fails they are left as they were. No handle may be NULL unless said
// otherwise: that is an error, not a crash.
//
// Shapes and axes are in C order, slowest axis first, and ranges half-open, [lo, hi), as in
// sixstep/layout.hpp, sixstep/options.hpp and sixstep/plan.hpp, which explain each choice in full.
#ifndef SIXSTEP_H
#define SIXSTEP_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// The most axes that a user's array may have; and that an output may have, where the plan chose it
/// and views a long axis as two digits, or where there are several fields.
#define SIXSTEP_MAX_AXES 8
#define SIXSTEP_MAX_DIGITS 16

/// What kind of failure it was: an argument (or a variable of the environment) that is not as it
/// must be; memory that cannot be had; a local library that cannot be loaded; a fault of this
/// library.
enum {
  SIXSTEP_OK = 0,
  SIXSTEP_ERROR_ARGUMENT,
  SIXSTEP_ERROR_MEMORY,
  SIXSTEP_ERROR_LIBRARY,
  SIXSTEP_ERROR_INTERNAL
};

/// What the last call of this thread that failed has to say, until the next one fails; "" if none
/// did.
char const* sixstep_error_message(void);

/// "0.2.0".
char const* sixstep_version(void);

/// Of a plan's reals.
enum { SIXSTEP_DOUBLE, SIXSTEP_SINGLE };
/// forward: from input to output, and exp(-2 pi i jk/n) unless a sign is given; backward: from
/// output to input.
enum { SIXSTEP_FORWARD, SIXSTEP_BACKWARD };
/// Of the exponent: exp(-2 pi i jk/n) or exp(+2 pi i jk/n).
enum { SIXSTEP_MINUS, SIXSTEP_PLUS };
/// What a transform is multiplied by: 1, 1/N or 1/sqrt(N), N the product of the transformed
/// extents; of cosine and sine transforms: of 2(n-1) for dct1, 2(n+1) for dst1, 2n for others.
enum { SIXSTEP_UNSCALED, SIXSTEP_BY_N, SIXSTEP_BY_SQRT_N };
/// The kinds of sixstep/kind.hpp.
enum {
  SIXSTEP_C2C,
  SIXSTEP_R2C,
  SIXSTEP_DCT1,
  SIXSTEP_DCT2,
  SIXSTEP_DCT3,
  SIXSTEP_DCT4,
  SIXSTEP_DST1,
  SIXSTEP_DST2,
  SIXSTEP_DST3,
  SIXSTEP_DST4
};
/// How an axis is dealt out: near-equal blocks, or index i to part i mod parts.
enum { SIXSTEP_BLOCK, SIXSTEP_CYCLIC };
/// How data moves between ranks, who makes messages progress, whose kernels transform, and how much
/// is tried out when a plan is made: sixstep/options.hpp, sixstep/local.hpp.
enum {
  SIXSTEP_SHARED,
  SIXSTEP_COLLECTIVE,
  SIXSTEP_PAIRWISE,
  SIXSTEP_PERSISTENT,
  SIXSTEP_ONE_SIDED
};
enum { SIXSTEP_BETWEEN, SIXSTEP_MASTER, SIXSTEP_PIPELINES, SIXSTEP_THREAD, SIXSTEP_AUTOMATIC };
enum { SIXSTEP_OWN, SIXSTEP_FFTW, SIXSTEP_MKL };
enum { SIXSTEP_NONE, SIXSTEP_CUDA, SIXSTEP_EMULATED };
enum { SIXSTEP_MODEL, SIXSTEP_QUICK, SIXSTEP_EXHAUSTIVE };
/// Where an output lies that is given no layout: wherever is cheapest; as the input; or in the
/// input's axes and memory order, split wherever that is cheapest.
enum { SIXSTEP_CHEAPEST, SIXSTEP_AS_INPUT, SIXSTEP_NATURAL_AXES };

/// What may be chosen about a plan: the members of sixstep::Options, explained there. Begin with
/// `sixstep_options options = SIXSTEP_OPTIONS;`, then set what you want otherwise. `size` tells a
/// later library which members there are: those that came after it have their defaults.
typedef struct {
  size_t size;
  int axes_count, axes[SIXSTEP_MAX_AXES];    ///< to transform; none: all
  int kinds_count, kinds[SIXSTEP_MAX_AXES];  ///< one an axis of `axes`, or one for all; none: c2c
  int modes_count;                           ///< one an axis of `axes`; none: as many as points
  int64_t modes[SIXSTEP_MAX_AXES];           ///< ... that are kept of each
  int transform;                             ///< 0: no axis, only moved from layout to layout
  int padded;                                ///< rows of the real input take 2 (n/2 + 1) reals
  int fields;                                ///< arrays that are transformed together, ...
  int interleaved;                           ///< ... point by point side by side
  int preserve_input;                        ///< 0: out of place, it may be overwritten
  int low_memory;                            ///< a sixteenth of the work memory, more passes
  int exchange;                              ///< SIXSTEP_SHARED ...
  int threads;                               ///< of a rank; 0: OMP_NUM_THREADS, or a fair share
  int windows;                               ///< of exchanges between nodes; 0: by message size
  int driver;                                ///< SIXSTEP_AUTOMATIC ...
  int pipelines;                             ///< teams of that driver; 0: one for each thread
  int regrid;                                ///< let the plan split fewer axes than the input does
  int split_untransformed;                   ///< let it split axes that are not transformed
  int own_workspace;                         ///< 0: lent by sixstep_plan_set_workspace()
  int local;                                 ///< SIXSTEP_OWN ...
  int tuning;                                ///< SIXSTEP_MODEL ...
  double tuning_seconds;                     ///< that SIXSTEP_QUICK may take
  char const* trace;                         ///< a file for what was done when; NULL: none
  int twiddle;                               ///< an axis whose indices twiddle the result; -1: none
  int device;                                ///< SIXSTEP_NONE: the processor; SIXSTEP_CUDA ...
  int gpu;                                   ///< its number; -1: by the rank's number on its node
  int reserved;                              ///< 0
  int output;                                ///< SIXSTEP_CHEAPEST ...
} sixstep_options;

/* clang-format off */
#define SIXSTEP_OPTIONS                                                                     \
  {                                                                                         \
    sizeof(sixstep_options), 0, {0}, 0, {0}, 0, {0}, /* axes, kinds, modes */               \
    1, 0, 1, 0, 1, 0, /* transform, padded, fields, interleaved, preserve_input, low_memory */ \
    SIXSTEP_SHARED, 0, 0, SIXSTEP_AUTOMATIC, 0, /* exchange, threads, windows, driver, pipelines */ \
    0, 0, 1, SIXSTEP_OWN, /* regrid, split_untransformed, own_workspace, local */           \
    SIXSTEP_MODEL, 10.0, NULL, -1, /* tuning, tuning_seconds, trace, twiddle */             \
    SIXSTEP_NONE, -1, 0, SIXSTEP_CHEAPEST /* device, gpu, reserved, output */               \
  }
/* clang-format on */

/// A pass over memory or an exchange: what it does, seconds of a rank, and bytes that it reads and
/// writes each time.
typedef struct {
  char const* what;
  double seconds;
  double bytes;
} sixstep_step;

/// What a forward transform will take: seconds in all, of exchanges and of passes over memory, and
/// step by step. In all it is less than the sum where exchanges hide.
typedef struct {
  double seconds, communication, computation;
  int steps_count;
  sixstep_step const* steps;
} sixstep_prediction;

/// What a rank holds, and where it lies in its array: the indices lo, lo + step, ... below hi of
/// each axis; elements between neighbours along each axis, and, of the input and output of a plan
/// of several fields, one entry more: from field to field.
typedef struct {
  int axes;
  int64_t lo[SIXSTEP_MAX_DIGITS], hi[SIXSTEP_MAX_DIGITS], step[SIXSTEP_MAX_DIGITS];
  int64_t stride[SIXSTEP_MAX_DIGITS + 1];
  int64_t offset;  ///< elements before the box: those of ghosts
  int64_t points;  ///< of the box, of a single field
} sixstep_part;

/// The smallest length >= n that is `multiple` times a product of 2, 3, 5 and 7.
int sixstep_good_size(int64_t n, int64_t multiple, int64_t* size);
/// Of a transform along n points, the N of its scale, as above; and the kind that undoes it, but
/// for that factor.
int sixstep_logical_size(int kind, int64_t n, int64_t* size);
int sixstep_inverse_kind(int kind, int* inverse);
/// A near-square grid of ranks over the first `split_axes` axes: as many along each as it tells.
int sixstep_choose_grid(int axes, int64_t const* shape, int ranks, int split_axes, int* grid);

// Layouts: who holds what. Values that need no MPI; each is freed by whoever got it, and plans keep
// none of them. Arrays have one entry an axis. Errors: those of sixstep::Layout.

typedef struct sixstep_layout sixstep_layout;

/// Ranks in a grid, `grid[a]` of them along axis a, the last axis fastest. `distribution` and
/// `order` may be NULL: all blocks; C order. An order lists the axes, slowest in memory first.
int sixstep_layout_grid(int axes, int64_t const* shape, int const* grid, int const* distribution,
                        int const* order, sixstep_layout** layout);
/// One axis split over all ranks; the first two, near square; all, near cubic.
int sixstep_layout_slab(int axes, int64_t const* shape, int ranks, int axis,
                        sixstep_layout** layout);
int sixstep_layout_pencil(int axes, int64_t const* shape, int ranks, sixstep_layout** layout);
int sixstep_layout_brick(int axes, int64_t const* shape, int ranks, sixstep_layout** layout);
/// Any boxes, disjoint and together the whole shape: that of a rank is [lo, hi) along axis a, of
/// lo[rank * axes + a]. `order` may be NULL.
int sixstep_layout_boxes(int axes, int64_t const* shape, int ranks, int64_t const* lo,
                         int64_t const* hi, int const* order, sixstep_layout** layout);
/// The same of a program in which a rank knows no box but its own: lo[a], hi[a]. Collective; the
/// same error on every rank.
int sixstep_layout_gather(int axes, int64_t const* shape, int64_t const* lo, int64_t const* hi,
                          int const* order, MPI_Comm comm, sixstep_layout** layout);
/// The layout in blocks with which a plan of these options is the fastest. An `output` other than
/// SIXSTEP_CHEAPEST takes the place of that of the options. Collective. Errors: those of a plan.
int sixstep_layout_tuned(int precision, int axes, int64_t const* shape, int output, MPI_Comm comm,
                         sixstep_options const* options, sixstep_layout** layout);

/// The same boxes: in another order of memory; with so many more elements before and after them;
/// beginning at `starts` of local arrays of these extents, [rank * axes + a]; in dense arrays. The
/// same of all other axes, with another extent of one that is whole. And the axes named anew: axis
/// a of the result is axis axes[a] of `from`.
int sixstep_layout_with_order(sixstep_layout const* from, int const* order,
                              sixstep_layout** layout);
int sixstep_layout_with_ghosts(sixstep_layout const* from, int64_t const* before,
                               int64_t const* after, sixstep_layout** layout);
int sixstep_layout_in_arrays(sixstep_layout const* from, int64_t const* extents,
                             int64_t const* starts, sixstep_layout** layout);
int sixstep_layout_dense(sixstep_layout const* from, sixstep_layout** layout);
int sixstep_layout_with_extent(sixstep_layout const* from, int axis, int64_t extent,
                               sixstep_layout** layout);
int sixstep_layout_transposed(sixstep_layout const* from, int const* axes, sixstep_layout** layout);

/// Axes, and ranks; NULL for what is not asked for.
int sixstep_layout_counts(sixstep_layout const* layout, int* axes, int* ranks);
/// Extents, one an axis: SIXSTEP_MAX_DIGITS fit any layout.
int sixstep_layout_shape(sixstep_layout const* layout, int64_t* shape);
/// Its memory order: the axes, slowest in memory first.
int sixstep_layout_order(sixstep_layout const* layout, int* order);
/// Ranks along each axis, 0 if they are in no such grid; and how each is dealt out. NULL as above.
int sixstep_layout_dealt(sixstep_layout const* layout, int* grid, int* distribution);
/// 1 if every rank that holds anything holds this axis whole, else 0.
int sixstep_layout_whole(sixstep_layout const* layout, int axis, int* whole);
/// What a rank holds; elements of its array, ghosts included; those around its box.
int sixstep_layout_part(sixstep_layout const* layout, int rank, sixstep_part* part);
int sixstep_layout_array_size(sixstep_layout const* layout, int rank, int64_t* elements);
int sixstep_layout_ghosts(sixstep_layout const* layout, int rank, int64_t* before, int64_t* after);
/// The most points that any rank holds.
int sixstep_layout_largest_size(sixstep_layout const* layout, int64_t* points);
/// How many ranks have points of the box [lo, hi), and, unless NULL, which, ascending.
int sixstep_layout_ranks_meeting(sixstep_layout const* layout, int64_t const* lo, int64_t const* hi,
                                 int* count, int* ranks);
/// 1 if both place every point alike, else 0.
int sixstep_layout_equal(sixstep_layout const* a, sixstep_layout const* b, int* equal);
/// "256 x 256 x 256 over 2 x 1 x 1 ranks (slab)", until the layout is freed.
int sixstep_layout_describe(sixstep_layout* layout, char const** words);
/// NULL is welcome.
int sixstep_layout_free(sixstep_layout* layout);

// Plans: sixstep::Plan.

typedef struct sixstep_plan sixstep_plan;

/// A plan for arrays of reals of this precision. `output` NULL: wherever is cheapest. `options`
/// NULL: the defaults. Collective over `comm`, which is duplicated; it succeeds on every rank or
/// gives the same error on every rank, also if an argument is wrong on one rank alone.
int sixstep_plan_create(int precision, sixstep_layout const* input, sixstep_layout const* output,
                        MPI_Comm comm, sixstep_options const* options, sixstep_plan** plan);
/// Collective, before MPI_Finalize or after. NULL is welcome.
int sixstep_plan_free(sixstep_plan* plan);

/// The layouts of forward's input and output, to be freed.
int sixstep_plan_input(sixstep_plan const* plan, sixstep_layout** layout);
int sixstep_plan_output(sixstep_plan const* plan, sixstep_layout** layout);
/// What this rank holds of them; strides of padded rows and of fields too.
int sixstep_plan_input_part(sixstep_plan const* plan, sixstep_part* part);
int sixstep_plan_output_part(sixstep_plan const* plan, sixstep_part* part);
/// Elements that this rank's array must hold: as input, as output, and for use in place, of the
/// output's kind. NULL for what is not asked for.
int sixstep_plan_sizes(sixstep_plan const* plan, int64_t* input, int64_t* output,
                       int64_t* in_place);
/// Bytes of an element of the input and of the output: 4, 8 or 16. NULL as above.
int sixstep_plan_element_bytes(sixstep_plan const* plan, size_t* input, size_t* output);

/// Which wave an element of forward's output is the coefficient of: `k` is a point of the output, w
/// has one entry an axis of the input. The same along one axis of the input, k being the index
/// along it in natural order. And how many indices this rank has of the output along an axis of the
/// input, and, unless NULL, their wave numbers in order.
int sixstep_plan_wavenumber(sixstep_plan const* plan, int64_t const* k, double* w);
int sixstep_plan_wavenumber_along(sixstep_plan const* plan, int axis, int64_t k, double* w);
int sixstep_plan_wavenumbers(sixstep_plan const* plan, int axis, int64_t* count, double* w);

/// An array for input, output or both, in memory that ranks of a node share where they can. It may
/// outlive the plan. Collective.
int sixstep_plan_allocate(sixstep_plan* plan, void** array);
/// Gives an array of sixstep_plan_allocate() or sixstep_redistribution_allocate() back. NULL is
/// welcome.
int sixstep_free(void* array);

/// From `in`, laid out as input (backward: as output), to `out`, laid out as output (backward: as
/// input). `in` is not changed unless in == out. Elements are reals or complex numbers (two reals)
/// as the options say: input and output complex; with r2c, reals and complex; with cosine and sine
/// transforms alone, reals. Collective.
int sixstep_plan_forward(sixstep_plan* plan, void const* in, void* out, int scale);
int sixstep_plan_backward(sixstep_plan* plan, void const* in, void* out, int scale);
/// The same of a complex plan with a sign of its own, in either direction.
int sixstep_plan_execute(sixstep_plan* plan, void const* in, void* out, int direction, int sign,
                         int scale);

/// The same on a device, where they return when the work is in the device's queue, as far as no
/// other rank has to be waited for; wait() waits for it.
int sixstep_plan_forward_async(sixstep_plan* plan, void const* in, void* out, int scale);
int sixstep_plan_backward_async(sixstep_plan* plan, void const* in, void* out, int scale);
int sixstep_plan_wait(sixstep_plan* plan);
/// A plan on a GPU works in this stream (a cudaStream_t) from now on.
int sixstep_plan_set_stream(sixstep_plan* plan, void* stream);
/// Memory of a device (SIXSTEP_CUDA ...), for sixstep_free(); and copies between it and the host's,
/// or within it, which wait for the end.
int sixstep_device_allocate(int device, size_t bytes, void** array);
int sixstep_device_copy(int device, void* to, void const* from, size_t bytes);

/// Of a plan with own_workspace = 0: what it needs, and memory for it, aligned to 64 bytes.
int sixstep_plan_workspace_bytes(sixstep_plan const* plan, size_t* bytes);
int sixstep_plan_set_workspace(sixstep_plan* plan, void* memory, size_t bytes);

/// The plan in a few lines, until the next call or the plan's end.
int sixstep_plan_describe(sixstep_plan* plan, char const** words);
/// Passes over memory and exchanges of a forward transform, and threads of this rank. NULL for what
/// is not asked for.
int sixstep_plan_counts(sixstep_plan const* plan, int* passes, int* exchanges, int* threads);
/// That this rank spent in communication since the plan was made.
int sixstep_plan_communication_seconds(sixstep_plan const* plan, double* seconds);
/// What the executions in one direction took since the plan was made, in the steps of those that
/// were done last. Steps and their words are there until the next such call, of this or of
/// predict(), or the plan's end.
int sixstep_plan_breakdown(sixstep_plan* plan, int direction, int* steps_count,
                           sixstep_step const** steps);
/// What a forward transform will take on the machine of that file; NULL: of the file where
/// `sixstep tune --machine` puts what it has measured. Nothing is run. Collective.
int sixstep_plan_predict(sixstep_plan* plan, char const* machine_file,
                         sixstep_prediction* prediction);
/// Writes what has been traced so far to the file that options.trace named. Collective.
int sixstep_plan_write_trace(sixstep_plan* plan);

// Redistributions of elements of any size: sixstep::Redistribution.

typedef struct sixstep_redistribution sixstep_redistribution;

/// Of the options, fields, exchange, threads and preserve_input count; NULL: the defaults.
/// Collective as sixstep_plan_create().
int sixstep_redistribution_create(size_t element_bytes, sixstep_layout const* from,
                                  sixstep_layout const* to, MPI_Comm comm,
                                  sixstep_options const* options,
                                  sixstep_redistribution** redistribution);
/// Collective. NULL is welcome.
int sixstep_redistribution_free(sixstep_redistribution* redistribution);
/// The layouts, to be freed.
int sixstep_redistribution_from(sixstep_redistribution const* redistribution,
                                sixstep_layout** layout);
int sixstep_redistribution_to(sixstep_redistribution const* redistribution,
                              sixstep_layout** layout);
/// Elements of this rank's arrays, of all fields; in place, the larger of both.
int sixstep_redistribution_sizes(sixstep_redistribution const* redistribution, int64_t* from,
                                 int64_t* to);
/// As sixstep_plan_allocate().
int sixstep_redistribution_allocate(sixstep_redistribution* redistribution, void** array);
/// From `in` to `out`, in place if they are the same. Collective.
int sixstep_redistribution_execute(sixstep_redistribution* redistribution, void const* in,
                                   void* out, int direction);
/// Of working memory that this rank needs beyond the user's arrays.
int sixstep_redistribution_workspace_bytes(sixstep_redistribution const* redistribution,
                                           size_t* bytes);
/// Passes over this rank's arrays, and exchanges; NULL for what is not asked for.
int sixstep_redistribution_counts(sixstep_redistribution const* redistribution, int* passes,
                                  int* exchanges);
/// As sixstep_plan_communication_seconds().
int sixstep_redistribution_communication_seconds(sixstep_redistribution const* redistribution,
                                                 double* seconds);
/// As sixstep_plan_describe().
int sixstep_redistribution_describe(sixstep_redistribution* redistribution, char const** words);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
