#include "core/readers/onnx/build_graph.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include "core/base/text.h"
#include "core/readers/onnx/element.h"
#include "core/readers/onnx/node_attributes.h"
#include "core/readers/onnx/tensor_table.h"
#include "core/readers/onnx/unique_names.h"

namespace convscope::readers::onnx_format {
namespace {

using network::Constant;

bool is_default_domain(const std::string& domain) {
  return domain.empty() || domain == "ai.onnx";
}

bool is_own_operator(const onnx::NodeProto& node, const char* name) {
  return node.op_type() == name && is_default_domain(node.domain());
}

class Builder {
 public:
  Builder(const ParsedModel& model, const ValueSource& source, Report& report)
      : model_(model), file_(model.message->graph()), source_(source), report_(report), tensors_(report) {}

  std::optional<network::Graph> run() {
    define_initializers();
    define_inputs();
    name_nodes();
    define_node_outputs();
    declare_shapes();
    for (const int node : pending_) add_node(node);
    find_outputs();
    note_functions();
    note_absent();
    if (report_.any_error()) return std::nullopt;
    graph_.tensors = tensors_.release();
    return sorted();
  }

 private:
  const onnx::NodeProto& node(int index) const { return file_.node(index); }
  const std::string& name(int index) const { return names_[static_cast<std::size_t>(index)]; }
  std::string element(int index) const { return "node " + in_quotes(name(index)); }
  int line(int index) const {
    return model_.node_lines.empty() ? 0 : model_.node_lines[static_cast<std::size_t>(index)];
  }

  void define_constant(const std::string& tensor, const std::string& definition, std::optional<Constant> constant,
                       int line = 0) {
    const auto index = tensors_.define(tensor, definition, line);
    if (!index || !constant) return;
    ++constants_;
    const auto empty = std::find(constant->dimensions.begin(), constant->dimensions.end(), 0);
    if (!constant->present() && empty == constant->dimensions.end()) ++absent_;
    tensors_.set_constant(*index, std::move(*constant));
  }

  void define_initializers() {
    for (const auto& tensor : file_.initializer())
      define_constant(tensor.name(), "an initializer",
                      constant_of(tensor, source_, "initializer " + in_quotes(tensor.name()), report_));
    for (const auto& tensor : file_.sparse_initializer()) {
      const std::string& name = tensor.values().name();
      define_constant(name, "a sparse initializer",
                      constant_of(tensor, "sparse initializer " + in_quotes(name), report_));
    }
    initializers_ = tensors_.size();
  }

  // Files of IR 3 list initializers as inputs, too.
  void define_inputs() {
    for (const auto& input : file_.input()) {
      const auto known = tensors_.find(input.name());
      if (known && *known < initializers_) continue;
      const auto index = tensors_.define(input.name(), "an input of the graph");
      if (!index) continue;
      tensors_.declare(*index, input);
      graph_.inputs.push_back(*index);
    }
  }

  // Names that the file has are kept, so those that it lacks must not take them.
  void name_nodes() {
    std::unordered_map<std::string, int> counts;
    std::set<std::string> given;
    for (const auto& node : file_.node()) given.insert(clean(node.name()));
    UniqueNames names;
    for (const std::string& name : given) names.reserve(name);
    for (const auto& node : file_.node()) {
      const std::string operator_name = clean(node.op_type());
      const int count = ++counts[operator_name];
      const std::string own = clean(node.name());
      const bool first = !own.empty() && given.erase(own) > 0;
      names_.push_back(first ? own : names.take(own.empty() ? fmt::format("{}_{}", operator_name, count) : own));
    }
  }

  void define_node_outputs() {
    for (int i = 0; i < file_.node_size(); ++i) {
      if (node(i).op_type().empty()) report_.error(line(i), element(i), "a node without an operator", "op_type");
      if (is_own_operator(node(i), "Constant") && node(i).output_size() == 1)
        define_constant(node(i).output(0), "an output of " + element(i),
                        constant_of_node(node(i), source_, element(i), report_), line(i));
      else if (!define_constant_of_shape(i))
        define_outputs(i);
    }
  }

  // Weights of models that are shared without them: their shape is a constant that stands before them in the file.
  bool define_constant_of_shape(int i) {
    if (!is_own_operator(node(i), "ConstantOfShape") || node(i).input_size() != 1 || node(i).output_size() != 1)
      return false;
    const auto shape = tensors_.find(node(i).input(0));
    if (!shape || !tensors_[*shape].constant || tensors_[*shape].constant->dimensions.size() != 1) return false;
    const auto dimensions = tensors_[*shape].constant->integers(64);
    if (!dimensions) return false;
    define_constant(node(i).output(0), "an output of " + element(i), filled(i, *dimensions), line(i));
    return true;
  }

