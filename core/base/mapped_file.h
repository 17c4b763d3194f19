#pragma once
// A file's bytes without a copy, for readers of large binary formats.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/diagnostic.h"

namespace convscope {

/// Read-only mapping of a whole file; cheap to copy, unmapped with the last copy.
class MappedFile {
 public:
  /// Nothing, with a diagnostic, if it can't be opened, is a folder, or is larger than `cap` bytes.
  static std::optional<MappedFile> open(const std::string& path, Diagnostics& diagnostics,
                                        std::size_t cap = std::size_t{4} << 30);
  std::string_view bytes() const { return {data_.get(), size_}; }
  std::shared_ptr<const void> owner() const { return data_; }

 private:
  std::shared_ptr<const char> data_;
  std::size_t size_ = 0;
};

}  // namespace convscope
