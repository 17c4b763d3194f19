#pragma once
// C++ that loads numbers stored as flyte and stores them, without headers, as vectors of GCC and Clang. Tables of bytes
// are derived from the layout: the ones that the thesis prints (its chapter 8) don't work. Source: the thesis named in
// problem.h, section 8.3; rounding, x86 and the stores of exactly the bytes are ours.

#include <string>

#include "core/cpu/architecture/family.h"
#include "core/flyte/flyte.h"

namespace convscope::cpu {

/// Bytes behind a vector's values that loading it may read, and overwriting it spoil; none with one, two or four bytes.
inline constexpr int flyte_slack = 16;

/// Names of functions: "load_flyte24_8" for 8 lanes.
std::string flyte_load_name(const flyte::Storage& storage, int lanes);
std::string flyte_store_name(const flyte::Storage& storage, int lanes);

/// Definitions for vectors of `lanes`, or for a number if `lanes` is 1:
///   float or v<lanes> load_flyte<bits>_<lanes>(const unsigned char* from);   binary64: double or d<lanes>
///   void store_flyte<bits>_<lanes>(unsigned char* to, ... value);            writes exactly the values' bytes
///   void overwrite_flyte<bits>_<lanes>(unsigned char* to, ... value);        may spoil flyte_slack bytes behind
/// v<lanes> and d<lanes> are defined before. Preconditions: something is dropped; the family has such vectors.
std::string flyte_load_function(const flyte::Storage& storage, Family family, int lanes);
std::string flyte_store_functions(const flyte::Storage& storage, Family family, int lanes);

}  // namespace convscope::cpu
