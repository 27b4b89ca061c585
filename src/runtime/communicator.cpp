// SPDX-License-Identifier: BSD-3-Clause
// Keeps duplicates as attributes of the users' communicators, makes communicators where MPI may
// have none left, and hands out ranges of tags.
#include "runtime/communicator.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>

#include "runtime/environment.hpp"
#include "runtime/mpi.hpp"

namespace sixstep::mpi {

struct Held : std::enable_shared_from_this<Held> {
  explicit Held(MPI_Comm owned) : comm(owned) {
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
  }
  ~Held() {
    kept.clear();
    groups.clear();
    by_memory.reset();
    // After MPI_Finalize nothing is left to free.
    if (is_running()) MPI_Comm_free(&comm);
  }
  Held(Held const&) = delete;
  Held& operator=(Held const&) = delete;

  MPI_Comm comm;
  int rank = 0;
  int size = 0;
  std::shared_ptr<Held> by_memory;
  std::map<std::pair<std::vector<int>, int>, std::shared_ptr<Held>> groups;  // by ranks and number
  std::map<std::string, std::shared_ptr<void>> kept;
  // Objects of destroy_together() in the order in which they were made, the same on all ranks.
  std::vector<std::shared_ptr<void>> joint;

  std::mutex dealing_tags;
  std::map<int, int> tags_in_use;  // from the first tag of each range to the one after its last
  int next_tag = 0;                // the same on all ranks, like the next member
  bool has_begun_again = false;    // all tags have been handed out once
};

namespace {

/// The value of a communicator's attribute.
struct Attribute {
  std::weak_ptr<Held> itself;       // set for the library's communicators
  std::shared_ptr<Held> duplicate;  // set for users' communicators
};

/// The key of attributes, and all attributes of users' communicators in the order in which they
/// were made, which is the same on all ranks.
struct Attributes {
  std::mutex mutex;
  int key = MPI_KEYVAL_INVALID;
  std::vector<Attribute*> of_users;
  // Duplicates of communicators that were freed while a rank held one of their joint objects.
  std::vector<std::shared_ptr<Held>> left_over;
};

/// Never destroyed, because MPI may be finalised after the library's static objects.
Attributes& attributes() {
  static auto* const all = new Attributes;
  return *all;
}

/// Destroys the joint objects that no rank holds anywhere else. Collective.
void destroy_released(Held& held) {
  if (held.joint.empty()) return;
  std::vector<int> is_held;
  for (std::shared_ptr<void> const& object : held.joint)
    is_held.push_back(object.use_count() > 1 ? 1 : 0);
  reduce_to_all(Comm(held.comm), is_held.data(), static_cast<Index>(is_held.size()), MPI_INT,
                MPI_MAX);
  std::vector<std::shared_ptr<void>> still_held;
  for (std::size_t i = 0; i < is_held.size(); ++i) {
    std::shared_ptr<void> object = std::move(held.joint[i]);
    if (is_held[i]) still_held.push_back(std::move(object));
  }
  held.joint = std::move(still_held);
}

/// Releases a duplicate. If a rank still holds a joint object, the duplicate stays until
/// MPI_Finalize. Collective.
void let_go_of(std::shared_ptr<Held> duplicate) {
  if (!duplicate) return;
  destroy_released(*duplicate);
  if (duplicate->joint.empty()) return;
  std::lock_guard const lock(attributes().mutex);
  attributes().left_over.push_back(std::move(duplicate));
}

int delete_attribute(MPI_Comm, int, void* value, void*) {
  std::unique_ptr<Attribute> const attribute(static_cast<Attribute*>(value));
  {
    std::lock_guard const lock(attributes().mutex);
    std::erase(attributes().of_users, attribute.get());
  }
  let_go_of(std::move(attribute->duplicate));
  return MPI_SUCCESS;
}

/// Releases all duplicates. MPI_Finalize calls it first of all, when it deletes the attributes of
/// MPI_COMM_SELF, while all of MPI still works.
int let_go_of_all(MPI_Comm, int, void*, void*) {
  std::vector<std::shared_ptr<Held>> duplicates;
  {
    std::lock_guard const lock(attributes().mutex);
    duplicates = std::exchange(attributes().left_over, {});
    for (Attribute* attribute : attributes().of_users)
      duplicates.push_back(std::move(attribute->duplicate));
  }
  for (std::shared_ptr<Held>& duplicate : duplicates) let_go_of(std::move(duplicate));
  return MPI_SUCCESS;
}

int key() {
  Attributes& all = attributes();
  std::lock_guard const lock(all.mutex);
  if (all.key != MPI_KEYVAL_INVALID) return all.key;
  int at_end = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, let_go_of_all, &at_end, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, at_end, nullptr);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_attribute, &all.key, nullptr);
  return all.key;
}

