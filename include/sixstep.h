// SPDX-License-Identifier: BSD-3-Clause
// The C interface: layouts, plans, operators, maps, Poisson solvers, convolutions and
// redistributions as handles.
//
// Every call returns a code: SIXSTEP_OK, or the kind of failure. sixstep_error_message() then says
// what was given and what is needed, in the words of the C++ interface. The last pointers of a call
// receive its results; a call that fails leaves them unchanged. A handle that is NULL is an error,
// never a crash, unless a comment allows it.
//
// Shapes and axes are in C order, slowest axis first, and ranges are half-open, [lo, hi).
// sixstep/layout.hpp, sixstep/options.hpp, sixstep/plan.hpp, sixstep/operator.hpp, sixstep/map.hpp,
// sixstep/poisson.hpp, sixstep/convolution.hpp and sixstep/open_poisson.hpp explain each choice in
// full.
#ifndef SIXSTEP_H
#define SIXSTEP_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// SIXSTEP_MAX_AXES: the most axes that a user's array may have. SIXSTEP_MAX_DIGITS: the most axes
/// that an output may have if the plan chose its layout and views a long axis as two digits, or if
/// there are several fields.
#define SIXSTEP_MAX_AXES 8
#define SIXSTEP_MAX_DIGITS 16

/// The kind of a failure: a wrong argument or environment variable; too little memory; a local
/// library that cannot be loaded; a fault of this library; data that have changed while they were
/// worked on.
enum {
  SIXSTEP_OK = 0,
  SIXSTEP_ERROR_ARGUMENT,
  SIXSTEP_ERROR_MEMORY,
  SIXSTEP_ERROR_LIBRARY,
  SIXSTEP_ERROR_INTERNAL,
  SIXSTEP_ERROR_CORRUPTED
};

/// The message of the last call that failed on this thread; "" if none has failed. It is valid
/// until the next call fails.
char const* sixstep_error_message(void);

/// "0.2.0".
char const* sixstep_version(void);

/// The precision of a plan's reals.
enum { SIXSTEP_DOUBLE, SIXSTEP_SINGLE };
/// forward: from input to output, with exp(-2 pi i jk/n) unless a sign is given; backward: from
/// output to input, with exp(+2 pi i jk/n) unless a sign is given.
enum { SIXSTEP_FORWARD, SIXSTEP_BACKWARD };
/// The sign of the exponent: exp(-2 pi i jk/n) or exp(+2 pi i jk/n).
enum { SIXSTEP_MINUS, SIXSTEP_PLUS };
/// The factor of a transform: 1, 1/N or 1/sqrt(N). N is the product of the transformed extents; a
/// cosine or sine transform counts 2(n-1) for dct1, 2(n+1) for dst1 and 2n for the others.
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
/// How data moves between ranks, who makes messages progress, whose kernels transform, which device
/// executes a plan, when results have the same bits, and how much a plan tries out when it is made:
/// see sixstep/options.hpp, sixstep/local.hpp and sixstep/bits.hpp.
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
enum { SIXSTEP_BITS_NONE, SIXSTEP_BITS_MACHINE, SIXSTEP_BITS_EVERYWHERE };
enum { SIXSTEP_MODEL, SIXSTEP_QUICK, SIXSTEP_EXHAUSTIVE };
enum { SIXSTEP_VERIFY_NONE, SIXSTEP_VERIFY_RESULT, SIXSTEP_VERIFY_ALL };
/// Where the output lies if no layout is given for it: in the cheapest layout; in the input's
/// layout; or in the cheapest layout that keeps the input's axes and memory order.
enum { SIXSTEP_CHEAPEST, SIXSTEP_AS_INPUT, SIXSTEP_NATURAL_AXES };

/// The options of a plan; sixstep::Options explains each member. Begin with `sixstep_options
/// options = SIXSTEP_OPTIONS;`, then change the members that you need. `size` tells the library
/// which members your program knows; members that it does not know have their defaults.
typedef struct {
  size_t size;
  int axes_count, axes[SIXSTEP_MAX_AXES];    ///< axes to transform; none: all
  int kinds_count, kinds[SIXSTEP_MAX_AXES];  ///< one for each of `axes`, or one for all; none: c2c
  int modes_count;                           ///< 0: all modes are kept; else one for each of `axes`
  int64_t modes[SIXSTEP_MAX_AXES];           ///< number of modes that are kept along each axis
  int transform;                             ///< 0: transform no axis, only move the elements
  int padded;                                ///< 1: rows of the real input take 2 (n/2 + 1) reals
  int fields;                                ///< number of arrays that are transformed together
  int interleaved;                           ///< 1: fields lie side by side, point by point
  int preserve_input;                        ///< 0: the plan may overwrite the input out of place
  int low_memory;                            ///< 1: a sixteenth of the work memory, more passes
  int exchange;                              ///< SIXSTEP_SHARED ...
  int threads;                               ///< of a rank; 0: OMP_NUM_THREADS, or a fair share
  int windows;                               ///< of exchanges between nodes; 0: by message size
  int driver;                                ///< SIXSTEP_AUTOMATIC ...
  int pipelines;                             ///< teams of SIXSTEP_PIPELINES; 0: one a thread
  int regrid;                                ///< 1: the plan may split fewer axes than the input
  int split_untransformed;                   ///< 1: it may split axes that are not transformed
  int own_workspace;                         ///< 0: sixstep_plan_set_workspace() lends the memory
  int local;                                 ///< SIXSTEP_OWN ...
  int tuning;                                ///< SIXSTEP_MODEL ...
  double tuning_seconds;                     ///< the most that SIXSTEP_QUICK may take
  char const* trace;                         ///< file for a trace of all ranks; NULL: no trace
  int twiddle;                               ///< an axis whose indices twiddle the result; -1: none
  int device;                                ///< SIXSTEP_NONE: the processor; SIXSTEP_CUDA ...
  int gpu;                                   ///< its number; -1: by the rank's number on its node
  int reserved;                              ///< 0
  int output;                                ///< SIXSTEP_CHEAPEST ...
  int lengths_count;                         ///< 0: the points; else one for each of `axes`
  int64_t lengths[SIXSTEP_MAX_AXES];         ///< of transforms that go on with zeros
  int sphere_count;                          ///< 0: no sphere; else one for each of `axes`, or one
  double sphere[SIXSTEP_MAX_AXES];           ///< radii, in wave numbers: modes outside are dropped
  int64_t columns_count;                     ///< 0: no list; else all numbers of the columns
  int64_t const* columns;                    ///< waves across, lowest, highest wave of each column
  double wire;                               ///< relative error that messages may make; 0: none
  int reproducible;                          ///< SIXSTEP_BITS_NONE ...
  int verify;                                ///< SIXSTEP_VERIFY_NONE ...
} sixstep_options;

