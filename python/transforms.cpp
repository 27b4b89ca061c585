// SPDX-License-Identifier: BSD-3-Clause
#include "transforms.hpp"

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <variant>

#include "sixstep/error.hpp"

namespace nb = nanobind;

namespace sixstep::python {

using serial::AnyPlan;

namespace {

/// An array by Python's buffer protocol, which takes a fraction of the time of DLPack's. It is made
/// and destroyed with the interpreter's lock.
class View {
 public:
  View(nb::handle array, bool is_written)
      : is_there_(PyObject_GetBuffer(
                      array.ptr(), &view_,
                      PyBUF_STRIDES | PyBUF_FORMAT | (is_written ? PyBUF_WRITABLE : 0)) == 0) {
    if (!is_there_) PyErr_Clear();
  }
  ~View() {
    if (is_there_) PyBuffer_Release(&view_);
  }
  View(View const&) = delete;
  View& operator=(View const&) = delete;

  void* data() const { return view_.buf; }

  /// Whether the array is there, can be written if it is to be, and is dense, aligned, in C order
  /// and of this type and shape.
  bool is(Transform::Side const& side) const {
    if (!is_there_ || view_.len != side.bytes ||
        view_.ndim != static_cast<int>(side.shape.size()) ||
        std::strcmp(view_.format, side.format) != 0 ||
        reinterpret_cast<std::uintptr_t>(view_.buf) % side.alignment != 0)
      return false;
    Py_ssize_t step = view_.itemsize;
    for (std::size_t axis = side.shape.size(); axis-- > 0;) {
      Index const extent = side.shape[axis];
      if (view_.shape[axis] != extent || (extent != 1 && view_.strides[axis] != step)) return false;
      step *= extent;
    }
    return true;
  }

  void require_that_it_is(char const* name, Transform::Side const& side) const {
    if (is(side)) return;
    throw Error(text(name, ": an aligned array in C order of ", side.shape.size(), " axes, ",
                     side.bytes, " bytes and the type ", side.format, " is needed"));
  }

  /// Both arrays have no gaps.
  bool shares_memory_with(View const& other) const {
    auto const* const begin = static_cast<char const*>(view_.buf);
    auto const* const others = static_cast<char const*>(other.view_.buf);
    return begin < others + other.view_.len && others < begin + view_.len;
  }

 private:
  Py_buffer view_;
  bool is_there_;
};

Index elements(std::vector<Index> const& shape) {
  Index product = 1;
  for (Index const extent : shape) product *= extent;
  return product;
}

bool has(serial::PlanKey const& key, Kind kind) {
  return std::find(key.kinds.begin(), key.kinds.end(), kind) != key.kinds.end();
}

template <class Real>
void execute(SerialPlan<Real> const& plan, void const* in, void* out, bool crosses, bool is_complex,
             bool forward, Scale scale) {
  using Complex = std::complex<Real>;
  auto const* const reals = static_cast<Real const*>(in);
  auto const* const values = static_cast<Complex const*>(in);
  Direction const direction = forward ? Direction::forward : Direction::backward;
  if (crosses && forward)
    plan.execute(reals, static_cast<Complex*>(out), scale);
  else if (crosses)
    plan.execute(values, static_cast<Real*>(out), scale);
  else if (is_complex)
    plan.execute(values, static_cast<Complex*>(out), direction, scale);
  else
    plan.execute(reals, static_cast<Real*>(out), direction, scale);
}

}  // namespace

Transform::Side::Side(std::vector<Index> extents, bool is_real, bool is_single)
    : shape(std::move(extents)),
      format(is_real ? (is_single ? "f" : "d") : (is_single ? "Zf" : "Zd")),
      alignment(is_single ? alignof(float) : alignof(double)),
      bytes(elements(shape) * (is_single ? 4 : 8) * (is_real ? 1 : 2)) {}

Transform::Transform(serial::PlanCache& cache, serial::PlanKey const& key, bool forward,
                     Scale scale, std::vector<Index> before, std::vector<Index> after,
                     nb::object type)
    : cache_(cache),
      entry_(cache.entry(key)),
      forward_(forward),
      crosses_(has(key, Kind::r2c)),
      is_complex_(has(key, Kind::c2c)),
      scale_(scale),
      before_(std::move(before), crosses_ ? forward : !is_complex_, key.is_single),
      after_(std::move(after), crosses_ ? !forward : !is_complex_, key.is_single),
      type_(std::move(type)) {
  Index const reals = elements(crosses_ && !forward ? after_.shape : before_.shape);
  require(reals == elements(key.shape), "before: the number of elements of the plan is needed");
  nb::list shape;
  for (Index const extent : after_.shape) shape.append(extent);
  shape_ = nb::tuple(shape);
}

void Transform::operator()(nb::handle in, nb::handle out) const {
  View const source(in, false), target(out, true);
  source.require_that_it_is("in", before_);
  target.require_that_it_is("out", after_);
  run(source.data(), target.data());
}

bool Transform::can_write(nb::handle in, nb::handle out) const {
  View const source(in, false), target(out, true);
  return source.is(before_) && target.is(after_) && !source.shares_memory_with(target);
}

void Transform::run(void const* in, Index bytes_in, void* out, Index bytes_out) const {
  require(bytes_in == before_.bytes && bytes_out == after_.bytes, "in: an array of ", before_.bytes,
          " bytes and one of ", after_.bytes, " for the result are needed, of ", bytes_in, " and ",
          bytes_out, " bytes were given");
  run(in, out);
}

void Transform::run(void const* in, void* out) const {
  std::shared_ptr<AnyPlan const> plan = cache_.kept(entry_);
  nb::gil_scoped_release const others_run;
  if (!plan) plan = cache_.plan(entry_);
  std::visit(
      [&](auto const& any) { execute(any, in, out, crosses_, is_complex_, forward_, scale_); },
      *plan);
}

Calls::Calls(nb::object empty, std::size_t most_bytes)
    : empty_(std::move(empty)), most_bytes_(most_bytes) {}

nb::object Calls::run(nb::handle words, nb::handle x, nb::handle out) const {
  Py_hash_t const hash = PyObject_Hash(words.ptr());
  if (hash == -1) throw nb::python_error();
  View const source(x, false);
  for (Known const& known : sets_[static_cast<std::size_t>(hash) % sets].known) {
    if (known.hash != hash || !known.words.is_valid()) continue;
    nb::object const kept = known.transform;  // also if another thread replaces it meanwhile
    auto const& transform = *nb::inst_ptr<Transform>(kept);
    if (!source.is(transform.before_) || !known.words.equal(words)) continue;
    bool const is_new = out.is_none();
    if (!is_new && Py_TYPE(out.ptr()) != Py_TYPE(x.ptr())) break;
    if (is_new && static_cast<std::size_t>(transform.after_.bytes) >= most_bytes_) break;
    nb::object made = is_new ? empty_(transform.shape_, transform.type_) : nb::borrow(out);
    View const target(made, true);
    if (!target.is(transform.after_) || target.shares_memory_with(source)) break;
    transform.run(source.data(), target.data());
    return made;
  }
  return nb::none();
}

void Calls::keep(nb::object words, nb::object transform) {
  Py_hash_t const hash = PyObject_Hash(words.ptr());
  if (hash == -1) throw nb::python_error();
  Set& set = sets_[static_cast<std::size_t>(hash) % sets];
  Known made{hash, std::move(words), std::move(transform)};
  std::swap(set.known[set.oldest], made);  // the older one is destroyed when this one is in place
  set.oldest = (set.oldest + 1) % set.known.size();
}

}  // namespace sixstep::python
