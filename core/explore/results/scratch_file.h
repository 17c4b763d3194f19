#pragma once
// A database of our own making that doesn't outlive us.

#include <filesystem>
#include <string>
#include <utility>

namespace convscope::explore {

/// What SQLite puts beside a database.
inline constexpr const char* companions[] = {"-journal", "-wal", "-shm"};

inline void remove_database(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  for (const char* suffix : companions) std::filesystem::remove(path + suffix, ignored);
}

/// Removes what a killed run left under its name, and at the end what this one did, unless it was renamed.
class ScratchFile {
 public:
  explicit ScratchFile(std::string path) : path_(std::move(path)) { remove_database(path_); }
  ~ScratchFile() { remove_database(path_); }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace convscope::explore
