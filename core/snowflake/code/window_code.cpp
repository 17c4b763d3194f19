#include "core/snowflake/code/window_code.h"

#include <algorithm>

#include "core/snowflake/code/registers.h"

namespace convscope::snowflake {
namespace {

// Traces with the same length whose places go up by steps can be looped over. Below three a loop saves nothing.
bool loopable(const std::vector<Trace>& traces) {
  if (traces.size() < 3) return false;
  const int maps = traces[1].maps - traces[0].maps, kernels = traces[1].kernels - traces[0].kernels;
  for (std::size_t i = 1; i < traces.size(); ++i)
    if (traces[i].words != traces[0].words || traces[i].maps - traces[i - 1].maps != maps ||
        traces[i].kernels - traces[i - 1].kernels != kernels)
      return false;
  return true;
}

bool has_kernels(const Block& block) {
  return block.kind != VectorKind::maximum;
}

Instruction vector_instruction(const Block& block, int out, int maps, int kernels, int words, bool write_back) {
  return {block.kind == VectorKind::maximum ? Opcode::max : Opcode::mac,
          block.kind == VectorKind::independent,
          static_cast<std::uint8_t>(out),
          static_cast<std::uint8_t>(maps),
          static_cast<std::uint8_t>(has_kernels(block) ? kernels : 0),
          immediate_of(VectorField{write_back, words})};
}

void put_bypass(Code& code, const Block& block, int at) {
  if (block.bypass_select >= 0) code.put(bypass(at, block.bypass_select));
}

void advance_bypass(Code& code, const Block& block, int at, int outputs) {
  if (block.bypass_select >= 0) code.add(at, at, std::int64_t{block.x_step.bypass} * outputs);
}

// T: MAC, BGT T, + row, + kernel row, - 1; the last MAC writes back.
void put_looped(Code& code, const Block& block, const ColumnWindow& column) {
  const auto& traces = column.traces;
  const int turns = static_cast<int>(traces.size()) - 1;
  const int row = traces[1].maps - traces[0].maps, kernel_row = traces[1].kernels - traces[0].kernels;
  code.add(reg::maps, reg::row, column.maps + traces[0].maps);
  code.add(reg::kernels, reg::slot_kernels, traces[0].kernels);
  Code::Loop trace = code.prepare(reg::trace, turns);
  Code::Loop x{};
  if (column.outputs > 1) {
    x = code.prepare(reg::x, column.outputs);
    code.open(x);
  }
  code.open(trace);
  code.put(vector_instruction(block, reg::out, reg::maps, reg::kernels, traces[0].words, false));
  code.add(reg::maps, reg::maps, row);
  code.add(reg::kernels, reg::kernels, kernel_row);
  code.close(trace);
  if (!column.partial) put_bypass(code, block, reg::bypass);
  advance_bypass(code, block, reg::bypass, 1);
  code.put(vector_instruction(block, reg::out, reg::maps, reg::kernels, traces[0].words, !column.partial));
  if (column.outputs > 1) {
    code.add(reg::maps, reg::maps, block.x_step.maps - turns * row);
    code.add(reg::kernels, reg::kernels, -turns * kernel_row);
    code.reset(trace);
  }
  code.add(reg::out, reg::out, block.x_step.out);
  if (column.outputs > 1) code.close(x);
}

// Registers of unrolled traces: each trace of each output of a turn has its own maps pointer, each kernel word one.
struct Pointers {
  std::vector<int> maps;     ///< [output * traces + trace]
  std::vector<int> kernels;  ///< [trace]
  std::vector<int> outs, bypasses;
};

class Scratch {
 public:
  int take() { return used_ < reg::scratch.size() ? reg::scratch[used_++] : (short_ = true, reg::scratch[0]); }
  bool enough() const { return !short_; }

