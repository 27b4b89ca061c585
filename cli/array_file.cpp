// SPDX-License-Identifier: BSD-3-Clause
// Arrays in files of any format that the commands read and write.
#include "array_file.hpp"

#include <array>
#include <type_traits>

#include "arguments.hpp"
#include "base/words.hpp"
#include "files/collective_new_file.hpp"
#include "files/dataset_name.hpp"
#include "files/element_type.hpp"
#include "files/hdf5.hpp"
#include "files/same_file.hpp"
#include "ranks.hpp"

namespace sixstep::cli {
namespace {

namespace hdf5 = files::hdf5;
namespace npy = files::npy;

using Format = ArrayName::Format;

ElementType read_type(std::string const& word) {
  std::string all;
  for (int i = 0; i <= static_cast<int>(ElementType::complex128); ++i) {
    auto const type = static_cast<ElementType>(i);
    if (word == to_string(type)) return type;
    all += text(i == 0 ? "" : ", ", to_string(type));
  }
  throw Error(text("'", shortened(word), "' is no type of elements: one of ", all, " is needed"));
}

npy::Header raw_header(ArrayName const& name, std::optional<RawArray> const& raw, MPI_Comm comm) {
  require(raw.has_value(), name.path,
          ": a raw file does not say what is in it; give --raw SHAPE:TYPE, as in "
          "--raw 256x256x256:float64");
  npy::Header const header{raw->type, raw->shape};
  mpi::together(comm, [&] {
    if (rank_of(comm) != 0) return;
    Index const bytes = files::length_of(name.path);
    require(bytes == header.file_bytes(), name.path, ": ", to_string(raw->shape), " ",
            to_string(files::element_type_of(raw->type)), " take ", header.file_bytes(),
            " bytes, the file has ", bytes);
  });
  return header;
}

npy::Header header_of(ArrayName const& name, std::optional<RawArray> const& raw, MPI_Comm comm) {
  if (name.format == Format::raw) return raw_header(name, raw, comm);
  if (name.format == Format::npy) return npy::read_header(name.path, comm);
  FileHeader const found = hdf5_header(name.path, name.dataset, comm);
  return {files::npy_type_of(found.type), found.shape};
}

/// Converts the reals in the upper half of an array to complex numbers, in place.
template <class Real>
void widen(std::complex<Real>* data, Index count) {
  Real const* const reals = reinterpret_cast<Real*>(data) + count;
  for (Index i = 0; i < count; ++i) data[i] = reals[i];
}

/// HDF5 converts numbers itself, but not reals to complex numbers.
template <class Element>
void read_hdf5(ArrayName const& name, npy::Type const& stored, MPI_Comm user_comm,
               Layout const& layout, Element* data) {
  auto const comm = mpi::Communicator::duplicate(user_comm);
  hdf5::Dataset const dataset{name.path, name.dataset, comm};
  if constexpr (!std::is_floating_point_v<Element>) {
    if (stored.kind != npy::Type::Kind::complex) {
      using Real = typename Element::value_type;
      Index const count = layout.local_size(comm.rank());
      hdf5::read(dataset, layout, reinterpret_cast<Real*>(data) + count, element_type<Real>());
      widen(data, count);
      return;
    }
  }
  hdf5::read(dataset, layout, data, element_type<Element>());
}

}  // namespace

ArrayName read_array_name(std::string const& words) {
  for (std::string const ending : {".h5", ".hdf5"}) {
    auto const colon = words.find(ending + ':');
    if (colon != std::string::npos) {
      auto const end = colon + ending.size();
      return {Format::hdf5, words.substr(0, end),
              files::canonical_dataset_name(words.substr(end + 1))};
    }
    require(!words.ends_with(ending), "'", words, "': an array in an HDF5 file has a name, as in ",
            words, ":density");
  }
  for (char const* ending : {".raw", ".bin", ".dat"})
    if (words.ends_with(ending)) return {Format::raw, words};
  return {Format::npy, words};
}

RawArray read_raw(std::string const& words) {
  auto const colon = words.find(':');
  require(colon != std::string::npos, "'", shortened(words),
          "': a shape and a type are needed, as in 256x256x256:float64");
  return {read_shape({words.substr(0, colon)}),
          files::npy_type_of(read_type(words.substr(colon + 1)))};
}

void add_raw(CLI::App& command, std::optional<RawArray>& raw) {
  add_read(
      command, "--raw", raw, read_raw,
      "Shape and type of the input, a file without a header in C order and this machine's byte "
      "order, as in 256x256x256:float64")
      ->option_text("SHAPE:TYPE");
}

ArrayFile::ArrayFile(ArrayName name, std::optional<RawArray> const& raw, MPI_Comm comm)
    : name_(std::move(name)) {
  if (raw) name_ = {Format::raw, name_.words()};
  header_ = header_of(name_, raw, comm);
  require(!header_.shape.empty(), name_.words(), ": the array has no axes to transform");
  require(volume(header_.shape) > 0, name_.words(), ": the array is empty, its shape is ",
          to_string(header_.shape));
}

template <class Element>
void ArrayFile::read(MPI_Comm comm, std::function<void(double)> const& watch, Layout const& layout,
                     Element* data) const {
  if (name_.format == Format::hdf5)
    read_hdf5(name_, header_.type, comm, layout, data);
  else
    npy::read({name_.path, header_, comm, watch}, layout, data);
}

template void ArrayFile::read(MPI_Comm, std::function<void(double)> const&, Layout const&,
                              float*) const;
template void ArrayFile::read(MPI_Comm, std::function<void(double)> const&, Layout const&,
                              double*) const;
template void ArrayFile::read(MPI_Comm, std::function<void(double)> const&, Layout const&,
                              std::complex<float>*) const;
template void ArrayFile::read(MPI_Comm, std::function<void(double)> const&, Layout const&,
                              std::complex<double>*) const;

void write(ArrayName const& name, npy::Header header, MPI_Comm user_comm,
           std::function<void(double)> const& watch, Layout const& layout, void const* data) {
  if (name.format == Format::hdf5) {
    auto const comm = mpi::Communicator::duplicate(user_comm);
    hdf5::write({name.path, name.dataset, comm}, layout, data, files::element_type_of(header.type));
    return;
  }
  if (name.format == Format::raw) header.data_offset = 0;
  npy::write({name.path, header, user_comm, watch}, layout, data);
}

void require_writable(ArrayName const& output, ArrayName const& input, MPI_Comm comm) {
  bool const other_dataset = output.format == Format::hdf5 && input.format == Format::hdf5 &&
                             output.dataset != input.dataset;
  files::require_writable(output.path, other_dataset ? std::string() : input.path, comm);
}

}  // namespace sixstep::cli
