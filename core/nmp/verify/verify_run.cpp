#include "core/nmp/verify/verify_run.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/cancellation.h"

namespace convscope::nmp::verification {
namespace {

/// Clocks that wait in semaphores, in numbers: what they take of memory stays below 256 MB.
constexpr std::int64_t most_pending = std::int64_t{1} << 26;
constexpr std::int64_t looks_per_step = 8;

const char* name_of_unit(Unit unit) {
  return unit == Unit::core ? "core" : unit == Unit::dma ? "DMA" : "MAC unit";
}

}  // namespace

Run::Tlt::Tlt(const Machine& machine, const DecodedCode& code, const std::vector<std::uint32_t>& data)
    : core(code, data) {
  for (const Memory memory : {Memory::input, Memory::weights, Memory::output})
    memories.emplace_back(memory_bytes(machine, memory));
}

Run::Run(const Program& program, const VerifyLimits& limits, const std::stop_token& stop, Report& report)
    : program_(program),
      machine_(program.machine),
      limits_(limits),
      stop_(stop),
      report_(report),
      code_(decode(program.code)),
      dram_(program) {
  const std::size_t agents = units * program.data.size();
  clocks_.assign(agents, Clocks(agents));
  instructions_.assign(agents, {0});
  tlts_.reserve(program.data.size());
  for (const auto& data : program.data) {
    runnable_.push_back(static_cast<int>(tlts_.size()));
    tlts_.emplace_back(machine_, code_, data);
  }
}

VerifiedRun Run::run() {
  while (!broken_ && !report_.full()) {
    if (runnable_.empty()) {
      if (syncing_ == 0) break;
      open_sync();
      continue;
    }
    throw_if_stopped(stop_);
    const int tlt = runnable_.front();
    runnable_.pop_front();
    run_core(tlt);
  }
  if (!broken_ && !report_.full()) finish();
  result_.ok = !report_.any();
  return result_;
}

void Run::run_core(int tlt) {
  Tlt& t = at(tlt);
  while (!broken_ && !report_.full()) {
    const std::int64_t count = t.core.run(limits_.steps - result_.instructions);
    t.count += count;
    result_.instructions += count;
    if (!t.core.refusal().empty()) {
      const bool word = !code_.empty() && (t.core.position() >= static_cast<int>(code_.size()) ||
                                           !code_[static_cast<std::size_t>(t.core.position())]);
      return refuse(tlt, word ? Rule::illegal_word : Rule::illegal_operand, t.core.refusal(),
                    "an instruction of docs/nmp-program.md");
    }
    if (!t.core.next())
      return refuse(tlt, Rule::step_budget, fmt::format("more than {} instructions have run", limits_.steps),
                    "a program that ends");
    if (!act(tlt)) return;
    t.core.pass();
    ++t.count;
    ++result_.instructions;
  }
}

bool Run::act(int tlt) {
  Tlt& t = at(tlt);
  switch (t.core.next()->operation) {
    case Operation::load:
    case Operation::load_3d:
    case Operation::store:
    case Operation::store_3d:
      transfer(tlt);
      return true;
    case Operation::fetch:
      fetch(tlt);
      return true;
    case Operation::conv2d:
    case Operation::pool:
    case Operation::veop:
    case Operation::activation:
    case Operation::percept:
      convolve(tlt);
      return true;
    case Operation::wait:
      return wait(tlt);
    case Operation::post:
      post(tlt);
      return true;
    case Operation::sync:
      t.state = State::syncs;
      ++syncing_;
      return false;
    default:
      t.state = State::halted;
      ++halted_;
      ++result_.instructions;
      return false;
  }
}

void Run::refuse(int tlt, Rule rule, const std::string& what, const std::string& expected, const std::string& hint) {
  report_.at(step_of(tlt), rule, what, expected, hint);
  broken_ = true;
}

bool Run::spend(std::int64_t work) {
  work_ += work;
  if (work_ <= looks_per_step * limits_.steps) return true;
  report_.error("program", Rule::step_budget,
                fmt::format("more than {} looks at bytes", looks_per_step * limits_.steps), "a program of one layer");
  broken_ = true;
  return false;
}

// Core, then its unit: what the core knows, the unit knows.
Epoch Run::begin(int tlt, Unit unit) {
  const int agent = agent_of(tlt, unit);
  Clocks& mine = clocks(agent);
  if (unit != Unit::core) join(mine, clocks(agent_of(tlt, Unit::core)));
  const std::uint32_t clock = ++mine[static_cast<std::size_t>(agent)];
  auto& instructions = instructions_[static_cast<std::size_t>(agent)];
  instructions.resize(clock + std::size_t{1}, at(tlt).core.position());
  return {agent, clock};
}

int Run::instruction_of(const Epoch& step) const {
  const auto& instructions = instructions_[static_cast<std::size_t>(step.agent)];
  return step.clock < instructions.size() ? instructions[step.clock] : 0;
}

std::string Run::name_of(const Epoch& step) const {
  return fmt::format("{} of {} (instruction {})", name_of_unit(unit_of(step.agent)),
                     report_.name_of_tlt(tlt_of(step.agent)), instruction_of(step));
}

bool Run::wait(int tlt) {
  Tlt& t = at(tlt);
  const Instruction& i = *t.core.next();
  const std::size_t wanted = t.core.x(i.rs1);
  if (wanted == 0) {
    refuse(tlt, Rule::illegal_operand, "it waits for 0 posts", "at least 1");
    return false;
  }
  Semaphore& semaphore = t.posts[i.rd];
  if (semaphore.pending() < wanted) {
    t.state = State::waits;
    return false;
  }
  t.state = State::runs;
  const int agent = agent_of(tlt, Unit::core);
  pending_ -= static_cast<std::int64_t>(wanted * clocks_.size());
  const auto found = semaphore.take(wanted, agent, clocks(agent));
  auto& instructions = instructions_[static_cast<std::size_t>(agent)];
  instructions.resize(clocks(agent)[static_cast<std::size_t>(agent)] + std::size_t{1}, t.core.position());
  if (found)
    report_.at(step_of(tlt), Rule::post_order,
               fmt::format("semaphore {}: it may take another post instead of that by the {}", i.rd, name_of(*found)),
               "posters that post again only after the wait that took their last post");
  return spend(static_cast<std::int64_t>(wanted * clocks_.size()));
}

void Run::add_post(int from, int to, int semaphore, const Epoch& step, const std::shared_ptr<const Clocks>& clocks) {
  Tlt& t = at(to);
  pending_ += static_cast<std::int64_t>(clocks_.size());
  if (pending_ > most_pending)
    return refuse(from, Rule::posts_left,
                  fmt::format("too many posts lie in semaphores, as in semaphore {}", semaphore),
                  "posts that are waited for");
  const auto found = t.posts[static_cast<std::size_t>(semaphore)].add({step, clocks}, agent_of(to, Unit::core));
  if (found)
    report_.at(step_of(from), Rule::post_order,
               fmt::format("semaphore {} of {}: its post may be taken instead of that by the {}", semaphore,
                           report_.name_of_tlt(to), name_of(*found)),
               "a post that comes after the wait that took the last one");
  if (t.state != State::waits || t.core.next()->rd != semaphore ||
      t.posts[static_cast<std::size_t>(semaphore)].pending() < t.core.x(t.core.next()->rs1))
    return;
  t.state = State::runs;
  runnable_.push_back(to);
}

void Run::post(int tlt) {
  const Instruction& i = *at(tlt).core.next();
  const std::uint32_t mask = at(tlt).core.x(i.rs1), tles = at(tlt).core.x(i.rs2);
  if (machine_.tlts < 32 && mask >> machine_.tlts != 0)
    return refuse(tlt, Rule::illegal_operand, fmt::format("it posts to TLTs 0x{:x}", mask),
                  fmt::format("the {} of a TLE", machine_.tlts));
  if (posts_to_tles(i) && machine_.tles < 32 && tles >> machine_.tles != 0)
    return refuse(tlt, Rule::illegal_operand, fmt::format("it posts to TLEs 0x{:x}", tles),
                  fmt::format("the {} of the machine", machine_.tles));
  const Epoch step = begin(tlt, Unit::core);
  const auto known = std::make_shared<const Clocks>(clocks(step.agent));
  for (int other = 0; other < static_cast<int>(tlts_.size()) && !broken_; ++other) {
    const int tle = other / machine_.tlts;
    const bool meant = posts_to_tles(i) ? tle < 32 && (tles >> tle & 1U) != 0 : tle == tlt / machine_.tlts;
    if (meant && (mask >> other % machine_.tlts & 1U) != 0 && spend(static_cast<std::int64_t>(clocks_.size())))
      add_post(tlt, other, i.rd, step, known);
  }
}

// All cores know of all that all have done before.
void Run::open_sync() {
  if (syncing_ + halted_ < static_cast<int>(tlts_.size())) {
    refuse_deadlock();
    return;
  }
  if (halted_ > 0) {
    const auto early = std::find_if(tlts_.begin(), tlts_.end(), [](const Tlt& t) { return t.state == State::halted; });
    return refuse(static_cast<int>(early - tlts_.begin()), Rule::halts_early, "it halts while others still sync",
                  "as many syncs as the others have");
  }
  Clocks all(clocks_.size());
  for (int tlt = 0; tlt < static_cast<int>(tlts_.size()); ++tlt) join(all, clocks(agent_of(tlt, Unit::core)));
  if (!spend(static_cast<std::int64_t>(2 * clocks_.size() * tlts_.size()))) return;
  syncing_ = 0;
  for (int tlt = 0; tlt < static_cast<int>(tlts_.size()); ++tlt) {
    const int agent = agent_of(tlt, Unit::core);
    clocks(agent) = all;
    begin(tlt, Unit::core);
    Tlt& t = at(tlt);
    t.state = State::runs;
    t.core.pass();
    ++t.count;
    ++result_.instructions;
    runnable_.push_back(tlt);
  }
}

void Run::refuse_deadlock() {
  constexpr int named = 4;
  std::string waiting;
  int first = -1, count = 0;
  for (int tlt = 0; tlt < static_cast<int>(tlts_.size()); ++tlt) {
    Tlt& t = at(tlt);
    if (t.state == State::halted) continue;
    if (first < 0) first = tlt;
    if (++count > named) continue;
    waiting += fmt::format("{}{} (instruction {}) for ", waiting.empty() ? "" : "; ", report_.name_of_tlt(tlt),
                           t.core.position());
    const Instruction& i = *t.core.next();
    waiting += t.state == State::syncs ? std::string("the others to sync")
                                       : fmt::format("{} posts of semaphore {}, which has {}", t.core.x(i.rs1), i.rd,
                                                     t.posts[i.rd].pending());
  }
  if (count > named) waiting += fmt::format("; and {} more", count - named);
  refuse(first, Rule::deadlock, "nobody can go on: waiting are " + waiting, "a post for every wait");
}

void Run::finish() {
  if (halted_ < static_cast<int>(tlts_.size())) return refuse_deadlock();
  for (int tlt = 0; tlt < static_cast<int>(tlts_.size()); ++tlt)
    for (std::size_t s = 0; s < semaphores; ++s)
      if (const Semaphore& semaphore = at(tlt).posts[s]; semaphore.pending() > 0)
        report_.error(
            fmt::format("instruction {} ({})", instruction_of(semaphore.oldest().step), report_.name_of_tlt(tlt)),
            Rule::posts_left,
            fmt::format("semaphore {} has {} posts when all have halted, the first by the {}", s, semaphore.pending(),
                        name_of(semaphore.oldest().step)),
            "a wait for every post");
  static constexpr std::array<const char*, traffic_kinds> kinds{
      "input", "weights", "loads of partial sums", "stores of partial sums", "output", "tables"};
  for (std::size_t kind = 0; kind < traffic_kinds; ++kind)
    if (dram_.traffic()[kind] != program_.traffic[kind])
      report_.error("program", Rule::traffic, fmt::format("{} move {} bytes", kinds[kind], dram_.traffic()[kind]),
                    fmt::format("{}, as planned", program_.traffic[kind]));
  for (const ProgramLayer& layer : program_.layers)
    if (const auto byte = dram_.missing(layer))
      report_.error("layer '" + layer.name + '\'', Rule::output_missing,
                    fmt::format("nothing writes DRAM byte {}", *byte), "all of its output");
}

}  // namespace convscope::nmp::verification
