#include "core/nve/trace/trace_blocks.h"

#include <fmt/format.h>

namespace convscope::nve {

using artifact::StateFormat;
using artifact::StateKind;

TraceBlocks::TraceBlocks(const Program& program, int strip) {
  const Machine& m = program.machine;
  const RegisterLayout layout(m, program.lane_stride());
  for (const Field field : {Field::mema, Field::memb, Field::memw, Field::wreg, Field::ireg, Field::vmac, Field::act})
    if (has_field(m, field)) {
      fields.push_back(field);
      schema.units.emplace_back(field_name(field));
    }
  for (const Field field : {Field::mema, Field::memb, Field::memw})
    if (has_field(m, field)) memory_fields.push_back(field);

  state = add({.name = "state", .kind = StateKind::unit, .format = StateFormat::text, .help = "of the control logic"});
  const bool loop = m.loop == InnerLoop::on;
  if (loop) counter_count = ring_pointer + 1;
  counters = add({.name = "counters",
                  .kind = StateKind::counter,
                  .columns = counter_count,
                  .help = loop ? "repetition of the section, address, words supplied, outputs given, pass of the "
                                 "repetition, ring pointer"
                               : "repetition of the section, address, words supplied, outputs given"});
  port_a = add({.name = "port A",
                .kind = StateKind::port,
                .columns = m.pixels_per_word(),
                .bits = 8,
                .format = StateFormat::hexadecimal});
  if (m.has_port_b())
    port_b = add({.name = "port B",
                  .kind = StateKind::port,
                  .columns = m.pixels_per_word(),
                  .bits = 8,
                  .format = StateFormat::hexadecimal});
  weights = add({.name = "rw", .columns = m.coefficients_per_set(), .bits = 16, .help = "coefficients, rw[0] first"});
  image = add({.name = "ri", .columns = layout.register_pixels(), .bits = 8, .help = "vector and extension"});
  accumulators = add({.name = "accumulators",
                      .rows = m.accumulators,
                      .columns = m.lanes,
                      .bits = 32,
                      .help = m.accumulators == 1 ? "by lane" : "by vector and lane"});
  output = add({.name = "output registers", .columns = m.lanes, .bits = 32, .help = "what ACT sees, by lane"});
  window = add({.name = "window",
                .kind = StateKind::window,
                .columns = layout.register_pixels(),
                .bits = 8,
                .help = "the pixels of ri, with their places in the input maps"});
  add_outputs(program, strip);
  add_inputs(program);
  buffer = add({.name = "local buffer",
                .kind = StateKind::memory,
                .rows = m.local_buffer_words,
                .columns = m.pixels_per_word(),
                .bits = 8,
                .format = StateFormat::hexadecimal});
  agu = add({.name = "AGU",
             .rows = static_cast<std::int64_t>(program.words.size()),
             .columns = static_cast<std::int64_t>(memory_fields.size()),
             .bits = 32,
             .help = loop ? "update of each instruction's memory fields; the ring pointer comes on top"
                          : "update of each instruction's memory fields (equation 3.2)"});
}

void TraceBlocks::add_inputs(const Program& program) {
  for (const int input : program.inputs) {
    const std::string name = fmt::format("input map {}", input);
    const int known = schema.find(name);
    inputs.push_back(known >= 0 ? known
                                : add({.name = name,
                                       .kind = StateKind::image,
                                       .rows = program.in_height,
                                       .columns = program.in_width,
                                       .bits = 8}));
  }
}

void TraceBlocks::add_outputs(const Program& program, int strip) {
  const int rows = program.rows_per_strip();
  for (const OutputMap& map : program.maps) {
    const std::string name = fmt::format("output map {}", map.map);
    const int known = schema.find(name);
    outputs.push_back(known >= 0 ? known
                                 : add({.name = name,
                                        .kind = StateKind::image,
                                        .rows = rows,
                                        .columns = program.out_width,
                                        .bits = 8,
                                        .output = true,
                                        .help = fmt::format("rows {} to {}", strip * rows, (strip + 1) * rows - 1)}));
  }
}

int TraceBlocks::add(artifact::StateBlock block) {
  schema.blocks.push_back(std::move(block));
  return static_cast<int>(schema.blocks.size()) - 1;
}

}  // namespace convscope::nve
