#pragma once
// The pieces of a serialized Torch7 file, one after the other, in either of its two forms (torch/lib/TH/THDiskFile.c).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/network/element_type.h"

namespace convscope::readers::torch7 {

/// How a file was written. The file itself says neither: text begins with a digit, and `long` had 4 bytes on Windows
/// and on machines of 32 bits.
struct Form {
  bool text = false;
  int long_bytes = 8;
};

/// Where something stands: `line` counts from 1 in text and is 0 in binary files.
struct Place {
  std::size_t byte = 0;
  int line = 0;

  /// "byte 120", or "" where the line says it.
  std::string text() const;
};

/// Values of one type in the machine's byte order; in binary files they stay in the file.
struct Array {
  network::ElementType type = network::ElementType::unknown;
  std::int64_t count = 0;
  std::shared_ptr<const void> owner;
  std::span<const std::byte> bytes;
};

/// Reads forward. The first thing that doesn't fit ends it: from then on every piece is zero or empty, and `problem`
/// tells what was wrong.
class Source {
 public:
  struct Problem {
    Place place;
    std::string what, expected;
  };

  Source(std::string_view bytes, std::shared_ptr<const void> owner, Form form)
      : bytes_(bytes), owner_(std::move(owner)), form_(form) {}

  std::int64_t integer();       ///< an int
  std::int64_t long_integer();  ///< a long
  double number();              ///< a double
  std::string_view characters(std::int64_t count);
  /// A length and as many characters.
  std::string_view string();
  /// `count` values; refused before anything is allocated if the rest of the file can't hold them.
  Array array(network::ElementType type, std::int64_t count);

  /// Whether `count` pieces of at least `size` bytes each (of two in text: a digit and a blank) can still follow.
  bool has_room(std::int64_t count, std::size_t size) const;
  void fail(std::string what, std::string expected = {});
  bool failed() const { return !problem_.what.empty(); }
  const Problem& problem() const { return problem_; }
  Place place() const;
  const Form& form() const { return form_; }

 private:
  std::size_t left() const { return bytes_.size() - at_; }
  std::string_view raw(std::size_t count);
  std::string_view word();
  void end_of_piece();
  template <typename Value>
  Value binary();
  std::int64_t whole_number();
  double real_number();
  Array array_in_text(network::ElementType type, std::int64_t count);

  std::string_view bytes_;
  std::shared_ptr<const void> owner_;
  Form form_;
  std::size_t at_ = 0;
  std::int64_t line_ = 1;
  Problem problem_;
};

}  // namespace convscope::readers::torch7
