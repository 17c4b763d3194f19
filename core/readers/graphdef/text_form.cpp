#include "core/readers/graphdef/text_form.h"

#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/readers/common/protobuf_text.h"

namespace convscope::readers::graphdef {
namespace {

using Kind = Attribute::Kind;
using protobuf_text::Field;
using protobuf_text::Fields;
using protobuf_text::Message;

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// As the binary form holds it.
double as_float(double value) {
  return static_cast<double>(static_cast<float>(value));
}

class TextParser {
 public:
  TextParser(const Message& root, Report& report) : root_(root), report_(report) {}

  std::optional<GraphDef> parse() {
    for (const Field& field : root_.fields) {
      if (field.message && field.name == "node") read_node(*field.message);
      if (field.message && field.name == "library") read_library(*field.message);
    }
    graph_.producer = Fields(root_.sub("versions"), "versions", report_).integer("producer", 0, 0, most);
    if (graph_.nodes.size() > node_cap)
      report_.error(0, {}, "the file has too many nodes", fmt::format("at most {}", node_cap));
    if (report_.any_error()) return std::nullopt;
    return std::move(graph_);
  }

 private:
  void read_node(const Message& message) {
    NodeDef node;
    node.line = message.line;
    node.name = Fields(message, "node", report_).text("name");
    const std::string element = fmt::format("node '{}'", node.name);
    const Fields fields(message, element, report_);
    node.operator_name = fields.text("op");
    node.inputs = fields.texts("input");
    for (const Field* entry : message.all("attr")) {
      if (!entry->message) continue;
      const std::string key = Fields(*entry->message, element, report_).text("key");
      node.attributes[key] = read_value(entry->message->sub("value"), element);
    }
    graph_.nodes.push_back(std::move(node));
  }

  Attribute read_value(const Message& message, const std::string& element) {
    const Fields fields(message, element, report_);
    Attribute attribute;
    if (fields.has("s")) attribute.kind = Kind::text, attribute.text = fields.text("s");
    if (fields.has("i")) attribute.kind = Kind::integer, attribute.integer = fields.integer("i", 0, least, most);
    if (fields.has("f")) attribute.kind = Kind::real, attribute.real = as_float(fields.real("f", 0));
    if (fields.has("b")) attribute.kind = Kind::boolean, attribute.integer = fields.boolean("b", false) ? 1 : 0;
    if (fields.has("type")) attribute.kind = Kind::type, attribute.integer = read_type(message, "type", element);
    if (fields.has("shape")) attribute.kind = Kind::shape, attribute.shape = read_shape(message.sub("shape"), element);
    if (fields.has("tensor"))
      attribute.kind = Kind::tensor, attribute.tensor = read_tensor(message.sub("tensor"), element);
    if (fields.has("func")) attribute.kind = Kind::function;
    if (fields.has("list")) {
      attribute.kind = Kind::list;
      attribute.integers = fields.sub("list").integers("i", least, most);
      attribute.reals = fields.sub("list").reals("f");
    }
    return attribute;
  }

  int read_type(const Message& message, std::string_view name, const std::string& element) {
    const Field* field = message.find(name);
    const int type = field == nullptr ? 0 : data_type_of(field->value);
    if (field != nullptr && type == 0 && field->value != "DT_INVALID")
      report_.error(field->line, element, fmt::format("{} is {}", field->name, convscope::quoted(field->value)),
                    "a type, such as DT_FLOAT");
    return type;
  }

  /// Constants may hold what is no number.
  double read_real(const Field& field, const std::string& element) {
    const bool negative = field.value.starts_with('-');
    const std::string_view word = std::string_view(field.value).substr(negative ? 1 : 0);
    if (word == "inf" || word == "infinity") return negative ? -infinity : infinity;
    if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
    const auto value = parse_number(field.value);
    if (!value) report_.error(field.line, element, field.name + " is " + convscope::quoted(field.value), "a number");
    return value.value_or(0);
  }

  network::TensorShape read_shape(const Message& message, const std::string& element) {
    network::TensorShape shape{true, {}, {}};
    const Fields fields(message, element, report_);
    shape.known = !fields.boolean("unknown_rank", false);
    for (const Field* dimension : message.all("dim"))
      if (shape.known && dimension->message)
        shape.dimensions.push_back(Fields(*dimension->message, element, report_).integer("size", 0, least, most));
    check_shape(shape, message.line, element, report_);
    return shape;
  }

  std::shared_ptr<const TensorProto> read_tensor(const Message& message, const std::string& element) {
    auto tensor = std::make_shared<TensorProto>();
    const Fields fields(message, element, report_);
    tensor->data_type = read_type(message, "dtype", element);
    if (fields.has("tensor_shape")) tensor->shape = read_shape(message.sub("tensor_shape"), element);
    if (const Field* content = message.find("tensor_content")) {
      auto owned = std::make_shared<const std::string>(content->value);
      tensor->content = *owned;
      tensor->owner = std::move(owned);
    }
    for (const char* name : {"float_val", "double_val"})
      for (const Field* field : message.all(name)) tensor->reals.push_back(read_real(*field, element));
    for (const char* name : {"int_val", "int64_val", "uint32_val", "half_val"})
      if (fields.has(name)) tensor->integers = fields.integers(name, least, most);
    for (const Field* field : message.all("uint64_val")) {
      const auto value = parse_integer<std::uint64_t>(field->value);
      if (!value) report_.error(field->line, element, "uint64_val is " + convscope::quoted(field->value), "an integer");
      tensor->integers.push_back(static_cast<std::int64_t>(value.value_or(0)));
    }
    for (const Field* field : message.all("bool_val"))
      tensor->integers.push_back(field->value == "true" || field->value == "True" || field->value == "t" ||
                                 field->value == "1");
    return tensor;
  }

  void read_library(const Message& library) {
    for (const Field* function : library.all("function"))
      if (function->message)
        graph_.functions.push_back(Fields(function->message->sub("signature"), "function", report_).text("name"));
  }

  const Message& root_;
  Report& report_;
  GraphDef graph_;
};

}  // namespace

bool looks_like_text(std::string_view bytes) {
  constexpr std::size_t looked_at = std::size_t{1} << 20;
  return protobuf_text::has_message(bytes, {"node"}, looked_at);
}

std::optional<GraphDef> parse_text(std::string_view text, Report& report) {
  const auto root = protobuf_text::parse_text(text, report, graph_text_cap);
  if (!root) return std::nullopt;
  return TextParser(*root, report).parse();
}

}  // namespace convscope::readers::graphdef
