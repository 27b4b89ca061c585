// SPDX-License-Identifier: BSD-3-Clause
// What HDF5 has opened, its errors, its types of elements, and what a name in a file stands for.
#pragma once

#include <hdf5.h>

#include <optional>
#include <string>
#include <utility>

#include "sixstep/files.hpp"

namespace sixstep::files::hdf5 {

/// What HDF5 has opened, closed with the object.
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
  /// Negative if it failed.
  herr_t close() { return id_ < 0 ? 0 : close_(std::exchange(id_, H5I_INVALID_HID)); }

 private:
  hid_t id_ = H5I_INVALID_HID;
  herr_t (*close_)(hid_t) = nullptr;
};

/// HDF5 keeps its errors to itself as long as this lives.
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

/// What the innermost of HDF5's calls said of the last failure.
std::string reason();

/// The type that h5py has for it, in this machine's byte order.
Handle type_of(ElementType type);
/// The type that is this one in the machine's byte order, if there is one.
std::optional<ElementType> element_type_of(hid_t in_file);

Handle space_of(Shape const& shape);

/// What a link of a group is, or leads to.
enum class Link { none, group, dataset, datatype, soft, external, other };
/// "a group".
std::string to_string(Link link);

/// What the last part of this canonical name is; the groups before it must be there.
Link link_of(hid_t file, std::string const& name);
/// The same of what a soft link leads to; none: nowhere.
Link behind(hid_t file, std::string const& name);

/// Calls visit(group) for every group in which a dataset of this canonical name lies, from the
/// first on, as long as it returns true.
template <class Visit>
void for_each_group(std::string const& name, Visit const& visit) {
  for (auto end = name.find('/'); end != std::string::npos; end = name.find('/', end + 1))
    if (!visit(name.substr(0, end))) return;
}

}  // namespace sixstep::files::hdf5