/* clang-format off */
#define SIXSTEP_OPTIONS                                                                     \
  {                                                                                         \
    sizeof(sixstep_options), 0, {0}, 0, {0}, 0, {0}, /* axes, kinds, modes */               \
    1, 0, 1, 0, 1, 0, /* transform, padded, fields, interleaved, preserve_input, low_memory */ \
    SIXSTEP_SHARED, 0, 0, SIXSTEP_AUTOMATIC, 0, /* exchange, threads, windows, driver, pipelines */ \
    0, 0, 1, SIXSTEP_OWN, /* regrid, split_untransformed, own_workspace, local */           \
    SIXSTEP_MODEL, 10.0, NULL, -1, /* tuning, tuning_seconds, trace, twiddle */             \
    SIXSTEP_NONE, -1, 0, SIXSTEP_CHEAPEST, /* device, gpu, reserved, output */              \
    0, {0}, 0, {0}, 0, NULL, 0.0, /* lengths, sphere, columns, wire */                      \
    SIXSTEP_BITS_NONE, SIXSTEP_VERIFY_NONE /* reproducible, verify */                       \
  }
/* clang-format on */

/// A pass over memory or an exchange: what it does, the seconds that it takes on a rank, and the
/// bytes that it reads and writes each time.
typedef struct {
  char const* what;
  double seconds;
  double bytes;
} sixstep_step;

/// The predicted time of a forward transform or of an operator: `seconds` in all, the seconds of
/// its exchanges and of its passes over memory, and each step. Where exchanges hide behind passes,
/// `seconds` is less than the sum.
typedef struct {
  double seconds, communication, computation;
  int steps_count;
  sixstep_step const* steps;
} sixstep_prediction;

/// The box of a rank and its place in the rank's array. Along each axis the box has the indices lo,
/// lo + step, ... below hi, and neighbours are `stride` elements apart. For the input and output of
/// a plan with several fields, `stride` has one more entry: the distance between fields.
typedef struct {
  int axes;
  int64_t lo[SIXSTEP_MAX_DIGITS], hi[SIXSTEP_MAX_DIGITS], step[SIXSTEP_MAX_DIGITS];
  int64_t stride[SIXSTEP_MAX_DIGITS + 1];
  int64_t offset;  ///< elements (ghosts) before the first element of the box
  int64_t points;  ///< points of the box, in one field
} sixstep_part;

/// The smallest length >= n that is `multiple` times a product of 2, 3, 5 and 7.
int sixstep_good_size(int64_t n, int64_t multiple, int64_t* size);
/// The N in the scale of a transform along n points, as above.
int sixstep_logical_size(int kind, int64_t n, int64_t* size);
/// The kind that undoes `kind`, up to that factor N.
int sixstep_inverse_kind(int kind, int* inverse);
/// A near-square grid of ranks over the first `split_axes` axes: the number of ranks along each
/// axis.
int sixstep_choose_grid(int axes, int64_t const* shape, int ranks, int split_axes, int* grid);

// Layouts: which rank holds which part of an array. They need no MPI. The caller frees each layout
// that it gets; plans keep copies. Arrays have one entry an axis. Errors: those of sixstep::Layout.

typedef struct sixstep_layout sixstep_layout;

/// Ranks in a grid, `grid[a]` of them along axis a, the last axis fastest. `order` lists the axes,
/// slowest in memory first. `distribution` NULL: all blocks. `order` NULL: C order.
int sixstep_layout_grid(int axes, int64_t const* shape, int const* grid, int const* distribution,
                        int const* order, sixstep_layout** layout);
/// One axis split over all ranks.
int sixstep_layout_slab(int axes, int64_t const* shape, int ranks, int axis,
                        sixstep_layout** layout);
/// The first two axes split in a near-square grid.
int sixstep_layout_pencil(int axes, int64_t const* shape, int ranks, sixstep_layout** layout);
/// All axes split in a near-cubic grid.
int sixstep_layout_brick(int axes, int64_t const* shape, int ranks, sixstep_layout** layout);
/// Any boxes that are disjoint and together fill the shape. Rank r holds the indices from
/// lo[r * axes + a] up to, but not including, hi[r * axes + a] along axis a. `order` may be NULL.
int sixstep_layout_boxes(int axes, int64_t const* shape, int ranks, int64_t const* lo,
                         int64_t const* hi, int const* order, sixstep_layout** layout);
/// Works like sixstep_layout_boxes(), but each rank gives only its own box, lo[a] and hi[a].
/// Collective; all ranks get the same error.
int sixstep_layout_gather(int axes, int64_t const* shape, int64_t const* lo, int64_t const* hi,
                          int const* order, MPI_Comm comm, sixstep_layout** layout);
/// The layout in blocks with which a plan with these options is fastest. An `output` other than
/// SIXSTEP_CHEAPEST replaces options->output. Collective. Errors: those of a plan.
int sixstep_layout_tuned(int precision, int axes, int64_t const* shape, int output, MPI_Comm comm,
                         sixstep_options const* options, sixstep_layout** layout);

/// Keeps the boxes and changes the memory order.
int sixstep_layout_with_order(sixstep_layout const* from, int const* order,
                              sixstep_layout** layout);
/// Keeps the boxes and adds ghosts: `before` and `after` elements around each box.
int sixstep_layout_with_ghosts(sixstep_layout const* from, int64_t const* before,
                               int64_t const* after, sixstep_layout** layout);
/// Keeps the boxes; the box of rank r begins at starts[r * axes + a] of a local array of
/// extents[r * axes + a] elements along axis a.
int sixstep_layout_in_arrays(sixstep_layout const* from, int64_t const* extents,
                             int64_t const* starts, sixstep_layout** layout);
/// Keeps the boxes and removes ghosts and padding.
int sixstep_layout_dense(sixstep_layout const* from, sixstep_layout** layout);
/// Changes the extent of `axis`, which must be whole on every rank.
int sixstep_layout_with_extent(sixstep_layout const* from, int axis, int64_t extent,
                               sixstep_layout** layout);
/// Renames the axes: axis a of the result is axis axes[a] of `from`.
int sixstep_layout_transposed(sixstep_layout const* from, int const* axes, sixstep_layout** layout);

