#include "core/nmp/architecture/instruction_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/nmp/architecture/assembly.h"

namespace convscope::nmp {
namespace {

constexpr std::array<std::string_view, 32> abi_names{
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
    "a6",   "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

std::optional<std::int64_t> number(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const bool is_hexadecimal = text.starts_with("0x");
  if (is_hexadecimal) text.remove_prefix(2);
  const auto value = parse_integer<std::uint32_t>(text, is_hexadecimal ? 16 : 10);
  if (!value) return std::nullopt;
  return negative ? -std::int64_t{*value} : std::int64_t{*value};
}

/// The operands of a line, one after the other; keeps the first complaint.
class Operands {
 public:
  Operands(std::string_view text, std::string& error) : error_(error) {
    if (trimmed(text).empty()) return;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      parts_.emplace_back(trimmed(text.substr(begin, end - begin)));
      begin = end + 1;
    }
  }

  bool more() const { return next_ < parts_.size(); }
  std::string_view take(const char* what) {
    if (!error_.empty()) return {};
    if (!more()) {
      error_ = fmt::format("{} is missing", what);
      return {};
    }
    return parts_[next_++];
  }
  std::int64_t number_in(const char* what, std::int64_t lowest, std::int64_t highest) {
    const std::string_view text = take(what);
    return error_.empty() ? checked(text, what, lowest, highest) : 0;
  }
  std::uint8_t reg(const char* what) {
    const std::string_view text = take(what);
    return error_.empty() ? register_named(text, what) : std::uint8_t{0};
  }
  std::uint8_t register_named(std::string_view text, const char* what) {
    const auto abi = std::find(abi_names.begin(), abi_names.end(), text);
    if (abi != abi_names.end()) return static_cast<std::uint8_t>(abi - abi_names.begin());
    if (text == "fp") return 8;
    const auto value = text.starts_with('x') ? number(text.substr(1)) : std::nullopt;
    if (value && *value >= 0 && *value < 32) return static_cast<std::uint8_t>(*value);
    refuse(what, text, "x0 to x31");
    return 0;
  }
  std::int64_t checked(std::string_view text, const char* what, std::int64_t lowest, std::int64_t highest) {
    const auto value = number(text);
    if (value && *value >= lowest && *value <= highest) return *value;
    refuse(what, text, fmt::format("{} to {}", lowest, highest));
    return 0;
  }
  void refuse(const char* what, std::string_view text, const std::string& expected) {
    if (error_.empty()) error_ = fmt::format("{} is {}; expected {}", what, convscope::quoted(text), expected);
  }
  void expect_end() {
    if (error_.empty() && more()) error_ = fmt::format("{} is one operand too many", convscope::quoted(parts_[next_]));
  }

 private:
  std::vector<std::string> parts_;
  std::size_t next_ = 0;
  std::string& error_;
};

/// "8(x2)".
void offset_operand(Operands& operands, Instruction& i) {
  const std::string_view text = operands.take("the address");
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos || !text.ends_with(')'))
    return operands.refuse("the address", text, "an offset and a register, as 8(x2)");
  const std::string_view offset = trimmed(text.substr(0, open));
  i.immediate = offset.empty() ? 0 : static_cast<std::int32_t>(operands.checked(offset, "the offset", -2048, 2047));
  i.rs1 = operands.register_named(trimmed(text.substr(open + 1, text.size() - open - 2)), "the address");
}

/// A label, or ".+8".
void target_operand(Operands& operands, Instruction& i, std::string& label, std::int64_t reach) {
  const std::string_view text = operands.take("the target");
  if (!text.starts_with('.')) {
    label = std::string(text);
    return;
  }
  const std::string_view offset = text.starts_with(".+") ? text.substr(2) : text.substr(1);
  i.immediate = static_cast<std::int32_t>(operands.checked(offset, "the target", -reach, reach - 4));
  if (i.immediate % 4 != 0) operands.refuse("the target", text, "a multiple of 4 from here");
}

void variant_operand(Operands& operands, Instruction& i) {
  const std::string_view text = operands.take("what is computed");
  std::string known;
  for (std::size_t index = 0; index < computations; ++index) {
    const auto computation = static_cast<Computation>(index);
    const Instruction with = instruction_of(computation);
    if (with.operation != i.operation) continue;
    if (variant_of(computation) == text) {
      i.funct7 = with.funct7;
      return;
    }
    known += fmt::format("{}{}", known.empty() ? "" : ", ", variant_of(computation));
  }
  operands.refuse("what is computed", text, known);
}

void custom_operands(Operands& operands, Instruction& i) {
  const auto semaphore = [&] {
    i.rd = static_cast<std::uint8_t>(operands.number_in("the semaphore", 0, semaphores - 1));
  };
  switch (i.operation) {
    case Operation::load:
    case Operation::load_3d:
    case Operation::store:
    case Operation::store_3d: {
      semaphore();
      i.rs1 = operands.reg("the DRAM address");
      i.rs2 = operands.reg("the local address");
      TransferFunction function;
      function.shape = static_cast<int>(operands.number_in("the shape", 0, transfer_shapes - 1));
      while (operands.more()) {
        const std::string_view text = operands.take("who receives it");
        bool& receives = text == "ring" ? function.ring : function.multicast;
        if ((text != "ring" && text != "multicast") || receives || i.operation > Operation::load_3d)
          return operands.refuse("the last operand", text, "multicast, ring or both, of loads alone");
        receives = true;
      }
      i.funct7 = funct7_of(function);
      return;
    }
    case Operation::fetch:
      i.rs1 = operands.reg("the DRAM address");
      i.rs2 = operands.reg("the local address");
      i.funct7 = funct7_of({static_cast<int>(operands.number_in("the shape", 0, transfer_shapes - 1)), false});
      return;
    case Operation::conv2d:
    case Operation::pool:
    case Operation::veop:
    case Operation::activation:
    case Operation::percept:
      semaphore();
      if (i.operation != Operation::pool && i.operation != Operation::activation) i.rs1 = operands.reg("W");
      i.rs2 = operands.reg("OUT");
      if (i.operation != Operation::conv2d && i.operation != Operation::percept) variant_operand(operands, i);
      return;
    case Operation::cfg: {
      const std::string_view text = operands.take("the register of C");
      const auto value = text.starts_with('C') ? number(text.substr(1)) : std::nullopt;
      if (!value || *value < 0 || *value > 62 || *value % 2 != 0)
        return operands.refuse("the register of C", text, "C0, C2, … C62");
      i.funct7 = static_cast<std::uint8_t>(*value / 2);
      i.rs1 = operands.reg("the first value");
      i.rs2 = operands.reg("the second value");
      return;
    }
    case Operation::wait:
    case Operation::post:
      semaphore();
      i.rs1 = operands.reg("the operand");
      if (i.operation == Operation::wait || !operands.more()) return;
      i.rs2 = operands.reg("the TLEs");
      i.funct7 = 1;
      return;
    default:
      return;
  }
}

void plain_operands(Operands& operands, Instruction& i, std::string& label) {
  switch (format_of(i.operation)) {
    case Format::r:
      i.rd = operands.reg("rd");
      i.rs1 = operands.reg("rs1");
      i.rs2 = operands.reg("rs2");
      return;
    case Format::i:
      i.rd = operands.reg("rd");
      if (i.operation <= Operation::lhu) return offset_operand(operands, i);
      i.rs1 = operands.reg("rs1");
      i.immediate = static_cast<std::int32_t>(operands.number_in("the immediate", -2048, 2047));
      return;
    case Format::shift:
      i.rd = operands.reg("rd");
      i.rs1 = operands.reg("rs1");
      i.immediate = static_cast<std::int32_t>(operands.number_in("the shift", 0, 31));
      return;
    case Format::s:
      i.rs2 = operands.reg("rs2");
      return offset_operand(operands, i);
    case Format::b:
      i.rs1 = operands.reg("rs1");
      i.rs2 = operands.reg("rs2");
      return target_operand(operands, i, label, 4096);
    case Format::u:
      i.rd = operands.reg("rd");
      i.immediate =
          static_cast<std::int32_t>(static_cast<std::uint32_t>(operands.number_in("the immediate", 0, 0xfffff)) << 12);
      return;
    case Format::j:
      i.rd = operands.reg("rd");
      return target_operand(operands, i, label, 1 << 20);
    case Format::none:
      return;
  }
}

/// GNU's ".insn r CUSTOM_0, funct3, funct7, rd, rs1, rs2".
EncodedInstruction insn_operands(Operands& operands) {
  constexpr std::array<std::uint32_t, 4> opcodes{0x0b, 0x2b, 0x5b, 0x7b};
  const std::string_view name = operands.take("the opcode");
  const auto index = name.starts_with("CUSTOM_") ? number(name.substr(7)) : std::nullopt;
  if (!index || *index < 0 || *index > 3) {
    operands.refuse("the opcode", name, "CUSTOM_0 to CUSTOM_3");
    return 0;
  }
  const auto funct3 = static_cast<std::uint32_t>(operands.number_in("funct3", 0, 7));
  const auto funct7 = static_cast<std::uint32_t>(operands.number_in("funct7", 0, 127));
  const std::uint32_t rd = operands.reg("rd"), rs1 = operands.reg("rs1"), rs2 = operands.reg("rs2");
  return opcodes[static_cast<std::size_t>(*index)] | rd << 7 | funct3 << 12 | rs1 << 15 | rs2 << 20 | funct7 << 25;
}

std::optional<Operation> operation_named(std::string_view name) {
  for (int i = 0; i < operation_count; ++i)
    if (name_of(static_cast<Operation>(i)) == name) return static_cast<Operation>(i);
  return std::nullopt;
}

std::string target_text(const Instruction& i, const std::string& label) {
  return label.empty() ? fmt::format(".{:+}", i.immediate) : label;
}

std::string custom_text(const Instruction& i) {
  switch (i.operation) {
    case Operation::cfg:
      return fmt::format("nmp_cfg C{}, x{}, x{}", 2 * i.funct7, i.rs1, i.rs2);
    case Operation::post:
      if (posts_to_tles(i)) return fmt::format("nmp_post {}, x{}, x{}", i.rd, i.rs1, i.rs2);
      [[fallthrough]];
    case Operation::wait:
      return fmt::format("{} {}, x{}", name_of(i.operation), i.rd, i.rs1);
    case Operation::conv2d:
    case Operation::percept:
      return fmt::format("{} {}, x{}, x{}", name_of(i.operation), i.rd, i.rs1, i.rs2);
    case Operation::veop:
      return fmt::format("nmp_veop {}, x{}, x{}, {}", i.rd, i.rs1, i.rs2, variant_of(computation_of(i)));
    case Operation::pool:
    case Operation::activation:
      return fmt::format("{} {}, x{}, {}", name_of(i.operation), i.rd, i.rs2, variant_of(computation_of(i)));
    case Operation::sync:
      return "nmp_sync";
    case Operation::fetch:
      return fmt::format("nmp_fetch x{}, x{}, {}", i.rs1, i.rs2, transfer_function(i.funct7).shape);
    default:
      break;
  }
  const TransferFunction function = transfer_function(i.funct7);
  return fmt::format("{} {}, x{}, x{}, {}{}{}", name_of(i.operation), i.rd, i.rs1, i.rs2, function.shape,
                     function.multicast ? ", multicast" : "", function.ring ? ", ring" : "");
}

std::string plain_text(const Instruction& i, const std::string& label) {
  const std::string_view name = name_of(i.operation);
  switch (format_of(i.operation)) {
    case Format::r:
      return fmt::format("{} x{}, x{}, x{}", name, i.rd, i.rs1, i.rs2);
    case Format::i:
      if (i.operation <= Operation::lhu) return fmt::format("{} x{}, {}(x{})", name, i.rd, i.immediate, i.rs1);
      return fmt::format("{} x{}, x{}, {}", name, i.rd, i.rs1, i.immediate);
    case Format::shift:
      return fmt::format("{} x{}, x{}, {}", name, i.rd, i.rs1, i.immediate);
    case Format::s:
      return fmt::format("{} x{}, {}(x{})", name, i.rs2, i.immediate, i.rs1);
    case Format::b:
      return fmt::format("{} x{}, x{}, {}", name, i.rs1, i.rs2, target_text(i, label));
    case Format::u:
      return fmt::format("{} x{}, 0x{:x}", name, i.rd, static_cast<std::uint32_t>(i.immediate) >> 12);
    case Format::j:
      return fmt::format("{} x{}, {}", name, i.rd, target_text(i, label));
    case Format::none:
      break;
  }
  return std::string(name);
}

}  // namespace

