#include "core/readers/onnx/skeleton.h"

#include <cstdint>

#include <fmt/format.h>

#include "core/readers/common/protobuf_wire.h"

namespace convscope::readers::onnx_format {
namespace {

// What fields cost in protobuf's objects, in units of about 16 bytes; two bytes in a file may become 200 in memory.
constexpr std::int64_t message_cost = 16, text_cost = 4, number_cost = 1;
constexpr std::int64_t budget = std::int64_t{1} << 25;

class Walker {
 public:
  Walker(std::string_view file, Skeleton& skeleton, Report& report)
      : file_(file), skeleton_(skeleton), report_(report) {}

  bool message(Cursor cursor, Message kind, std::string& out) {
    while (!cursor.done())
      if (!field(cursor, kind, out)) return false;
    return true;
  }

 private:
  bool field(Cursor& cursor, Message kind, std::string& out) {
    const std::size_t start = cursor.at;
    const auto tag = read_tag(cursor);
    if (!tag) return damaged(start, cursor, "no field");
    const Field* known = field_of(kind, tag->number);
    way_.push_back(known == nullptr ? nullptr : known->name);
    const auto payload = read_payload(cursor, tag->type);
    bool intact = payload ? fits(*payload, start, cursor) : damaged(start, cursor, "no value");
    if (intact && known != nullptr) intact = keep(*known, *tag, *payload, start, cursor.at, out);
    way_.pop_back();
    return intact;
  }

  bool keep(const Field& field, const Tag& tag, const Payload& payload, std::size_t start, std::size_t end,
            std::string& out) {
    if (!afford(field, payload.size, start)) return false;
    const bool bytes = tag.type == WireType::bytes;
    if (field.keep == Keep::message) return !bytes || enter(field, payload, out);
    if (field.keep == Keep::bulk && bytes) return refer(field, payload, out);
    out.append(file_.substr(start, end - start));
    return true;
  }

  bool enter(const Field& field, const Payload& payload, std::string& out) {
    std::string inner;
    if (field.message != Message::empty) {
      const auto size = static_cast<std::size_t>(payload.size);
      if (!message({file_, payload.begin, payload.begin + size}, field.message, inner)) return false;
    }
    append_tag(out, static_cast<std::uint64_t>(field.number), WireType::bytes);
    append_varint(out, inner.size());
    out.append(inner);
    return true;
  }

  bool refer(const Field& field, const Payload& payload, std::string& out) {
    append_tag(out, static_cast<std::uint64_t>(bulk_reference + field.number), WireType::varint);
    append_varint(out, skeleton_.bulk.size());
    skeleton_.bulk.push_back(file_.substr(payload.begin, static_cast<std::size_t>(payload.size)));
    return true;
  }

  // Packed numbers are one field of many values, at least a byte each.
  bool afford(const Field& field, std::uint64_t size, std::size_t start) {
    if (field.keep == Keep::message) cost_ += message_cost;
    if (field.keep == Keep::text) cost_ += text_cost + static_cast<std::int64_t>(size / 16);
    if (field.keep == Keep::number) cost_ += number_cost + static_cast<std::int64_t>(size / 2);
    if (field.keep == Keep::bulk) cost_ += text_cost;
    if (cost_ <= budget) return true;
    report_.error(0, place(start), "the model has more fields than fit into memory",
                  "at most about 2 million messages");
    return false;
  }

  bool fits(const Payload& payload, std::size_t start, const Cursor& cursor) {
    if (payload.size <= cursor.end - payload.begin) return true;
    const std::size_t left = file_.size() - payload.begin;
    if (payload.size <= left)
      return damaged(start, cursor, fmt::format("{} bytes, more than the message around it has", payload.size));
    report_.error(0, place(start),
                  fmt::format("the file ends here: {} bytes are stated, {} are left", payload.size, left),
                  "the whole file", "the file is truncated or damaged; fetch it again");
    return false;
  }

  bool damaged(std::size_t start, const Cursor& cursor, const std::string& found) {
    const bool truncated = cursor.done() && cursor.end == file_.size();
    report_.error(0, place(start), truncated ? "the file ends within a field" : "damaged: " + found,
                  "an ONNX model (protobuf)", truncated ? "the file is truncated; fetch it again" : "");
    return false;
  }

  std::string place(std::size_t byte) const {
    std::string names;
    for (const char* name : way_) {
      if (name == nullptr) continue;
      names += names.empty() ? name : std::string(".") + name;
    }
    return fmt::format("{}{}byte {}", names, names.empty() ? "" : ", ", byte);
  }

  std::string_view file_;
  Skeleton& skeleton_;
  Report& report_;
  std::vector<const char*> way_;
  std::int64_t cost_ = 0;
};

}  // namespace

std::optional<Skeleton> skeleton_of(std::string_view file, Message root, Report& report) {
  Skeleton skeleton;
  if (!Walker(file, skeleton, report).message({file, 0, file.size()}, root, skeleton.bytes)) return std::nullopt;
  return skeleton;
}

}  // namespace convscope::readers::onnx_format