Attribute* attribute_of(MPI_Comm comm) {
  void* value = nullptr;
  int is_found = 0;
  MPI_Comm_get_attr(comm, key(), &value, &is_found);
  return is_found ? static_cast<Attribute*>(value) : nullptr;
}

/// Takes ownership of `comm` as a communicator of the library.
std::shared_ptr<Held> hold(MPI_Comm comm) {
  auto held = std::make_shared<Held>(comm);
  MPI_Comm_set_attr(comm, key(), new Attribute{held, nullptr});
  return held;
}

/// While the object lives, MPI returns the errors of calls on a communicator.
class ReturningErrors {
 public:
  explicit ReturningErrors(MPI_Comm comm) : comm_(comm) {
    MPI_Comm_get_errhandler(comm_, &before_);
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  }
  ~ReturningErrors() {
    MPI_Comm_set_errhandler(comm_, before_);
    MPI_Errhandler_free(&before_);
  }
  ReturningErrors(ReturningErrors const&) = delete;
  ReturningErrors& operator=(ReturningErrors const&) = delete;

 private:
  MPI_Comm comm_;
  MPI_Errhandler before_ = MPI_ERRHANDLER_NULL;
};

/// The last line of MPI's message, which is the cause.
std::string words_of(int code) {
  char words[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, words, &length);
  std::string_view said(words, static_cast<std::size_t>(length));
  while (!said.empty() && (said.back() == '\n' || said.back() == ' ')) said.remove_suffix(1);
  return std::string(said.substr(said.rfind('\n') + 1));
}

/// The communicator that `make` makes, on all ranks or on none. Collective.
template <class Make>
std::shared_ptr<Held> created(Comm const& comm, Make const& make) {
  std::shared_ptr<Held> held;
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;  // the one `comm` has outside make_on()
  MPI_Comm_get_errhandler(comm, &handler);
  make_on(comm, [&] {
    MPI_Comm made = MPI_COMM_NULL;
    int const code = make(&made);
    if (code != MPI_SUCCESS) return code;
    MPI_Comm_set_errhandler(made, handler);
    held = hold(made);
    return code;
  });
  MPI_Errhandler_free(&handler);
  return held;
}

}  // namespace

void make_on(Comm const& comm, std::function<int()> const& make) {
  meet(comm);
  int code = MPI_SUCCESS;
  {
    ReturningErrors const errors(comm);
    code = make();
  }
  together(comm, [&] {
    if (code == MPI_SUCCESS) return;
    throw Error(text("comm: MPI has no communicator left, and one is needed (", words_of(code),
                     "); free communicators or plans"),
                ErrorCode::memory);
  });
}

bool has_threads() {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  return level == MPI_THREAD_MULTIPLE;
}

Communicator::Communicator(std::shared_ptr<Held> held, Patience const& patience)
    : held_(std::move(held)), rank_(held_->rank), size_(held_->size), patience_(patience) {}

MPI_Comm Communicator::get() const { return held_ ? held_->comm : MPI_COMM_NULL; }

Communicator Communicator::own(MPI_Comm comm) { return {hold(comm), {}}; }

Communicator Communicator::duplicate(MPI_Comm comm) {
  require_running("comm");
  require(comm != MPI_COMM_NULL, "comm: a communicator is needed, MPI_COMM_NULL was given");
  require_own_launcher();
  int is_inter = 0;
  MPI_Comm_test_inter(comm, &is_inter);
  require(!is_inter, "comm: an intra-communicator is needed, an inter-communicator was given");
  Attribute const* const known = attribute_of(comm);
  std::shared_ptr<Held> held;
  if (known) held = known->duplicate ? known->duplicate : known->itself.lock();
  if (held) {
    destroy_released(*held);
  } else {
    held = created(Comm(comm), [&](MPI_Comm* made) { return MPI_Comm_dup(comm, made); });
    auto* const attribute = new Attribute{{}, held};
    MPI_Comm_set_attr(comm, key(), attribute);
    std::lock_guard const lock(attributes().mutex);
    attributes().of_users.push_back(attribute);
  }
  Communicator made(held, Comm(held->comm).patience());
  require_common_timeout(made);
  return made;
}

