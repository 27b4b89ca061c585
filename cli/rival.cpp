// SPDX-License-Identifier: BSD-3-Clause
// FFTW-MPI, found at run time: its functions, and its transforms.
#include "rival.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <set>
#include <string_view>
#include <type_traits>
#include <vector>

#include "local_array.hpp"
#include "ranks.hpp"

namespace sixstep::cli {
namespace {

// Constants of fftw3.h and fftw3-mpi.h, FFTW 3.3.
constexpr int sign_of_forward = -1;
constexpr unsigned measure = 0, destroy_input = 1U << 0, transposed_output = 1U << 30;

/// The MPI libraries that this process has loaded, for example "libmpich.so.12", "libmpi.so.40".
std::set<std::string> loaded_mpis() {
  std::set<std::string> found;
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* to) {
        std::string_view const path = object->dlpi_name;
        std::string_view const file = path.substr(path.rfind('/') + 1);
        if (file.starts_with("libmpi.so") || file.starts_with("libmpich.so") ||
            file.starts_with("libmpi_abi.so"))
          static_cast<std::set<std::string>*>(to)->emplace(file);
        return 0;
      },
      &found);
  return found;
}

void* load(std::string const& file, std::string const& advice) {
  void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    throw Error(text("--against fftw: ", dlerror(), "; ", advice), ErrorCode::library);
  return handle;
}

/// FFTW's functions, in double or single precision.
template <class Real>
class Fftw {
 public:
  /// Loads the library, which stays loaded.
  explicit Fftw(int threads) {
    std::string const letter = std::is_same_v<Real, float> ? "f" : "";
    std::string const file = "libfftw3" + letter + "_mpi.so.3";
    std::set<std::string> const before = loaded_mpis();
    handle_ = load(file,
                   "install FFTW-MPI for this MPI or set LD_LIBRARY_PATH to its folder "
                   "(Debian's libfftw3-mpi3 is for Open MPI)");
    for (std::string const& mpi : loaded_mpis())
      if (before.count(mpi) == 0)
        throw Error(text("--against fftw: ", file, " was built for another MPI (", mpi,
                         ") than this command; set LD_LIBRARY_PATH to the folder of one that was "
                         "built for ",
                         before.empty() ? "this one" : *before.begin()),
                    ErrorCode::library);
    prefix_ = "fftw" + letter + '_';
    if (threads > 1) use_threads("libfftw3" + letter, threads);
    find<void()>("mpi_init")();
  }

  template <class Function>
  Function* find(std::string const& name) const {
    return find_in<Function>(handle_, name);
  }
  std::string version() const {
    return static_cast<char const*>(dlsym(handle_, (prefix_ + "version").c_str()));
  }

 private:
  template <class Function>
  Function* find_in(void* handle, std::string const& name) const {
    void* const symbol = dlsym(handle, (prefix_ + name).c_str());
    require(symbol != nullptr, "--against fftw: the library that was found has no ", prefix_, name);
    return reinterpret_cast<Function*>(symbol);
  }
  void use_threads(std::string const& library, int threads) const {
    void* const handle = load(library + "_threads.so.3", "or choose --threads 1");
    find_in<int()>(handle, "init_threads")();
    find_in<void(int)>(handle, "plan_with_nthreads")(threads);
  }

  void* handle_;
  std::string prefix_;
};

template <class Real>
class FftwPlan final : public Rival {
 public:
  FftwPlan(RivalProblem const& problem, MPI_Comm comm)
      : fftw_(problem.threads),
        elements_(elements_of(problem, comm)),
        from_(elements_, comm),
        to_(problem.in_place ? 0 : elements_, comm) {
    Complex* const in = from_.data();
    Complex* const out = problem.in_place ? in : to_.data();
    std::vector<std::ptrdiff_t> const n(problem.shape.begin(), problem.shape.end());
    int const axes = problem.shape.size();
    unsigned const flags = measure | (problem.preserve_input ? 0 : destroy_input) |
                           (problem.natural_output || axes == 1 ? 0 : transposed_output);
    plan_ = problem.r2c ? fftw_.template find<R2c>("mpi_plan_dft_r2c")(
                              axes, n.data(), reinterpret_cast<Real*>(in), out, comm, flags)
                        : fftw_.template find<C2c>("mpi_plan_dft")(axes, n.data(), in, out, comm,
                                                                   sign_of_forward, flags);
    mpi::agree(comm, plan_ ? "" : "--against fftw: it has no plan for " + to_string(problem.shape));
    execute_ = fftw_.template find<void(Plan)>("execute");
    fill();
  }
  ~FftwPlan() override { fftw_.template find<void(Plan)>("destroy_plan")(plan_); }
  FftwPlan(FftwPlan const&) = delete;
  FftwPlan& operator=(FftwPlan const&) = delete;

  void forward() override { execute_(plan_); }
  void fill() override {
    for (Index i = 0; i < elements_; ++i)
      from_.data()[i] = {static_cast<Real>(i % 7) - 3, static_cast<Real>(i % 5) - 2};
  }
  std::string name() const override { return fftw_.version(); }

 private:
  using Complex = std::complex<Real>;
  using Plan = struct fftw_plan_s*;
  using C2c = Plan(int, std::ptrdiff_t const*, Complex*, Complex*, MPI_Comm, int, unsigned);
  using R2c = Plan(int, std::ptrdiff_t const*, Real*, Complex*, MPI_Comm, unsigned);

  /// The elements that a rank needs for either array.
  Index elements_of(RivalProblem const& problem, MPI_Comm comm) const {
    std::vector<std::ptrdiff_t> n(problem.shape.begin(), problem.shape.end());
    if (problem.r2c) n.back() = n.back() / 2 + 1;
    std::ptrdiff_t a, b, c, d;
    if (n.size() > 1)
      return fftw_
          .template find<std::ptrdiff_t(int, std::ptrdiff_t const*, MPI_Comm, std::ptrdiff_t*,
                                        std::ptrdiff_t*, std::ptrdiff_t*, std::ptrdiff_t*)>(
              "mpi_local_size_transposed")(static_cast<int>(n.size()), n.data(), comm, &a, &b, &c,
                                           &d);
    return fftw_
        .template find<std::ptrdiff_t(std::ptrdiff_t, MPI_Comm, int, unsigned, std::ptrdiff_t*,
                                      std::ptrdiff_t*, std::ptrdiff_t*, std::ptrdiff_t*)>(
            "mpi_local_size_1d")(n[0], comm, sign_of_forward, measure, &a, &b, &c, &d);
  }

  Fftw<Real> fftw_;
  Index elements_;
  LocalArray<Complex> from_;
  LocalArray<Complex> to_;
  Plan plan_ = nullptr;
  void (*execute_)(Plan) = nullptr;
};

}  // namespace

template <class Real>
std::unique_ptr<Rival> make_fftw(RivalProblem const& problem, MPI_Comm comm) {
  require(!problem.r2c || problem.shape.size() > 1,
          "--against fftw: FFTW-MPI has no r2c of a single axis");
  return std::make_unique<FftwPlan<Real>>(problem, comm);
}

template std::unique_ptr<Rival> make_fftw<float>(RivalProblem const&, MPI_Comm);
template std::unique_ptr<Rival> make_fftw<double>(RivalProblem const&, MPI_Comm);

}  // namespace sixstep::cli
