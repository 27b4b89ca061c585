// SPDX-License-Identifier: BSD-3-Clause
// Libraries for devices, loaded when they are first needed.
#pragma once

#include <dlfcn.h>

#include <string>
#include <type_traits>

#include "sixstep/error.hpp"

namespace sixstep {

/// A library that stays loaded. It is searched where shared libraries are found, then in `folder`.
class LoadedLibrary {
 public:
  /// Throws Error if there is no such library; `remedy` says what to do then.
  LoadedLibrary(std::string const& name, std::string const& folder,
                std::string const& remedy = "name its folder in LD_LIBRARY_PATH")
      : name_(name), library_(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (!library_) library_ = dlopen((folder + "/" + name).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library_)
      throw Error(text("device: ", name, " is needed, and was not found; ", remedy),
                  ErrorCode::library);
  }

  /// Throws Error if the library has no such function.
  template <class Function>
  void find(Function& function, char const* symbol) const {
    function = reinterpret_cast<Function>(dlsym(library_, symbol));
    if (!function)
      throw Error(text("device: ", name_, " has no function ", symbol), ErrorCode::library);
  }

 private:
  std::string name_;
  void* library_;
};

}  // namespace sixstep
