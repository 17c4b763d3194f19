#include "core/snowflake/trace/trace_log.h"

#include <algorithm>

namespace convscope::snowflake {
namespace {

using simulation::ticks_per_cycle;

template <typename Items, typename Old>
void forget_while(Items& items, Old old) {
  while (!items.empty() && old(items.front())) items.pop_front();
}

}  // namespace

void TraceLog::vector_started(std::int64_t start, std::int64_t end) {
  for (Vector& vector : vectors) {
    if (vector.start != never) continue;
    vector.start = start;
    vector.end = end;
    break;
  }
  vectors_told = end;
}

void TraceLog::vector_ran(const simulation::VectorEntry& vector, std::int64_t /*free*/, std::int64_t /*start*/,
                          std::int64_t end) {
  effects.push_back({end * ticks_per_cycle, false, {}, vector});
}

void TraceLog::load_released(int unit, std::size_t place, Tick tick) {
  for (Load& load : of(unit)) {
    if (load.end != never || place-- > 0) continue;
    load.released = tick;
    return;
  }
}

void TraceLog::load_began(int unit, Tick tick) {
  for (Load& load : of(unit)) {
    if (load.begin != never) continue;
    load.begin = tick;
    return;
  }
}

void TraceLog::load_streamed(int unit, const simulation::LoadEntry& load, Tick /*begin*/, Tick end) {
  effects.push_back({end, true, load, {}});
  for (Load& each : of(unit)) {
    if (each.end != never) continue;
    each.end = end;
    return;
  }
}

void TraceLog::output_stored(Tick tick) {
  for (Output& output : outputs) {
    if (output.stored != never) continue;
    output.stored = tick;
    return;
  }
}

void TraceLog::forget(std::int64_t cycle) {
  const Tick tick = cycle * ticks_per_cycle;
  forget_while(issues, [&](const Issue& issue) { return issue.cycle < cycle; });
  forget_while(control_stalls, [&](const Stall& stall) { return stall.to <= cycle; });
  forget_while(vector_stalls, [&](const Stall& stall) { return stall.to <= cycle; });
  forget_while(vectors, [&](const Vector& vector) { return vector.end <= cycle; });
  for (auto& unit : loads) forget_while(unit, [&](const Load& load) { return load.end <= tick; });
  forget_while(outputs, [&](const Output& output) { return output.stored <= tick; });
}

std::int64_t TraceLog::bytes() const {
  std::size_t bytes = sizeof(*this) + issues.size() * sizeof(Issue) + vectors.size() * sizeof(Vector) +
                      (control_stalls.size() + vector_stalls.size()) * sizeof(Stall) + outputs.size() * sizeof(Output) +
                      effects.size() * sizeof(Effect);
  for (const auto& unit : loads) bytes += unit.size() * sizeof(Load) + 512;  // a deque's own memory
  return static_cast<std::int64_t>(bytes);
}

const TraceLog::Issue* TraceLog::issue_at(std::int64_t cycle) const {
  const auto found =
      std::partition_point(issues.begin(), issues.end(), [&](const Issue& i) { return i.cycle < cycle; });
  return found != issues.end() && found->cycle == cycle ? &*found : nullptr;
}

const TraceLog::Stall* TraceLog::stall_at(const std::deque<Stall>& stalls, std::int64_t cycle) {
  const auto found = std::partition_point(stalls.begin(), stalls.end(), [&](const Stall& s) { return s.to <= cycle; });
  return found != stalls.end() && found->from <= cycle ? &*found : nullptr;
}

const TraceLog::Vector* TraceLog::running_at(std::int64_t cycle) const {
  const auto found =
      std::partition_point(vectors.begin(), vectors.end(), [&](const Vector& v) { return v.end <= cycle; });
  return found != vectors.end() && found->start <= cycle ? &*found : nullptr;
}

const TraceLog::Load* TraceLog::streaming_at(int unit, std::int64_t cycle) const {
  for (const Load& load : of(unit))
    if (load.end > cycle * ticks_per_cycle) return load.begin < (cycle + 1) * ticks_per_cycle ? &load : nullptr;
  return nullptr;
}

std::vector<const TraceLog::Load*> TraceLog::pending_at(int unit, std::int64_t cycle) const {
  std::vector<const Load*> pending;
  for (const Load& load : of(unit))
    if (load.issued <= cycle && load.end > (cycle + 1) * ticks_per_cycle) pending.push_back(&load);
  return pending;
}

std::vector<const TraceLog::Vector*> TraceLog::queued_at(std::int64_t cycle) const {
  std::vector<const Vector*> queued;
  for (const Vector& vector : vectors)
    if (vector.entry.dispatched <= cycle && vector.end > cycle + 1) queued.push_back(&vector);
  return queued;
}

std::int64_t TraceLog::stored_bytes_waiting(std::int64_t cycle) const {
  std::int64_t bytes = 0;
  for (const Output& output : outputs)
    if (output.queued <= cycle + 1 && output.stored > (cycle + 1) * ticks_per_cycle) bytes += output.bytes;
  return bytes;
}

}  // namespace convscope::snowflake
