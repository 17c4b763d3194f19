#include "core/readers/torch7/translation.h"

#include <algorithm>
#include <array>
#include <deque>
#include <unordered_set>

#include <fmt/format.h>

#include "core/readers/common/maps.h"
#include "core/readers/torch7/modules.h"

namespace convscope::readers::torch7 {
namespace {

using network::unknown_dimension;

constexpr int depth_cap = 200;               ///< of containers in each other: a circle has no end
constexpr std::int64_t module_cap = 20'000;  ///< each as often as it is used

/// "nn.Linear" without its library; other classes as they are.
std::string_view short_type(std::string_view type) {
  for (const std::string_view library : {"nn.", "cudnn.", "inn.", "fbcunn.", "fbnn.", "cunn."})
    if (type.starts_with(library)) return type.substr(library.size());
  return type;
}

bool is_module(const Object& object) {
  const std::string_view type = short_type(object.type);
  return object.kind == ObjectKind::instance && type.size() < object.type.size() && !type.ends_with("Criterion");
}

class Translator {
 public:
  Translator(const Archive& archive, Report& report) : tables_(archive), report_(report), graph_(report) {}

  std::shared_ptr<const network::Graph> run(const Value& module) {
    const auto stated = input_of(module, 0);
    const Integers open{unknown_dimension, unknown_dimension, unknown_dimension, unknown_dimension};
    const Integers dimensions = stated.value_or(open);
    const int input = graph_.input("input", {true, dimensions, {"batch"}});
    left_ = module_cap;
    const Flow result = run(module, {}, {input, static_cast<int>(dimensions.size())}, 0);
    add_outputs(result, input);
    if (graph_.graph().nodes.empty() && !report_.any_error()) report_.error(0, {}, "the network has no layers");
    if (shop_.copies_left_out)
      report_.note(0, {}, "tensors that aren't contiguous hold more than 64 MiB; the rest of them has shapes alone");
    return report_.any_error() ? nullptr : graph_.finish();
  }

 private:
  using Container = Flow (Translator::*)(const ModuleContext&, const std::string& path, int depth);

  static Container container_of(std::string_view type) {
    constexpr std::array<std::pair<std::string_view, Container>, 11> containers{
        {{"Sequential", &Translator::sequence},
         {"Concat", &Translator::concat},
         {"DepthConcat", &Translator::concat},
         {"ConcatTable", &Translator::branches},
         {"ParallelTable", &Translator::in_parallel},
         {"MapTable", &Translator::mapped},
         {"gModule", &Translator::directed_graph},
         {"DataParallelTable", &Translator::first},
         {"Decorator", &Translator::first},
         {"DontCast", &Translator::first},
         {"NoBackprop", &Translator::first}}};
    for (const auto& [name, container] : containers)
      if (name == type) return container;
    return nullptr;
  }

  /// Tensors of the network's result that nodes make.
  void add_outputs(const Flow& result, int input) {
    std::vector<Flow> leaves;
    if (!add_leaves(result, leaves)) report_.error(0, {}, "its result has more than 1000 parts");
    std::vector<int>& outputs = graph_.graph().outputs;
    for (const Flow& leaf : leaves)
      if (leaf.tensor >= 0 && leaf.tensor != input &&
          std::find(outputs.begin(), outputs.end(), leaf.tensor) == outputs.end())
        outputs.push_back(leaf.tensor);
  }

  ModuleContext context_of(const Value& module, const std::string& path, Flow in) {
    const Object* object = tables_.object_of(module);
    const std::string type = clean_name(object == nullptr ? "" : short_type(object->type));
    const Value name = tables_.field(module, "name");
    const bool named = name.kind == Kind::text && !name.text.empty();
    return {module, type,
            named          ? clean_name(name.text)
            : path.empty() ? type
                           : path + "." + type,
            std::move(in), shop_};
  }

  Flow run(const Value& module, const std::string& path, Flow in, int depth) {
    const ModuleContext context = context_of(module, path, std::move(in));
    if (!may_enter(context, depth)) return {};
    const Object* object = tables_.object_of(module);
    if (object == nullptr || object->kind != ObjectKind::instance) {
      report_.error(object == nullptr ? 0 : object->place.line, fmt::format("module '{}'", path), "it is no module",
                    "an object of torch's nn");
      return {};
    }
    if (const Container container = container_of(context.type)) return (this->*container)(context, path, depth);
    const bool known = context.type.size() < object->type.size();
    const ModuleTranslation translation = known ? translation_of(context.type) : nullptr;
    return translation == nullptr ? context.opaque() : translation(context);
  }

