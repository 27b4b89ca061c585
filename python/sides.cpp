// SPDX-License-Identifier: BSD-3-Clause
// Sides: checks that the arrays of users, in host or device memory, have the form that a plan
// needs.
#include "sides.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

#include "device/backend.hpp"
#include "sixstep/device.hpp"

namespace sixstep::python {

namespace {

using NumPy = nb::ndarray<nb::numpy>;
using Readable = nb::ndarray<nb::ro>;
using Writable = nb::ndarray<>;

nb::object frames() { return nb::module_::import_("sixstep._frames"); }

std::string to_words(std::vector<std::int64_t> const& counts) {
  std::string words;
  for (std::int64_t count : counts) words += text(words.empty() ? "" : ", ", count);
  return "(" + words + (counts.size() == 1 ? ",)" : ")");
}

std::string attribute(nb::handle object, char const* name) {
  return nb::cast<std::string>(nb::str(nb::getattr(object, name, nb::none())));
}

/// The given array in words: "one of float64 of shape (4, 6), (48, 8) bytes apart,".
std::string described(nb::handle array) {
  if (!nb::hasattr(array, "dtype") || !nb::hasattr(array, "shape"))
    return attribute(array.type(), "__name__");
  return nb::cast<std::string>(frames().attr("described")(array));
}

bool is_on(Device device, int type) {
  if (device == Device::none) return type == nb::device::cpu::value;
  return device == Device::cuda && type == nb::device::cuda::value;
}

/// Throws Error unless `fits`. The message compares the array with the side.
void require_fit(bool fits, char const* name, nb::handle array, Side const& side) {
  if (fits) return;
  std::vector<std::int64_t> bytes_apart = side.strides;
  for (std::int64_t& stride : bytes_apart) stride *= static_cast<Index>(side.element_bytes());
  throw Error(
      text(name, ": an array of ", side.dtype_name(), " of shape ",
           to_words({side.shape.begin(), side.shape.end()}), ", its elements ",
           to_words(bytes_apart), " bytes apart,",
           side.device == Device::none ? "" : text(" on the device ", to_string(side.device)),
           " is needed ", "for this rank's part of ", side.layout, "; ", described(array),
           " was given"));
}

/// Whether an array has the type, shape, strides and device of the side.
template <class Array>
bool fits(Array const& array, Side const& side) {
  bool same = array.dtype() == side.dtype() && array.ndim() == side.shape.size();
  bool is_empty = false;
  for (std::size_t axis = 0; same && axis < side.shape.size(); ++axis) {
    same = array.shape(axis) == side.shape[axis];
    is_empty = is_empty || side.shape[axis] == 0;
  }
  for (std::size_t axis = 0; same && !is_empty && axis < side.shape.size(); ++axis)
    same = side.shape[axis] == 1 || array.stride(axis) == side.strides[axis];
  return same && is_on(side.device, array.device_type());
}

/// Whether this is an array of NumPy, and not of a class derived from it. NumPy's class is kept
/// until the end of the program.
bool is_of_numpy(nb::handle array) {
  static PyObject* const ndarray =
      nb::object(nb::module_::import_("numpy").attr("ndarray")).release().ptr();
  return array.type().ptr() == ndarray;
}

/// The purpose of an array.
enum class Use { read, write };

/// NumPy's view of an array of PyTorch or JAX in the host's memory; any other array as it is.
/// nanobind would read tensors that need a gradient or are to be conjugated, and write to JAX's
/// arrays. Errors: those of source_of() and target_of() about such arrays.
nb::object viewed(char const* name, nb::handle array, Use use) {
  if (is_of_numpy(array)) return nb::borrow(array);
  return frames().attr("viewed")(name, array, use == Use::write);
}

/// The DeviceArray in `array`, or null if `array` is something else. Errors: it does not fit.
DeviceArray const* on_device(char const* name, nb::handle array, Side const& side) {
  if (!nb::isinstance<DeviceArray>(array)) return nullptr;
  DeviceArray const* const given = nb::inst_ptr<DeviceArray>(array);
  Side const& its = given->side;
  require_fit(its.device == side.device && its.dtype() == side.dtype() && its.shape == side.shape &&
                  its.strides == side.strides,
              name, array, side);
  return given;
}

}  // namespace

nb::dlpack::dtype Side::dtype() const {
  std::uint8_t const bits = is_single ? 32 : 64;
  if (!is_complex) return {static_cast<std::uint8_t>(nb::dlpack::dtype_code::Float), bits, 1};
  return {static_cast<std::uint8_t>(nb::dlpack::dtype_code::Complex),
          static_cast<std::uint8_t>(2 * bits), 1};
}

Side side_of(Layout const& layout, Shape const& strides, int rank, int fields,
             Options const& options) {
  Side found;
  found.layout = layout.describe();
  found.device = options.device;
  Shape const box = layout.local_shape(rank);
  Ghosts const ghosts = layout.ghosts(rank);
  auto const add_fields = [&](bool here) {
    if (fields == 1 || !here) return;
    found.shape.push_back(static_cast<std::size_t>(fields));
    found.strides.push_back(strides[layout.axes()]);
  };
  add_fields(!options.interleaved);
  for (int axis = 0; axis < layout.axes(); ++axis) {
    Index const around = ghosts.before.empty() ? 0 : ghosts.before[axis] + ghosts.after[axis];
    found.shape.push_back(static_cast<std::size_t>(box[axis] + around));
    found.strides.push_back(strides[axis]);
  }
  add_fields(options.interleaved);
  return found;
}

char const* Side::dtype_name() const {
  return is_complex ? (is_single ? "complex64" : "complex128")
                    : (is_single ? "float32" : "float64");
}

nb::object array_over(Side const& side, std::shared_ptr<void> memory) {
  if (side.device != Device::none) return nb::cast(DeviceArray{side, std::move(memory)});
  void* const data = memory.get();
  return nb::cast(NumPy(data, side.shape.size(), side.shape.data(), owner_of(std::move(memory)),
                        side.strides.data(), side.dtype()));
}

nb::object private_array(Side const& side) {
  Side host = side;
  host.device = Device::none;
  auto const bytes = (static_cast<std::size_t>(side.size) * side.element_bytes() / 64 + 1) * 64;
  return array_over(host, std::shared_ptr<void>(std::aligned_alloc(64, bytes), std::free));
}

void const* source_of(char const* name, nb::handle array, Side const& side) {
  if (DeviceArray const* const given = on_device(name, array, side)) return given->memory.get();
  Readable given;
  bool const is_array = nb::try_cast(viewed(name, array, Use::read), given);
  require_fit(is_array && fits(given, side), name, array, side);
  return given.data();
}

void* target_of(char const* name, nb::handle array, Side const& side) {
  if (DeviceArray const* const given = on_device(name, array, side)) return given->memory.get();
  Writable given;
  if (!nb::try_cast(viewed(name, array, Use::write), given)) {
    source_of(name, array, side);  // throws unless the array can be read
    throw Error(text(name, ": a writable array is needed, a read-only one was given"));
  }
  require_fit(fits(given, side), name, array, side);
  return given.data();
}

nb::object as_kind_of(nb::handle array, nb::object made) {
  return is_of_numpy(array) ? made : frames().attr("as_kind_of")(array, made);
}

NewArray new_on_device(nb::handle like, Side const& side) {
  if (nb::isinstance<DeviceArray>(like) || is_of_numpy(like)) return {};
  nb::list shape, strides;
  for (std::size_t const extent : side.shape) shape.append(extent);
  for (std::int64_t const stride : side.strides)
    strides.append(stride * static_cast<Index>(side.element_bytes()));
  nb::object const made =
      frames().attr("new_on_device")(like, nb::tuple(shape), nb::tuple(strides), side.dtype_name());
  if (made.is_none()) return {};
  return {made[0], made[1]};
}

std::optional<StreamOfLibrary> stream_of(nb::handle array) {
  if (nb::isinstance<DeviceArray>(array) || is_of_numpy(array)) return std::nullopt;
  nb::object const stream = frames().attr("stream_of")(array);
  if (stream.is_none()) return std::nullopt;
  return StreamOfLibrary{nb::cast<std::uintptr_t>(stream[0]), stream[1]};
}

namespace {

/// Whether an array is contiguous in C order.
bool is_dense(nb::ndarray<nb::device::cpu> const& array) {
  std::int64_t step = 1;
  for (std::size_t axis = array.ndim(); axis-- > 0;) {
    if (array.shape(axis) > 1 && array.stride(axis) != step) return false;
    step *= static_cast<std::int64_t>(array.shape(axis));
  }
  return true;
}

}  // namespace

Lent lent_of(nb::handle memory) {
  nb::ndarray<nb::device::cpu> given;
  require(nb::try_cast(viewed("memory", memory, Use::write), given) && is_dense(given),
          "memory: a writable NumPy array without gaps is needed, ",
          attribute(memory.type(), "__name__"), " was given");
  void* first = given.data();
  std::size_t bytes = given.nbytes();
  if (!std::align(64, std::min<std::size_t>(bytes, 1), first, bytes)) bytes = 0;
  return {first, bytes};
}

namespace {

std::size_t bytes_of(DeviceArray const& array) {
  return static_cast<std::size_t>(array.side.size) * array.side.element_bytes();
}

nb::object get(DeviceArray const& array) {
  nb::object host = private_array(array.side);
  Readable const target = nb::cast<Readable>(host);
  copy(array.side.device, const_cast<void*>(target.data()), array.memory.get(), bytes_of(array));
  return host;
}

void set(DeviceArray const& array, nb::handle values) {
  nb::object host = get(array);  // includes the memory between the elements
  host.attr("__setitem__")(nb::ellipsis(), values);
  copy(array.side.device, array.memory.get(), nb::cast<Readable>(host).data(), bytes_of(array));
}

void require_gpu(DeviceArray const& array, char const* protocol) {
  if (array.side.device != Device::cuda)
    throw nb::attribute_error(text(protocol, ": the array is not on a GPU").c_str());
}

/// The array by DLPack, which never copies. Works that may still write to it are the caller's to
/// wait for.
nb::object dlpack(DeviceArray const& array, nb::kwargs const& arguments) {
  require_gpu(array, "__dlpack__");
  if (arguments.contains("copy") && nb::object(arguments["copy"]).is(nb::bool_(true)))
    throw nb::buffer_error("copy: None or False is needed, True was given");
  Side const& side = array.side;
  return nb::cast(nb::ndarray<>(array.memory.get(), side.shape.size(), side.shape.data(),
                                owner_of(array.memory), side.strides.data(), side.dtype(),
                                nb::device::cuda::value, device::gpu_of(array.memory.get())));
}

nb::tuple dlpack_device(DeviceArray const& array) {
  require_gpu(array, "__dlpack_device__");
  return nb::make_tuple(int{nb::device::cuda::value}, device::gpu_of(array.memory.get()));
}

/// The protocol by which libraries for NVIDIA GPUs accept arrays.
nb::dict cuda_array_interface(DeviceArray const& array) {
  require_gpu(array, "__cuda_array_interface__");
  nb::list shape, strides;
  for (std::size_t const extent : array.side.shape) shape.append(extent);
  for (std::int64_t const stride : array.side.strides)
    strides.append(stride * static_cast<Index>(array.side.element_bytes()));
  nb::dict found;
  found["shape"] = nb::tuple(shape);
  found["strides"] = nb::tuple(strides);
  found["typestr"] = text(array.side.is_complex ? "<c" : "<f", array.side.element_bytes());
  found["data"] = nb::make_tuple(reinterpret_cast<std::uintptr_t>(array.memory.get()), false);
  found["version"] = 3;
  return found;
}

}  // namespace

void add_device_arrays(nb::module_& module) {
  using nb::literals::operator""_a;
  nb::class_<DeviceArray>(
      module, "DeviceArray",
      "A rank's part of a plan's array in the memory of a device, which NumPy cannot read. "
      "Libraries for NVIDIA GPUs accept it by __cuda_array_interface__ and DLPack.")
      .def("get", &get, "A NumPy array with the same elements.",
           nb::sig("def get(self) -> numpy.typing.NDArray[typing.Any]"))
      .def("set", &set, "values"_a, "Sets all elements, as NumPy assigns `values` to an array.",
           nb::sig("def set(self, values: numpy.typing.ArrayLike) -> None"))
      .def_prop_ro("shape",
                   [](DeviceArray const& array) {
                     nb::list shape;
                     for (std::size_t const extent : array.side.shape) shape.append(extent);
                     return Ints(nb::tuple(shape));
                   })
      .def_prop_ro("dtype",
                   [](DeviceArray const& array) {
                     return nb::module_::import_("numpy").attr("dtype")(array.side.dtype_name());
                   })
      .def_prop_ro("__cuda_array_interface__", &cuda_array_interface)
      .def("__dlpack__", &dlpack,
           nb::sig("def __dlpack__(self, **arguments: typing.Any) -> typing.Any"))
      .def("__dlpack_device__", &dlpack_device,
           nb::sig("def __dlpack_device__(self) -> tuple[int, int]"))
      .def("__array__",
           [](DeviceArray const&, nb::args const&, nb::kwargs const&) -> nb::object {
             throw nb::type_error(
                 "the array is in a device's memory: a.get() returns a NumPy array, "
                 "a.set(values) sets the elements");
           })
      .def("__repr__", [](DeviceArray const& array) {
        return text("<array of ", array.side.dtype_name(), " on the device ",
                    to_string(array.side.device), ", shape ",
                    to_words({array.side.shape.begin(), array.side.shape.end()}), ">");
      });
}

}  // namespace sixstep::python
