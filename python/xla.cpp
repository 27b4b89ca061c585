// SPDX-License-Identifier: BSD-3-Clause
// The structs are those of version 0 of XLA's C interface of foreign functions (xla/ffi/api/c_api.h
// of OpenXLA), as far as a handler needs them. They are declared here because packages are built
// without XLA. XLA adds members only at the ends of structs as long as the major version is 0.
#include "xla.hpp"

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/memory.hpp"
#include "sixstep/error.hpp"
#include "transforms.hpp"

namespace nb = nanobind;

namespace sixstep::python {

namespace {

struct Extension {
  std::size_t struct_size;
  int type;
  Extension* next;
};

struct Version {
  std::size_t struct_size;
  Extension* extensions;
  int major;
  int minor;
};

struct Metadata {
  std::size_t struct_size;
  Version version;
  std::uint32_t traits;
};

struct MetadataExtension {
  Extension base;
  Metadata* metadata;
};

struct Failure;  // XLA's

struct FailureArguments {
  std::size_t struct_size;
  Extension* extensions;
  char const* message;
  int code;
};

struct StreamArguments {
  std::size_t struct_size;
  Extension* extensions;
  void* context;
  void* stream;  // the result
};

struct Interface {
  std::size_t struct_size;
  Extension* extensions;
  Version version;
  void const* internal;
  Failure* (*make_failure)(FailureArguments*);
  void* others[3];
  Failure* (*find_stream)(StreamArguments*);
};

struct Buffer {
  std::size_t struct_size;
  Extension* extensions;
  int type;
  void* data;
  std::int64_t rank;
  std::int64_t* extents;
};

struct Buffers {
  std::size_t struct_size;
  Extension* extensions;
  std::int64_t count;
  int* kinds;
  Buffer** values;
};

struct Span {
  char const* first;
  std::size_t size;

