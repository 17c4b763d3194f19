#include "core/snowflake/code/load_code.h"

#include <algorithm>

#include "core/snowflake/code/registers.h"

namespace convscope::snowflake {
namespace {

constexpr int kernel_length = reg::scratch[1];  // scratch[0] is the callers'

LoadField map_field(const MapLoad& load) {
  return {load.unit, LoadTarget::maps, std::max(load.cu, 0), 0};
}

}  // namespace

void put_fillers(Code& code, int count) {
  code.set(configuration_register, 0);
  for (int i = 0; i < count; ++i) code.put(bias(reg::zero, false));
}

void put_map_loads(Code& code, const std::vector<MapLoad>& loads) {
  constexpr std::size_t together = reg::scratch.size() / 3;
  for (std::size_t first = 0; first < loads.size(); first += together) {
    const std::size_t end = std::min(first + together, loads.size());
    const auto triple = [&](std::size_t i) { return &reg::scratch[3 * (i - first)]; };
    for (std::size_t i = first; i < end; ++i) code.set(triple(i)[0], loads[i].dram);
    for (std::size_t i = first; i < end; ++i) code.set(triple(i)[1], loads[i].buffer);
    for (std::size_t i = first; i < end; ++i) code.set(triple(i)[2], loads[i].words);
    for (std::size_t i = first; i < end; ++i)
      code.put(load(triple(i)[1], triple(i)[0], triple(i)[2], map_field(loads[i]), loads[i].cu < 0));
  }
}

int kernel_pointers(const KernelLoad& load) {
  for (int count = static_cast<int>(reg::kernel_load.size()); count > 1; --count)
    if (load.vmacs % count == 0) return count;
  return 1;
}

void set_kernel_pointers(Code& code, const KernelLoad& load) {
  for (int i = 0; i < kernel_pointers(load); ++i)
    code.set(reg::kernel_load[static_cast<std::size_t>(i)], load.dram + std::int64_t{i} * load.stride);
}

void put_kernel_loads(Code& code, const KernelLoad& kernels, const ComputeMachine& machine, int buffer, bool go_on) {
  const int pointers = kernel_pointers(kernels);
  code.set(kernel_length, kernels.words);
  for (int i = 0; i < kernels.vmacs; ++i) {
    const int pointer = reg::kernel_load[static_cast<std::size_t>(i % pointers)];
    const LoadField field{kernels.units[static_cast<std::size_t>(i)], LoadTarget::kernels,
                          kernels.broadcast ? 0 : i / machine.vmacs, i % machine.vmacs};
    code.put(load(buffer, pointer, kernel_length, field, kernels.broadcast));
    if (go_on || i + pointers < kernels.vmacs) code.add(pointer, pointer, std::int64_t{pointers} * kernels.stride);
  }
}

void put_placed_loads(Code& code, const PlacedKernels& kernels, const ComputeMachine& machine) {
  set_kernel_pointers(code, kernels.load);
  code.set(reg::scratch[0], kernels.buffer);
  put_kernel_loads(code, kernels.load, machine, reg::scratch[0], false);
}

}  // namespace convscope::snowflake
