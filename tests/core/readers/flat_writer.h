#pragma once
// Writes FlatBuffers for tests: tables as lists of fields, each in a slot of eight bytes, children behind them.

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace convscope::readers {

struct FlatFields;
using FlatField = std::variant<std::int64_t, float, std::string, std::vector<std::int32_t>, std::vector<float>,
                               std::vector<std::int64_t>, FlatFields, std::vector<FlatFields>>;

struct FlatFields {
  std::map<int, FlatField> fields;  ///< by number; integers are stored little-endian, so narrower types read them too
};

class FlatWriter {
 public:
  /// A file with a root table and an identifier of four characters.
  static std::string file(const FlatFields& root, const std::string& identifier) {
    FlatWriter writer;
    writer.bytes_.assign(8, '\0');
    std::memcpy(writer.bytes_.data() + 4, identifier.data(), 4);
    writer.put<std::uint32_t>(0, static_cast<std::uint32_t>(writer.table(root)));
    return writer.bytes_;
  }

 private:
  template <typename Value>
  void put(std::size_t at, Value value) {
    std::memcpy(bytes_.data() + at, &value, sizeof value);
  }
  std::size_t grow(std::size_t size) {
    const std::size_t at = (bytes_.size() + 7) / 8 * 8;
    bytes_.resize(at + size, '\0');
    return at;
  }

  std::size_t table(const FlatFields& content) {
    const int count = content.fields.empty() ? 0 : content.fields.rbegin()->first + 1;
    const std::size_t layout = grow(4 + 2 * static_cast<std::size_t>(count));
    put<std::uint16_t>(layout, static_cast<std::uint16_t>(4 + 2 * count));
    const std::size_t at = grow(8 + 8 * content.fields.size());
    put<std::int32_t>(at, static_cast<std::int32_t>(at - layout));
    std::size_t slot = at + 8;
    for (const auto& [number, field] : content.fields) {
      put<std::uint16_t>(layout + 4 + 2 * static_cast<std::size_t>(number), static_cast<std::uint16_t>(slot - at));
      std::visit([&](const auto& value) { put_field(slot, value); }, field);
      slot += 8;
    }
    return at;
  }

  void put_field(std::size_t slot, std::int64_t value) { put(slot, value); }
  void put_field(std::size_t slot, float value) { put(slot, value); }
  void put_field(std::size_t slot, const FlatFields& value) { point(slot, table(value)); }
  void put_field(std::size_t slot, const std::string& value) { put_elements(slot, value.data(), value.size(), 1); }
  template <typename Element>
  void put_field(std::size_t slot, const std::vector<Element>& values) {
    put_elements(slot, values.data(), values.size(), sizeof(Element));
  }
  void put_field(std::size_t slot, const std::vector<FlatFields>& tables) {
    const std::size_t at = grow(4 + 4 * tables.size());
    put(at, static_cast<std::uint32_t>(tables.size()));
    point(slot, at);
    for (std::size_t i = 0; i < tables.size(); ++i) point(at + 4 + 4 * i, table(tables[i]));
  }
  void put_elements(std::size_t slot, const void* values, std::size_t count, std::size_t size) {
    const std::size_t at = grow(4 + count * size);
    put(at, static_cast<std::uint32_t>(count));
    if (count > 0) std::memcpy(bytes_.data() + at + 4, values, count * size);
    point(slot, at);
  }
  void point(std::size_t slot, std::size_t target) { put(slot, static_cast<std::uint32_t>(target - slot)); }

  std::string bytes_;
};

}  // namespace convscope::readers
