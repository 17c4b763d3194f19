#include "core/nmp/simulate/machine_run.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "core/base/cancellation.h"

namespace convscope::nmp::simulation {

MachineRun::MachineRun(const Program& program, std::span<std::uint8_t> dram, bool has_data,
                       const SimulationOptions& options, Observer& observer, const std::stop_token& stop)
    : program_(program),
      machine_(program.machine),
      dram_(dram),
      has_data_(has_data),
      options_(options),
      observer_(observer),
      shows_cycles_(observer.shows_cycles()),
      stop_(stop),
      code_(std::make_shared<const DecodedCode>(decode(program.code))),
      tles_(static_cast<std::size_t>(program.machine.tles)),
      cost_(program),
      cycle_(options.free_instructions ? 0 : 1 / program.machine.clock_hz) {
  tlts_.reserve(program.data.size());
  for (std::size_t i = 0; i < program.data.size(); ++i) tlts_.emplace_back(program, *code_, i, has_data);
  result_.tlts.resize(tlts_.size());
  result_.tles.resize(tles_.size());
}

SimulationResult MachineRun::run() {
  start();
  run_until(std::numeric_limits<double>::infinity());
  return finish();
}

void MachineRun::start() {
  for (int tlt = 0; tlt < static_cast<int>(tlts_.size()) && !result_.refusal; ++tlt) go_on(tlt, 0);
}

bool MachineRun::run_until(double seconds) {
  while (!result_.refusal && !events_.empty() && events_.next_time() < seconds) {
    if (++happened_ % 1024 == 0) throw_if_stopped(stop_);
    const Event event = events_.take();
    const double now = now_ = event.time;
    switch (event.happening) {
      case Happening::core_acts:
        act(event.index, now);
        break;
      case Happening::dma_asks:
        ask(event.index, now);
        break;
      case Happening::leaves_dram:
        leave_dram(event.index, now);
        break;
      case Happening::transfer_ends:
        end_transfer(event.index, now);
        break;
      case Happening::convolution_ends:
        end_convolution(event.index, now);
        break;
      case Happening::dram_chooses:
        choose(now);
        break;
      case Happening::ring_chooses:
        choose_for_ring(now);
        break;
    }
  }
  return !result_.refusal && !events_.empty();
}

SimulationResult MachineRun::finish() {
  if (!result_.refusal && halted_ < static_cast<int>(tlts_.size())) refuse_deadlock(now_);
  result_.seconds = now_;
  for (const TltRun& tlt : result_.tlts) result_.seconds = std::max(result_.seconds, tlt.end);
  return std::move(result_);
}

// SplitMix64 of the seed and how many draws there were: the same for the same program.
double MachineRun::taken(double seconds) {
  if (options_.jitter == 0) return seconds;
  std::uint64_t bits = options_.seed + static_cast<std::uint64_t>(++draws_) * 0x9e3779b97f4a7c15U;
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebU;
  const double part = static_cast<double>((bits ^ bits >> 31) >> 11) / 9007199254740992.0;  // 2^53
  return seconds * (1 + options_.jitter * part);
}

// To the next custom word, which acts at its own time.
void MachineRun::go_on(int tlt, double now) {
  Tlt& t = at(tlt);
  if (shows_cycles_) observer_.goes_on(tlt, now, t.core);
  const std::int64_t left = options_.instruction_budget - result_.instructions;
  const std::int64_t count = t.core.run(left);
  result_.instructions += count;
  run_of(tlt).instructions += count;
  const double then = now + taken(static_cast<double>(count) * cycle_);
  if (!t.core.refusal().empty()) return refuse(tlt, then, t.core.refusal());
  if (!t.core.next())
    return refuse(tlt, then, fmt::format("more than {} instructions have run", options_.instruction_budget));
  events_.plan(then, Happening::core_acts, tlt);
}

void MachineRun::act(int tlt, double now) {
  switch (at(tlt).core.next()->operation) {
    case Operation::load:
    case Operation::load_3d:
    case Operation::store:
    case Operation::store_3d:
    case Operation::fetch:
      return give_transfer(tlt, now);
    case Operation::conv2d:
    case Operation::pool:
    case Operation::veop:
    case Operation::activation:
    case Operation::percept:
      return give_convolution(tlt, now);
    case Operation::wait:
      return wait(tlt, now);
    case Operation::post:
      return post(tlt, now);
    case Operation::sync:
      hold_up(tlt, Tlt::State::syncs, now);
      ++syncing_;
      return sync_if_all(now);
    default:
      return halt(tlt, now);
  }
}

// The custom word has acted.
void MachineRun::after(int tlt, double now) {
  ++run_of(tlt).instructions;
  ++result_.instructions;
  if (shows_cycles_) observer_.acted(tlt, at(tlt).core.position(), now);
  at(tlt).core.pass();
  go_on(tlt, now + taken(cycle_));
}

void MachineRun::hold_up(int tlt, Tlt::State state, double now) {
  at(tlt).state = state;
  at(tlt).waits_since = now;
}

void MachineRun::released(int tlt, double now) {
  Tlt& t = at(tlt);
  t.state = Tlt::State::runs;
  run_of(tlt).waited_seconds += now - t.waits_since;
  if (now > t.waits_since) observer_.waited({tle_of(tlt), tlt % machine_.tlts, t.core.position(), t.waits_since, now});
}

void MachineRun::wait(int tlt, double now) {
  Tlt& t = at(tlt);
  const Instruction& i = *t.core.next();
  const std::int64_t wanted = t.core.x(i.rs1);
  if (wanted == 0) return refuse(tlt, now, "it waits for 0 posts; expected at least 1");
  if (t.posts[i.rd] < wanted) {
    if (t.state != Tlt::State::waits) hold_up(tlt, Tlt::State::waits, now);
    return;
  }
  t.posts[i.rd] -= wanted;
  if (shows_cycles_) observer_.counted(tlt, i.rd, now);
  if (t.state == Tlt::State::waits) released(tlt, now);
  after(tlt, now);
}

void MachineRun::add_post(int tlt, int semaphore, double now) {
  Tlt& t = at(tlt);
  ++t.posts[static_cast<std::size_t>(semaphore)];
  if (shows_cycles_) observer_.counted(tlt, semaphore, now);
  if (t.state == Tlt::State::waits && t.core.next()->rd == semaphore) wait(tlt, now);
}

void MachineRun::post(int tlt, double now) {
  const Instruction i = *at(tlt).core.next();
  const std::uint32_t mask = at(tlt).core.x(i.rs1), tles = at(tlt).core.x(i.rs2);
  if (machine_.tlts < 32 && mask >> machine_.tlts != 0)
    return refuse(tlt, now, fmt::format("it posts to TLTs 0x{:x}; a TLE has {}", mask, machine_.tlts));
  if (!posts_to_tles(i)) {
    post_to_tle(tle_of(tlt), mask, i.rd, now);
  } else {
    if (machine_.tles < 32 && tles >> machine_.tles != 0)
      return refuse(tlt, now, fmt::format("it posts to TLEs 0x{:x}; there are {}", tles, machine_.tles));
    for (int tle = 0; tle < std::min(machine_.tles, 32); ++tle)
      if ((tles >> tle & 1U) != 0) post_to_tle(tle, mask, i.rd, now);
  }
  if (!result_.refusal) after(tlt, now);
}

void MachineRun::post_to_tle(int tle, std::uint32_t tlts, int semaphore, double now) {
  for (int other = 0; other < std::min(machine_.tlts, 32) && !result_.refusal; ++other)
    if ((tlts >> other & 1U) != 0) add_post(tle * machine_.tlts + other, semaphore, now);
}

void MachineRun::sync_if_all(double now) {
  if (syncing_ == 0 || syncing_ + halted_ < static_cast<int>(tlts_.size())) return;
  syncing_ = 0;
  for (int tlt = 0; tlt < static_cast<int>(tlts_.size()) && !result_.refusal; ++tlt) {
    if (at(tlt).state != Tlt::State::syncs) continue;
    released(tlt, now);
    after(tlt, now);
  }
}

void MachineRun::halt(int tlt, double now) {
  ++run_of(tlt).instructions;
  ++result_.instructions;
  at(tlt).state = Tlt::State::halted;
  run_of(tlt).end = now + cycle_;
  if (shows_cycles_) observer_.acted(tlt, at(tlt).core.position(), now);
  observer_.halted(tle_of(tlt), tlt % machine_.tlts, now + cycle_);
  ++halted_;
  sync_if_all(now);
}

bool MachineRun::in_memory(int tlt, LocalAddress place, std::int64_t size, const char* what, double now) {
  const std::int64_t there = memory_bytes(machine_, place.memory);
  if (std::int64_t{place.byte} + size <= there) return true;
  refuse(tlt, now,
         fmt::format("{} are bytes {} to {} of {}; expected less than {}", what, place.byte,
                     std::int64_t{place.byte} + size - 1, name_of(place.memory), there));
  return false;
}

bool MachineRun::spend(std::int64_t work, int tlt, double now) {
  work_ += work;
  if (work_ <= options_.work_budget) return true;
  refuse(tlt, now, fmt::format("more than {} MACs and bytes were asked for", options_.work_budget));
  return false;
}

void MachineRun::refuse(int tlt, double now, std::string what) {
  if (result_.refusal) return;
  const int instruction = tlt < 0 ? -1 : at(tlt).core.position();
  result_.refusal =
      Refusal{now, tlt < 0 ? -1 : tle_of(tlt), tlt < 0 ? -1 : tlt % machine_.tlts, instruction, std::move(what)};
}

std::string MachineRun::waits_for(int tlt) const {
  const Tlt& t = tlts_[static_cast<std::size_t>(tlt)];
  const std::string who =
      fmt::format("TLE {} TLT {} (instruction {})", tle_of(tlt), tlt % machine_.tlts, t.core.position());
  if (t.state == Tlt::State::syncs) return who + " for the others to sync";
  const Instruction& i = *t.core.next();
  return fmt::format("{} for {} posts of semaphore {}, which has {}", who, t.core.x(i.rs1), i.rd, t.posts[i.rd]);
}

void MachineRun::refuse_deadlock(double now) {
  constexpr int named = 4;
  std::string waiting;
  int first = -1, count = 0;
  for (int tlt = 0; tlt < static_cast<int>(tlts_.size()); ++tlt) {
    if (at(tlt).state == Tlt::State::halted) continue;
    if (first < 0) first = tlt;
    if (++count <= named) waiting += (waiting.empty() ? "" : "; ") + waits_for(tlt);
  }
  if (count > named) waiting += fmt::format("; and {} more", count - named);
  refuse(first, now, "nobody can go on: waiting are " + waiting);
}

}  // namespace convscope::nmp::simulation
