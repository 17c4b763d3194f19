#include "core/cpu/syntax/interpreter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "core/cpu/syntax/races.h"

namespace convscope::cpu {
namespace {

using Vector = std::vector<float>;

/// Why interpreting ends early.
struct Stop {
  std::string what;
};

bool divides(const Node& node) {
  return node.threads > 1 ||
         std::any_of(node.children.begin(), node.children.end(), [](const NodePtr& child) { return divides(*child); });
}

std::size_t index(std::int64_t value) {
  return static_cast<std::size_t>(value);
}

class Interpreter {
 public:
  Interpreter(const SyntaxTree& tree, std::int64_t most_steps) : tree_(tree), left_(most_steps) {
    for (const NodePtr& child : tree.root->children)
      if (child->kind == Kind::function) functions_[child->name] = child.get();
    for (const Tensor& tensor : tree.tensors) {
      memory_[tensor.name].assign(index(elements(tensor.layout, tensor.extents)), 0.0F);
      pointers_[tensor.name] = {tensor.name, 0};
    }
    if (!divides(*tree.root)) return;
    for (const Tensor& tensor : tree.tensors)
      races_.try_emplace(tensor.name, memory_[tensor.name].size(), tensor.threads > 1);
  }

  Vector& tensor(const std::string& name) { return memory_.at(name); }

  void run() {
    const auto nest = functions_.find("convolution");
    if (nest == functions_.end())
      run(*tree_.root);
    else
      run_children(*nest->second);
  }

 private:
  struct Place {
    std::string tensor;
    std::int64_t offset = 0;
  };

  void run_children(const Node& node) {
    for (const NodePtr& child : node.children) run(*child);
  }

  void run(const Node& node) {
    if (--left_ < 0) throw Stop{"it takes too many steps"};
    switch (node.kind) {
      case Kind::loop:
      case Kind::unroll:
        return run_loop(node);
      case Kind::condition:
        if (holds(node.conditions.front())) run_children(node);
        return;
      case Kind::call:
        return run_call(node);
      case Kind::mask:
        return store(*node.children.front(), node.first, node.count);
      case Kind::store:
      case Kind::stream_store:
        return store(node, 0, static_cast<std::int64_t>(read(node.operands[0]).size()));
      case Kind::pointer:
        pointers_[node.name] = place(all_hold(node) ? node.access() : node.accesses[1]);
        return;
      case Kind::step:
        pointers_.at(node.name).offset += node.count;
        return;
      case Kind::prefetch:
      case Kind::fence:
        return;
      case Kind::block:
      case Kind::microkernel:
      case Kind::clear:
      case Kind::tile_copy:
        return run_children(node);
      default:
        return compute(node);
    }
  }

  void run_loop(const Node& node) {
    divided_loops_ += node.threads > 1;
    for (std::int64_t i = node.begin; i < node.end; ++i) {
      integers_[node.name] = i;
      if (node.threads > 1)
        for (auto& [name, races] : races_) races.enter(divided_loops_, i);
      if (all_hold(node)) run_children(node);
    }
    integers_.erase(node.name);
    if (node.threads > 1)
      for (auto& [name, races] : races_) races.leave();
  }

  void run_call(const Node& node) {
    const Node& function = *functions_.at(node.name);
    std::map<std::string, Place> pointers;
    for (const Access& access : node.accesses) pointers[access.tensor] = place(access);
    std::swap(pointers, pointers_);
    run_children(function);
    std::swap(pointers, pointers_);
  }

  void compute(const Node& node) {
    const std::string name = resolved(node.name);
    switch (node.kind) {
      case Kind::definition:
        values_[name] = Vector(index(node.type.lanes), 0.0F);
        return;
      case Kind::load:
        values_[name] = load(node);
        return;
      case Kind::broadcast:
        values_[name] = Vector(index(node.type.lanes), load_one(node.access()));
        return;
      case Kind::fma:
        return multiply_add(name, read(node.operands[0]), read(node.operands[1]));
      case Kind::fma_lane:
        return multiply_add(name, read(node.operands[0]), {read(node.operands[1]).at(index(node.first))});
      case Kind::fma_memory:
        return multiply_add(name, read(node.operands[0]), {load_one(node.access())});
      case Kind::horizontal_add:
        values_[name] = {sum(node)};
        return;
      case Kind::shuffle:
        values_[name] = shuffled(node);
        return;
      case Kind::combine:
        values_[name] = combined(node);
        return;
      default:
        throw Stop{fmt::format("a {} node is lowered", key(node.kind))};
    }
  }

  void multiply_add(const std::string& name, const Vector& a, const Vector& b) {
    Vector& total = values_.at(name);
    for (std::size_t i = 0; i < total.size(); ++i)
      total[i] = std::fma(a.size() == 1 ? a[0] : a.at(i), b.size() == 1 ? b[0] : b.at(i), total[i]);
  }

  float sum(const Node& node) {
    float total = 0;
    for (const std::string& operand : node.operands)
      for (const float value : read(operand)) total += value;
    return total;
  }

