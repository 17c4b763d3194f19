#include "ui/views/program/draft/draft_board.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace convscope::ui {
namespace {

constexpr std::int64_t furthest_look = 4'096;  // cycles in which a next legal slot is looked for

std::int64_t floor_to(std::int64_t cycle, std::int64_t interval) {
  return (cycle / interval - (cycle % interval < 0 ? 1 : 0)) * interval;
}

}  // namespace

DraftBoard::DraftBoard(std::shared_ptr<const target::DraftTools> tools, schedule::DraftOrigin origin,
                       artifact::Ref subject)
    : tools_(std::move(tools)), origin_(std::move(origin)), subject_(subject) {
  set_draft(schedule::empty_draft(tools_->problem(), tools_->problem()->bound()));
}

bool DraftBoard::is_of(const DraftBoard& other) const {
  return subject_ == other.subject_ && origin_.network == other.origin_.network &&
         tools_->problem()->hash() == other.tools_->problem()->hash();
}

void DraftBoard::take_tools(const DraftBoard& newer) {
  tools_ = newer.tools_;
  origin_ = newer.origin_;
}

void DraftBoard::set_draft(schedule::Draft draft) {
  carried_.clear();
  slots_.reset();
  shift_ = 0;
  draft_ = std::move(draft);
  show(draft_);
  measure();
}

void DraftBoard::show(schedule::Draft shown) {
  shown_ = std::move(shown);
  broken_ = schedule::violations(shown_);
  is_broken_.assign(shown_.schedule.cycles.size(), false);
  for (const schedule::DraftViolation& each : broken_) is_broken_[static_cast<std::size_t>(each.operation)] = true;
  if (is_carrying()) return;  // what waits keeps its place under the pointer
  waiting_.clear();
  for (int i = 0; i < shown_.problem->operations(); ++i)
    if (!shown_.is_placed(i)) waiting_.push_back(i);
}

void DraftBoard::measure() {
  const std::int64_t interval = draft_.interval();
  std::int64_t first = 0, last = 0;
  for (const std::int64_t cycle : draft_.schedule.cycles) {
    if (cycle == schedule::unplaced) continue;
    first = std::min(first, cycle), last = std::max(last, cycle);
  }
  first_cycle_ = floor_to(first, interval) - interval;
  const std::int64_t rows = floor_to(last, interval) + 2 * interval - first_cycle_;
  cycles_ = std::max({rows, static_cast<std::int64_t>(waiting_.size()), 3 * interval});
}

bool DraftBoard::is_chosen(int operation) const {
  return std::find(chosen_.begin(), chosen_.end(), operation) != chosen_.end();
}

void DraftBoard::choose(int operation, bool others_too) {
  const auto known = std::find(chosen_.begin(), chosen_.end(), operation);
  if (others_too && known != chosen_.end()) {
    chosen_.erase(known);
    return;
  }
  if (!others_too) chosen_.clear();
  if (operation >= 0) chosen_.push_back(operation);
}

void DraftBoard::pick_up(std::int64_t cycle) {
  let_go();
  for (const int operation : schedule::with_tied(*draft_.problem, chosen_))
    if (draft_.is_placed(operation)) carried_.push_back({operation, draft_.cycle(operation)});
  if (carried_.empty() && current() >= 0) carried_ = schedule::tied_places(*draft_.problem, current(), cycle);
  if (!carried_.empty()) slots_.emplace(draft_, carried_);
}

bool DraftBoard::is_carried(int operation) const {
  return std::any_of(carried_.begin(), carried_.end(),
                     [&](const schedule::Place& place) { return place.operation == operation; });
}

void DraftBoard::carry_to(std::int64_t shift) {
  if (!slots_) return;
  std::vector<schedule::Place> places = carried_;
  for (schedule::Place& place : places) place.cycle += shift;
  schedule::Edited next = schedule::placed(draft_, places);
  if (!next.draft) return;
  shift_ = shift;
  show(std::move(*next.draft));
}

std::optional<std::int64_t> DraftBoard::next_legal(std::int64_t from, int by) const {
  for (std::int64_t step = 1; step <= furthest_look; ++step)
    if (is_legal(from + by * step)) return from + by * step;
  return std::nullopt;
}

void DraftBoard::let_go() {
  carried_.clear();
  slots_.reset();
  shift_ = 0;
  show(draft_);
}

std::vector<int> DraftBoard::at(int resource, std::int64_t cycle) const {
  std::vector<int> found;
  for (int i = 0; i < shown_.problem->operations(); ++i)
    if (shown_.cycle(i) == cycle && tools_->operations()[static_cast<std::size_t>(i)].resource == resource)
      found.push_back(i);
  return found;
}

int DraftBoard::find(artifact::OperationKey key) const {
  const auto& all = tools_->operations();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.key == key; });
  return key == 0 || found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

const std::string& DraftBoard::name(int operation) const {
  return draft_.problem->problem().operations[static_cast<std::size_t>(operation)].name;
}

std::string DraftBoard::figures_text() const {
  const schedule::DraftFigures all = schedule::figures(shown_);
  std::string text = fmt::format("{} of {} placed · interval {} (no schedule below {}) · {} stage{}", all.placed,
                                 all.operations, all.interval, all.bound, all.stages, all.stages == 1 ? "" : "s");
  for (const artifact::NamedQuantity& figure : tools_->steady_figures(shown_))
    if (const auto* description = artifact::find_figure(tools_->figures(), figure.key))
      text += fmt::format(" · {:.2f} {} in the steady state", figure.quantity.value, description->label);
  std::size_t broken = 0;
  for (const bool each : is_broken_) broken += each ? 1 : 0;
  return text + (broken == 0 ? " · no rule broken" : fmt::format(" · {} operations break rules", broken));
}

std::string DraftBoard::reading(int operation) const {
  std::string text = name(operation);
  if (!shown_.is_placed(operation)) return text + "\nhas no cycle yet: drag it into the table, or press Return";
  text += fmt::format("\ncycle {}, row {} of the loop", shown_.cycle(operation), shown_.row(shown_.cycle(operation)));
  const schedule::Slack slack = schedule::slack(shown_, operation);
  if (slack.earlier && *slack.earlier <= 0) text += fmt::format("\nmay go {} cycles earlier", -*slack.earlier);
  if (slack.later && *slack.later >= 0) text += fmt::format("\nmay go {} cycles later", *slack.later);
  for (const schedule::DraftViolation& each : broken_)
    if (each.operation == operation) text += '\n' + schedule::violation_text(shown_, each);
  return text;
}

}  // namespace convscope::ui
