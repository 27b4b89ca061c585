// SPDX-License-Identifier: BSD-3-Clause
// Our own local transforms, called as a plan's passes call them; a single long transform by a plan
// on one rank, which is what takes it apart.
#include <memory>

#include "base/memory.hpp"
#include "contender.hpp"
#include "local/real_transform.hpp"
#include "local/staged.hpp"
#include "local/transform.hpp"
#include "sixstep/sixstep.hpp"

namespace sixstep::bench {
namespace {

/// As a plan's passes choose it.
template <class Real>
local::Staging staging(Problem const& problem) {
  Index const element = sizeof(std::complex<Real>);
  auto const step = [&](Side const& side) {
    return side.distance == 1 ? side.stride * element : 0;
  };
  return local::staging(step(problem.in), step(problem.out), problem.n * problem.count * element);
}

/// A transform with its scratch.
template <class Real>
class Planned {
 public:
  explicit Planned(Problem const& problem)
      : count_(problem.count),
        in_(problem.in),
        out_(problem.out),
        far_(local::out_of_cache(problem.n * problem.count *
                                 static_cast<Index>(sizeof(std::complex<Real>)))),
        transform_(local::make_transform<Real>(problem.n)),
        staged_(*transform_, staging<Real>(problem)),
        scratch_(allocate(staged_.scratch_bytes())) {}

  void run(std::complex<Real> const* in, std::complex<Real>* out) const {
    staged_.run({.in = {in, local::RowMap::every(in_.stride), in_.distance},
                 .out = {out, local::RowMap::every(out_.stride), out_.distance},
                 .columns = count_,
                 .far = far_},
                scratch_.get());
  }

 private:
  Index count_;
  Side in_;
  Side out_;
  bool far_;
  std::unique_ptr<local::Transform<std::complex<Real>>> transform_;
  local::Staged<Real> staged_;
  Memory scratch_;
};

/// A real transform with its scratch.
template <class In, class Out>
Run prepare_real(Problem const& problem, std::unique_ptr<local::Transform<In, Out>> made, void* in,
                 void* out) {
  std::shared_ptr<local::Transform<In, Out> const> const transform = std::move(made);
  std::shared_ptr<std::byte[]> const scratch = allocate(transform->scratch_bytes());
  return [=] {
    transform->run({.in = {static_cast<In const*>(in), local::RowMap::every(problem.in.stride),
                           problem.in.distance},
                    .out = {static_cast<Out*>(out), local::RowMap::every(problem.out.stride),
                            problem.out.distance},
                    .columns = problem.count},
                   scratch.get());
  };
}

/// MPI, from the first plan to the end of the process.
struct MpiSession {
  MpiSession() { MPI_Init(nullptr, nullptr); }
  ~MpiSession() { MPI_Finalize(); }
  MpiSession(MpiSession const&) = delete;
  MpiSession& operator=(MpiSession const&) = delete;
};

void begin_mpi() { static MpiSession const session; }

template <class Real>
Run prepare_long(Problem const& problem, std::complex<Real> const* in, std::complex<Real>* out) {
  begin_mpi();
  Layout const whole = Layout::slab({problem.n}, 1);
  auto const plan = std::make_shared<Plan<Real>>(whole, whole, MPI_COMM_SELF,
                                                 sixstep::Options{.threads = problem.threads});
  return [plan, in, out] { plan->forward(in, out); };
}

template <class Real>
Run prepare(Problem const& problem, void* in, void* out) {
  if (problem.kind == Kind::c2c && problem.count == 1 && problem.n >= long_n)
    return prepare_long(problem, static_cast<std::complex<Real> const*>(in),
                        static_cast<std::complex<Real>*>(out));
  if (problem.threads > 1) return {};  // a local transform runs on one
  if (problem.kind == Kind::r2c)
    return prepare_real(problem, local::make_r2c<Real>(problem.n), in, out);
  if (problem.kind == Kind::c2r)
    return prepare_real(problem, local::make_c2r<Real>(problem.n), in, out);
  if (problem.kind == Kind::dct2)
    return prepare_real(problem, local::make_r2r<Real>(sixstep::Kind::dct2, problem.n), in, out);
  auto const planned = std::make_shared<Planned<Real>>(problem);
  return [planned, from = static_cast<std::complex<Real> const*>(in),
          to = static_cast<std::complex<Real>*>(out)] { planned->run(from, to); };
}

}  // namespace

Contender sixstep_contender() {
  return {"sixstep", text(version, " ", local::instruction_set()), prepare<double>, prepare<float>};
}

}  // namespace sixstep::bench