  Vector shuffled(const Node& node) {
    Vector both = read(node.operands[0]);
    const Vector& second = read(node.operands[1]);
    both.insert(both.end(), second.begin(), second.end());
    Vector chosen;
    for (const int lane : node.lanes) chosen.push_back(both.at(index(lane)));
    return chosen;
  }

  Vector combined(const Node& node) {
    const auto factor = [&](std::size_t i) { return static_cast<float>(node.factors[i]); };
    Vector result = read(node.operands[0]);
    const Vector* second = node.operands.size() > 1 ? &read(node.operands[1]) : nullptr;
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] = second ? std::fma(factor(0), result[i], factor(1) * second->at(i)) : factor(0) * result[i];
    return result;
  }

  Vector load(const Node& node) {
    const int times = node.count > 1 ? static_cast<int>(node.count) : 1, lanes = node.type.lanes / times;
    const float* from = read_element(node.access(), lanes);
    Vector value;
    for (int i = 0; i < times; ++i) value.insert(value.end(), from, from + lanes);
    return value;
  }

  float load_one(const Access& access) { return *read_element(access, 1); }

  void store(const Node& node, int first, std::int64_t count) {
    const Vector& value = read(node.operands[0]);
    if (node.accumulate) read_element(node.access(), count);
    float* to = written_element(node.access(), count);
    for (std::int64_t i = 0; i < count; ++i) to[i] = (node.accumulate ? to[i] : 0.0F) + value.at(index(first + i));
  }

  const float* read_element(const Access& access, std::int64_t count) { return element(access, count, &Races::read); }
  float* written_element(const Access& access, std::int64_t count) { return element(access, count, &Races::write); }

  float* element(const Access& access, std::int64_t count, std::string (Races::*touch)(std::size_t, std::size_t)) {
    const Place at = place(access);
    Vector& all = memory_.at(at.tensor);
    if (at.offset < 0 || at.offset + count > static_cast<std::int64_t>(all.size()))
      throw Stop{fmt::format("element {} of {}, which has {}", at.offset, at.tensor, all.size())};
    if (const auto races = races_.find(at.tensor); races != races_.end())
      if (std::string fault = (races->second.*touch)(index(at.offset), index(count)); !fault.empty())
        throw Stop{fmt::format("element {} of {}: {}", at.offset, at.tensor, fault)};
    return &all[index(at.offset)];
  }

  Place place(const Access& access) {
    const auto [form, fresh] = forms_.try_emplace(&access);
    if (fresh) form->second = address(tree_.tensor(access.tensor), access);
    const Place& base = pointers_.at(access.base.empty() ? access.tensor : access.base);
    return {base.tensor, base.offset + value(form->second)};
  }

  std::int64_t value(const Affine& form) const {
    std::int64_t sum = form.constant;
    for (const Affine::Term& term : form.terms) sum += term.coefficient * integers_.at(term.variable);
    return sum;
  }

  bool holds(const Condition& test) const { return test.over ? value(test.form) < test.limit : value(test.form) >= 0; }

  bool all_hold(const Node& node) const {
    return std::all_of(node.conditions.begin(), node.conditions.end(),
                       [&](const Condition& test) { return holds(test); });
  }

  const Vector& read(const std::string& name) const {
    const auto found = values_.find(resolved(name));
    if (found == values_.end()) throw Stop{name + " has no value yet"};
    return found->second;
  }

  /// Names with the numbers of unrolled iterations.
  std::string resolved(std::string name) const {
    for (std::size_t at = name.find('$'); at != std::string::npos; at = name.find('$', at))
      name.replace(at, 2, std::to_string(integers_.at(name.substr(at + 1, 1))));
    return name;
  }

  const SyntaxTree& tree_;
  std::int64_t left_;
  std::map<std::string, const Node*> functions_;
  std::map<std::string, Vector> memory_;
  std::map<std::string, Races> races_;  ///< by tensor; none if no loop is divided
  std::int64_t divided_loops_ = 0;      ///< begun until now
  std::map<std::string, Place> pointers_;
  std::unordered_map<std::string, Vector> values_;
  std::map<std::string, std::int64_t, std::less<>> integers_;
  std::unordered_map<const Access*, Affine> forms_;
};

}  // namespace

std::optional<std::vector<float>> interpret(const SyntaxTree& tree, const std::vector<float>& image,
                                            const std::vector<float>& kernel, Diagnostics& diagnostics,
                                            std::int64_t most_steps) {
  Interpreter interpreter(tree, most_steps);
  const auto fill = [&](const char* name, const std::vector<float>& values) {
    std::vector<float>& tensor = interpreter.tensor(name);
    std::copy_n(values.begin(), std::min(values.size(), tensor.size()), tensor.begin());
  };
  fill("image", image);
  fill("kernel", kernel);
  for (float& value : interpreter.tensor("output")) value = std::numeric_limits<float>::quiet_NaN();
  try {
    interpreter.run();
  } catch (const Stop& stop) {
    diagnostics.error({{}, 0, "interpreter"}, stop.what);
    return std::nullopt;
  }
  return std::move(interpreter.tensor("output"));
}

}  // namespace convscope::cpu
