#pragma once
// What the compiler hands out of a layer.

#include <memory>
#include <string>

#include "core/cpu/artifacts/chosen_program.h"
#include "core/network/network.h"
#include "core/target/compiled.h"

namespace convscope::cpu {

std::shared_ptr<const target::CompiledLayer> make_mapped(const network::Layer& layer, ChosenProgram program);
std::shared_ptr<const target::CompiledLayer> make_unmapped(const network::Layer& layer, const std::string& reason);

}  // namespace convscope::cpu
