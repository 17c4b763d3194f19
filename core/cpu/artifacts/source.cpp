#include "core/cpu/artifacts/source.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/cpu/artifacts/companion_files.h"

namespace convscope::cpu {
namespace {

using artifact::SourceNode;
using artifact::SourceStage;

bool repeats(const Node& node) {
  return node.kind == Kind::loop || node.kind == Kind::unroll;
}

double trips(const Node& node) {
  return repeats(node) ? static_cast<double>(std::max<std::int64_t>(0, node.end - node.begin)) : 1;
}

/// Floating-point operations of a tree. A function's are spent where it is called; one that nobody calls is where the
/// program begins.
class Operations {
 public:
  explicit Operations(const Node& root) {
    collect(root);
    total_ = spend(root, 1);
    for (const auto& [name, function] : functions_)
      if (!called_.contains(name)) total_ += spend_body(*function, 1);
  }

  /// Of all operations; -1 if the tree has none.
  double share(const Node& node) const {
    if (total_ <= 0) return -1;
    const auto spent = spent_.find(&node);
    return spent == spent_.end() ? 0 : spent->second / total_;
  }

 private:
  void collect(const Node& node) {
    if (node.kind == Kind::function) functions_[node.name] = &node;
    if (node.kind == Kind::call) called_.insert(node.name);
    for (const NodePtr& child : node.children) collect(*child);
  }

  /// Operations of a node that is executed so often, function definitions left out; adds them to the node's.
  double spend(const Node& node, double times) {
    if (node.kind == Kind::function) return 0;
    double sum = spend_children(node, times * trips(node));
    if (node.kind == Kind::fma || node.kind == Kind::fma_lane || node.kind == Kind::fma_memory)
      sum += 2.0 * node.type.lanes * times;
    if (node.kind == Kind::call)
      if (const auto function = functions_.find(node.name); function != functions_.end())
        sum += spend_body(*function->second, times);
    spent_[&node] += sum;
    return sum;
  }

  double spend_children(const Node& node, double times) {
    double sum = 0;
    for (const NodePtr& child : node.children) sum += spend(*child, times);
    return sum;
  }

  double spend_body(const Node& function, double times) {
    constexpr int deepest = 8;  // a function that calls itself is none of ours
    if (depth_ >= deepest) return 0;
    ++depth_;
    const double sum = spend_children(function, times);
    --depth_;
    spent_[&function] += sum;
    return sum;
  }

  std::map<std::string, const Node*> functions_;
  std::set<std::string> called_;
  std::map<const Node*, double> spent_;
  double total_ = 0;
  int depth_ = 0;
};

class Lister {
 public:
  Lister(const Node& root, const std::vector<SourceLink>& links) : operations_(root) {
    for (const SourceLink& link : links) {
      auto& lines = lines_.try_emplace(link.node, link.line - 1, link.line - 1).first->second;
      lines.first = std::min(lines.first, link.line - 1);
      lines.second = std::max(lines.second, link.line - 1);
    }
  }

  void add(const Node& node, int parent) {
    const auto own = static_cast<int>(nodes_.size());
    nodes_.push_back({parent, label(node), -1, -1, operations_.share(node)});
    if (const auto lines = lines_.find(node.id); lines != lines_.end()) widen(own, lines->second);
    for (const NodePtr& child : node.children) {
      const auto at = nodes_.size();
      add(*child, own);
      if (nodes_[at].first_line >= 0) widen(own, {nodes_[at].first_line, nodes_[at].last_line});
    }
  }

  std::vector<SourceNode> take() { return std::move(nodes_); }

 private:
  void widen(int index, std::pair<int, int> lines) {
    SourceNode& node = nodes_[static_cast<std::size_t>(index)];
    node.first_line = node.first_line < 0 ? lines.first : std::min(node.first_line, lines.first);
    node.last_line = std::max(node.last_line, lines.second);
  }

  Operations operations_;
  std::map<int, std::pair<int, int>> lines_;
  std::vector<SourceNode> nodes_;
};

}  // namespace

SourceStage make_stage(const Stage& stage, const std::vector<SourceLink>& links) {
  SourceStage result{stage.name, {}};
  if (!stage.tree.root) return result;
  Lister lister(*stage.tree.root, links);
  lister.add(*stage.tree.root, -1);
  result.nodes = lister.take();
  return result;
}

std::shared_ptr<const artifact::Source> make_source(const ChosenProgram& program) {
  Diagnostics diagnostics;
  const auto generated = generate(program.problem, program.path, diagnostics);
  if (!generated) return nullptr;
  auto source = std::make_shared<artifact::Source>();
  source->main = {"convolution.cpp", commented_source(program, generated->text)};
  source->beside = companion_files(program, generated->text);
  const auto before = std::count(source->main.text.begin(), source->main.text.end(), '\n') -
                      std::count(generated->text.source.begin(), generated->text.source.end(), '\n');
  std::vector<SourceLink> links = generated->links;
  for (SourceLink& link : links) link.line += static_cast<int>(before);
  // Lowered trees are text already; of those before, the last knows the lines.
  for (std::size_t i = 0; i <= generated->last_unlowered && i < generated->stages.size(); ++i)
    source->stages.push_back(
        make_stage(generated->stages[i], i == generated->last_unlowered ? links : std::vector<SourceLink>()));
  return source;
}

}  // namespace convscope::cpu