/// Calls created(). If MPI has no communicator left, frees the groups that nobody uses, and tries
/// again. Collective.
template <class Make>
std::shared_ptr<Held> Communicator::made(Make const& make) const {
  try {
    return created(*this, make);
  } catch (Error const&) {
    if (held_->groups.empty()) throw;  // on all ranks alike: each has the same number of groups
  }
  held_->groups.clear();
  return created(*this, make);
}

Communicator Communicator::split(int colour) const {
  return {made([&](MPI_Comm* part) { return MPI_Comm_split(get(), colour, rank_, part); }),
          patience_};
}

Communicator Communicator::split_by_memory() const {
  if (!held_->by_memory)
    held_->by_memory = made([&](MPI_Comm* part) {
      return MPI_Comm_split_type(get(), MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, part);
    });
  return {held_->by_memory, patience_};
}

Communicator Communicator::group(std::vector<int> const& ranks, int number) const {
  auto const found = held_->groups.find({ranks, number});
  int is_missing = found == held_->groups.end() ? 1 : 0;
  reduce_to_all(*this, &is_missing, 1, MPI_INT, MPI_MAX);
  if (!is_missing) return {found->second, patience_};
  Communicator const part = split(ranks.front());
  held_->groups.insert_or_assign({ranks, number}, part.held_);
  return part;
}

std::shared_ptr<void> kept(MPI_Comm comm, std::string const& name) {
  Attribute const* const known = attribute_of(comm);
  std::shared_ptr<Held> const held = known ? known->itself.lock() : nullptr;
  if (!held) return nullptr;
  auto const found = held->kept.find(name);
  return found == held->kept.end() ? nullptr : found->second;
}

void keep(MPI_Comm comm, std::string const& name, std::shared_ptr<void> object) {
  Attribute const* const known = attribute_of(comm);
  if (std::shared_ptr<Held> const held = known ? known->itself.lock() : nullptr)
    held->kept.insert_or_assign(name, std::move(object));
}

void destroy_together(MPI_Comm comm, std::shared_ptr<void> object) {
  Attribute const* const known = attribute_of(comm);
  std::shared_ptr<Held> const held = known ? known->itself.lock() : nullptr;
  if (held && held->size > 1) held->joint.push_back(std::move(object));
}

namespace {

int number_of_tags() {
  void* value = nullptr;
  int is_found = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &is_found);
  constexpr int fewest = 32768;  // every MPI has these
  int const largest = is_found ? *static_cast<int*>(value) : 0;
  return std::max(largest, fewest);  // at most one less than there are, so that an int can hold it
}

/// The end of the last range that has a tag in [first, first + count); -1 if there is none.
int end_of_overlap(std::map<int, int> const& in_use, int first, int count) {
  auto const next = in_use.lower_bound(first + count);
  if (next == in_use.begin()) return -1;
  int const end = std::prev(next)->second;
  return end > first ? end : -1;
}

}  // namespace

Tags Communicator::take_tags(int count, int most) const {
  int const all = most > 0 ? most : number_of_tags();
  require_internal(count <= all, count, " tags are needed, MPI has ", all);
  bool const by_order = !has_threads();
  int first = held_->next_tag;
  for (int rounds = 0; true;) {
    if (count > all - first) {
      first = 0;
      held_->has_begun_again = true;
      require(++rounds <= 2,
              "comm: MPI has no tags left to tell the messages of plans apart; free "
              "some plans");
    }
    if (by_order || !held_->has_begun_again) break;
    // The plans that are alive may differ between ranks.
    int end = -1;
    {
      std::lock_guard const lock(held_->dealing_tags);
      end = end_of_overlap(held_->tags_in_use, first, count);
    }
    reduce_to_all(*this, &end, 1, MPI_INT, MPI_MAX);
    if (end < 0) break;
    first = end;
  }
  held_->next_tag = first + count;
  if (by_order) return {nullptr, first};
  std::lock_guard const lock(held_->dealing_tags);
  held_->tags_in_use[first] = first + count;
  return {held_, first};
}

Tags::~Tags() {
  if (!held_ || is_inherited()) return;
  std::lock_guard const lock(held_->dealing_tags);
  held_->tags_in_use.erase(first_);
}

Tags& Tags::operator=(Tags&& other) noexcept {
  std::swap(held_, other.held_);
  std::swap(first_, other.first_);
  return *this;
}

}  // namespace sixstep::mpi
