#include "ui/views/network/network_graph/branches.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/base/integers.h"

namespace convscope::ui {
namespace {

constexpr std::size_t most_members = 2000;
constexpr long most_steps = 1'000'000;

class BranchFinder {
 public:
  explicit BranchFinder(const NetworkBoxes& boxes)
      : count_(static_cast<int>(boxes.boxes.size())), before_(boxes.boxes.size()), after_(boxes.boxes.size()) {
    for (const NetworkFlow& flow : boxes.flows) {
      after_[at(flow.from)].push_back(flow.to);
      before_[at(flow.to)].push_back(flow.from);
    }
  }

  std::vector<Branch> run() {
    find_postdominators();
    std::vector<Branch> branches;
    for (int fork = 0; fork < count_; ++fork) {
      if (after_[at(fork)].size() < 2 || next_[at(fork)] == count_) continue;
      Branch branch{fork, next_[at(fork)], {}};
      if (collect(branch)) branches.push_back(std::move(branch));
    }
    std::stable_sort(branches.begin(), branches.end(),
                     [](const Branch& a, const Branch& b) { return a.members.size() > b.members.size(); });
    return branches;
  }

 private:
  /// Boxes are in topological order, so one sweep from the end is enough; `count_` is the common end of all outputs.
  void find_postdominators() {
    next_.assign(at(count_), count_);
    for (int box = count_ - 1; box >= 0; --box) {
      const auto& targets = after_[at(box)];
      if (targets.empty()) continue;
      int common = targets[0];
      for (const int target : targets) common = meet(common, target);
      next_[at(box)] = common;
    }
  }

  int meet(int a, int b) const {
    while (a != b) (a < b ? a : b) = next_[at(std::min(a, b))];
    return a;
  }

  /// False if somebody else feeds what lies between, or it is too much.
  bool collect(Branch& branch) {
    std::vector<int> open{branch.fork};
    std::set<int> inside;
    while (!open.empty()) {
      const int box = open.back();
      open.pop_back();
      for (const int target : after_[at(box)]) {
        if (++steps_ > most_steps) return false;
        if (target != branch.join && inside.insert(target).second) open.push_back(target);
      }
      if (inside.size() > most_members) return false;
    }
    for (const int box : inside) {
      for (const int source : before_[at(box)])
        if (source != branch.fork && inside.count(source) == 0) return false;
    }
    branch.members.assign(inside.begin(), inside.end());
    branch.members.push_back(branch.join);
    return branch.members.size() > 1;
  }

  int count_;
  long steps_ = 0;
  std::vector<std::vector<int>> before_, after_;
  std::vector<int> next_;  ///< immediate postdominator; `count_` for none
};

/// For each box the one that stands for it: the join of the outermost folded branch around it, or itself.
std::vector<int> representatives(std::size_t boxes, const std::vector<Branch>& branches, const std::set<int>& folded) {
  std::vector<int> of(boxes);
  for (std::size_t box = 0; box < boxes; ++box) of[box] = static_cast<int>(box);
  for (auto inner_first = folded.rbegin(); inner_first != folded.rend(); ++inner_first) {
    if (*inner_first < 0 || at(*inner_first) >= branches.size()) continue;
    const Branch& branch = branches[at(*inner_first)];
    for (const int member : branch.members) of[at(member)] = branch.join;
  }
  return of;
}

class Folder {
 public:
  Folder(const NetworkBoxes& boxes, const std::vector<Branch>& branches, const std::set<int>& folded)
      : boxes_(boxes),
        branches_(branches),
        folded_(folded),
        of_(representatives(boxes.boxes.size(), branches, folded)) {}

  NetworkBoxes run() {
    add_boxes();
    mark_ends();
    std::set<std::pair<int, int>> seen;
    for (const NetworkFlow& flow : boxes_.flows) {
      const int from = place(flow.from), to = place(flow.to);
      if (from != to && seen.emplace(from, to).second) result_.flows.push_back({from, to, flow.tensor});
    }
    for (const int box : boxes_.box_of_layer) result_.box_of_layer.push_back(box < 0 ? -1 : place(box));
    return std::move(result_);
  }

 private:
  int place(int box) const { return places_[at(of_[at(box)])]; }

  void add_boxes() {
    places_.assign(boxes_.boxes.size(), -1);
    for (std::size_t box = 0; box < boxes_.boxes.size(); ++box) {
      if (of_[box] != static_cast<int>(box)) continue;
      places_[box] = static_cast<int>(result_.boxes.size());
      result_.boxes.push_back(boxes_.boxes[box]);
    }
    std::vector<bool> begun(result_.boxes.size(), false);
    for (std::size_t box = 0; box < boxes_.boxes.size(); ++box) {
      const int into = place(static_cast<int>(box));
      if (of_[box] == static_cast<int>(box) && result_.boxes[at(into)].folded == 0) continue;
      merge(result_.boxes[at(into)], boxes_.boxes[box], begun[at(into)]);
      begun[at(into)] = true;
    }
  }

  /// Members come in the order of the data; the join, which the box was copied from, is the last.
  static void merge(NetworkBox& into, const NetworkBox& member, bool begun) {
    if (!begun) {
      into.layers.clear();
      into.constants.clear();
    }
    into.layers.insert(into.layers.end(), member.layers.begin(), member.layers.end());
    into.constants.insert(into.constants.end(), member.constants.begin(), member.constants.end());
    ++into.folded;
  }

  /// Later branches are the inner ones; a folded one, the outermost of them, has the last word.
  void mark_ends() {
    for (std::size_t i = 0; i < branches_.size(); ++i) {
      NetworkBox& box = result_.boxes[at(place(branches_[i].join))];
      if (of_[at(branches_[i].join)] == branches_[i].join && box.folded == 0) box.branch = static_cast<int>(i);
    }
    for (auto inner_first = folded_.rbegin(); inner_first != folded_.rend(); ++inner_first) {
      if (*inner_first < 0 || at(*inner_first) >= branches_.size()) continue;
      const Branch& branch = branches_[at(*inner_first)];
      if (of_[at(branch.join)] == branch.join) result_.boxes[at(place(branch.join))].branch = *inner_first;
    }
  }

  const NetworkBoxes& boxes_;
  const std::vector<Branch>& branches_;
  const std::set<int>& folded_;
  std::vector<int> of_, places_;
  NetworkBoxes result_;
};

}  // namespace

std::vector<Branch> find_branches(const NetworkBoxes& boxes) {
  return BranchFinder(boxes).run();
}

NetworkBoxes fold_branches(const NetworkBoxes& boxes, const std::vector<Branch>& branches,
                           const std::set<int>& folded) {
  return Folder(boxes, branches, folded).run();
}

}  // namespace convscope::ui