/// The numbers of axes and of ranks. Either pointer may be NULL.
int sixstep_layout_counts(sixstep_layout const* layout, int* axes, int* ranks);
/// The extents, one an axis. An array of SIXSTEP_MAX_DIGITS entries is large enough.
int sixstep_layout_shape(sixstep_layout const* layout, int64_t* shape);
/// The memory order: the axes, slowest in memory first.
int sixstep_layout_order(sixstep_layout const* layout, int* order);
/// The number of ranks along each axis (0 if the ranks form no grid), and how each axis is dealt
/// out. Either pointer may be NULL.
int sixstep_layout_dealt(sixstep_layout const* layout, int* grid, int* distribution);
/// 1 if every rank that holds points holds this axis whole, else 0.
int sixstep_layout_whole(sixstep_layout const* layout, int axis, int* whole);
/// The box of a rank and its place in the rank's array.
int sixstep_layout_part(sixstep_layout const* layout, int rank, sixstep_part* part);
/// The number of elements of a rank's array, ghosts included.
int sixstep_layout_array_size(sixstep_layout const* layout, int rank, int64_t* elements);
/// The ghosts around a rank's box.
int sixstep_layout_ghosts(sixstep_layout const* layout, int rank, int64_t* before, int64_t* after);
/// The most points that any rank holds.
int sixstep_layout_largest_size(sixstep_layout const* layout, int64_t* points);
/// The number of ranks that hold points of the box [lo, hi), and, unless `ranks` is NULL, those
/// ranks in ascending order.
int sixstep_layout_ranks_meeting(sixstep_layout const* layout, int64_t const* lo, int64_t const* hi,
                                 int* count, int* ranks);
/// 1 if both place every point alike, else 0.
int sixstep_layout_equal(sixstep_layout const* a, sixstep_layout const* b, int* equal);
/// For example "256 x 256 x 256 over 2 x 1 x 1 ranks (slab)"; valid until the layout is freed.
int sixstep_layout_describe(sixstep_layout* layout, char const** words);
/// NULL is allowed.
int sixstep_layout_free(sixstep_layout* layout);

// Plans: sixstep::Plan.

typedef struct sixstep_plan sixstep_plan;

/// Makes a plan for arrays of this precision. `output` NULL: the plan chooses the output's layout.
/// `options` NULL: the defaults. Collective over `comm`, which is duplicated. The call succeeds on
/// every rank or gives the same error on every rank, even if an argument is wrong on one rank only.
int sixstep_plan_create(int precision, sixstep_layout const* input, sixstep_layout const* output,
                        MPI_Comm comm, sixstep_options const* options, sixstep_plan** plan);
/// Collective, before MPI_Finalize or after. NULL is allowed.
int sixstep_plan_free(sixstep_plan* plan);

/// The layouts of forward's input and output. The caller frees them.
int sixstep_plan_input(sixstep_plan const* plan, sixstep_layout** layout);
int sixstep_plan_output(sixstep_plan const* plan, sixstep_layout** layout);
/// This rank's box of the input or output; its strides include padded rows and fields.
int sixstep_plan_input_part(sixstep_plan const* plan, sixstep_part* part);
int sixstep_plan_output_part(sixstep_plan const* plan, sixstep_part* part);
/// The number of elements that this rank's array must hold as input, as output, and for use in
/// place (counted in elements of the output). Any of the pointers may be NULL.
int sixstep_plan_sizes(sixstep_plan const* plan, int64_t* input, int64_t* output,
                       int64_t* in_place);
/// Bytes of an element of the input and of the output: 4, 8 or 16. Either pointer may be NULL.
int sixstep_plan_element_bytes(sixstep_plan const* plan, size_t* input, size_t* output);

/// The wave numbers of an element of forward's output: `k` is a point of the output, and w gets one
/// entry for each axis of the input.
int sixstep_plan_wavenumber(sixstep_plan const* plan, int64_t const* k, double* w);
/// The wave number along one axis of the input, for its index k in natural order.
int sixstep_plan_wavenumber_along(sixstep_plan const* plan, int axis, int64_t k, double* w);
/// The number of indices that this rank's output has along an axis of the input, and, unless w is
/// NULL, their wave numbers in order.
int sixstep_plan_wavenumbers(sixstep_plan const* plan, int axis, int64_t* count, double* w);

/// Allocates an array for input, output or both, in memory that the ranks of a node share where
/// they can. The array may outlive the plan. Collective.
int sixstep_plan_allocate(sixstep_plan* plan, void** array);
/// Frees an array from sixstep_plan_allocate(), sixstep_operator_allocate(),
/// sixstep_map_allocate(), sixstep_convolution_allocate(), sixstep_redistribution_allocate() or
/// sixstep_device_allocate(). NULL is allowed.
int sixstep_free(void* array);

/// Transforms `in` to `out`. forward reads `in` in the layout of the input and writes `out` in that
/// of the output; backward does the opposite. `in` does not change unless in == out. Elements are
/// complex numbers (two reals each); with r2c the input is real; with cosine and sine transforms
/// alone input and output are real. Collective.
int sixstep_plan_forward(sixstep_plan* plan, void const* in, void* out, int scale);
int sixstep_plan_backward(sixstep_plan* plan, void const* in, void* out, int scale);
/// Executes a complex plan with either sign in either direction.
int sixstep_plan_execute(sixstep_plan* plan, void const* in, void* out, int direction, int sign,
                         int scale);

/// These calls work like forward and backward, but on a device they return as soon as the work is
/// in the device's queue and no other rank has to be waited for. sixstep_plan_wait() waits until
/// the work is done.
int sixstep_plan_forward_async(sixstep_plan* plan, void const* in, void* out, int scale);
int sixstep_plan_backward_async(sixstep_plan* plan, void const* in, void* out, int scale);
int sixstep_plan_wait(sixstep_plan* plan);
/// Makes a plan on a GPU work in this stream (a cudaStream_t) from now on.
int sixstep_plan_set_stream(sixstep_plan* plan, void* stream);
/// Allocates memory of a device (SIXSTEP_CUDA ...); sixstep_free() frees it.
int sixstep_device_allocate(int device, size_t bytes, void** array);
/// Copies between a device's memory and the host's, or within the device, and waits for the end.
int sixstep_device_copy(int device, void* to, void const* from, size_t bytes);

