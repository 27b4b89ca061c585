// SPDX-License-Identifier: BSD-3-Clause
// Openable memory: the file of this process, and which of its ranges are arrays.
#include "runtime/openable.hpp"

#include <pthread.h>
#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <exception>
#include <map>
#include <utility>

#include "base/fork.hpp"
#include "base/machine_memory.hpp"
#include "runtime/arena.hpp"

namespace sixstep {

namespace {

/// The openable arrays of this process, by their first bytes. It is never destroyed, because static
/// objects of the program may free arrays at the end.
class OpenableArrays {
 public:
  static OpenableArrays& here() {
    static auto& arrays = *new OpenableArrays();
    made = &arrays;
    return arrays;
  }
  /// Null as long as nobody has allocated any.
  static inline std::atomic<OpenableArrays*> made = nullptr;

  void* allocate(std::size_t bytes) {
    std::lock_guard const lock(mutex_);
    std::size_t const taken = round_to_huge_pages(bytes);
    if (forks() != forks_ || taken < bytes) return nullptr;
    auto const most = static_cast<std::size_t>(machine_bytes());
    if (taken > most || taken_ > most - taken || !has_file(taken)) return nullptr;
    auto const array = std::make_shared<Openable>(file_, end_, bytes);
    arrays_.emplace(array->begin(), array);
    end_ += taken;
    taken_ += taken;
    return array->begin();
  }

  /// Its memory is freed with the last of those who hold it.
  std::shared_ptr<Openable> release(void const* array) {
    std::lock_guard const lock(mutex_);
    auto const found = arrays_.find(static_cast<std::byte const*>(array));
    if (found == arrays_.end()) return nullptr;
    std::shared_ptr<Openable> released = std::move(found->second);
    arrays_.erase(found);
    taken_ -= released->range().bytes;
    return released;
  }

  std::shared_ptr<Openable> find(void const* array) {
    std::lock_guard const lock(mutex_);
    if (forks() != forks_) return nullptr;
    auto const found = arrays_.find(static_cast<std::byte const*>(array));
    return found == arrays_.end() ? nullptr : found->second;
  }

 private:
  OpenableArrays() {
    pthread_atfork([] { here().mutex_.lock(); }, [] { here().mutex_.unlock(); },
                   [] {
                     for (auto const& [begin, array] : here().arrays_)
                       array->make_private(here().file_);
                     here().mutex_.unlock();
                   });
  }

  /// Whether there is a file with room for `bytes` more.
  bool has_file(std::size_t bytes) {
    if (!file_.is_open()) {  // not yet made, or closed by the program
      file_ = UnnamedFile::make(huge_page);
      end_ = huge_page;
    }
    return file_.grow(end_ + bytes);
  }

  std::mutex mutex_;
  std::map<std::byte const*, std::shared_ptr<Openable>> arrays_;
  UnnamedFile file_;
  std::size_t end_ = 0;    // of the file
  std::size_t taken_ = 0;  // bytes of all arrays
  int forks_ = forks();
};

}  // namespace

Openable::Openable(UnnamedFile const& file, std::size_t offset, std::size_t bytes)
    : addresses_(round_to_huge_pages(bytes)),
      bytes_(bytes),
      range_{file.address(), offset, round_to_huge_pages(bytes)},
      forks_(forks()) {
  require(file.map(begin(), offset, range_.bytes),
          "memory that ranks share cannot be mapped: ", std::strerror(errno));
}

Openable::~Openable() {
  if (forks() == forks_) madvise(begin(), range_.bytes, MADV_REMOVE);
}

void Openable::adopt(Adopted adopted) {
  std::lock_guard const lock(mutex_);
  std::erase_if(adopted_, [&](Adopted const& known) {
    return known.arena.expired() || known.arena.lock() == adopted.arena.lock();
  });
  adopted_.push_back(std::move(adopted));
}

std::optional<Openable::Adopted> Openable::adopted_by(Arena const& arena) const {
  std::lock_guard const lock(mutex_);
  for (Adopted const& known : adopted_)
    if (known.arena.lock().get() == &arena) return known;
  return std::nullopt;
}

void Openable::make_private(UnnamedFile const& file) {
  if (file.is_open() && file.mark() == range_.file.mark)
    file.map_privately(begin(), range_.offset, range_.bytes);
}

void* allocate_openable(std::size_t bytes) noexcept {
  if (bytes < least_openable_bytes) return nullptr;
  try {
    return OpenableArrays::here().allocate(bytes);
  } catch (std::exception const&) {
    return nullptr;
  }
}

bool release_openable(void* array) noexcept {
  OpenableArrays* const all = OpenableArrays::made;
  return all != nullptr && all->release(array) != nullptr;
}

std::shared_ptr<Openable> find_openable(void const* array) {
  OpenableArrays* const all = OpenableArrays::made;
  return all == nullptr ? nullptr : all->find(array);
}

}  // namespace sixstep
