#include "core/snowflake/verify/verify_vectors.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace convscope::snowflake::verification {
Vectors::Vectors(const Program& program, Loads& loads, Report& report)
    : machine_(program.machine), loads_(loads), report_(report) {}

void Vectors::run(int address, const Operation& operation, const Registers& values) {
  address_ = address;
  if (values[configuration_register] != configured_) configure(address, values[configuration_register]);
  if (operation.opcode != Opcode::vmov) accumulate(operation);
  if (cus_ != 0) {
    if (operation.opcode == Opcode::vmov)
      move(operation, values[operation.rs1]);
    else if (operation.opcode == Opcode::max || configuration_.lanes)
      pixels(operation, values);
    else
      mac(operation, values);
  }
  ++count;
}

void Vectors::configure(int address, std::int32_t value) {
  configured_ = value;
  configuration_ = configuration(static_cast<std::uint32_t>(value));
  const BufferMask all = loads_.maps.all();
  cus_ = configuration_.cus & all;
  vmacs_ = first_vmacs_ = 0;
  for (int cu = 0; cu < machine_.cus; ++cu)
    if (cus_ >> cu & 1U) {
      vmacs_ |= (~BufferMask{0} >> (64 - machine_.vmacs)) << (cu * machine_.vmacs);
      first_vmacs_ |= BufferMask{1} << (cu * machine_.vmacs);
    }
  if ((configuration_.cus & ~all) != 0)
    report_.at(address, Rule::cu_mask,
               fmt::format("register 26 is 0x{:x}: its mask names CU {}", value,
                           std::bit_width(static_cast<unsigned>(configuration_.cus)) - 1),
               fmt::format("CUs 0 to {}", machine_.cus - 1));
}

/// All traces of a result are of one kind and computed by the same CUs.
void Vectors::accumulate(const Operation& operation) {
  Kind kind = operation.mode ? Kind::independent : Kind::cooperative;
  if (configuration_.lanes) kind = Kind::lanes;
  if (operation.opcode == Opcode::max) kind = Kind::maximum;
  if (open_ && (kind != open_kind_ || cus_ != open_cus_))
    report_.at(address_, Rule::mixed_traces,
               kind != open_kind_ ? "adds in another way than the traces before it"
                                  : "adds on other CUs than the traces before it",
               "one kind of trace and one CU mask from write-back to write-back");
  open_ = !operation.vector.write_back;
  open_kind_ = kind;
  open_cus_ = cus_;
}

/// Bias: a word, or a vector, of each vMAC's own buffer. Bypass: the CU's maps, shared out as the selector says.
void Vectors::move(const Operation& operation, std::int64_t word) {
  const bool single = operation.mode ? operation.immediate < 2 : operation.immediate == 1;
  const std::int64_t words = single ? 1 : machine_.macs;
  if (!operation.mode) return read_kernels(vmacs_, {word, words});
  const bool by_cu = operation.immediate == 0 || operation.immediate == 3;
  const std::int64_t of_cu = words * machine_.vmacs;
  if (!by_cu) return read_maps(cus_, {word, of_cu});
  for (int cu = 0; cu < machine_.cus; ++cu)
    if (cus_ >> cu & 1U) read_maps(BufferMask{1} << cu, {word + cu * of_cu, of_cu});
}

/// MAX, and MAC with lanes: a vector of each of some pixels.
void Vectors::pixels(const Operation& operation, const Registers& values) {
  const int length = operation.vector.length, macs = machine_.macs;
  if (length % macs != 0)
    return report_.at(address_, Rule::trace_length, fmt::format("{} words in vectors of {}", length, macs),
                      fmt::format("a multiple of {}", macs));
  const std::int64_t hop = std::int64_t{std::max(1, configuration_.hop)} * macs, positions = length / macs;
  const std::int64_t first = values[operation.rs1];
  if (hop == macs) {
    read_maps(cus_, {first, length});
  } else {
    for (std::int64_t i = 0; i < positions; ++i) read_maps(cus_, {first + i * hop, macs});
  }
  if (operation.opcode == Opcode::mac) read_kernels(first_vmacs_, {values[operation.rs2], 1});
  if (operation.vector.write_back) write(values[operation.rd], values[cu_stride_register], macs);
}

void Vectors::mac(const Operation& operation, const Registers& values) {
  const std::int64_t length = operation.vector.length, lanes = operation.mode ? machine_.macs : 1;
  read_maps(cus_, {values[operation.rs1], length});
  read_kernels(vmacs_, {values[operation.rs2], length * lanes});
  if (operation.vector.write_back) write(values[operation.rd], values[cu_stride_register], machine_.vmacs * lanes);
}

void Vectors::write(std::int64_t first, std::int64_t stride, std::int64_t words) {
  for (int cu = 0; cu < machine_.cus; ++cu) {
    if ((cus_ >> cu & 1U) == 0) continue;
    const std::int64_t word = first + cu * stride;
    const Region* const region = loads_.memory.find(Memory::Access::write, address_, word, words);
    if (!region || loads_.memory.has_code(*region, word, words))
      return report_.at(
          address_, Rule::output_place, fmt::format("CU {} writes words {} to {} of DRAM", cu, word, word + words - 1),
          "words of one region of maps or output that is alive in this layer, and no code", "check rd and register 27");
    loads_.memory.write(*region, word, words);
    loads_.written(address_, word, words, count);
  }
}

void Vectors::read(BufferSet& buffers, BufferMask which, Trace trace, const char* kind) {
  if (trace.first < 0 || trace.first + trace.words > buffers.words())
    return report_.at(address_, Rule::buffer_end,
                      fmt::format("reads {} words {} to {}", kind, trace.first, trace.first + trace.words - 1),
                      fmt::format("0 to {}", buffers.words() - 1));
  work += which == buffers.all() ? trace.words / 64 : buffers.work_of(which, trace.words);
  buffers.read(which, trace.first, trace.words, count);
  if (buffers.loaded(which, trace.first, trace.words)) return;
  report_.at(address_, Rule::never_loaded,
             fmt::format("reads {} word {}, which no LD has brought", kind,
                         buffers.first_missing(which, trace.first, trace.words)),
             "words that were loaded before");
}

}  // namespace convscope::snowflake::verification