/// The bytes of work memory that a plan needs.
int sixstep_plan_workspace_bytes(sixstep_plan const* plan, size_t* bytes);
/// Lends work memory, aligned to 64 bytes, to a plan that was made with own_workspace = 0.
int sixstep_plan_set_workspace(sixstep_plan* plan, void* memory, size_t bytes);

/// The plan in a few lines; valid until the next call or until the plan is freed.
int sixstep_plan_describe(sixstep_plan* plan, char const** words);
/// The passes over memory and exchanges of a forward transform, and the threads of this rank. Any
/// of the pointers may be NULL.
int sixstep_plan_counts(sixstep_plan const* plan, int* passes, int* exchanges, int* threads);
/// The seconds that this rank has spent in communication since the plan was made.
int sixstep_plan_communication_seconds(sixstep_plan const* plan, double* seconds);
/// The relative error that shortened messages have made in the last execution, at most. Collective.
int sixstep_plan_wire_error(sixstep_plan const* plan, double* error);
/// Returns what sixstep_options::verify has found since the plan was made: executions that were
/// right, that could not be checked, and that were right at the second try; messages, and arrays
/// that rest between two sweeps, whose bits were compared; and the largest difference of two sums
/// in units of its bound.
int sixstep_plan_verified(sixstep_plan const* plan, int64_t* checked, int64_t* unchecked,
                          int64_t* repaired, int64_t* compared, double* largest_share);

/// An execution that sixstep_options::verify has found to be wrong: the same on all ranks.
typedef struct {
  int direction;      ///< SIXSTEP_FORWARD or SIXSTEP_BACKWARD
  int repaired;       ///< 1: a second execution was right, so the call returns SIXSTEP_OK
  int rank;           ///< the rank that has computed, or read, other numbers; -1: not known
  char const* where;  ///< the step or message, and what the rank has done; "": not known
  double difference;  ///< of two sums of the first result, and what rounding could make of it at
  double bound;       ///< most; `bound` is 0 if the execution cannot be checked by sums
} sixstep_detection;

/// Is told of an execution. `context` is the pointer that came with the function. What `found`
/// points to is valid until the function returns.
typedef void sixstep_detection_function(void* context, sixstep_detection const* found);
/// Calls the function on every rank whenever sixstep_options::verify finds an execution to be
/// wrong, before that execution returns. The function must not use the plan, and must live as long
/// as the plan executes. NULL: calls nothing.
int sixstep_plan_on_detection(sixstep_plan* plan, sixstep_detection_function* function,
                              void* context);
/// The seconds that executions in one direction have taken since the plan was made, in the steps of
/// the latest execution. The steps and their words are valid until the next call of this function
/// or of sixstep_plan_predict(), or until the plan is freed.
int sixstep_plan_breakdown(sixstep_plan* plan, int direction, int* steps_count,
                           sixstep_step const** steps);
/// Predicts the time of a forward transform on the machine that the file describes, without running
/// it. NULL: the file that `sixstep tune --machine` writes. Collective.
int sixstep_plan_predict(sixstep_plan* plan, char const* machine_file,
                         sixstep_prediction* prediction);
/// Writes the trace so far to the file options.trace. Collective.
int sixstep_plan_write_trace(sixstep_plan* plan);

// Symbols: what an operator multiplies each Fourier coefficient by, a number or a matrix between
// fields, as a function of the wave vector k. sixstep/symbol.hpp and sixstep/symbols.hpp explain
// them. The caller frees each symbol that it gets; operators keep copies.

typedef struct sixstep_symbol sixstep_symbol;

/// The numbers that a function writes: complex ones, two doubles each, or reals, one double each.
enum { SIXSTEP_COMPLEX_NUMBERS, SIXSTEP_REAL_NUMBERS };

/// Writes the numbers for `count` wave vectors: for each of them one, or the results times fields
/// numbers of a matrix, row by row. Component `axis` of vector i is k[i * axes + axis]. `context`
/// is the pointer that came with the function. Returns 0, or any other number if it failed.
typedef int sixstep_symbol_numbers(void* context, int axes, int64_t count, double const* k,
                                   void* numbers);

/// A function that writes a number for each wave vector; each field is multiplied by it. The
/// function and `context` must live as long as an operator may call it. Errors: a function that
/// returns another number than 0 is an error of the call that makes or applies the operator.
int sixstep_symbol_function(sixstep_symbol_numbers* function, void* context, int numbers,
                            sixstep_symbol** symbol);
/// A function that writes a matrix for each wave vector: result i is the sum over j of matrix[i][j]
/// times field j.
int sixstep_symbol_matrix(int results, int fields, sixstep_symbol_numbers* function, void* context,
                          int numbers, sixstep_symbol** symbol);

/// Writes the numbers of one axis of the layout for `count` components k along it. Returns 0, or
/// any other number if it failed.
typedef int sixstep_symbol_factor(void* context, int axis, int64_t count, double const* k,
                                  void* numbers);
/// The product of one number for each axis, which operators keep in a table for each axis.
int sixstep_symbol_product(int axes, sixstep_symbol_factor* function, void* context, int numbers,
                           sixstep_symbol** symbol);
/// The caller's numbers, one for each coefficient: this rank's array of an array in natural order
/// with the shape of the coefficients, in any layout. `size`: how many this rank gives; -1: that is
/// not checked. `precision` is that of the operator. The array is read when an operator is made or
/// renewed, and must live until then.
int sixstep_symbol_array(sixstep_layout const* layout, int precision, int numbers,
                         void const* array, int64_t size, sixstep_symbol** symbol);

/// Where a grid has the components of vectors: at the points of scalars, or half a spacing above or
/// below them.
enum { SIXSTEP_NO_FACES, SIXSTEP_ABOVE, SIXSTEP_BELOW };

/// How symbols take derivatives: exactly, or by finite differences, as sixstep/differences.hpp has
/// them.
typedef struct {
  int accuracy;                      ///< the order: 0 (exact derivatives), 2 or 4
  int faces;                         ///< SIXSTEP_NO_FACES ...
  int spacing_count;                 ///< the number of axes; 0 with exact derivatives
  double spacing[SIXSTEP_MAX_AXES];  ///< the distance between points along each axis
} sixstep_differences;

/// The derivative of this order along an axis; axes below 0 count from the last. `by` NULL, here
/// and below: exact derivatives.
int sixstep_symbol_derivative(int axis, int order, sixstep_differences const* by,
                              sixstep_symbol** symbol);