ParsedInstruction parse_instruction(std::string_view line, std::string& error) {
  const std::string_view text = trimmed(line);
  const std::size_t name_end = std::min(text.find_first_of(" \t"), text.size());
  const std::string_view name = text.substr(0, name_end);
  std::string_view rest = trimmed(text.substr(name_end));
  ParsedInstruction parsed;
  if (name == ".insn" && rest.starts_with("r ")) {
    Operands operands(rest.substr(2), error);
    parsed.word = insn_operands(operands);
    operands.expect_end();
    return parsed;
  }
  Operands operands(rest, error);
  if (name == ".word") {
    parsed.word = static_cast<EncodedInstruction>(operands.number_in("the word", 0, UINT32_MAX));
    operands.expect_end();
    return parsed;
  }
  const auto operation = operation_named(name);
  if (!operation) {
    error = fmt::format("unknown instruction {}", convscope::quoted(name));
    return parsed;
  }
  Instruction i;
  i.operation = *operation;
  if (is_custom(*operation))
    custom_operands(operands, i);
  else
    plain_operands(operands, i, parsed.label);
  operands.expect_end();
  if (error.empty()) parsed.word = encode(i);
  return parsed;
}

std::string instruction_text(EncodedInstruction word, const std::string& label) {
  const auto i = decode(word);
  if (!i) return fmt::format(".word 0x{:08x}", word);
  return is_custom(i->operation) ? custom_text(*i) : plain_text(*i, label);
}

}  // namespace convscope::nmp