 private:
  std::size_t used_ = 0;
  bool short_ = false;
};

// Nothing if there are not registers enough.
std::optional<Pointers> allocate(const Block& block, const std::vector<Trace>& traces, int outputs) {
  Scratch scratch;
  Pointers p;
  p.outs = {reg::out};
  p.bypasses = {reg::bypass};
  for (std::size_t i = 0; i < traces.size() * static_cast<std::size_t>(outputs); ++i) p.maps.push_back(scratch.take());
  for (std::size_t i = 0; has_kernels(block) && i < traces.size(); ++i) {
    const auto same = std::find_if(traces.begin(), traces.begin() + static_cast<std::ptrdiff_t>(i),
                                   [&](const Trace& t) { return t.kernels == traces[i].kernels; });
    const auto at = static_cast<std::size_t>(same - traces.begin());
    p.kernels.push_back(at < i ? p.kernels[at] : scratch.take());
  }
  p.kernels.resize(traces.size());
  for (int u = 1; u < outputs; ++u) {
    p.outs.push_back(scratch.take());
    p.bypasses.push_back(block.bypass_select >= 0 ? scratch.take() : 0);
  }
  return scratch.enough() ? std::optional(p) : std::nullopt;
}

void set_pointers(Code& code, const Block& block, const ColumnWindow& column, const Pointers& p) {
  const auto& traces = column.traces;
  for (std::size_t i = 0; i < p.maps.size(); ++i) {
    const auto output = static_cast<int>(i / traces.size());
    code.add(p.maps[i], reg::row, column.maps + traces[i % traces.size()].maps + output * block.x_step.maps);
  }
  for (std::size_t t = 0; t < traces.size(); ++t) {
    const bool first = std::find(p.kernels.begin(), p.kernels.begin() + static_cast<std::ptrdiff_t>(t), p.kernels[t]) ==
                       p.kernels.begin() + static_cast<std::ptrdiff_t>(t);
    if (first && p.kernels[t] != 0) code.add(p.kernels[t], reg::slot_kernels, traces[t].kernels);
  }
  for (std::size_t u = 1; u < p.outs.size(); ++u) {
    code.add(p.outs[u], reg::out, static_cast<std::int64_t>(u) * block.x_step.out);
    if (p.bypasses[u] != 0) code.add(p.bypasses[u], reg::bypass, static_cast<std::int64_t>(u) * block.x_step.bypass);
  }
}

// `outputs` outputs side by side; `step` > 0: their pointers then go on by as many outputs.
void put_turn(Code& code, const Block& block, const ColumnWindow& column, const Pointers& p, int outputs, int step) {
  const auto& traces = column.traces;
  for (std::size_t u = 0; u < static_cast<std::size_t>(outputs); ++u) {
    for (std::size_t t = 0; t < traces.size(); ++t) {
      const bool last = t + 1 == traces.size();
      const int maps = p.maps[u * traces.size() + t];
      if (last && !column.partial) put_bypass(code, block, p.bypasses[u]);
      code.put(vector_instruction(block, p.outs[u], maps, p.kernels[t], traces[t].words, last && !column.partial));
      if (step > 0) code.add(maps, maps, std::int64_t{step} * block.x_step.maps);
    }
    if (step == 0) continue;
    advance_bypass(code, block, p.bypasses[u], step);
    code.add(p.outs[u], p.outs[u], step * block.x_step.out);
  }
}

void put_direct(Code& code, const Block& block, const ColumnWindow& column, const Pointers& p) {
  const auto per_turn = static_cast<int>(p.outs.size());
  const int turns = column.outputs / per_turn, rest = column.outputs % per_turn;
  set_pointers(code, block, column, p);
  if (turns > 1) {
    Code::Loop x = code.prepare(reg::x, turns);
    code.open(x);
    put_turn(code, block, column, p, per_turn, per_turn);
    code.close(x);
  } else {
    put_turn(code, block, column, p, per_turn, rest > 0 ? per_turn : 0);
  }
  put_turn(code, block, column, p, rest, 0);
  const int missing = turns > 1 || rest > 0 ? rest : per_turn;
  if (missing == 0) return;
  code.add(reg::out, reg::out, missing * block.x_step.out);
  advance_bypass(code, block, reg::bypass, missing);
}

// Few registers for many traces: pairs of pointers take turns and step from trace to trace.
void put_rotating(Code& code, const Block& block, const ColumnWindow& column) {
  const auto& traces = column.traces;
  const auto count = traces.size(), pairs = std::min(count, has_kernels(block) ? reg::scratch.size() / 2 : 5);
  const auto maps = [&](std::size_t t) { return reg::scratch[2 * (t % pairs)]; };
  const auto kernels = [&](std::size_t t) { return reg::scratch[2 * (t % pairs) + 1]; };
  for (std::size_t t = 0; t < pairs; ++t) {
    code.add(maps(t), reg::row, column.maps + traces[t].maps);
    if (has_kernels(block)) code.add(kernels(t), reg::slot_kernels, traces[t].kernels);
  }
  const bool loop = column.outputs > 1;
  Code::Loop x{};
  if (loop) {
    x = code.prepare(reg::x, column.outputs);
    code.open(x);
  }
  for (std::size_t t = 0; t < count; ++t) {
    const bool last = t + 1 == count, wraps = t + pairs >= count;
    if (last) {
      if (!column.partial) put_bypass(code, block, reg::bypass);
      advance_bypass(code, block, reg::bypass, 1);
    }
    code.put(vector_instruction(block, reg::out, maps(t), kernels(t), traces[t].words, last && !column.partial));
    if (wraps && !loop) continue;
    const Trace& next = traces[wraps ? t % pairs : t + pairs];
    code.add(maps(t), maps(t), next.maps - traces[t].maps + (wraps ? block.x_step.maps : 0));
    if (has_kernels(block) && next.kernels != traces[t].kernels)
      code.add(kernels(t), kernels(t), next.kernels - traces[t].kernels);
  }
  code.add(reg::out, reg::out, block.x_step.out);
  if (loop) code.close(x);
}

void put_column(Code& code, const Block& block, const ColumnWindow& column) {
  if (block.form == TraceForm::looped && loopable(column.traces)) return put_looped(code, block, column);
  const int wanted = std::min(block.outputs_per_turn, column.outputs);
  for (int outputs = wanted; outputs > 0; --outputs)
    if (const auto pointers = allocate(block, column.traces, outputs))
      return put_direct(code, block, column, *pointers);
  put_rotating(code, block, column);
}

}  // namespace

void put_strip(Code& code, const Block& block, const Strip& strip, int window) {
  code.mark(CodeRange::Kind::window, window);
  code.add(reg::row, reg::slot_maps, strip.maps);
  code.add(reg::out, reg::slot_out, strip.out);
  if (block.bypass_select >= 0) code.add(reg::bypass, reg::slot_bypass, strip.bypass);
  Code::Loop y{};
  if (strip.rows > 1) {
    y = code.prepare(reg::y, strip.rows);
    code.open(y);
  }
  for (const ColumnWindow& column : strip.columns) put_column(code, block, column);
  if (strip.rows == 1) return;
  code.add(reg::row, reg::row, block.y_step.maps);
  code.add(reg::out, reg::out, block.y_step.out - strip.outputs() * block.x_step.out);
  if (block.bypass_select >= 0)
    code.add(reg::bypass, reg::bypass, std::int64_t{block.y_step.bypass} - strip.outputs() * block.x_step.bypass);
  code.close(y);
}

}  // namespace convscope::snowflake
