#pragma once
// Plain steps on numbers that are stored as less than floats: pieces of a row are brought to floats vector by vector,
// computed with as floats are, and stored again. What is computed, and in which order, is as number by number.

#include <optional>
#include <string>

#include "core/cpu/architecture/family.h"
#include "core/cpu/network/plain_code.h"

namespace convscope::cpu {

/// `expand(float* to, const Stored* from, long count)` and `narrow(Stored* to, const float* from, long count)`, after
/// the definition of Stored. Precondition: something is dropped.
std::string row_functions(const flyte::Storage& storage, Family family);
/// The body of a step's function; nothing where its layout has no rows that would pay, and for softmax and
/// normalizations.
std::optional<std::string> row_body(const Step& step, const PlainCode& code);
/// That of the operations behind a step alone, on a0.
std::optional<std::string> row_body_after(const Step& step, const PlainCode& code);

}  // namespace convscope::cpu