  std::string_view text() const { return {first, size}; }
};

struct Attributes {
  std::size_t struct_size;
  Extension* extensions;
  std::int64_t count;
  int* kinds;
  Span** names;
  void** values;
};

struct Frame {
  std::size_t struct_size;
  Extension* extensions;
  Interface const* interface;
  void* context;
  int stage;
  Buffers in;
  Buffers out;
  Attributes attributes;
};

constexpr int is_metadata = 1;  // of Extension::type
constexpr int is_string = 4;    // of Attributes::kinds
constexpr int internal_error = 13;

// These are never released, as XLA's threads may still call.
PyObject* run_of_python = nullptr;
PyObject* run_on_gpus = nullptr;
auto& transforms = *new std::unordered_map<std::string, nb::object>;  // by the words of calls

std::int64_t bytes_of_element(int type) {
  enum { f32 = 11, f64 = 12, c64 = 15, c128 = 18 };
  switch (type) {
    case f32:
      return 4;
    case f64:
    case c64:
      return 8;
    case c128:
      return 16;
    default:
      throw Error("x: numbers of single or double precision are needed, others were given");
  }
}

std::int64_t bytes_of(Buffer const& buffer) {
  std::int64_t bytes = bytes_of_element(buffer.type);
  for (std::int64_t axis = 0; axis < buffer.rank; ++axis) bytes *= buffer.extents[axis];
  return bytes;
}

Buffer const& first_of(Buffers const& buffers) {
  require(buffers.count > 0, "xla: one operand and one result are needed, none was given");
  return *buffers.values[0];
}

nb::object view_of(Buffers const& buffers, int access) {
  Buffer const& first = first_of(buffers);
  std::int64_t const bytes = bytes_of(first);
  static char nothing;  // Python wants an address even for an array without elements
  char* const data = bytes == 0 ? &nothing : static_cast<char*>(first.data);
  PyObject* const made = PyMemoryView_FromMemory(data, static_cast<Py_ssize_t>(bytes), access);
  if (made == nullptr) throw nb::python_error();
  return nb::steal<nb::object>(made);
}

/// Asks for huge pages for a large result. XLA takes new memory for each, and the kernel would
/// clear it page by page as the transform writes, which takes as long as the transform.
void prefer_huge_pages(Buffers const& results) {
#ifdef MADV_HUGEPAGE
  if (results.count == 0) return;
  Buffer const& first = *results.values[0];
  auto const begin = reinterpret_cast<std::uintptr_t>(first.data);
  std::uintptr_t const bytes = static_cast<std::uintptr_t>(bytes_of(first));
  std::uintptr_t const whole = (begin + huge_page - 1) / huge_page * huge_page;
  if (bytes < 2 * huge_page) return;
  madvise(reinterpret_cast<void*>(whole), begin + bytes - whole, MADV_HUGEPAGE);
#endif
}

std::string words_of(Attributes const& attributes) {
  for (std::int64_t i = 0; i < attributes.count; ++i)
    if (attributes.kinds[i] == is_string && attributes.names[i]->text() == "call") {
      Span const& value = *static_cast<Span const*>(attributes.values[i]);
      return {value.first, value.size};
    }
  throw Error("xla: an attribute `call` is needed, none was given");
}

Failure* failure(Frame const& frame, std::string const& message) {
  FailureArguments given{sizeof(FailureArguments), nullptr, message.c_str(), internal_error};
  return frame.interface->make_failure(&given);
}

/// XLA first asks for the version of the interface. Any minor version will do.
void answer(Frame const& frame, Metadata& metadata) {
  int const minor = frame.interface == nullptr ? 1 : frame.interface->version.minor;
  metadata.version = {sizeof(Version), nullptr, 0, minor};
  metadata.traits = 0;
}

/// Calls work(), in Python, unless XLA asks for the version.
Failure* handled(Frame* frame, auto const& work) {
  if (frame->extensions != nullptr && frame->extensions->type == is_metadata) {
    answer(*frame, *reinterpret_cast<MetadataExtension*>(frame->extensions)->metadata);
    return nullptr;
  }
  nb::gil_scoped_acquire const this_thread_runs;
  try {
    work();
    return nullptr;
  } catch (nb::python_error const& error) {
    return failure(*frame, nb::str(error.value()).c_str());
  } catch (std::exception const& error) {
    return failure(*frame, error.what());
  }
}

Failure* handle(Frame* frame) {
  return handled(frame, [frame] {
    prefer_huge_pages(frame->out);
    std::string const call = words_of(frame->attributes);
    if (auto const known = transforms.find(call); known != transforms.end()) {
      Buffer const &in = first_of(frame->in), &out = first_of(frame->out);
      nb::inst_ptr<Transform>(known->second)->run(in.data, bytes_of(in), out.data, bytes_of(out));
      return;
    }
    nb::borrow<nb::object>(run_of_python)(nb::str(call.data(), call.size()),
                                          view_of(frame->in, PyBUF_READ),
                                          view_of(frame->out, PyBUF_WRITE));
  });
}

std::uintptr_t address_of(Buffers const& buffers) {
  return reinterpret_cast<std::uintptr_t>(first_of(buffers).data);
}

std::uintptr_t stream_of(Frame const& frame) {
  StreamArguments asked{sizeof(StreamArguments), nullptr, frame.context, nullptr};
  require(frame.interface->find_stream(&asked) == nullptr, "xla: a stream of a GPU is needed");
  return reinterpret_cast<std::uintptr_t>(asked.stream);
}

Failure* handle_on_gpu(Frame* frame) {
  return handled(frame, [frame] {
    std::string const call = words_of(frame->attributes);
    nb::borrow<nb::object>(run_on_gpus)(nb::str(call.data(), call.size()), address_of(frame->in),
                                        address_of(frame->out), stream_of(*frame));
  });
}

}  // namespace

void xla_keep(std::string const& call, nb::object transform) {
  transforms.try_emplace(call, std::move(transform));  // one that may be running stays
}

nb::capsule xla_handler(nb::object run) {
  run_of_python = run.release().ptr();
  return nb::capsule(reinterpret_cast<void*>(&handle));
}

nb::capsule xla_gpu_handler(nb::object run) {
  run_on_gpus = run.release().ptr();
  return nb::capsule(reinterpret_cast<void*>(&handle_on_gpu));
}

}  // namespace sixstep::python
