// SPDX-License-Identifier: BSD-3-Clause
// Types of MPI that are made of others, for large counts too.
#include <utility>

#include "runtime/mpi.hpp"

namespace sixstep::mpi {

Index extent_of(MPI_Datatype type) {
  MPI_Aint lower = 0, extent = 0;
  MPI_Type_get_extent(type, &lower, &extent);
  return extent;
}

int narrow(Index value) {
  require_internal(value >= 0 && value <= largest_count, value, " does not fit an MPI count");
  return static_cast<int>(value);
}

namespace {

/// Frees a type that is no longer needed, and puts `next` in its place.
void replace(MPI_Datatype& type, MPI_Datatype next) {
  if (type != MPI_DATATYPE_NULL) MPI_Type_free(&type);
  type = next;
}

/// `count` elements of a type, each beginning `stride` bytes after the one before.
MPI_Datatype repeated(MPI_Datatype of, Index count, Index stride, Index limit) {
  MPI_Datatype all;
  if (count <= limit) {
    MPI_Type_create_hvector(narrow(count), 1, stride, of, &all);
    return all;
  }
  Index const whole = count / limit;  // pieces of `limit`, then the rest
  Index const rest = count % limit;
  MPI_Datatype piece, pieces, end;
  MPI_Type_create_hvector(narrow(limit), 1, stride, of, &piece);
  MPI_Type_create_hvector(narrow(whole), 1, limit * stride, piece, &pieces);
  MPI_Type_create_hvector(narrow(rest), 1, stride, of, &end);
  int const lengths[2] = {1, 1};
  MPI_Aint const places[2] = {0, whole * limit * stride};
  MPI_Datatype const types[2] = {pieces, end};
  MPI_Type_create_struct(2, lengths, places, types, &all);
  for (MPI_Datatype* type : {&piece, &pieces, &end}) MPI_Type_free(type);
  return all;
}

/// `count` elements without gaps.
MPI_Datatype contiguous(MPI_Datatype element, Index count, Index limit) {
  if (count > limit) return repeated(element, count, extent_of(element), limit);
  MPI_Datatype all;
  MPI_Type_contiguous(narrow(count), element, &all);
  return all;
}

}  // namespace

DerivedType::DerivedType(MPI_Datatype element, Rows const& rows, Index displacement, Index limit) {
  Index const extent = extent_of(element);
  bool const dense = !rows.empty() && rows.back().stride == 1;
  type_ = contiguous(element, dense ? rows.back().count : 1, limit);
  for (std::size_t i = rows.size() - (dense ? 1 : 0); i-- > 0;)
    replace(type_, repeated(type_, rows[i].count, rows[i].stride * extent, largest_count));
  MPI_Aint const place = displacement * extent;
  MPI_Datatype placed;
  MPI_Type_create_hindexed_block(1, 1, &place, type_, &placed);
  replace(type_, placed);
  MPI_Type_commit(&type_);
}

DerivedType DerivedType::with_gap(MPI_Datatype element, Index count, Index limit) {
  DerivedType made(element, {{count, 1}}, 0, limit);
  made.resize((count + 1) * extent_of(element));
  return made;
}

DerivedType DerivedType::spaced(MPI_Datatype element, Index count, Index bytes) {
  DerivedType made(element, {{count, 1}}, 0, largest_count);
  made.resize(bytes);
  return made;
}

void DerivedType::resize(Index bytes) {
  MPI_Datatype resized;
  MPI_Type_create_resized(type_, 0, bytes, &resized);
  replace(type_, resized);
  MPI_Type_commit(&type_);
}

DerivedType::DerivedType(DerivedType&& other) noexcept
    : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}

DerivedType::~DerivedType() {
  if (type_ != MPI_DATATYPE_NULL && is_running()) MPI_Type_free(&type_);
}

Counted::Counted(MPI_Datatype element, Index count, Index limit)
    : element_(element), count_(count > limit ? 1 : narrow(count)) {
  if (count > limit) derived_.emplace(element, Rows{{count, 1}}, 0, limit);
}

}  // namespace sixstep::mpi
