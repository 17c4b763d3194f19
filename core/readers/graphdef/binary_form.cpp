#include "core/readers/graphdef/binary_form.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "core/readers/common/protobuf_wire.h"

namespace convscope::readers::graphdef {
namespace {

using Kind = Attribute::Kind;

/// One field of a message: its number, and a cursor over what it holds.
struct WireField {
  std::uint64_t number = 0;
  WireType type = WireType::varint;
  Cursor content;
  std::uint64_t value = 0;  ///< of varints and fixed numbers

  bool is(std::uint64_t wanted, WireType as) const { return number == wanted && type == as; }
  std::string_view bytes() const { return content.file.substr(content.at, content.end - content.at); }
  std::int64_t integer() const { return static_cast<std::int64_t>(value); }
};

template <typename Number, typename Bits>
double real_of(Bits bits) {
  Number number;
  static_assert(sizeof number == sizeof bits);
  std::memcpy(&number, &bits, sizeof number);
  return static_cast<double>(number);
}

double float_of(std::uint64_t bits) {
  return real_of<float>(static_cast<std::uint32_t>(bits));
}

std::uint64_t fixed_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

/// The next field; nothing if the bytes are none, or lead out of their message.
std::optional<WireField> next_field(Cursor& cursor) {
  const auto tag = read_tag(cursor);
  if (!tag) return std::nullopt;
  const auto payload = read_payload(cursor, tag->type);
  if (!payload || payload->begin > cursor.end || payload->size > cursor.end - payload->begin) return std::nullopt;
  const auto end = payload->begin + static_cast<std::size_t>(payload->size);
  WireField field{tag->number, tag->type, {cursor.file, payload->begin, end}, payload->number};
  if (tag->type == WireType::fixed32 || tag->type == WireType::fixed64)
    field.value = fixed_at(cursor.file, payload->begin, end - payload->begin);
  return field;
}

bool is_name(std::string_view text) {
  return !text.empty() && text.size() < 1000 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_./>-\\").find(c) != std::string_view::npos;
  });
}

class BinaryParser {
 public:
  BinaryParser(std::string_view bytes, std::shared_ptr<const void> owner, Report& report)
      : bytes_(bytes), owner_(std::move(owner)), report_(report) {}

  std::optional<GraphDef> parse() {
    each({bytes_, 0, bytes_.size()}, [&](const WireField& field) {
      if (field.is(1, WireType::bytes)) read_node(field.content);
      if (field.is(2, WireType::bytes)) read_library(field.content);
      if (field.is(4, WireType::bytes)) read_versions(field.content);
    });
    if (report_.any_error()) return std::nullopt;
    return std::move(graph_);
  }

 private:
  template <typename Visit>
  void each(Cursor cursor, const Visit& visit) {
    while (!stopped_ && !cursor.done()) {
      const std::size_t at = cursor.at;
      const auto field = next_field(cursor);
      if (!field) return stop(fmt::format("byte {}", at), "the file is damaged or cut short: a field leads out of it");
      visit(*field);
    }
  }

  void stop(std::string where, std::string what, std::string expected = {}) {
    stopped_ = true;
    report_.error(0, std::move(where), std::move(what), std::move(expected));
  }

  /// False, with an error, if the file holds too much.
  bool count(std::size_t& counter, std::size_t cap, const char* what, std::size_t more = 1) {
    counter += more;
    if (counter <= cap) return true;
    if (!stopped_) stop({}, fmt::format("the file has too many {}", what), fmt::format("at most {}", cap));
    return false;
  }
  bool record() { return count(records_, record_cap, "inputs and attributes"); }

  void read_node(const Cursor& message) {
    std::size_t nodes = graph_.nodes.size();
    if (!count(nodes, node_cap, "nodes")) return;
    NodeDef node;
    each(message, [&](const WireField& field) {
      if (field.is(1, WireType::bytes)) node.name = clean_name(field.bytes());
      if (field.is(2, WireType::bytes)) node.operator_name = clean_name(field.bytes());
      if (field.is(3, WireType::bytes) && record()) node.inputs.push_back(clean_name(field.bytes()));
      if (field.is(5, WireType::bytes) && record()) read_attribute(field.content, node);
    });
    graph_.nodes.push_back(std::move(node));
  }

  void read_attribute(const Cursor& entry, NodeDef& node) {
    std::string key;
    Attribute attribute;
    each(entry, [&](const WireField& field) {
      if (field.is(1, WireType::bytes)) key = clean_name(field.bytes());
      if (field.is(2, WireType::bytes)) read_value(field.content, attribute, fmt::format("node '{}'", node.name));
    });
    node.attributes[key] = std::move(attribute);
  }

  void read_value(const Cursor& message, Attribute& attribute, const std::string& element) {
    each(message, [&](const WireField& field) {
      if (field.is(1, WireType::bytes)) attribute.kind = Kind::list, read_list(field.content, attribute);
      if (field.is(2, WireType::bytes)) attribute.kind = Kind::text, attribute.text = clean_name(field.bytes());
      if (field.is(3, WireType::varint)) attribute.kind = Kind::integer, attribute.integer = field.integer();
      if (field.is(4, WireType::fixed32)) attribute.kind = Kind::real, attribute.real = float_of(field.value);
      if (field.is(5, WireType::varint)) attribute.kind = Kind::boolean, attribute.integer = field.integer();
      if (field.is(6, WireType::varint)) attribute.kind = Kind::type, attribute.integer = small(field.value);
      if (field.is(7, WireType::bytes))
        attribute.kind = Kind::shape, attribute.shape = read_shape(field.content, element);
      if (field.is(8, WireType::bytes))
        attribute.kind = Kind::tensor, attribute.tensor = read_tensor(field.content, element);
      if (field.is(10, WireType::bytes)) attribute.kind = Kind::function;
    });
  }