/// The sum of the second derivatives.
int sixstep_symbol_laplacian(sixstep_differences const* by, sixstep_symbol** symbol);
/// The solution of laplacian u = f whose mean is 0.
int sixstep_symbol_inverse_laplacian(sixstep_differences const* by, sixstep_symbol** symbol);
/// The solution of (alpha - laplacian) u = f.
int sixstep_symbol_helmholtz(double alpha, sixstep_differences const* by, sixstep_symbol** symbol);
/// A convolution with a Gaussian of standard deviation sigma.
int sixstep_symbol_gaussian(double sigma, sixstep_symbol** symbol);
/// Keeps waves with |k| <= limit, and drops the others.
int sixstep_symbol_lowpass(double limit, sixstep_symbol** symbol);
/// u(x - distance), where `distance` has a component for each of the axes.
int sixstep_symbol_shift(int axes, double const* distance, sixstep_symbol** symbol);
/// The part without divergence of a vector field, in as many fields as there are axes.
int sixstep_symbol_project(int axes, sixstep_differences const* by, sixstep_symbol** symbol);
/// The gradient of a field; it has as many fields as there are axes.
int sixstep_symbol_gradient(int axes, sixstep_differences const* by, sixstep_symbol** symbol);
/// The divergence of a vector field, which has as many fields as there are axes.
int sixstep_symbol_divergence(int axes, sixstep_differences const* by, sixstep_symbol** symbol);
/// The curl of a vector field, which has three fields.
int sixstep_symbol_curl(sixstep_symbol** symbol);
/// NULL is allowed.
int sixstep_symbol_free(sixstep_symbol* symbol);

// Operators: sixstep::Operator.

typedef struct sixstep_operator sixstep_operator;

/// The options of an operator: those of a plan, two more, and those of sixstep::OperatorResult.
/// Begin with `sixstep_operator_options options = SIXSTEP_OPERATOR_OPTIONS;`.
typedef struct {
  sixstep_options plan;            ///< all but output, transform and twiddle
  size_t size;                     ///< of this struct, as sixstep_options has it
  int kept;                        ///< 0: no table; a symbol's function is called at each execution
  int sides_count;                 ///< 0: sides of 2 pi, or of pi between walls; else one an axis
  double sides[SIXSTEP_MAX_AXES];  ///< lengths of the domain along each axis of the layout
  sixstep_layout const* result;    ///< the result's layout; NULL: that of the input
  int result_lengths_count;        ///< 0: plan.lengths, or the result's points; else one an axis
  int64_t result_lengths[SIXSTEP_MAX_AXES];  ///< of the transform back, along each of `axes`
  int first_count;                           ///< 0: from point 0 on; else one for each of `axes`
  int64_t first[SIXSTEP_MAX_AXES];           ///< the result's first point along each of `axes`
} sixstep_operator_options;

#define SIXSTEP_OPERATOR_OPTIONS                                                         \
  {                                                                                      \
    SIXSTEP_OPTIONS, sizeof(sixstep_operator_options), 1, 0, {0}, NULL, 0, {0}, 0, { 0 } \
  }

/// Makes an operator from arrays of this layout and precision, to arrays of the same layout or of
/// options->result. `options` NULL: the defaults. Collective over `comm`, with the same errors on
/// all ranks. Without a table, several threads call a symbol's function at the same time.
int sixstep_operator_create(int precision, sixstep_layout const* layout,
                            sixstep_symbol const* symbol, MPI_Comm comm,
                            sixstep_operator_options const* options, sixstep_operator** op);
/// Collective, before MPI_Finalize or after. NULL is allowed.
int sixstep_operator_free(sixstep_operator* op);
/// Applies the operator to `in` and writes `out`, in place if in == out. Elements are real if the
/// transforms have an r2c axis, or are cosines and sines alone; else complex. Collective. Errors: a
/// function without a table that failed is an error on the ranks where it failed.
int sixstep_operator_apply(sixstep_operator* op, void const* in, void* out);
/// Takes another symbol of the same size from now on. Nothing is planned anew. Collective, with the
/// same errors on all ranks, after which the old symbol stays.
int sixstep_operator_renew(sixstep_operator* op, sixstep_symbol const* symbol);

/// These calls do what the calls of plans with the same names do.
int sixstep_operator_input(sixstep_operator const* op, sixstep_layout** layout);
int sixstep_operator_output(sixstep_operator const* op, sixstep_layout** layout);
int sixstep_operator_input_part(sixstep_operator const* op, sixstep_part* part);
int sixstep_operator_output_part(sixstep_operator const* op, sixstep_part* part);
int sixstep_operator_sizes(sixstep_operator const* op, int64_t* input, int64_t* output,
                           int64_t* in_place);
int sixstep_operator_element_bytes(sixstep_operator const* op, size_t* input, size_t* output);
int sixstep_operator_allocate(sixstep_operator* op, void** array);
int sixstep_operator_workspace_bytes(sixstep_operator const* op, size_t* bytes);
int sixstep_operator_set_workspace(sixstep_operator* op, void* memory, size_t bytes);
int sixstep_operator_describe(sixstep_operator* op, char const** words);
int sixstep_operator_counts(sixstep_operator const* op, int* passes, int* exchanges, int* threads);
int sixstep_operator_verified(sixstep_operator const* op, int64_t* checked, int64_t* unchecked,
                              int64_t* repaired, int64_t* compared, double* largest_share);
int sixstep_operator_on_detection(sixstep_operator* op, sixstep_detection_function* function,
                                  void* context);
int sixstep_operator_communication_seconds(sixstep_operator const* op, double* seconds);
int sixstep_operator_breakdown(sixstep_operator* op, int* steps_count, sixstep_step const** steps);
int sixstep_operator_predict(sixstep_operator* op, char const* machine_file,
                             sixstep_prediction* prediction);
int sixstep_operator_write_trace(sixstep_operator* op);

// Maps: sixstep::Map.

typedef struct sixstep_map sixstep_map;

/// Points that follow each other along one axis of the layout: `count` of them, whose indices along
/// the axis are `step` apart.
typedef struct {
  int axis;
  int64_t count, step;
} sixstep_along;

