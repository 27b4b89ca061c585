// SPDX-License-Identifier: BSD-3-Clause
// Error codes, messages and memory that outlive the call that made them.
#include "c/guarded.hpp"

#include <map>
#include <mutex>
#include <new>
#include <string>

#include "sixstep/good_size.hpp"
#include "sixstep/kind.hpp"
#include "sixstep/version.hpp"

namespace sixstep::c {

namespace {

thread_local std::string last_words;

/// Keeps an empty message if there is no memory for the words.
void keep(char const* words) noexcept {
  try {
    last_words = words;
  } catch (...) {
    last_words.clear();
  }
}

int code_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::argument:
      return SIXSTEP_ERROR_ARGUMENT;
    case ErrorCode::memory:
      return SIXSTEP_ERROR_MEMORY;
    case ErrorCode::library:
      return SIXSTEP_ERROR_LIBRARY;
    case ErrorCode::corrupted:
      return SIXSTEP_ERROR_CORRUPTED;
    default:
      return SIXSTEP_ERROR_INTERNAL;
  }
}

/// Arrays by address. Empty arrays may share an address.
struct Lent {
  std::mutex mutex;
  std::multimap<void*, std::shared_ptr<void>> arrays;
};

Lent& all_lent() {
  static Lent lent;
  return lent;
}

}  // namespace

int code_of_current_exception() noexcept {
  try {
    throw;
  } catch (Error const& error) {
    keep(error.what());
    return code_of(error.code());
  } catch (std::bad_alloc const&) {
    keep("memory: this rank could not get what it needs");
    return SIXSTEP_ERROR_MEMORY;
  } catch (std::exception const& error) {
    keep(error.what());
  } catch (...) {
    keep("internal: an exception without a message");
  }
  return SIXSTEP_ERROR_INTERNAL;
}

void* lend(std::shared_ptr<void> memory) {
  void* const address = memory.get();
  if (address == nullptr) return nullptr;
  Lent& lent = all_lent();
  std::lock_guard const lock(lent.mutex);
  lent.arrays.emplace(address, std::move(memory));
  return address;
}

namespace {

void take_back(void* address) {
  std::shared_ptr<void> memory;  // freed after the lock is released
  Lent& lent = all_lent();
  std::lock_guard const lock(lent.mutex);
  auto const found = lent.arrays.find(address);
  require(found != lent.arrays.end(),
          "array: an array is needed that this library allocated and that is not freed yet");
  memory = std::move(found->second);
  lent.arrays.erase(found);
}

}  // namespace

}  // namespace sixstep::c

using namespace sixstep;

char const* sixstep_error_message(void) { return c::last_words.c_str(); }

char const* sixstep_version(void) { return sixstep::version; }

int sixstep_good_size(int64_t n, int64_t multiple, int64_t* size) {
  return c::guarded([&] { c::given(size, "size") = good_size(n, multiple); });
}

int sixstep_logical_size(int kind, int64_t n, int64_t* size) {
  return c::guarded(
      [&] { c::given(size, "size") = logical_size(c::enumerated<Kind>(kind, "kind"), n); });
}

int sixstep_inverse_kind(int kind, int* inverse) {
  return c::guarded([&] {
    Kind const other = sixstep::inverse(c::enumerated<Kind>(kind, "kind"));
    c::given(inverse, "inverse") = static_cast<int>(other);
  });
}

int sixstep_free(void* array) {
  return c::guarded([&] {
    if (array != nullptr) c::take_back(array);
  });
}
