// SPDX-License-Identifier: BSD-3-Clause
// Reads the descriptor of a Fortran array of any type and rank. Only the compiler's own C header
// knows its form.
#include <ISO_Fortran_binding.h>
#include <stdint.h>

/// type(place) of sixstep.f90.
typedef struct {
  void* address;
  int64_t elements;
  int bytes, element, dense;
} place;

static int element_of(CFI_type_t type) {
  if (type == CFI_type_float) return 4;
  if (type == CFI_type_double) return 8;
  if (type == CFI_type_float_Complex) return -4;
  if (type == CFI_type_double_Complex) return -8;
  return 0;
}

place sixstep_fortran_place(CFI_cdesc_t const* array);

place sixstep_fortran_place(CFI_cdesc_t const* array) {
  place there = {array->base_addr, 1, (int)array->elem_len, element_of(array->type), 1};
  // CFI_is_contiguous() finds gaps behind axes of one element.
  for (int axis = 0; axis < array->rank; ++axis) {
    if (array->dim[axis].extent > 1 && array->dim[axis].sm != there.elements * there.bytes)
      there.dense = 0;
    there.elements *= array->dim[axis].extent;
  }
  if (there.elements == 0) there.dense = 1;
  return there;
}