  std::optional<Constant> filled(int i, const std::vector<std::int64_t>& dimensions) {
    const auto value = fill_of_node(node(i), source_, element(i), report_);
    if (!value || !checked_elements(dimensions, element(i), report_)) return std::nullopt;
    Constant constant;
    constant.type = value->type;
    constant.dimensions = dimensions;
    if (const auto number = value->floats(1); number && number->size() == 1) constant.fill = number->front();
    return constant;
  }

  void define_outputs(int i) {
    pending_.push_back(i);
    for (const std::string& output : node(i).output())
      if (!output.empty()) tensors_.define(output, "an output of " + element(i), line(i));
  }

  void declare_shapes() {
    for (const auto& info : file_.value_info())
      if (const auto tensor = tensors_.find(info.name())) tensors_.declare(*tensor, info);
    for (const auto& info : file_.output())
      if (const auto tensor = tensors_.find(info.name())) tensors_.declare(*tensor, info);
  }

  int input_of(int i, const std::string& tensor) {
    if (tensor.empty()) return -1;
    const auto found = tensors_.find(tensor);
    if (!found)
      report_.error(line(i), element(i), "its input " + in_quotes(tensor) + " is not produced by any node",
                    "an output of a node, an initializer or an input of the graph");
    return found.value_or(-1);
  }

  std::vector<int> outputs_of(int i) {
    int count = node(i).output_size();
    while (count > 0 && node(i).output(count - 1).empty()) --count;
    std::vector<int> outputs;
    for (int output = 0; output < count; ++output) {
      const auto found = tensors_.find(node(i).output(output));
      const bool absent = node(i).output(output).empty() || !found;
      outputs.push_back(absent ? tensors_.unnamed(fmt::format("{}:{}", name(i), output + 1)) : *found);
    }
    return outputs;
  }

  void add_node(int i) {
    network::Node result;
    result.name = name(i);
    result.operator_name = clean(node(i).op_type());
    if (!is_default_domain(node(i).domain())) result.domain = clean(node(i).domain());
    for (const std::string& tensor : node(i).input()) result.inputs.push_back(input_of(i, tensor));
    while (!result.inputs.empty() && result.inputs.back() < 0) result.inputs.pop_back();
    result.outputs = outputs_of(i);
    result.attributes = attributes_of(node(i), source_, element(i), report_);
    result.source_line = line(i);
    graph_.nodes.push_back(std::move(result));
  }

  void find_outputs() {
    if (file_.node().empty()) report_.error(0, "graph " + in_quotes(file_.name()), "there are no nodes in it");
    for (const auto& output : file_.output()) {
      const auto found = tensors_.find(output.name());
      if (found)
        graph_.outputs.push_back(*found);
      else
        report_.error(0, "output " + in_quotes(output.name()), "no node produces it", "an output of a node");
    }
  }

  void note_functions() {
    std::set<std::pair<std::string, std::string>> functions;
    for (const auto& function : model_.message->functions()) functions.insert({function.domain(), function.name()});
    int calls = 0;
    for (const auto& node : file_.node()) calls += functions.count({node.domain(), node.op_type()}) > 0 ? 1 : 0;
    if (calls > 0)
      report_.note(0, "functions", fmt::format("{} nodes call functions of the file; they stay whole", calls));
  }

  void note_absent() {
    source_.external.report_absent();
    const int missing = absent_ - source_.external.absent();
    if (missing > 0)
      report_.note(0, "initializers", fmt::format("{} of {} have a shape but no values", missing, constants_));
  }

  std::optional<network::Graph> sorted() {
    std::vector<std::string> circle;
    if (network::sort_topologically(graph_, &circle)) return std::move(graph_);
    constexpr std::size_t shown = 10;
    std::string text;
    for (std::size_t i = 0; i < std::min(shown, circle.size()); ++i)
      text += (text.empty() ? "" : " -> ") + in_quotes(circle[i]);
    report_.error(0, "graph " + in_quotes(file_.name()),
                  fmt::format("{} nodes form a circle: {}{}", circle.size(), text, circle.size() > shown ? " …" : ""),
                  "a graph without circles");
    return std::nullopt;
  }

  const ParsedModel& model_;
  const onnx::GraphProto& file_;
  const ValueSource& source_;
  Report& report_;
  TensorTable tensors_;
  network::Graph graph_;
  std::vector<std::string> names_;
  std::vector<int> pending_;  ///< nodes that stay nodes
  int initializers_ = 0;      ///< tensors before this one are initializers
  int constants_ = 0, absent_ = 0;
};

}  // namespace

std::optional<network::Graph> build_graph(const ParsedModel& model, const ValueSource& source, Report& report) {
  return Builder(model, source, report).run();
}

}  // namespace convscope::readers::onnx_format
