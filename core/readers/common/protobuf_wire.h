#pragma once
// Protobuf's wire format (protobuf.dev, "Encoding"), as far as it takes to walk over a message.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace convscope::readers {

enum class WireType { varint = 0, fixed64 = 1, bytes = 2, group_start = 3, group_end = 4, fixed32 = 5 };

/// A position in a file, up to the end of the message around it.
struct Cursor {
  std::string_view file;
  std::size_t at = 0;
  std::size_t end = 0;
  bool done() const { return at >= end; }
};

struct Tag {
  std::uint64_t number = 0;
  WireType type = WireType::varint;
};

/// What the bytes claim to be; `size` may reach beyond the cursor's end, which is for the caller to judge.
struct Payload {
  std::size_t begin = 0;
  std::uint64_t size = 0;
  std::uint64_t number = 0;  ///< value of a varint
};

/// Moves behind what is read; nothing if the bytes end before, or are no varint, tag or payload.
std::optional<std::uint64_t> read_varint(Cursor& cursor);
std::optional<Tag> read_tag(Cursor& cursor);
/// The cursor is then at the payload's end, or at its own if that comes first.
std::optional<Payload> read_payload(Cursor& cursor, WireType type);

void append_varint(std::string& out, std::uint64_t value);
void append_tag(std::string& out, std::uint64_t number, WireType type);

}  // namespace convscope::readers
