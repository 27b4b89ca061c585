// SPDX-License-Identifier: BSD-3-Clause
// cuFFT of the version that this library was built with, wherever shared libraries are looked for,
// or else where it was then.
#include "cuda/cufft_library.hpp"

#include <dlfcn.h>

#include <string>

#include "sixstep/error.hpp"

namespace sixstep::device {

namespace {

CufftLibrary load() {
  std::string const name = text("libcufft.so.", CUFFT_VER_MAJOR);
  void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    library = dlopen(text(SIXSTEP_CUDA_LIBRARY_DIR, "/", name).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    throw Error(text("device: ", name,
                     " of CUDA is needed where shared libraries are looked for "
                     "(LD_LIBRARY_PATH)"),
                ErrorCode::library);
  CufftLibrary found{};
  auto const find = [&](auto& function, char const* symbol) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, symbol));
    if (!function)
      throw Error(text("device: ", name, " has no function ", symbol), ErrorCode::library);
  };
  find(found.create, "cufftCreate");
  find(found.destroy, "cufftDestroy");
  find(found.set_auto_allocation, "cufftSetAutoAllocation");
  find(found.set_stream, "cufftSetStream");
  find(found.set_work_area, "cufftSetWorkArea");
  find(found.make_plan_many, "cufftXtMakePlanMany");
  find(found.execute, "cufftXtExec");
  return found;
}

}  // namespace

CufftLibrary const& cufft() {
  static CufftLibrary const loaded = load();
  return loaded;
}

}  // namespace sixstep::device
