#include "hand_program.h"

#include <gtest/gtest.h>

#include "core/nmp/architecture/assembly.h"
#include "core/nmp/simulate/simulator.h"

namespace convscope::nmp {
namespace {

Machine hand_machine() {
  Machine m;
  m.tles = 1;
  m.tlts = 2;
  m.macs_per_cycle = 1;
  m.mac_efficiency = 1;
  m.clock_hz = 1e9;
  m.bandwidth = 1e9;
  m.cas_seconds = 10e-9;
  m.command_seconds = 100e-9;
  m.burst_bytes = 32;
  return m;
}

ProgramLayer hand_layer() {
  ProgramLayer l;
  l.name = "hand";
  l.units = 4;
  l.shift = 2;
  l.channel_parts = {1};
  l.biases = {10, 20, 30, 40};
  l.in = {0, 0, 1, 4, 4, 8, 32};
  l.weights = {1, 1024};
  l.out = {2, 3072, 4, 4, 4, 8, 32};
  return l;
}

}  // namespace

std::string hand_code() {
  return R"(
  lw x1, 0(x0)              # W in DRAM
  lw x2, 4(x0)              # OUT in DRAM
  lw x3, 8(x0)              # 1: gives the input
  lui x5, 0x10000           # MB0
  lui x6, 0x20000           # MB1
  lui x7, 0x30000           # MB2
  addi x8, x0, 1
  addi x9, x0, 32           # shape 0: IN, a run of 32 bytes
  lui x10, 0x10
  addi x10, x10, 1
  nmp_cfg C0, x9, x10
  addi x11, x0, 3           # to both TLTs
  nmp_cfg C4, x11, x0
  addi x9, x0, 4            # shape 1: W
  nmp_cfg C8, x9, x10
  addi x9, x0, 64           # shape 2: OUT
  nmp_cfg C16, x9, x10
  lui x12, 0x40
  addi x12, x12, 4
  nmp_cfg C32, x12, x12     # 4 x 4 from 4 x 4
  lui x13, 0x20
  addi x13, x13, 1
  nmp_cfg C34, x0, x13      # 1 channel, 2 units
  lui x14, 0x1010
  addi x14, x14, 0x101
  lui x15, 0x10
  addi x15, x15, 0x101
  nmp_cfg C38, x14, x15     # kernel and stride 1 x 1; dilation 1, a map of a unit
  addi x16, x0, 3
  nmp_cfg C40, x8, x16      # filters lie dense; first and last channels
  addi x17, x0, 16
  nmp_cfg C42, x17, x5      # biases, IN
  lui x18, 0x2000
  addi x18, x18, 0x201
  nmp_cfg C44, x18, x0      # 16 bit, shift 2, partial sums of 2 bytes
  beq x3, x0, other
  nmp_wait 5, x8
  nmp_load3d 0, x0, x5, 0, multicast
  jal x0, both
other:
  nmp_post 5, x8
both:
  nmp_wait 0, x8
  nmp_load3d 1, x1, x6, 1
  nmp_wait 1, x8
  nmp_sync
  nmp_conv2d 3, x6, x7
  nmp_wait 3, x8
  nmp_sync
  nmp_store3d 4, x2, x7, 2
  nmp_wait 4, x8
  nmp_sync
  ecall
)";
}

std::string with_line(const std::string& text, std::string_view line, std::string_view by) {
  const std::size_t place = text.find(line);
  EXPECT_NE(place, std::string::npos) << line;
  if (place == std::string::npos) return text;
  EXPECT_EQ(text.find(line, place + 1), std::string::npos) << line << " stands twice";
  return text.substr(0, place) + std::string(by) + text.substr(place + line.size());
}

Program hand_program(const std::string& code) {
  Program p;
  p.name = "hand";
  p.machine = hand_machine();
  p.dram_bytes = 4096;
  p.regions = {{"input", RegionKind::input, 0, 1024},
               {"weights", RegionKind::weights, 1024, 1024},
               {"output", RegionKind::output, 3072, 1024}};
  p.layers = {hand_layer()};
  p.data = {{1024, 3072, 1, 0, 10, 20}, {1028, 3136, 0, 0, 30, 40}};
  Diagnostics diagnostics;
  const auto words = assemble(code, "hand", diagnostics);
  EXPECT_TRUE(words) << diagnostics.text();
  p.code = words.value_or(std::vector<EncodedInstruction>{});
  p.ranges = {{CodeRange::Kind::setup, 0, 35}};
  p.traffic = simulate(p, {.instruction_budget = 200'000}).traffic;
  return p;
}

}  // namespace convscope::nmp
