#pragma once
// Layers that take no time of their own: folded into another, or only a matter of where values lie.

#include <memory>
#include <string>

#include "core/target/compiled.h"

namespace convscope::nmp {

/// `text`: what becomes of it, for people.
std::shared_ptr<const target::CompiledLayer> make_free_layer(const std::string& text);

}  // namespace convscope::nmp
