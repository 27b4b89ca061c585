// SPDX-License-Identifier: BSD-3-Clause
// Redistribution: splits elements into words that a pass and MPI can move, along one more axis if
// an element has several, and adds an axis for fields. Then it makes a plan that transforms
// nothing.
#include "sixstep/redistribution.hpp"

#include <utility>

#include "api/alike.hpp"
#include "api/moves.hpp"
#include "layout/fields.hpp"
#include "runtime/mpi.hpp"
#include "runtime/threads.hpp"

namespace sixstep {

namespace {

/// The largest word that elements are made of.
constexpr int word_bytes(std::size_t element_bytes) {
  std::size_t word = 16;
  while (element_bytes % word != 0) word /= 2;
  return static_cast<int>(word);
}

/// The layout of all words of all fields: a rank that holds a point holds all of its words and
/// fields.
Layout in_words(Layout const& layout, Index fields, Index words) {
  Layout const elements = with_fields(layout, words, Storage::interleaved);
  return with_fields(elements, fields, Storage::blocks);
}

void check(Layout const& from, Layout const& to, mpi::Communicator const& comm,
           RedistributionOptions const& options, std::size_t element_bytes) {
  mpi::together(comm, [&] {
    for (auto const& [name, layout] : {std::pair{"from", &from}, std::pair{"to", &to}})
      require(layout->ranks() == comm.size(), name, ": a layout for the ", comm.size(),
              " ranks of comm is needed, it is for ", layout->ranks());
    require(from.axes() >= 1 && from.axes() <= max_axes, "from: a layout of 1 to ", max_axes,
            " axes is needed, it has ", from.axes());
    require(
        to.shape() == from.shape(), "to: the shape of `from`, ",
        [&] { return to_string(from.shape()); }, ", is needed, ",
        [&] { return to_string(to.shape()); }, " was given");
    require(volume(from.shape()) > 0, "from: every extent must be at least 1, the shape is ",
            [&] { return to_string(from.shape()); });
    require(options.fields >= 1, "fields: 1 or more are needed, ", options.fields, " were given");
    require(options.threads >= 0, "threads: 0 or more are needed, ", options.threads,
            " were given");
    require(
        has_name(options.verify), "verify: ", names_in_words<Verify>(), " is needed, ",
        [&] { return to_string(options.verify); }, " was given");
  });
  AlikeArguments()
      .add("from", from)
      .add("to", to)
      .add("fields", options.fields)
      .add("exchange", options.exchange)
      .add("preserve_input", options.preserve_input)
      .add("verify", options.verify)
      .add("size of elements", element_bytes)
      .require(comm);
}

}  // namespace

std::unique_ptr<runners::CompositionRunner> make_moves(Layout const& from, Layout const& to,
                                                       MPI_Comm user_comm,
                                                       RedistributionOptions const& options,
                                                       std::size_t element_bytes) {
  mpi::Communicator comm = mpi::Communicator::duplicate(user_comm);
  check(from, to, comm, options, element_bytes);
  Options all;
  all.exchange = options.exchange;
  all.preserve_input = options.preserve_input;
  int const fair = fair_threads(comm);
  all.threads = options.threads == 0 ? fair : options.threads;
  int const word = word_bytes(element_bytes);
  auto const words = static_cast<Index>(element_bytes) / word;
  formulas::Composition composition;
  mpi::together(comm, [&] {
    schedule::Problem problem{in_words(from, options.fields, words),
                              in_words(to, options.fields, words)};
    problem.moves = layout::Number::real;
    problem.real_bytes = word;
    composition = formulas::compose(problem);
  });
  auto runner = std::make_unique<runners::CompositionRunner>(std::move(composition),
                                                             std::move(comm), all, word);
  if (options.verify != Verify::none) runner->verify_bits(options.verify);
  runner->add_note(text("elements  of ", element_bytes, " bytes, in words of ", word));
  return runner;
}

ByteRedistribution::ByteRedistribution(Layout const& from, Layout const& to, MPI_Comm comm,
                                       RedistributionOptions const& options,
                                       std::size_t element_bytes)
    : from_(from), to_(to), runner_(make_moves(from, to, comm, options, element_bytes)) {
  from_size_ = options.fields * from.array_size(runner_->rank());
  to_size_ = options.fields * to.array_size(runner_->rank());
}

ByteRedistribution::~ByteRedistribution() = default;
ByteRedistribution::ByteRedistribution(ByteRedistribution&&) noexcept = default;
ByteRedistribution& ByteRedistribution::operator=(ByteRedistribution&&) noexcept = default;

void ByteRedistribution::execute(void const* in, void* out, Direction direction) {
  runner_->execute(in, out, direction, Scale::none);
}

std::shared_ptr<void> ByteRedistribution::allocate() { return runner_->allocate_array(); }
std::size_t ByteRedistribution::workspace_bytes() const { return runner_->workspace_bytes(); }
std::string ByteRedistribution::describe() const { return runner_->describe(); }
int ByteRedistribution::passes() const { return runner_->passes(); }
int ByteRedistribution::exchanges() const { return runner_->exchanges(); }
double ByteRedistribution::communication_seconds() const {
  return runner_->communication_seconds();
}
Verified ByteRedistribution::verified() const { return runner_->verified(); }
void ByteRedistribution::on_detection(std::function<void(Detection const&)> told) {
  runner_->on_detection(std::move(told));
}

}  // namespace sixstep
