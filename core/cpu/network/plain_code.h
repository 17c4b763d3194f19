#pragma once
// C++ for what isn't a convolution, and for bringing tensors from one layout into another. Written plainly, for
// compilers that make vectors of the innermost loop: such steps are bound by memory.

#include <string>
#include <vector>

#include "core/cpu/architecture/family.h"
#include "core/cpu/architecture/layout.h"
#include "core/cpu/network/flow.h"

namespace convscope::cpu {

/// A function of a step: `extern "C" void NAME(const void* const* in, void* to)`. `in` are the step's inputs, then the
/// values of its operations (floats), in order. `extents` of inputs and output; all have the same layout and storage;
/// it isn't blocked, and of a reshape C H W. Elements are of the type `Stored`, which stands before (stored_type).
struct PlainCode {
  std::string name;
  std::vector<Extents> inputs;
  Extents output;
  Layout layout{"HWC"};
  bool rows = true;  ///< what is stored as less than floats is expanded and narrowed by vectors (rows.h)
};

/// The type of what has this storage: read as a float, rounded where it is assigned to; with functions that do so with
/// the family's vectors (rows.h).
std::string stored_type(const flyte::Storage& storage, Family family);
/// The step itself with the operations behind it. Precondition: it is no convolution.
std::string step_code(const Step& step, const PlainCode& code);
/// Only the operations behind a step, on its output (in[0], which may be `out` itself).
std::string after_code(const Step& step, const PlainCode& code);
/// out, in the code's layout = in[0], which has another one.
std::string conversion_code(const Layout& from, const PlainCode& code);

/// Whether two layouts of a tensor are the same in memory: dimensions of one element may stand anywhere.
bool same_places(const Layout& a, const Layout& b, const Extents& extents);

}  // namespace convscope::cpu
