// SPDX-License-Identifier: BSD-3-Clause
// Our own local transforms, called as a plan's passes call them; a single long transform by a plan
// on one rank, which is what takes it apart.
#include <memory>

#include "contender.hpp"
#include "local/real_transform.hpp"
#include "local/staged.hpp"
#include "local/transform.hpp"
#include "runtime/memory.hpp"
#include "sixstep/sixstep.hpp"

namespace sixstep::bench {
namespace {

/// As a plan's passes choose it: columns in far rows travel in strips, past the caches if many.
template <class Real>
local::Staging staging(Problem const& problem) {
  constexpr Index far_bytes = 2048;
  constexpr Index cached_bytes = Index{1} << 23;
  Index const element = sizeof(std::complex<Real>);
  auto const has_far_rows = [&](Side const& side) {
    return side.distance == 1 && side.stride * element >= far_bytes;
  };
  return {.source = has_far_rows(problem.in),
          .target = has_far_rows(problem.out),
          .stream = problem.n * problem.count * element >= cached_bytes};
}

std::vector<Index> rows(Side const& side, Index n) {
  std::vector<Index> table;
  for (Index k = 0; k < n; ++k) table.push_back(k * side.stride);
  return table;
}

/// A transform with its tables and its scratch.
template <class Real>
class Planned {
 public:
  explicit Planned(Problem const& problem)
      : count_(problem.count),
        in_(problem.in),
        out_(problem.out),
        in_rows_(rows(problem.in, problem.n)),
        out_rows_(rows(problem.out, problem.n)),
        transform_(local::make_transform<Real>(problem.n)),
        staged_(*transform_, staging<Real>(problem)),
        scratch_(allocate(staged_.scratch_bytes())) {}

  void run(std::complex<Real> const* in, std::complex<Real>* out) const {
    staged_.run({.in = {in, in_rows_.data(), in_.distance},
                 .out = {out, out_rows_.data(), out_.distance},
                 .columns = count_},
                scratch_.get());
  }

 private:
  Index count_;
  Side in_;
  Side out_;
  std::vector<Index> in_rows_;
  std::vector<Index> out_rows_;
  std::unique_ptr<local::Transform<std::complex<Real>>> transform_;
  local::Staged<Real> staged_;
  Memory scratch_;
};

/// A real transform with its tables and its scratch.
template <class In, class Out>
Run prepare_real(Problem const& problem, std::unique_ptr<local::Transform<In, Out>> made, void* in,
                 void* out) {
  std::shared_ptr<local::Transform<In, Out> const> const transform = std::move(made);
  std::shared_ptr<std::byte[]> const scratch = allocate(transform->scratch_bytes());
  Index const half = problem.n / 2 + 1;
  return [=, in_rows = rows(problem.in, takes_reals(problem.kind) ? problem.n : half),
          out_rows = rows(problem.out, gives_reals(problem.kind) ? problem.n : half)] {
    transform->run({.in = {static_cast<In const*>(in), in_rows.data(), problem.in.distance},
                    .out = {static_cast<Out*>(out), out_rows.data(), problem.out.distance},
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
