// SPDX-License-Identifier: BSD-3-Clause
// A file that is written under a temporary name beside the one it becomes. Whoever opens the path
// finds what was there before, or all of the new content.
//
// One process writes it; files/collective_new_file.hpp is for many. Knows nothing about MPI.
#pragma once

#include <string>
#include <string_view>

namespace sixstep {

/// What a path of an output may lead to. Regular files are replaced. Devices, pipes and what
/// /dev/stdout and the like stand for cannot be replaced; where they are allowed, they are written
/// to as they are.
enum class Target { regular_file, any };

/// Throws Error if no file can have this path: it is empty or contains a zero byte. `use` is "read"
/// or "written".
void require_path(std::string const& path, char const* use);

/// Throws Error unless a NewFile of this path can be made. Changes nothing.
void require_writable(std::string const& path, Target allowed = Target::regular_file);

/// A file that becomes the file of its path when keep() is called.
///
/// The temporary file has a random name in the same folder, and no file that is there is opened for
/// it. A symbolic link stays one; the file that it leads to is replaced. The mode of a replaced
/// file stays, and its owner and group where the system permits that.
///
/// Every error begins with the path and says what the system says.
class NewFile {
 public:
  /// Errors: no folder, no permission, a folder or anything else that is not allowed.
  explicit NewFile(std::string const& path, Target allowed = Target::regular_file);
  /// Deletes the temporary file unless keep() was called.
  ~NewFile();
  NewFile(NewFile const&) = delete;
  NewFile& operator=(NewFile const&) = delete;

  /// The temporary file.
  std::string const& name() const { return name_; }
  int descriptor() const { return descriptor_; }

  /// Appends bytes.
  void write(std::string_view bytes);
  /// Makes the file durable and gives it its path.
  void keep();

 private:
  void require_done(bool is_done) const;

  std::string path_;    // as it was given
  std::string target_;  // what links lead to
  std::string name_;    // empty if the target is written to as it is
  int descriptor_ = -1;
};

/// Makes a file of these bytes, by NewFile.
void replace_file(std::string const& path, std::string_view bytes,
                  Target allowed = Target::regular_file);

}  // namespace sixstep