  bool may_enter(const ModuleContext& context, int depth) {
    if (--left_ >= 0 && depth <= depth_cap) return true;
    if (!stopped_)
      context.error(left_ < 0 ? fmt::format("the network has more than {} modules", module_cap)
                              : fmt::format("it stands in {} modules, one in the other", depth));
    stopped_ = true;
    left_ = 0;
    return false;
  }

  const std::vector<Value>& modules_of(const Value& module) { return tables_.list(tables_.field(module, "modules")); }

  static std::string below(const std::string& path, std::size_t position) {
    return fmt::format("{}{}{}", path, path.empty() ? "" : ".", position + 1);
  }

  Flow sequence(const ModuleContext& context, const std::string& path, int depth) {
    Flow flow = context.in;
    const std::vector<Value>& modules = modules_of(context.module);
    for (std::size_t i = 0; i < modules.size() && !stopped_; ++i)
      flow = run(modules[i], below(path, i), std::move(flow), depth + 1);
    return flow;
  }

  std::vector<Flow> outputs_of(const ModuleContext& context, const std::string& path, int depth) {
    std::vector<Flow> outputs;
    const std::vector<Value>& modules = modules_of(context.module);
    for (std::size_t i = 0; i < modules.size() && !stopped_; ++i)
      outputs.push_back(run(modules[i], below(path, i), context.in, depth + 1));
    return outputs;
  }

  Flow branches(const ModuleContext& context, const std::string& path, int depth) {
    return context.table(outputs_of(context, path, depth));
  }

  Flow concat(const ModuleContext& context, const std::string& path, int depth) {
    const std::vector<Flow> outputs = outputs_of(context, path, depth);
    return joined(context, outputs, batch_axis(context.integer("dimension", std::nullopt, 1, 8), false));
  }

  Flow in_parallel(const ModuleContext& context, const std::string& path, int depth) {
    const std::vector<Value>& modules = modules_of(context.module);
    const std::span<const Flow> parts = parts_of(context.in);
    if (modules.size() != parts.size())
      context.error(fmt::format("it has {} modules for {} parts of its input", modules.size(), parts.size()));
    std::vector<Flow> outputs;
    for (std::size_t i = 0; i < std::min(modules.size(), parts.size()) && !stopped_; ++i)
      outputs.push_back(run(modules[i], below(path, i), parts[i], depth + 1));
    return context.table(std::move(outputs));
  }

  /// The first module on each part: the others are copies of it that share its weights.
  Flow mapped(const ModuleContext& context, const std::string& path, int depth) {
    const std::vector<Value>& modules = modules_of(context.module);
    if (modules.empty()) context.error("it has no module");
    std::vector<Flow> outputs;
    const std::span<const Flow> parts = parts_of(context.in);
    for (std::size_t i = 0; i < parts.size() && !modules.empty() && !stopped_; ++i)
      outputs.push_back(run(modules.front(), below(path, i), parts[i], depth + 1));
    return context.table(std::move(outputs));
  }

  /// Wrappers that compute what the module in them does.
  Flow first(const ModuleContext& context, const std::string& path, int depth) {
    const std::vector<Value>& modules = modules_of(context.module);
    if (modules.empty()) context.error("it has no module");
    return modules.empty() ? Flow{} : run(modules.front(), path, context.in, depth + 1);
  }

  /// nngraph's nodes in the order in which they run. A node's input are the outputs of the nodes in its mapindex, or a
  /// part of them; nodes without a module pass it on.
  Flow directed_graph(const ModuleContext& context, const std::string& path, int depth) {
    std::unordered_map<int, Flow> outputs;  // by the node's data, as which nngraph knows nodes
    Flow last = context.in;
    const std::vector<Value>& nodes = tables_.list(context.field("forwardnodes"));
    if (nodes.empty()) context.error("it has no forwardnodes");
    for (std::size_t i = 0; i < nodes.size() && !stopped_; ++i) {
      const Value data = tables_.field(nodes[i], "data");
      const Value module = tables_.field(data, "module");
      last = input_of_node(context, data, outputs);
      if (module.kind != Kind::nothing) last = run(module, below(path, i), std::move(last), depth + 1);
      if (--left_ < 0) stopped_ = true;
      if (data.kind == Kind::object) outputs[data.object] = last;
    }
    if (stopped_ && !report_.any_error())
      context.error(fmt::format("the network has more than {} modules", module_cap));
    return last;
  }