/// Some points of an array, the values of all fields there, and room for the results. Values have
/// the map's precision. Functions of coefficients get complex numbers, a function of points what
/// the input of a plan has (reals with r2c); both get reals if cosines and sines are alone. No
/// result lies in the memory of a value.
typedef struct {
  int64_t count;                    ///< number of points
  int axes;                         ///< the layout's number of axes
  int fields, results;              ///< numbers of entries of `in` and `out`
  void const* const* in;            ///< in[field]: an array of a field's values, one a point
  void* const* out;                 ///< out[result]: an array for a result's values
  double const* const* k;           ///< k[axis][i]: the wave vector of point i; NULL in space
  int64_t first[SIXSTEP_MAX_AXES];  ///< the global index of point 0
  sixstep_along points, rows;       ///< a row of points, and the rows, which follow each other
} sixstep_batch;

/// The global index of point i of a batch: one entry for each axis.
int sixstep_batch_index(sixstep_batch const* batch, int64_t i, int64_t* index);

/// Writes the results of a batch from its values. Several threads call it at the same time, for
/// different batches; it must call no MPI function. `context` is the pointer that came with the
/// function. Returns 0, or any other number if it failed.
typedef int sixstep_batch_function(void* context, sixstep_batch const* batch);

/// A function, its context, and how many results it has at each point.
typedef struct {
  sixstep_batch_function* function;
  void* context;
  int results;
} sixstep_map_step;

/// The functions of a map, in the order in which they are called. `before` and `after` may be
/// missing, and are then {NULL, NULL, 0}.
typedef struct {
  sixstep_map_step before;     ///< makes the fields that go to points, from coefficients
  sixstep_map_step at_points;  ///< takes the values of these fields at points
  sixstep_map_step after;      ///< takes the coefficients of what `at_points` has made
} sixstep_map_functions;

/// The options of a map: those of a plan, and more. Begin with `sixstep_map_options options =
/// SIXSTEP_MAP_OPTIONS;`.
typedef struct {
  sixstep_options plan;            ///< all but transform, twiddle and device
  size_t size;                     ///< of this struct, as sixstep_options has it
  int sides_count;                 ///< 0: sides of 2 pi, or of pi between walls; else one an axis
  double sides[SIXSTEP_MAX_AXES];  ///< lengths of the domain along each axis of the layout
  int backward, forward;           ///< factors of the transforms to and from points
  int64_t batch;                   ///< batches have at least this many points if they can
  sixstep_layout const* results;   ///< of the coefficients of the result; NULL: as the input's
} sixstep_map_options;

#define SIXSTEP_MAP_OPTIONS \
  { SIXSTEP_OPTIONS, sizeof(sixstep_map_options), 0, {0}, SIXSTEP_BY_N, SIXSTEP_UNSCALED, 16, NULL }

/// Makes a map of coefficients of fields in `points`, a layout of points in space. `coefficients`
/// NULL: the map chooses their layout. `options` NULL: the defaults. Functions and their contexts
/// must live as long as the map. Collective over `comm`, with the same errors on all ranks.
int sixstep_map_create(int precision, sixstep_layout const* points,
                       sixstep_layout const* coefficients, MPI_Comm comm,
                       sixstep_map_functions const* functions, sixstep_map_options const* options,
                       sixstep_map** map);
/// Collective, before MPI_Finalize or after. NULL is allowed.
int sixstep_map_free(sixstep_map* map);
/// Applies the map to coefficients `in` and writes coefficients `out`, in place if in == out. They
/// are complex, or real if cosines and sines are alone. Collective. Errors: a function that returns
/// another number than 0 is an error on its rank, after all exchanges; `out` is undefined then.
int sixstep_map_apply(sixstep_map* map, void const* in, void* out);

/// These calls do what the calls of plans with the same names do. Input and output are
/// coefficients.
int sixstep_map_input(sixstep_map const* map, sixstep_layout** layout);
int sixstep_map_output(sixstep_map const* map, sixstep_layout** layout);
int sixstep_map_input_part(sixstep_map const* map, sixstep_part* part);
int sixstep_map_output_part(sixstep_map const* map, sixstep_part* part);
int sixstep_map_sizes(sixstep_map const* map, int64_t* input, int64_t* output, int64_t* in_place);
int sixstep_map_element_bytes(sixstep_map const* map, size_t* input, size_t* output);
int sixstep_map_allocate(sixstep_map* map, void** array);
int sixstep_map_workspace_bytes(sixstep_map const* map, size_t* bytes);
int sixstep_map_set_workspace(sixstep_map* map, void* memory, size_t bytes);
int sixstep_map_describe(sixstep_map* map, char const** words);
int sixstep_map_counts(sixstep_map const* map, int* passes, int* exchanges, int* threads);
int sixstep_map_verified(sixstep_map const* map, int64_t* checked, int64_t* unchecked,
                         int64_t* repaired, int64_t* compared, double* largest_share);
int sixstep_map_on_detection(sixstep_map* map, sixstep_detection_function* function, void* context);
int sixstep_map_communication_seconds(sixstep_map const* map, double* seconds);
int sixstep_map_breakdown(sixstep_map* map, int* steps_count, sixstep_step const** steps);
int sixstep_map_predict(sixstep_map* map, char const* machine_file, sixstep_prediction* prediction);
int sixstep_map_write_trace(sixstep_map* map);

// Poisson's equation, laplacian u = f, in a box, periodic or between walls: sixstep::Poisson.

typedef struct sixstep_poisson sixstep_poisson;

/// The ends of an axis: it is periodic, or u (Dirichlet) or du/dx (Neumann) is given at both walls,
/// or one at the first and the other at the last wall. In solvers in free space axes may be open.
enum {
  SIXSTEP_PERIODIC,
  SIXSTEP_DIRICHLET,
  SIXSTEP_NEUMANN,
  SIXSTEP_DIRICHLET_NEUMANN,
  SIXSTEP_NEUMANN_DIRICHLET,
  SIXSTEP_OPEN
};
/// The points between two walls: the middles of equal cells, or nodes; a node lies on each wall
/// where du/dx is given.
enum { SIXSTEP_CELLS, SIXSTEP_NODES };

/// The options of a solver: those of an operator, and those of the equation. Begin with
/// `sixstep_poisson_options options = SIXSTEP_POISSON_OPTIONS;`.
typedef struct {
  sixstep_options plan;            ///< those that an operator has, but axes, kinds, modes, fields
  size_t size;                     ///< of this struct, as sixstep_options has it
  int kept;                        ///< 0: no table of the numbers that coefficients are divided by
  int sides_count;                 ///< 0: sides of 2 pi, or of pi between walls; else one an axis
  double sides[SIXSTEP_MAX_AXES];  ///< lengths of the domain along each axis of the layout
  int walls_count, walls[SIXSTEP_MAX_AXES];    ///< one an axis, or one for all; none: periodic
  int points_count, points[SIXSTEP_MAX_AXES];  ///< one an axis, or one for all; none: cells
  int accuracy;  ///< 0: exact derivatives; 2 or 4: finite differences of this order
  double mean;   ///< of u, where the equation leaves it open
} sixstep_poisson_options;

