#pragma once
// The computer that programs are estimated for: one core's vector units, and the levels of memory behind it.
// Parameters as in "Automatic Program Generation for Convolutional Neural Networks on Resource Constrained Devices",
// sections 2.3 and 3.2, where machines are described by these; what a program is made for and what it costs are apart.

#include <array>
#include <cstdint>
#include <memory>

#include "core/arch/parameters.h"
#include "core/cpu/architecture/family.h"
#include "core/cpu/architecture/method.h"
#include "core/flyte/flyte.h"

namespace convscope::cpu {

/// What programs are made for.
struct CodeMachine {
  Family family = Family::avx2;
  int threads = 1;                                ///< that a program uses
  int ranked = 100;                               ///< paths drawn and ranked for a layer at level `estimate`
  std::int64_t seed = 1;                          ///< of drawing
  flyte::Storage weights = {}, activations = {};  ///< what tensors are stored in
  Methods methods = Methods::all;
  bool operator==(const CodeMachine&) const = default;
};

/// A core; cycles are those of `clock_hz`.
struct CoreMachine {
  int registers = 16;   ///< vector registers; what a program wants beyond is spilled
  int unit_bits = 256;  ///< of an FMA unit: a wider vector takes it several times
  double fmas = 2;      ///< per cycle, of `unit_bits`
  int fma_slots = 1;    ///< issue slots of an FMA: 2 where product and sum are two instructions
  int latency = 4;      ///< cycles until the next FMA on the same sum may start
  double loads = 2;     ///< per cycle, of `unit_bits`
  int issue = 4;        ///< instructions per cycle
  double clock_hz = 3e9;
  int cores = 4;
  bool operator==(const CoreMachine&) const = default;
};

struct MemoryLevel {
  std::int64_t bytes = 0;  ///< 0: there is no such level; of DRAM it isn't looked at
  double bandwidth = 0;    ///< byte/s that one core draws from it
  double energy = 0;       ///< J of a byte that it gives or takes; 0: nobody has said
  bool operator==(const MemoryLevel&) const = default;
};

struct MemoryMachine {
  MemoryLevel l1{32 << 10, 190e9}, l2{512 << 10, 95e9}, l3{8 << 20, 48e9}, dram{std::int64_t{4} << 30, 16e9};
  bool operator==(const MemoryMachine&) const = default;

  std::array<const MemoryLevel*, 4> levels() const { return {&l1, &l2, &l3, &dram}; }
};

inline constexpr std::array<const char*, 4> memory_names{"L1", "L2", "L3", "DRAM"};

/// What the estimate looks at.
struct CpuMachine : CoreMachine, MemoryMachine {
  bool operator==(const CpuMachine&) const = default;

  double vector_fmas(int lanes) const;  ///< per cycle, of vectors of so many floats
  double vector_loads(int lanes) const;
  double peak() const;  ///< FLOP/s of one core, two for each multiply-add
};

struct Machine : CodeMachine, CpuMachine {
  bool operator==(const Machine&) const = default;
};

/// All parameters with ranges, help and constraints.
std::shared_ptr<const arch::MachineDescription> machine_description();
Machine machine_from(const arch::ParameterValues& values);
arch::ParameterValues parameter_values(const Machine& machine);

}  // namespace convscope::cpu
