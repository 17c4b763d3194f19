#include "core/readers/common/protobuf_wire.h"

#include <algorithm>

namespace convscope::readers {

std::optional<std::uint64_t> read_varint(Cursor& cursor) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !cursor.done(); shift += 7) {
    const auto byte = static_cast<unsigned char>(cursor.file[cursor.at++]);
    value |= (byte & std::uint64_t{0x7F}) << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

std::optional<Tag> read_tag(Cursor& cursor) {
  const auto value = read_varint(cursor);
  if (!value || *value > 0xFFFFFFFFU || *value >> 3 == 0 || (*value & 7U) > 5) return std::nullopt;
  return Tag{*value >> 3, static_cast<WireType>(*value & 7U)};
}

std::optional<Payload> read_payload(Cursor& cursor, WireType type) {
  Payload payload;
  payload.begin = cursor.at;
  if (type == WireType::varint) {
    const auto value = read_varint(cursor);
    if (!value) return std::nullopt;
    payload.number = *value;
    payload.size = cursor.at - payload.begin;
    return payload;
  }
  if (type == WireType::group_start || type == WireType::group_end) return std::nullopt;
  if (type == WireType::bytes) {
    const auto size = read_varint(cursor);
    if (!size) return std::nullopt;
    payload.begin = cursor.at;
    payload.size = *size;
  } else {
    payload.size = type == WireType::fixed64 ? 8 : 4;
  }
  cursor.at += static_cast<std::size_t>(std::min<std::uint64_t>(payload.size, cursor.end - cursor.at));
  return payload;
}

void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>((value & 0x7FU) | 0x80U));
  out.push_back(static_cast<char>(value));
}

void append_tag(std::string& out, std::uint64_t number, WireType type) {
  append_varint(out, number << 3 | static_cast<std::uint64_t>(type));
}

}  // namespace convscope::readers