  /// Of an enumeration.
  static int small(std::uint64_t value) { return value < 1000 ? static_cast<int>(value) : 0; }

  void read_list(const Cursor& message, Attribute& attribute) {
    each(message, [&](const WireField& field) {
      if (field.number == 3) read_integers(field, attribute.integers);
      if (field.number == 4) read_reals(field, WireType::fixed32, attribute.reals);
    });
  }

  /// One, or several packed.
  void read_integers(const WireField& field, std::vector<std::int64_t>& into) {
    if (field.type == WireType::varint && count(values_, value_cap, "values")) into.push_back(field.integer());
    if (field.type != WireType::bytes) return;
    Cursor cursor = field.content;
    while (!stopped_ && !cursor.done()) {
      const std::size_t at = cursor.at;
      const auto value = read_varint(cursor);
      if (!value) return stop(fmt::format("byte {}", at), "the file is damaged: a packed number leads out of its list");
      if (count(values_, value_cap, "values")) into.push_back(static_cast<std::int64_t>(*value));
    }
  }

  void read_reals(const WireField& field, WireType type, std::vector<double>& into) {
    const std::size_t size = type == WireType::fixed32 ? 4 : 8;
    if (field.type != type && field.type != WireType::bytes) return;
    const std::string_view bytes = field.bytes();
    if (!count(values_, value_cap, "values", bytes.size() / size)) return;
    for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
      const std::uint64_t bits = fixed_at(bytes, at, size);
      into.push_back(size == 4 ? float_of(bits) : real_of<double>(bits));
    }
  }

  network::TensorShape read_shape(const Cursor& message, const std::string& element) {
    network::TensorShape shape{true, {}, {}};
    each(message, [&](const WireField& field) {
      if (field.is(2, WireType::bytes) && record()) shape.dimensions.push_back(read_dimension(field.content));
      if (field.is(3, WireType::varint) && field.value != 0) shape.known = false;
    });
    if (!shape.known) shape.dimensions.clear();
    check_shape(shape, 0, element, report_);
    return shape;
  }

  std::int64_t read_dimension(const Cursor& message) {
    std::int64_t size = 0;
    each(message, [&](const WireField& field) {
      if (field.is(1, WireType::varint)) size = field.integer();
    });
    return size;
  }

  std::shared_ptr<const TensorProto> read_tensor(const Cursor& message, const std::string& element) {
    auto tensor = std::make_shared<TensorProto>();
    tensor->owner = owner_;
    each(message, [&](const WireField& field) {
      if (field.is(1, WireType::varint)) tensor->data_type = small(field.value);
      if (field.is(2, WireType::bytes)) tensor->shape = read_shape(field.content, element);
      if (field.is(4, WireType::bytes)) tensor->content = field.bytes();
      if (field.number == 5) read_reals(field, WireType::fixed32, tensor->reals);
      if (field.number == 6) read_reals(field, WireType::fixed64, tensor->reals);
      constexpr std::array<std::uint64_t, 6> integers{7, 10, 11, 13, 16, 17};
      if (std::find(integers.begin(), integers.end(), field.number) != integers.end())
        read_integers(field, tensor->integers);
    });
    return tensor;
  }

  void read_library(const Cursor& library) {
    each(library, [&](const WireField& function) {
      if (!function.is(1, WireType::bytes)) return;
      each(function.content, [&](const WireField& signature) {
        if (!signature.is(1, WireType::bytes)) return;
        each(signature.content, [&](const WireField& field) {
          if (field.is(1, WireType::bytes) && record()) graph_.functions.push_back(clean_name(field.bytes()));
        });
      });
    });
  }

  void read_versions(const Cursor& versions) {
    each(versions, [&](const WireField& field) {
      if (field.is(1, WireType::varint)) graph_.producer = field.integer();
    });
  }

  std::string_view bytes_;
  std::shared_ptr<const void> owner_;
  Report& report_;
  GraphDef graph_;
  std::size_t records_ = 0, values_ = 0;
  bool stopped_ = false;
};

}  // namespace

bool looks_like_saved_model(std::string_view bytes) {
  // saved_model_schema_version, then a MetaGraphDef that begins with its MetaInfoDef or its GraphDef.
  Cursor cursor{bytes, 0, bytes.size()};
  const auto version = next_field(cursor);
  if (!version || !version->is(1, WireType::varint)) return false;
  const auto tag = read_tag(cursor);
  const auto size = tag ? read_varint(cursor) : std::nullopt;
  if (!size || tag->number != 2 || tag->type != WireType::bytes || cursor.done()) return false;
  const auto inner = read_tag(cursor);
  return inner && inner->type == WireType::bytes && inner->number <= 2;
}

bool looks_like_binary(std::string_view bytes) {
  Cursor cursor{bytes, 0, bytes.size()};
  const auto tag = read_tag(cursor);
  const auto size = tag ? read_varint(cursor) : std::nullopt;
  if (!size || tag->number != 1 || tag->type != WireType::bytes) return looks_like_saved_model(bytes);
  const auto name = next_field(cursor);
  const auto operator_name = name ? next_field(cursor) : std::nullopt;
  return operator_name && name->is(1, WireType::bytes) && is_name(name->bytes()) &&
         operator_name->is(2, WireType::bytes) && is_name(operator_name->bytes());
}

std::optional<GraphDef> parse_binary(std::string_view bytes, std::shared_ptr<const void> owner, Report& report) {
  return BinaryParser(bytes, std::move(owner), report).parse();
}

}  // namespace convscope::readers::graphdef
