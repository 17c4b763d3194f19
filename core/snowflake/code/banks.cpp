#include "core/snowflake/code/banks.h"

#include "core/snowflake/code/registers.h"

namespace convscope::snowflake {
namespace {

// Which atoms share a bank: [first, last) each.
std::vector<std::pair<std::size_t, std::size_t>> groups(const std::vector<PlacedAtom>& atoms,
                                                        const ComputeMachine& machine) {
  std::vector<std::pair<std::size_t, std::size_t>> list;
  std::size_t first = 0, size = 0;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const std::size_t more = atoms[i].atom.list.size();
    if (size + more > static_cast<std::size_t>(atom_limit(machine))) {
      list.emplace_back(first, i);
      first = i;
      size = 0;
    }
    size += more;
  }
  list.emplace_back(first, atoms.size());
  return list;
}

class Packer {
 public:
  Packer(const std::vector<PlacedAtom>& atoms, const ComputeMachine& machine, std::int64_t dram_word)
      : atoms_(atoms), machine_(machine), dram_word_(dram_word), groups_(groups(atoms, machine)) {}

  Banks run() {
    std::int64_t at = dram_word_;
    for (std::size_t bank = 0; bank < groups_.size(); ++bank) {
      const int first = static_cast<int>(banks_.code.size());
      put_bank(bank);
      const int count = static_cast<int>(banks_.code.size()) - first;
      banks_.blocks.push_back({first, count, at});
      at += std::int64_t{count} * instruction_words;
    }
    return std::move(banks_);
  }

 private:
  // LD of the next bank: it can't run into the running one.
  Code head(std::size_t bank) const {
    Code code(machine_.delay_slots);
    if (bank == 0 && groups_.size() > 1)
      code.set(next_bank_register, dram_word_ + std::int64_t{size_of(0)} * instruction_words);
    if (bank + 1 < groups_.size()) {
      const int words = size_of(bank + 1) * instruction_words;
      code.set(reg::scratch.back(), words);
      code.put(load(reg::zero, next_bank_register, reg::scratch.back(), {0, LoadTarget::instructions, 0, 0}, false));
      code.add(next_bank_register, next_bank_register, words);
    }
    return code;
  }

  Code tail(std::size_t bank) const {
    Code code(machine_.delay_slots);
    Instruction jump = branch(Opcode::beq, reg::zero, reg::zero, 0);
    jump.mode = bank + 1 < groups_.size();  // else offset 0: halt
    code.put(jump);
    code.nops(machine_.delay_slots);
    return code;
  }

  int size_of(std::size_t bank) const {
    // Lengths of constants don't depend on what is not known yet: banks lie behind `dram_word_`, heads differ by the
    // constant of the first one alone.
    int size = 1 + machine_.delay_slots + (bank + 1 < groups_.size() ? 3 : 0);
    if (bank == 0 && groups_.size() > 1) size += constant_size();
    for (std::size_t i = groups_[bank].first; i < groups_[bank].second; ++i)
      size += static_cast<int>(atoms_[i].atom.list.size());
    return size;
  }

  int constant_size() const { return 3; }

  void put(const Code& code, CodeRange::Kind kind, int layer, int tile) {
    if (code.size() == 0) return;
    banks_.ranges.push_back(
        {kind, static_cast<int>(banks_.code.size()), static_cast<int>(code.size()), layer, tile, 0});
    for (const Instruction& instruction : code.list()) banks_.code.push_back(encode(instruction));
  }

  void put_bank(std::size_t bank) {
    const auto [first, last] = groups_[bank];
    const int layer = first < atoms_.size() ? atoms_[first].layer : 0, tile = first < last ? atoms_[first].tile : 0;
    Code code = head(bank);
    if (bank == 0 && groups_.size() > 1) {
      // The constant may be shorter than its room.
      const int missing = constant_size() + (groups_.size() > 1 ? 3 : 0) - static_cast<int>(code.size());
      code.nops(missing);
    }
    put(code, CodeRange::Kind::loads, layer, tile);
    for (std::size_t i = first; i < last; ++i) put(atoms_[i]);
    put(tail(bank), CodeRange::Kind::jump, layer, tile);
  }

  void put(const PlacedAtom& placed) {
    const int base = static_cast<int>(banks_.code.size());
    for (CodeRange range : placed.atom.ranges) {
      range.first += base;
      range.layer = placed.layer;
      range.tile = placed.tile;
      banks_.ranges.push_back(range);
    }
    for (const Instruction& instruction : placed.atom.list) banks_.code.push_back(encode(instruction));
  }

  const std::vector<PlacedAtom>& atoms_;
  const ComputeMachine& machine_;
  std::int64_t dram_word_;
  std::vector<std::pair<std::size_t, std::size_t>> groups_;
  Banks banks_;
};

}  // namespace

Banks pack(const std::vector<PlacedAtom>& atoms, const ComputeMachine& machine, std::int64_t dram_word) {
  return Packer(atoms, machine, dram_word).run();
}

}  // namespace convscope::snowflake
