#pragma once
// A stretch of a program's run as text: a table for people, JSON (docs/trace-json.md), CSV, and VCD (IEEE 1364-2005,
// section 18) for waveform viewers. Written piece by piece, since stretches may be long. All throw Cancelled.

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/cancellation.h"
#include "core/target/trace.h"

namespace convscope::analysis {

/// Cycles [from, to) of a run; `blocks` are those that were asked for, empty: none in particular.
struct TraceStretch {
  const target::Trace& trace;
  std::string program, target;
  std::int64_t from = 0, to = 0;
  std::vector<int> blocks;
};

using TextSink = std::function<void(std::string_view)>;

/// Elements that a write may have for its values to be told, and that a block may have to be a part of a VCD although
/// nobody asked for it.
inline constexpr std::int64_t small_block = 64;
/// Elements that tables of CSV and VCD have at most.
inline constexpr std::int64_t most_columns = 16384;

/// Elements of the blocks asked for, or, if none was, of all that `write_trace_vcd` shows.
std::int64_t elements(const TraceStretch& stretch);

void write_trace_table(const TraceStretch& stretch, const TextSink& sink, const std::stop_token& stop);
void write_trace_json(const TraceStretch& stretch, const TextSink& sink, const std::stop_token& stop);
/// A line a cycle: what units did; with blocks, their elements at the end of the cycle instead.
void write_trace_csv(const TraceStretch& stretch, const TextSink& sink, const std::stop_token& stop);
/// Blocks of numbers, one wire an element, x where it holds nothing; units as 0 busy, 1 idle, 2 stalled. A cycle is a
/// nanosecond, and a value is there from the cycle at whose end it is.
void write_trace_vcd(const TraceStretch& stretch, const TextSink& sink, const std::stop_token& stop);

}  // namespace convscope::analysis
