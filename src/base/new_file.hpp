// SPDX-License-Identifier: BSD-3-Clause
// A file that is written under a temporary name beside its final path. Anyone who opens the path
// finds either the old content or all of the new content.
//
// One process writes it; files/collective_new_file.hpp is for many. Knows nothing about MPI.
#pragma once

#include <string>
#include <string_view>

namespace sixstep {

/// The files to which the path of an output may lead. Regular files are replaced. Devices, pipes
/// and paths such as /dev/stdout cannot be replaced: `any` allows them, and they are written to
/// directly.
enum class Target { regular_file, any };

/// Throws Error if no file can have this path: it is empty or contains a zero byte. `use` is "read"
/// or "written".
void require_path(std::string const& path, char const* use);

/// Throws Error unless a NewFile of this path can be made. Changes nothing.
void require_writable(std::string const& path, Target allowed = Target::regular_file);

/// A file that takes its path when keep() is called.
///
/// The temporary file has a random name in the same folder, and never opens an existing file. A
/// symbolic link stays, and the file it leads to is replaced. The new file keeps the mode of the
/// one it replaces, and its owner and group if the system permits that.
///
/// Every error begins with the path and contains the system's message.
class NewFile {
 public:
  /// Throws Error
  /// - if the folder does not exist, or a permission is missing;
  /// - if the path is a folder, or not allowed as `Target`.
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

  std::string path_;    // as given
  std::string target_;  // the path after symbolic links
  std::string name_;    // empty if the target is written to directly
  int descriptor_ = -1;
};

/// Writes a file of these bytes with NewFile.
void replace_file(std::string const& path, std::string_view bytes,
                  Target allowed = Target::regular_file);

}  // namespace sixstep
