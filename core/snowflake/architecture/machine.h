#pragma once
// The Snowflake coprocessor: one cluster of compute units (CUs) of vector MACs (vMACs), a control pipeline, load units.
// Source: "Compiling Deep Learning Models for Custom Hardware Accelerators", section 3; what it leaves open is ours.

#include <cstdint>
#include <memory>

#include "core/arch/parameters.h"

namespace convscope::snowflake {

inline constexpr int word_bytes = 2;         ///< maps, kernels, biases: 16-bit fixed point
inline constexpr int instruction_words = 2;  ///< an instruction of 32 bit, in DRAM: low half first
inline constexpr int registers = 32;         ///< of the control pipeline, 32 bit each; register 0 is 0

/// What code is made for: sizes that programs depend on.
struct ComputeMachine {
  int cus = 4;
  int vmacs = 4;                 ///< of a CU
  int macs = 16;                 ///< of a vMAC: words of a vector
  int maps_bank_words = 32768;   ///< a CU has two banks; addresses go from 0 to twice this
  int kernel_bank_words = 4096;  ///< a vMAC has two banks, each with `bias_words` behind its kernels
  int bias_words = 128;
  int instruction_bank = 512;  ///< instructions; two banks
  int queue = 16;              ///< vector instructions waiting or running
  int delay_slots = 4;         ///< instructions that run behind a branch
  int load_units = 4;
  double clock_hz = 250e6;

  bool operator==(const ComputeMachine&) const = default;

  int kernel_bank_stride() const { return kernel_bank_words + bias_words; }  ///< first word of kernel bank 1
  int macs_per_cycle() const { return cus * vmacs * macs; }
  double peak() const { return macs_per_cycle() * clock_hz; }  ///< MAC/s
};

/// How long everything takes, in cycles unless said otherwise.
struct TimingMachine {
  int result_latency = 4;         ///< from the issue of a scalar instruction until its result can be read
  int vector_start = 12;          ///< from dispatch to the first vector if the queue is empty
  int write_back = 1;             ///< added to a vector instruction that writes back
  int gather = 0;                 ///< least cycles between write-backs of cooperative MACs
  int loads_per_unit = 8;         ///< LDs that a load unit holds, in order
  int load_latency = 60;          ///< to the first data; overlaps the stream before
  int load_gap = 8;               ///< a unit's pause between two streams
  double unit_bandwidth = 2.1e9;  ///< bytes per second, of a load unit or the store port
  double bandwidth = 4.2e9;       ///< bytes per second, of all together
  double efficiency = 0.88;       ///< part of the bandwidth that streams reach
  int load_cost_bytes = 900;      ///< of bandwidth that each LD takes besides its own bytes
  int store_fifo_bytes = 4096;

  bool operator==(const TimingMachine&) const = default;
};

/// Which fixed-point positions layers get.
enum class FixedPoint {
  q8_8,      ///< 8 bits of fraction everywhere
  q5_11,     ///< 11 bits of fraction everywhere
  by_range,  ///< by layer, as many bits of fraction as its values leave
};

struct Machine : ComputeMachine, TimingMachine {
  FixedPoint fixed_point = FixedPoint::q8_8;
  bool operator==(const Machine&) const = default;
};

/// Words of the regions of a buffer that waiting for loads goes by: a vector instruction waits for the loads of the
/// regions that it reads, no others.
inline constexpr int maps_region_words = 512, kernel_region_words = 128;

/// All parameters with ranges, help and constraints.
std::shared_ptr<const arch::MachineDescription> machine_description();
Machine machine_from(const arch::ParameterValues& values);
arch::ParameterValues parameter_values(const Machine& machine);

}  // namespace convscope::snowflake
