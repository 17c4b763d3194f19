#include "core/snowflake/verify/verify_loads.h"

#include <algorithm>

#include <fmt/format.h>

namespace convscope::snowflake::verification {
namespace {

const char* kinds_text(LoadTarget target) {
  return target == LoadTarget::maps ? "words of one region of input, maps, output or zeros that is alive in this layer"
                                    : "words of one region of kernels or zeros that is alive in this layer";
}

}  // namespace

InstructionBanks::InstructionBanks(const Program& program) {
  for (auto& bank : banks_) bank.assign(static_cast<std::size_t>(program.machine.instruction_bank), -1);
  const CodeBlock& first = program.blocks.front();
  for (int i = 0; i < first.count; ++i) banks_[0][static_cast<std::size_t>(i)] = first.first + i;
}

Loads::Loads(const Program& program, Report& report)
    : finished(program.machine.queue),
      maps(program.machine.cus, 2 * std::int64_t{program.machine.maps_bank_words}, maps_region_words, finished),
      kernels(program.machine.cus * program.machine.vmacs, 2 * std::int64_t{program.machine.kernel_bank_stride()},
              kernel_region_words, finished),
      memory(program),
      banks(program),
      program_(program),
      report_(report) {}

void Loads::run(const Load& load, std::int64_t vectors) {
  ++loads;
  const LoadId id{load.field.unit, ++numbers_[static_cast<std::size_t>(load.field.unit)], vectors};
  if (load.field.target == LoadTarget::instructions) return load_instructions(load, id);
  if (!has_length(load, 1)) return;
  if (!has_source(load)) return;
  if (load.field.target == LoadTarget::kernels) return load_buffer(load, kernels, kernel_buffers(load), id);
  load_buffer(load, maps, load.all ? maps.all() : BufferMask{1} << load.field.cu, id);
}

BufferMask Loads::kernel_buffers(const Load& load) const {
  const int vmacs = program_.machine.vmacs;
  BufferMask which = 0;
  for (int cu = 0; cu < program_.machine.cus; ++cu)
    if (load.all || cu == load.field.cu) which |= BufferMask{1} << (cu * vmacs + load.field.vmac);
  return which;
}

bool Loads::has_length(const Load& load, std::int64_t unit) {
  if (load.words > 0 && load.words % unit == 0) return true;
  report_.at(load.address, Rule::load_length, fmt::format("LD of {} words", load.words),
             unit == 1 ? "at least 1" : "two for each instruction");
  return false;
}

bool Loads::has_source(const Load& load) {
  const auto access = load.field.target == LoadTarget::maps ? Memory::Access::load_maps : Memory::Access::load_kernels;
  const Region* const region = memory.find(access, load.address, load.from, load.words);
  if (!region) {
    report_.at(load.address, Rule::load_source,
               fmt::format("LD of words {} to {}", load.from, load.from + load.words - 1),
               kinds_text(load.field.target));
    return false;
  }
  if (!memory.holds(*region, load.from, load.words))
    report_.at(load.address, Rule::never_written, "LD of " + memory.missing(*region, load.from, load.words),
               "words that an earlier vector instruction writes");
  return true;
}

void Loads::add_source(const Load& load, const LoadId& id) {
  if (sources_.size() >= many_sources_) {
    work += static_cast<std::int64_t>(sources_.size());
    std::erase_if(sources_, [&](const Source& source) { return finished.over(source.id, id.vectors); });
    many_sources_ = std::max<std::size_t>(16, 2 * sources_.size());
  }
  sources_.push_back({load.from, load.from + load.words, id});
}

// What was dispatched before ran before, so whatever it waited for is over.
void Loads::written(int address, std::int64_t first, std::int64_t words, std::int64_t vector) {
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const Source& source = sources_[i];
    if (source.first >= first + words || first >= source.end) continue;
    if (!finished.over(source.id, vector + 1))
      report_.at(address, Rule::write_race,
                 fmt::format("writes words {} to {} of DRAM, which unit {} is perhaps still loading", first,
                             first + words - 1, source.id.unit),
                 "a vector instruction before it that reads what was loaded");
    sources_.erase(sources_.begin() + static_cast<std::ptrdiff_t>(i--));
  }
}

void Loads::load_buffer(const Load& load, BufferSet& buffers, BufferMask which, const LoadId& id) {
  if (load.to < 0 || load.to + load.words > buffers.words())
    return report_.at(load.address, Rule::buffer_end,
                      fmt::format("LD to buffer words {} to {}", load.to, load.to + load.words - 1),
                      fmt::format("0 to {}", buffers.words() - 1));
  work += buffers.work_of(which, load.words) + buffers.unread_in(which, load.to, load.words);
  const std::int64_t reader = buffers.last_reader(which, load.to, load.words);
  if (reader >= 0 && id.vectors - reader <= program_.machine.queue)
    report_.at(load.address, Rule::early_load,
               fmt::format("LD to words {} to {}, of whose regions a vector instruction reads that {} followed",
                           load.to, load.to + load.words - 1, id.vectors - reader - 1),
               fmt::format("{} vector instructions between, the queue's size", program_.machine.queue),
               "move the LD down, or let fillers (VMOV) run before it");
  // Vector instructions that the queue has let go have ended.
  const LoadId* const other = buffers.other_load(which, load.to, load.words, id, id.vectors - program_.machine.queue);
  if (other)
    report_.at(load.address, Rule::load_race,
               fmt::format("LD of unit {} to words that unit {} is perhaps still loading", id.unit, other->unit),
               "another place, the same unit, or a vector instruction that reads them between");
  buffers.load(which, load.to, load.words, id);
  if (memory.changes(load.from, load.words)) add_source(load, id);
}

void Loads::load_instructions(const Load& load, const LoadId& id) {
  if (!has_length(load, instruction_words)) return;
  const std::int64_t first = load.to / instruction_words, count = load.words / instruction_words;
  if (load.to < 0 || load.to % instruction_words != 0 || first + count > program_.machine.instruction_bank)
    return report_.at(
        load.address, Rule::buffer_end,
        fmt::format("LD to words {} to {} of an instruction bank", load.to, load.to + load.words - 1),
        fmt::format("whole instructions, words 0 to {}", instruction_words * program_.machine.instruction_bank - 1));
  work += count;
  for (std::int64_t i = 0; i < count; ++i) {
    const int instruction = memory.instruction_at(load.from + instruction_words * i);
    if (instruction < 0)
      return report_.at(load.address, Rule::load_source,
                        fmt::format("LD of instructions from word {}", load.from + instruction_words * i),
                        "words of blocks", "register 28 should hold the place of the next block");
    banks.load(static_cast<int>(first + i), instruction);
  }
  ++bank_version;
  work += static_cast<std::int64_t>(bank_loads_.size());
  for (const BankLoad& other : bank_loads_)
    if (other.id.unit != id.unit && other.first < first + count && first < other.end)
      report_.at(load.address, Rule::load_race,
                 fmt::format("LD of unit {} to a bank that unit {} is perhaps still "
                             "loading",
                             id.unit, other.id.unit),
                 "the same unit, or a jump between");
  bank_loads_.push_back({first, first + count, id});
}

void Loads::jumped() {
  for (const BankLoad& load : bank_loads_) finished.control_waited(load.id);
  bank_loads_.clear();
  banks.swap();
  ++bank_version;
}

}  // namespace convscope::snowflake::verification
