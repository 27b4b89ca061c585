// SPDX-License-Identifier: BSD-3-Clause
// HDF5's handles, errors and element types, and the objects that names in a file stand for.
//
// Complex numbers are compounds {r, i}, and bool is an enumeration, as in h5py.
#include "files/hdf5_objects.hpp"

#include <cstdint>
#include <vector>

namespace sixstep::files::hdf5 {

namespace {

Handle number_type(hid_t type) { return {H5Tcopy(type), H5Tclose}; }

Handle complex_type(hid_t real) {
  std::size_t const bytes = H5Tget_size(real);
  Handle type(H5Tcreate(H5T_COMPOUND, 2 * bytes), H5Tclose);
  H5Tinsert(type, "r", 0, real);
  H5Tinsert(type, "i", bytes, real);
  return type;
}

Handle boolean_type() {
  Handle type(H5Tenum_create(H5T_NATIVE_INT8), H5Tclose);
  std::int8_t value = 0;
  for (char const* name : {"FALSE", "TRUE"}) {
    H5Tenum_insert(type, name, &value);
    ++value;
  }
  return type;
}

}  // namespace

std::string reason() {
  std::string words = "HDF5 does not say why";
  auto const take = [](unsigned, H5E_error2_t const* error, void* to) -> herr_t {
    *static_cast<std::string*>(to) = error->desc;
    return 1;  // stop after the first
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take, &words);
  return words;
}

Handle type_of(ElementType type) {
  switch (type) {
    using enum ElementType;
    case boolean:
      return boolean_type();
    case int8:
      return number_type(H5T_NATIVE_INT8);
    case int16:
      return number_type(H5T_NATIVE_INT16);
    case int32:
      return number_type(H5T_NATIVE_INT32);
    case int64:
      return number_type(H5T_NATIVE_INT64);
    case uint8:
      return number_type(H5T_NATIVE_UINT8);
    case uint16:
      return number_type(H5T_NATIVE_UINT16);
    case uint32:
      return number_type(H5T_NATIVE_UINT32);
    case uint64:
      return number_type(H5T_NATIVE_UINT64);
    case float32:
      return number_type(H5T_NATIVE_FLOAT);
    case float64:
      return number_type(H5T_NATIVE_DOUBLE);
    case complex64:
      return complex_type(H5T_NATIVE_FLOAT);
    case complex128:
      return complex_type(H5T_NATIVE_DOUBLE);
  }
  return number_type(H5I_INVALID_HID);
}

std::optional<ElementType> element_type_of(hid_t in_file) {
  Handle const native(H5Tget_native_type(in_file, H5T_DIR_ASCEND), H5Tclose);
  for (int i = 0; native >= 0 && i <= static_cast<int>(ElementType::complex128); ++i) {
    auto const type = static_cast<ElementType>(i);
    if (H5Tequal(native, type_of(type)) > 0) return type;
  }
  return {};
}

Handle space_of(Shape const& shape) {
  std::vector<hsize_t> const extents(shape.begin(), shape.end());
  return {H5Screate_simple(shape.size(), extents.data(), nullptr), H5Sclose};
}

std::string to_string(Link link) {
  switch (link) {
    case Link::none:
      return "nothing";
    case Link::group:
      return "a group";
    case Link::dataset:
      return "a dataset";
    case Link::datatype:
      return "a named datatype";
    case Link::soft:
      return "a soft link";
    case Link::external:
      return "a link to another file";
    case Link::other:
      break;
  }
  return "of a kind that is not known";
}

Link link_of(hid_t file, std::string const& name) {
  if (H5Lexists(file, name.c_str(), H5P_DEFAULT) <= 0) return Link::none;
  H5L_info_t info;
  if (H5Lget_info(file, name.c_str(), &info, H5P_DEFAULT) < 0) return Link::other;
  if (info.type == H5L_TYPE_SOFT) return Link::soft;
  if (info.type == H5L_TYPE_EXTERNAL) return Link::external;
  return info.type == H5L_TYPE_HARD ? behind(file, name) : Link::other;
}

Link behind(hid_t file, std::string const& name) {
  Handle const object(H5Oopen(file, name.c_str(), H5P_DEFAULT), H5Oclose);
  if (object < 0) return Link::none;
  switch (H5Iget_type(object)) {
    case H5I_GROUP:
      return Link::group;
    case H5I_DATASET:
      return Link::dataset;
    case H5I_DATATYPE:
      return Link::datatype;
    default:
      return Link::other;
  }
}

}  // namespace sixstep::files::hdf5