#define SIXSTEP_POISSON_OPTIONS \
  { SIXSTEP_OPTIONS, sizeof(sixstep_poisson_options), 1, 0, {0}, 0, {0}, 0, {0}, 0, 0.0 }

/// Makes a solver for arrays of reals of this layout and precision. `options` NULL: the defaults.
/// Collective over `comm`, with the same errors on all ranks.
int sixstep_poisson_create(int precision, sixstep_layout const* layout, MPI_Comm comm,
                           sixstep_poisson_options const* options, sixstep_poisson** poisson);
/// Collective, before MPI_Finalize or after. NULL is allowed.
int sixstep_poisson_free(sixstep_poisson* poisson);
/// The operator that solves the equation. It has the sizes and parts of arrays, allocates them, and
/// tells what it does. The caller frees it, before or after the solver; both are collective.
int sixstep_poisson_inverse(sixstep_poisson* poisson, sixstep_operator** op);

/// Writes u, or du/dx along the axis, as its kind says, at the place x of a wall, which is the last
/// of this axis if is_last is not 0. `x` has one entry for each axis. Returns 0, or any other
/// number if it failed.
typedef int sixstep_wall_values(void* context, int axis, int is_last, double const* x,
                                double* value);

/// Solves for the right side `f` and writes `u`, in place if f == u; `u` needs the operator's size
/// in place. `values` NULL: u or du/dx is 0 at all walls; otherwise accuracy 2 is needed.
/// `left_out` gets the mean of f that is left out because the equation has no solution with it, or
/// 0; it may be NULL. Collective. Errors, on all ranks: `values` returned another number than 0.
int sixstep_poisson_solve(sixstep_poisson* poisson, void const* f, void* u,
                          sixstep_wall_values* values, void* context, double* left_out);
/// The place of a point of the layout: its distance from the first wall, or from point 0, along
/// each axis.
int sixstep_poisson_x(sixstep_poisson const* poisson, int64_t const* point, double* x);
/// The distance between points along each axis.
int sixstep_poisson_spacing(sixstep_poisson const* poisson, double* spacing);

// Convolutions of arrays with a kernel: sixstep::Convolution. Poisson's equation in free space is
// one: sixstep::OpenPoisson.

typedef struct sixstep_convolution sixstep_convolution;

/// The part of a convolution that is the result: all of it, the part as large as the signal, or the
/// part that needs no point outside of both arrays; or a circular convolution.
enum {
  SIXSTEP_CONVOLVE_FULL,
  SIXSTEP_CONVOLVE_SAME,
  SIXSTEP_CONVOLVE_VALID,
  SIXSTEP_CONVOLVE_PERIODIC
};

/// The options of a convolution: those of a plan, and more. Begin with `sixstep_convolution_options
/// options = SIXSTEP_CONVOLUTION_OPTIONS;`.
typedef struct {
  sixstep_options plan;  ///< all but output, transform, twiddle, device, modes, sphere, columns
  size_t size;           ///< of this struct, as sixstep_options has it
  int mode;              ///< SIXSTEP_CONVOLVE_FULL ...
  int correlate;         ///< 1: correlate with the kernel
  int even;              ///< 1: periodic, with a kernel that has conj(kernel[-l]) at l
} sixstep_convolution_options;

#define SIXSTEP_CONVOLUTION_OPTIONS \
  { SIXSTEP_OPTIONS, sizeof(sixstep_convolution_options), SIXSTEP_CONVOLVE_FULL, 0, 0 }

/// Makes a convolution of arrays in the layout `signal` with a kernel in the layout `kernel`.
/// `result` NULL: the result lies as the signal does. `options` NULL: the defaults. Collective over
/// `comm`, with the same errors on all ranks.
int sixstep_convolution_create(int precision, sixstep_layout const* signal,
                               sixstep_layout const* kernel, sixstep_layout const* result,
                               MPI_Comm comm, sixstep_convolution_options const* options,
                               sixstep_convolution** convolution);
/// Collective, before MPI_Finalize or after. NULL is allowed.
int sixstep_convolution_free(sixstep_convolution* convolution);
/// The shape of a result, one entry an axis.
int sixstep_convolution_result_shape(int axes, int64_t const* signal, int64_t const* kernel,
                                     sixstep_convolution_options const* options, int64_t* result);
/// Takes a kernel, this rank's array in the kernel's layout. Nothing is planned anew. Collective.
/// An error on every rank if one that has a part of it passes NULL.
int sixstep_convolution_set_kernel(sixstep_convolution* convolution, void const* kernel);
/// Convolves `in` with the kernel and writes `out`, in place if in == out. Elements are real if the
/// transforms have an r2c axis, else complex. Collective.
int sixstep_convolution_apply(sixstep_convolution* convolution, void const* in, void* out);

/// These calls do what the calls of plans with the same names do. The input is the signal, and the
/// output is the result.
int sixstep_convolution_input(sixstep_convolution const* convolution, sixstep_layout** layout);
int sixstep_convolution_output(sixstep_convolution const* convolution, sixstep_layout** layout);
int sixstep_convolution_input_part(sixstep_convolution const* convolution, sixstep_part* part);
int sixstep_convolution_output_part(sixstep_convolution const* convolution, sixstep_part* part);
int sixstep_convolution_sizes(sixstep_convolution const* convolution, int64_t* input,
                              int64_t* output, int64_t* in_place);
int sixstep_convolution_element_bytes(sixstep_convolution const* convolution, size_t* input,
                                      size_t* output);
int sixstep_convolution_allocate(sixstep_convolution* convolution, void** array);
int sixstep_convolution_workspace_bytes(sixstep_convolution const* convolution, size_t* bytes);
int sixstep_convolution_set_workspace(sixstep_convolution* convolution, void* memory, size_t bytes);
int sixstep_convolution_describe(sixstep_convolution* convolution, char const** words);
int sixstep_convolution_counts(sixstep_convolution const* convolution, int* passes, int* exchanges,
                               int* threads);
int sixstep_convolution_verified(sixstep_convolution const* convolution, int64_t* checked,
                                 int64_t* unchecked, int64_t* repaired, int64_t* compared,
                                 double* largest_share);
