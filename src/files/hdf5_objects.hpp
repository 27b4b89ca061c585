// SPDX-License-Identifier: BSD-3-Clause
// HDF5's handles, errors and element types, and the objects that names in a file stand for.
#pragma once

#include <hdf5.h>

#include <optional>
#include <string>
#include <utility>

#include "sixstep/files.hpp"

namespace sixstep::files::hdf5 {

/// An object that HDF5 has opened, closed with the handle.
class Handle {
 public:
  Handle() = default;
  Handle(hid_t id, herr_t (*how)(hid_t)) : id_(id), close_(how) {}
  ~Handle() { close(); }
  Handle(Handle&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }

  operator hid_t() const { return id_; }
  /// Negative if closing failed.
  herr_t close() { return id_ < 0 ? 0 : close_(std::exchange(id_, H5I_INVALID_HID)); }

 private:
  hid_t id_ = H5I_INVALID_HID;
  herr_t (*close_)(hid_t) = nullptr;
};

/// Keeps HDF5 from printing errors while it lives.
class Quiet {
 public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Quiet(Quiet const&) = delete;
  Quiet& operator=(Quiet const&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// The message of HDF5's innermost call for the last failure.
std::string reason();

/// The type that h5py uses for it, in this machine's byte order.
Handle type_of(ElementType type);
/// The element type that `in_file` becomes in the machine's byte order; empty if there is none.
std::optional<ElementType> element_type_of(hid_t in_file);

Handle space_of(Shape const& shape);

/// The kind of a link of a group, or of the object that it leads to.
enum class Link { none, group, dataset, datatype, soft, external, other };
/// "a group".
std::string to_string(Link link);

/// The kind of the last part of this canonical name. The groups before it must exist.
Link link_of(hid_t file, std::string const& name);
/// The kind of object that a link leads to; none if it leads nowhere.
Link behind(hid_t file, std::string const& name);

/// Calls visit(group) for every group above a dataset of this canonical name, outermost first,
/// until it returns false.
template <class Visit>
void for_each_group(std::string const& name, Visit const& visit) {
  for (auto end = name.find('/'); end != std::string::npos; end = name.find('/', end + 1))
    if (!visit(name.substr(0, end))) return;
}

}  // namespace sixstep::files::hdf5