  Flow input_of_node(const ModuleContext& context, const Value& data, const std::unordered_map<int, Flow>& outputs) {
    std::vector<Flow> inputs;
    const std::vector<Value>& sources = tables_.list(tables_.field(data, "mapindex"));
    if (sources.size() > 1000) context.error(fmt::format("a node has {} inputs", sources.size()), "at most 1000");
    for (const Value& source : std::span(sources).first(std::min<std::size_t>(sources.size(), 1000))) {
      const auto made = outputs.find(source.kind == Kind::object ? source.object : -1);
      if (made != outputs.end()) inputs.push_back(made->second);
    }
    Flow input = inputs.empty() ? context.in : inputs.size() == 1 ? inputs[0] : context.table(std::move(inputs));
    const Value selected = tables_.field(data, "selectindex");
    const std::span<const Flow> parts = parts_of(input);
    if (selected.kind != Kind::number || !input.is_table()) return input;
    if (selected.number >= 1 && selected.number <= static_cast<double>(parts.size()))
      return parts[static_cast<std::size_t>(selected.number) - 1];
    context.error(fmt::format("a node selects part {} of {}", selected.number, parts.size()));
    return {};
  }

  /// Dimensions of the network's input, as the first module with weights tells them.
  std::optional<Integers> input_of(const Value& module, int depth) {
    if (--left_ < 0 || depth > depth_cap) return std::nullopt;
    const ModuleContext context = context_of(module, {}, {});
    if (const auto found = input_of_module(context)) return found;
    std::optional<Integers> found;
    for (const Value& inner : modules_of(module))
      if (left_ >= 0 && !found) found = input_of(inner, depth + 1);
    for (const Value& node : tables_.list(context.field("forwardnodes")))
      if (left_ >= 0 && !found) found = input_of(tables_.field(tables_.field(node, "data"), "module"), depth + 1);
    return found;
  }

  Tables tables_;
  Report& report_;
  GraphBuilder graph_;
  Workshop shop_{tables_, graph_, report_};
  std::int64_t left_ = module_cap;
  bool stopped_ = false;
};

/// The module among a table's values that its key or its being alone points out.
std::optional<Value> module_in(const Archive& archive, const Object& table) {
  std::optional<Value> found;
  for (std::size_t i = 0; i + 1 < table.values.size(); i += 2) {
    const Value &key = table.values[i], &value = table.values[i + 1];
    if (value.kind != Kind::object || !is_module(archive.objects[static_cast<std::size_t>(value.object)])) continue;
    if (key.kind == Kind::text && (key.text == "model" || key.text == "net" || key.text == "network")) return value;
    if (!found) found = value;
  }
  return found;
}

}  // namespace

std::optional<Value> find_network(const Archive& archive, Report& report) {
  std::deque<Value> waiting{archive.root};
  std::unordered_set<int> seen;
  while (!waiting.empty()) {
    const Value value = waiting.front();
    waiting.pop_front();
    if (value.kind != Kind::object || !seen.insert(value.object).second) continue;
    const Object& object = archive.objects[static_cast<std::size_t>(value.object)];
    if (is_module(object)) return value;
    if (object.kind != ObjectKind::table) continue;
    if (const auto found = module_in(archive, object)) return found;
    waiting.insert(waiting.end(), object.values.begin(), object.values.end());
  }
  report.error(0, {}, "the file holds no network", "a module of torch's nn, or a table with one",
               "save the network itself: torch.save('net.t7', model)");
  return std::nullopt;
}

std::shared_ptr<const network::Graph> translate(const Archive& archive, const Value& module, Report& report) {
  return Translator(archive, report).run(module);
}

}  // namespace convscope::readers::torch7
