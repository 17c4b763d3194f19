// Every reason of an empty slot, and of what binds a layer, is true: what it names is there, and where that is relaxed,
// the bound moves as said. Samples in the usual run, all of their layers and levels with CONVSCOPE_FULL=1.

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/analysis/why.h"
#include "core/base/grouped.h"
#include "core/catalogue/standard.h"
#include "core/engine/engine.h"
#include "core/engine/executor.h"
#include "core/schedule/bounds/bounds.h"
#include "core/schedule/explain/idle_slot.h"
#include "core/schedule/explain/idle_text.h"
#include "core/schedule/verify/verify.h"

namespace convscope::catalogue {
namespace {

using artifact::TaskGraph;
using artifact::Timeline;
using schedule::IdleReason;
using schedule::Problem;
using testing::HasSubstr;
using Slot = IdleReason::Slot;

bool everything() {
  return std::getenv("CONVSCOPE_FULL") != nullptr;
}

Problem problem_of(const TaskGraph& graph) {
  Problem problem;
  for (const std::string& name : graph.resources) problem.resources.push_back({name, 1});
  for (const auto& o : graph.operations) problem.operations.push_back({o.label, {{o.resource, 0}}});
  for (const auto& d : graph.dependences) problem.dependences.push_back({d.from, d.to, d.distance, d.iterations});
  return problem;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The slots of one program, and what is known of it.
class Slots {
 public:
  Slots(const Timeline& timeline, const TaskGraph* graph) : timeline_(timeline), graph_(graph) {
    if (graph_ == nullptr) return;
    problem_ = problem_of(*graph_);
    schedule_.initiation_interval = graph_->initiation_interval;
    for (const auto& o : graph_->operations) schedule_.cycles.push_back(o.cycle);
    touching_.resize(problem_.operations.size());
    for (const schedule::Dependence& d : problem_.dependences) {
      if (d.from == d.to) continue;
      touching_[static_cast<std::size_t>(d.from)].push_back(d);
      touching_[static_cast<std::size_t>(d.to)].push_back(d);
    }
    EXPECT_TRUE(schedule::broken_dependences(problem_, schedule_).empty());
  }

  /// Counts the slots that are empty, by what is said of them.
  void check(std::int64_t cycle, std::map<Slot, int>& counts) {
    for (int r = 0; r < static_cast<int>(timeline_.resources().size()); ++r) {
      if (works(r, cycle)) continue;
      SCOPED_TRACE("cycle " + std::to_string(cycle) + ", " + timeline_.resources()[static_cast<std::size_t>(r)]);
      const IdleReason reason = schedule::idle_reason(timeline_, graph_, r, cycle);
      ++counts[reason.slot];
      text_ = schedule::idle_text(timeline_, graph_, r, cycle);
      if (reason.slot == Slot::before_first || reason.slot == Slot::after_last) outside(reason, r, cycle);
      if (reason.slot == Slot::in_loop) inside(reason, r, cycle);
      if (reason.slot == Slot::in_run || (reason.slot == Slot::in_loop && graph_ == nullptr)) around(reason, r, cycle);
      EXPECT_NE(reason.slot, Slot::unknown);
      if (testing::Test::HasFailure()) return;
    }
  }

 private:
  bool works(int resource, std::int64_t cycle) const { return timeline_.busy(resource, cycle, cycle + 1) > 0; }

  std::string occupant(int resource, std::int64_t cycle) const {
    std::string label;
    timeline_.visit(cycle, cycle + 1, [&](const artifact::PlacedCell& placed) {
      if (placed.cell->resource == resource) label = placed.cell->label;
    });
    return label;
  }

  const artifact::TimelineSection& loop() const {
    return timeline_.sections()[static_cast<std::size_t>(timeline_.steady_state())];
  }

  /// The operation stands in this row of the loop from that cycle on, or until then, and not where nothing stands. One
  /// more turn of the loop moves its end by the loop's length.
  void outside(const IdleReason& reason, int resource, std::int64_t cycle) const {
    EXPECT_EQ(occupant(resource, reason.occupied), reason.occupant);
    const std::int64_t length = loop().length, away = reason.occupied - cycle;
    EXPECT_EQ(away % length, 0);
    EXPECT_EQ(away > 0, reason.slot == Slot::before_first);
    const std::int64_t step = away > 0 ? length : -length;
    for (std::int64_t at = cycle; at != reason.occupied; at += step) EXPECT_FALSE(works(resource, at)) << at;
    std::vector<artifact::TimelineSection> sections = timeline_.sections();
    ++sections[static_cast<std::size_t>(timeline_.steady_state())].repeats;
    const bool later = reason.slot == Slot::after_last;
    const IdleReason longer = schedule::idle_reason(Timeline(timeline_.resources(), sections), graph_, resource,
                                                    later ? cycle + length : cycle);
    EXPECT_EQ(longer.occupant, reason.occupant);
    EXPECT_EQ(longer.occupied, reason.occupied + (later ? length : 0));
    EXPECT_THAT(text_, HasSubstr("'" + reason.occupant + "'"));
    EXPECT_THAT(text_, HasSubstr("cycle " + grouped(reason.occupied)));
  }

  void inside(const IdleReason& reason, int resource, std::int64_t cycle) {
    const std::int64_t begin = timeline_.section_start(timeline_.steady_state()), length = loop().length;
    EXPECT_EQ(reason.length, length);
    std::vector<int> full;
    for (int r = 0; r < static_cast<int>(timeline_.resources().size()); ++r) {
      std::int64_t busy = 0;
      for (std::int64_t c = begin; c < begin + length; ++c) busy += works(r, c) ? 1 : 0;
      if (busy == length) full.push_back(r);
      if (r == resource) {
        EXPECT_EQ(reason.busy, busy);
      }
    }
    EXPECT_EQ(reason.full, full);
    EXPECT_EQ(!reason.full.empty() || !reason.circle.empty(), text_.find("can't be shorter") != std::string::npos);
    if (graph_ == nullptr || graph_->initiation_interval != length) return;
    lengths(reason);
    const std::int64_t phase = (cycle - begin) % length;
    moves(reason, resource, phase);
  }

  /// As long as said, and as short as said where there are two of what is full. The same is said of all slots.
  void lengths(const IdleReason& reason) {
    EXPECT_THAT(text_, HasSubstr(grouped(reason.circle.empty() ? reason.allowed : reason.length)));
    if (first_) {
      EXPECT_EQ(reason.allowed, first_->allowed);
      EXPECT_EQ(reason.circle, first_->circle);
      return;
    }
    first_ = reason;
    Problem relaxed = problem_;
    for (const int r : reason.full) relaxed.resources[static_cast<std::size_t>(r)].capacity = 2;
    const std::int64_t recurrence = schedule::recurrence_bound(problem_);
    EXPECT_EQ(reason.allowed, std::max(schedule::resource_bound(relaxed), recurrence));
    if (reason.full.empty() && reason.circle.empty()) {
      EXPECT_LT(reason.allowed, reason.length);
      return;
    }
    EXPECT_EQ(std::max(schedule::resource_bound(problem_), recurrence), reason.length);
    if (reason.circle.empty()) {
      EXPECT_LT(reason.allowed, reason.length) << "a second unit moves the bound";
      return;
    }
    // The dependences between what is named take that long, without all else.
    Problem alone = relaxed;
    std::erase_if(alone.dependences, [&](const schedule::Dependence& d) {
      return !contains(reason.circle, name(d.from)) || !contains(reason.circle, name(d.to));
    });
    EXPECT_EQ(schedule::recurrence_bound(alone), reason.length);
  }

  const std::string& name(int operation) const { return problem_.operations[static_cast<std::size_t>(operation)].name; }

  /// True if the dependences let an operation issue in a cycle. `without`: those that don't count.
  template <class Without>
  bool may_stand(int operation, std::int64_t cycle, Without without) const {
    const auto issue = [&](int other) {
      return other == operation ? cycle : schedule_.cycles[static_cast<std::size_t>(other)];
    };
    const auto& touching = touching_[static_cast<std::size_t>(operation)];
    return std::all_of(touching.begin(), touching.end(), [&](const schedule::Dependence& d) {
      return without(d) || issue(d.to) >= issue(d.from) + d.distance - d.iterations * schedule_.initiation_interval;
    });
  }

  bool may_stand(int operation, std::int64_t cycle) const {
    return may_stand(operation, cycle, [](const schedule::Dependence&) { return false; });
  }

  /// By trying every cycle of the row that is near enough to count.
  bool may_stand_in_row(int operation, std::int64_t row) const {
    const std::int64_t interval = schedule_.initiation_interval;
    const auto [least, most] = std::minmax_element(schedule_.cycles.begin(), schedule_.cycles.end());
    const std::int64_t reach = (*most - *least) / interval + 4;
    const std::int64_t now = schedule_.cycles[static_cast<std::size_t>(operation)];
    const std::int64_t nearest = now + row;
    for (std::int64_t turn = -reach; turn <= reach; ++turn)
      if (may_stand(operation, nearest + turn * interval)) return true;
    return false;
  }

  void moves(const IdleReason& reason, int resource, std::int64_t phase) const {
    std::vector<std::string> movable;
    int held = -1;
    for (const artifact::TimelineCell& cell : loop().cells) {
      if (cell.resource != resource) continue;
      const auto found = std::find_if(graph_->operations.begin(), graph_->operations.end(),
                                      [&](const auto& o) { return o.key == cell.operation; });
      ASSERT_NE(found, graph_->operations.end());
      const int operation = static_cast<int>(found - graph_->operations.begin());
      if (may_stand_in_row(operation, phase - cell.begin))
        movable.push_back(cell.label);
      else if (held < 0 && reason.held && name(operation) == reason.held->operation)
        held = operation;
    }
    EXPECT_EQ(reason.movable, movable);
    EXPECT_EQ(text_.find("would let") != std::string::npos, !movable.empty());
    EXPECT_EQ(text_.find("no operation of") != std::string::npos && text_.find("may stand here") != std::string::npos,
              reason.held.has_value());
    if (!reason.held) return;
    ASSERT_GE(held, 0);
    release(*reason.held, held);
  }

  /// One cycle beyond what is left to it, an operation may stand only where what is named doesn't hold it.
  void release(const IdleReason::Held& held, int operation) const {
    EXPECT_TRUE(may_stand(operation, held.earliest));
    EXPECT_TRUE(may_stand(operation, held.latest));
    EXPECT_FALSE(may_stand(operation, held.earliest - 1));
    EXPECT_FALSE(may_stand(operation, held.latest + 1));
    EXPECT_TRUE(may_stand(operation, held.earliest - 1, [&](const schedule::Dependence& d) {
      return d.to == operation && contains(held.after, name(d.from));
    }));
    EXPECT_TRUE(may_stand(operation, held.latest + 1, [&](const schedule::Dependence& d) {
      return d.from == operation && contains(held.before, name(d.to));
    }));
    EXPECT_THAT(text_, HasSubstr("'" + held.after.front() + "'"));
    EXPECT_THAT(text_, HasSubstr("'" + held.before.front() + "'"));
    EXPECT_THAT(text_, HasSubstr(grouped(held.latest)));
  }

  /// Between what comes before and what comes after, the resource is idle.
  void around(const IdleReason& reason, int resource, std::int64_t cycle) const {
    const std::int64_t begin = reason.last ? reason.last->cycle + 1 : 0;
    const std::int64_t end = reason.next ? reason.next->cycle : timeline_.length();
    EXPECT_LE(begin, cycle);
    EXPECT_GT(end, cycle);
    EXPECT_EQ(timeline_.busy(resource, begin, end), 0);
    if (reason.last) {
      EXPECT_EQ(occupant(resource, reason.last->cycle), reason.last->label);
    }
    if (reason.next) {
      EXPECT_EQ(occupant(resource, reason.next->cycle), reason.next->label);
    }
    if (reason.slot == Slot::in_run) {
      EXPECT_EQ(reason.busy, timeline_.busy(resource, 0, timeline_.length()));
    }
  }

  const Timeline& timeline_;
  const TaskGraph* graph_;
  Problem problem_;
  schedule::Schedule schedule_;
  std::vector<std::vector<schedule::Dependence>> touching_;  // of each operation
  std::optional<IdleReason> first_;                          // of the loop's slots
  std::string text_;
};

/// All cycles before the loop and behind it, two turns of it and its last; at most so many of each stretch.
std::vector<std::int64_t> cycles_of(const Timeline& timeline, std::int64_t most) {
  std::set<std::int64_t> cycles;
  const auto add = [&](std::int64_t begin, std::int64_t end) {
    const std::int64_t stride = std::max<std::int64_t>(1, (end - begin) / most);
    for (std::int64_t c = std::max<std::int64_t>(0, begin); c < std::min(end, timeline.length()); c += stride)
      cycles.insert(c);
  };
  const int steady = timeline.steady_state();
  const std::int64_t begin = timeline.section_start(steady), end = timeline.section_start(steady + 1);
  const std::int64_t length = timeline.sections()[static_cast<std::size_t>(steady)].length;
  add(0, begin);
  add(begin, begin + 2 * length);
  add(end - length, end);
  add(end, timeline.length());
  return {cycles.begin(), cycles.end()};
}

struct Asked {
  const char *network, *target, *level;
  std::vector<int> layers;  ///< in the usual run; empty: all
};

/// On the default machine, or with its bandwidth at the least or the most that there is.
enum class Bandwidth { usual, least, most };

engine::CompiledNetwork compiled(const Asked& asked, Bandwidth bandwidth = Bandwidth::usual) {
  const CataloguePointer known = standard();
  Diagnostics diagnostics;
  const auto network =
      known->read_network(std::string(CONVSCOPE_SOURCE_DIR "/samples/networks/") + asked.network + ".xml", diagnostics);
  const auto target = known->find_target(asked.target);
  arch::ParameterValues machine(target->machine());
  if (bandwidth != Bandwidth::usual) {
    const std::size_t index = machine.description().find("bandwidth").value();
    const arch::ParameterDescription& described = machine.description().parameters[index];
    machine.set_at(index, bandwidth == Bandwidth::least ? described.minimum : described.maximum);
  }
  const std::string level = *asked.level == 0 ? target->default_level() : asked.level;
  engine::Request request{std::make_shared<const network::Network>(*network), target, machine, level, {}, 0, {}};
  if (!everything()) request.only_layers = asked.layers;
  const auto cache = engine::make_memory_cache();
  const auto executor = engine::make_tbb_executor();
  return engine::compile(request, *executor, *cache);
}

const std::vector<Asked> samples{{"filter_3x3", "nve", "none", {}},    {"filter_3x3", "nve", "modulo", {}},
                                 {"filter_3x3", "nve", "optimal", {}}, {"face_detection", "nve", "optimal", {0, 2}},
                                 {"speed_sign", "nve", "fusion", {1}}, {"lenet", "nmp", "", {0, 2}},
                                 {"lenet", "snowflake", "", {0}},      {"filter_3x3", "cpu", "", {}}};

TEST(WhyRelaxed, EveryReasonOfAnEmptySlotHolds) {
  std::map<Slot, int> counts;
  for (const Asked& asked : samples) {
    const engine::CompiledNetwork run = compiled(asked);
    for (std::size_t i = 0; i < run.layers.size(); ++i) {
      if (!run.layers[i]) continue;
      const int programs = run.layers[i]->program_count();
      for (int p = 0; p < programs; p += everything() ? 1 : std::max(1, programs - 1)) {
        SCOPED_TRACE(std::string(asked.network) + " on " + asked.target + " " + asked.level + ", layer " +
                     std::to_string(i) + ", program " + std::to_string(p));
        const auto timeline = run.layers[i]->timeline(p);
        if (!timeline || timeline->length() == 0) continue;
        const auto graph = run.layers[i]->task_graph(p);
        Slots slots(*timeline, graph.get());
        for (const std::int64_t cycle : cycles_of(*timeline, everything() ? 60 : 24)) {
          slots.check(cycle, counts);
          if (HasFailure()) return;
        }
      }
    }
  }
  // No machine's program goes on behind its loop, so that none is after the last: idle_slot_test has these.
  for (const Slot slot : {Slot::before_first, Slot::in_loop, Slot::in_run})
    EXPECT_GT(counts[slot], 50) << static_cast<int>(slot);
}

const artifact::ExplainedBound* bound_of(const artifact::Explanation& explanation, const std::string& kind) {
  const auto found = std::find_if(explanation.bounds.begin(), explanation.bounds.end(),
                                  [&](const artifact::ExplainedBound& each) { return each.bound.kind == kind; });
  return found == explanation.bounds.end() ? nullptr : &*found;
}

/// Where the memory's bandwidth binds: with more of it, what was said to bind next does, with as many cycles as said.
TEST(WhyRelaxed, WithoutWhatBindsTheNextDoesAsSaid) {
  for (const Asked& asked : {Asked{"filter_3x3", "nve", "modulo", {}}, Asked{"lenet", "nmp", "", {0}},
                             Asked{"lenet", "snowflake", "", {0}}}) {
    SCOPED_TRACE(asked.target);
    const auto tight = compiled(asked, Bandwidth::least).layers[0]->explanation();
    const auto relaxed = compiled(asked, Bandwidth::most).layers[0]->explanation();
    const artifact::ExplainedBound* next = analysis::next_to_bind(*tight);
    ASSERT_NE(next, nullptr);
    const artifact::ExplainedBound& first = tight->bounds.front();
    const artifact::ExplainedBound *then = bound_of(*relaxed, next->bound.kind),
                                   *freed = bound_of(*relaxed, first.bound.kind);
    ASSERT_NE(then, nullptr);
    EXPECT_EQ(then->bound.cycles, next->bound.cycles);
    if (freed != nullptr) {
      EXPECT_LT(freed->bound.cycles, first.bound.cycles) << first.bound.kind << " binds where there is least of it";
    }
    if (freed == nullptr || freed->bound.cycles < then->bound.cycles) {
      EXPECT_EQ(relaxed->bounds.front().bound.kind, then->bound.kind);
    }
  }
}

/// What is said of the layer's resources is what its schedule does: of one program, each works as often a turn.
TEST(WhyRelaxed, BoundsOfALayerAreThoseOfItsLoop) {
  const auto layer = compiled({"filter_3x3", "nve", "modulo", {}}).layers[0];
  const auto explanation = layer->explanation();
  ASSERT_EQ(layer->program_count(), 1);
  const auto timeline = layer->timeline(0);
  const auto busy = [&](const std::string& resource) {
    const auto& names = timeline->resources();
    const auto found = std::find(names.begin(), names.end(), resource);
    if (found == names.end()) return std::int64_t{-1};
    const std::int64_t begin = timeline->section_start(timeline->steady_state());
    const std::int64_t length = timeline->sections()[static_cast<std::size_t>(timeline->steady_state())].length;
    return timeline->busy(static_cast<int>(found - names.begin()), begin, begin + length);
  };
  std::int64_t cycles = 0, uses = 0;
  int resources = 0;
  for (const artifact::ExplainedBound& bound : explanation->bounds) {
    const std::int64_t each = busy(bound.bound.kind);
    if (each <= 0) continue;
    if (uses == 0) cycles = bound.bound.cycles, uses = each;
    EXPECT_EQ(bound.bound.cycles * uses, cycles * each) << bound.bound.kind;
    ++resources;
  }
  EXPECT_GE(resources, 4);
}

}  // namespace
}  // namespace convscope::catalogue