int sixstep_convolution_on_detection(sixstep_convolution* convolution,
                                     sixstep_detection_function* function, void* context);
int sixstep_convolution_communication_seconds(sixstep_convolution const* convolution,
                                              double* seconds);
int sixstep_convolution_breakdown(sixstep_convolution* convolution, int* steps_count,
                                  sixstep_step const** steps);
int sixstep_convolution_predict(sixstep_convolution* convolution, char const* machine_file,
                                sixstep_prediction* prediction);
int sixstep_convolution_write_trace(sixstep_convolution* convolution);

/// How the Green's function of free space becomes weights of points: cut off at the diameter of the
/// box, or integrated over the cell around each point.
enum { SIXSTEP_TRUNCATED, SIXSTEP_INTEGRATED };

/// The argument of the caller's Green's function along open axes: a distance or a wave number.
enum { SIXSTEP_DISTANCES, SIXSTEP_WAVES };

/// Writes the value of a Green's function at x, which has a component of at least 0 for each of the
/// `axes` that are transformed: its value at this distance between two points, times the volume of
/// a cell, or its Fourier transform at these wave numbers. Returns 0, or any other number if it
/// failed.
typedef int sixstep_greens_function(void* context, int axes, double const* x, double* value);

/// The options of a solver in free space: those of a plan, and those of the equation. Begin with
/// `sixstep_open_poisson_options options = SIXSTEP_OPEN_POISSON_OPTIONS;`.
typedef struct {
  sixstep_options plan;               ///< those that a convolution has, but kinds and lengths
  size_t size;                        ///< of this struct, as sixstep_options has it
  int spacing_count;                  ///< one for each of `axes`, or one for all; none: 1
  double spacing[SIXSTEP_MAX_AXES];   ///< the distance between points along each of `axes`
  int greens_function;                ///< SIXSTEP_TRUNCATED ...
  sixstep_greens_function* function;  ///< another Green's function; NULL: the laplacian's
  void* context;                      ///< of the function
  int walls_count, walls[SIXSTEP_MAX_AXES];    ///< one for each of `axes` or for all; none: open
  int points_count, points[SIXSTEP_MAX_AXES];  ///< the same; none: cells
  int shift_count;                             ///< one for each of `axes`; none: 0
  double shift[SIXSTEP_MAX_AXES];              ///< of the box in which u is the potential
  int space;                                   ///< of function or numbers: SIXSTEP_DISTANCES ...
  sixstep_layout const* numbers_layout;        ///< NULL: no numbers
  double const* numbers;                       ///< of a Green's function; in place of a function
  int64_t numbers_size;                        ///< numbers that there are on this rank; -1: enough
} sixstep_open_poisson_options;

#define SIXSTEP_OPEN_POISSON_OPTIONS                                                              \
  {                                                                                               \
    SIXSTEP_OPTIONS, sizeof(sixstep_open_poisson_options), 0, {0}, SIXSTEP_TRUNCATED, NULL, NULL, \
        0, {0}, 0, {0}, 0, {0}, SIXSTEP_DISTANCES, NULL, NULL, -1                                 \
  }

/// Makes a solver of laplacian u = f in free space, of which some axes may be periodic or end at
/// walls, for arrays of reals of this layout and precision: a convolution with the Green's
/// function, which takes f and writes u. `options` NULL: the defaults. Collective over `comm`, with
/// the same errors on all ranks.
int sixstep_open_poisson_create(int precision, sixstep_layout const* layout, MPI_Comm comm,
                                sixstep_open_poisson_options const* options,
                                sixstep_convolution** convolution);
/// Takes the Green's function of these options from now on: greens_function, function and context,
/// numbers, space. Their other members do not count. Nothing is planned anew. `convolution` is one
/// of sixstep_open_poisson_create(). Collective, with the same errors on all ranks, after which the
/// old function stays.
int sixstep_open_poisson_renew(sixstep_convolution* convolution,
                               sixstep_open_poisson_options const* options);

// Redistributions of elements of any size: sixstep::Redistribution.

typedef struct sixstep_redistribution sixstep_redistribution;

/// Makes a redistribution. Only the options fields, exchange, threads, preserve_input and verify
/// count; `options` NULL: the defaults. Collective, with the same errors on all ranks.
int sixstep_redistribution_create(size_t element_bytes, sixstep_layout const* from,
                                  sixstep_layout const* to, MPI_Comm comm,
                                  sixstep_options const* options,
                                  sixstep_redistribution** redistribution);
/// Collective. NULL is allowed.
int sixstep_redistribution_free(sixstep_redistribution* redistribution);
/// The two layouts. The caller frees them.
int sixstep_redistribution_from(sixstep_redistribution const* redistribution,
                                sixstep_layout** layout);
int sixstep_redistribution_to(sixstep_redistribution const* redistribution,
                              sixstep_layout** layout);
/// The elements of this rank's arrays, all fields included. An array for use in place needs the
/// larger of the two.
int sixstep_redistribution_sizes(sixstep_redistribution const* redistribution, int64_t* from,
                                 int64_t* to);
/// Works like sixstep_plan_allocate().
int sixstep_redistribution_allocate(sixstep_redistribution* redistribution, void** array);
/// Moves the elements from `in` to `out`, in place if in == out. Collective.
int sixstep_redistribution_execute(sixstep_redistribution* redistribution, void const* in,
                                   void* out, int direction);
/// The bytes of work memory that this rank needs beyond the user's arrays.
int sixstep_redistribution_workspace_bytes(sixstep_redistribution const* redistribution,
                                           size_t* bytes);
/// The passes over this rank's arrays, and the exchanges. Either pointer may be NULL.
int sixstep_redistribution_counts(sixstep_redistribution const* redistribution, int* passes,
                                  int* exchanges);
/// Works like sixstep_plan_communication_seconds().
int sixstep_redistribution_communication_seconds(sixstep_redistribution const* redistribution,
                                                 double* seconds);
/// Work like sixstep_plan_verified() and sixstep_plan_on_detection().
int sixstep_redistribution_verified(sixstep_redistribution const* redistribution, int64_t* checked,
                                    int64_t* unchecked, int64_t* repaired, int64_t* compared,
                                    double* largest_share);
int sixstep_redistribution_on_detection(sixstep_redistribution* redistribution,
                                        sixstep_detection_function* function, void* context);
/// Works like sixstep_plan_describe().
int sixstep_redistribution_describe(sixstep_redistribution* redistribution, char const** words);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
