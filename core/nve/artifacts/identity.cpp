#include <algorithm>

#include <fmt/format.h>

#include "core/base/key.h"
#include "core/nve/artifacts/program_view.h"

namespace convscope::nve {
namespace {

using Kind = LoopOperationKind;
using artifact::OperationClass;

int map_of(const LoopOperation& o, const MapGroup& group) {
  return o.map < 0 ? -1 : group.maps[static_cast<std::size_t>(o.map)];
}

int input_of(const LoopOperation& o, const MapGroup& group) {
  return o.input < 0 ? -1 : group.inputs[static_cast<std::size_t>(o.input)];
}

// Bodies of one map differ by the part of it that they compute.
KeyBuilder tile_key(int tile) {
  KeyBuilder key;
  if (tile > 0) key.add(std::string_view("tile")).add(tile);
  return key;
}

artifact::OperationKey non_zero(artifact::OperationKey key) {
  return key == 0 ? 1 : key;
}

// Units and words by their number in the pass; words that stay in the buffer have letters of their own.
std::string looped_label(const LoopOperation& o, const MapGroup& group) {
  const char* const word = o.column == 1 ? "b" : "c";
  switch (o.kind) {
    case Kind::read_coefficients:
      return fmt::format("rd {}{}", word, o.word);
    case Kind::set_weights:
      return fmt::format("set rw {}{}", word, o.word);
    case Kind::read_pixels:
      return fmt::format("rd u{} w{}", o.unit, o.word);
    case Kind::write_pixels:
      return o.unit < 0 ? fmt::format("wr c{}", o.word) : fmt::format("wr u{} w{}", o.unit, o.word);
    case Kind::mac:
      return fmt::format("mac {}", map_of(o, group));
    default:
      return {};
  }
}

// Map and word of a coefficient word, from its position in the program.
std::pair<int, int> coefficient_word(int index, const ProgramView& view) {
  const auto& first = view.scheduled.layout.first_coefficient_word;
  const auto above = std::upper_bound(first.begin(), first.end(), index);
  const auto map = static_cast<std::size_t>(above - first.begin()) - 1;
  return {view.group.maps[map], index - first[map]};
}

}  // namespace

IssueFields::IssueFields(const Machine& machine) {
  for (int i = 0; i < field_count; ++i)
    if (has_field(machine, static_cast<Field>(i))) fields_.push_back(static_cast<Field>(i));
}

std::vector<std::string> IssueFields::names() const {
  std::vector<std::string> names;
  for (Field field : fields_) names.emplace_back(field_name(field));
  return names;
}

int IssueFields::index(Field field) const {
  return static_cast<int>(std::find(fields_.begin(), fields_.end(), field) - fields_.begin());
}

artifact::OperationKey operation_key(const LoopOperation& o, const MapGroup& group) {
  const int tile = o.map >= 0 ? group.tile_of_map(o.map) : o.input >= 0 ? group.tile_of_input(o.input) : 0;
  KeyBuilder key = tile_key(tile);
  if (o.stretch >= 0) key.add(std::string_view("looped")).add(o.stretch).add(o.unit).add(o.position).add(o.field);
  return non_zero(hash64(key.add(o.kind)
                             .add(map_of(o, group))
                             .add(o.ordinal)
                             .add(input_of(o, group))
                             .add(o.column)
                             .add(o.word)
                             .add(o.group)
                             .add(o.half)
                             .take()));
}

artifact::OperationKey initial_write_key(const StreamWord& item, const MapGroup& group) {
  const bool pixels = item.kind == StreamWord::Kind::pixels;
  if (item.kind == StreamWord::Kind::unit || item.kind == StreamWord::Kind::ordered)
    return non_zero(hash64(KeyBuilder()
                               .add(std::string_view("initial looped"))
                               .add(item.kind)
                               .add(group.maps.front())
                               .add(item.index)
                               .add(item.word)
                               .take()));
  // Coefficient words have no identity beyond their program: their packing changes with the level.
  const int owner = pixels ? group.inputs[static_cast<std::size_t>(item.index)] : group.maps.front();
  KeyBuilder key = tile_key(pixels ? group.tile_of_input(item.index) : 0);
  return non_zero(hash64(key.add(std::string_view("initial"))
                             .add(item.kind)
                             .add(owner)
                             .add(pixels ? 0 : item.index)
                             .add(item.column)
                             .add(item.word)
                             .take()));
}

OperationClass operation_class(Kind kind) {
  switch (kind) {
    case Kind::read_coefficients:
    case Kind::read_pixels:
      return OperationClass::read;
    case Kind::write_pixels:
      return OperationClass::write;
    case Kind::set_weights:
    case Kind::shift_weights:
      return OperationClass::coefficients;
    case Kind::set_image:
    case Kind::set_shift_image:
    case Kind::shift_image:
      return OperationClass::pixels;
    case Kind::set_bias:
    case Kind::mac:
      return OperationClass::multiply_accumulate;
    case Kind::activate:
      return OperationClass::activation;
  }
  return OperationClass::other;
}

std::string operation_label(const LoopOperation& o, const MapGroup& group) {
  if (o.stretch >= 0)
    if (std::string label = looped_label(o, group); !label.empty()) return label;
  switch (o.kind) {
    case Kind::read_coefficients:
      return fmt::format("rd c{}.{}", map_of(o, group), o.word);
    case Kind::read_pixels:
      return fmt::format("rd s{}.{} w{}", input_of(o, group), o.column, o.word);
    case Kind::write_pixels:
      return fmt::format("wr s{}.{} w{}", input_of(o, group), o.column, o.word);
    case Kind::set_weights:
      return fmt::format("set rw c{}.{}", map_of(o, group), o.word);
    case Kind::shift_weights:
      return "sh rw";
    case Kind::set_image:
      return fmt::format("set ri {}", o.group);
    case Kind::set_shift_image:
      return "setsh ri";
    case Kind::shift_image:
      return "sh ri";
    case Kind::set_bias:
      return fmt::format("set rb {}", map_of(o, group));
    case Kind::mac:
      return fmt::format("mac w{}", o.ordinal - 1);
    case Kind::activate:
      return fmt::format("act {}.{}", map_of(o, group), o.half);
  }
  return {};
}

std::string initial_write_label(const StreamWord& item, const ProgramView& view) {
  if (item.kind == StreamWord::Kind::unit) return fmt::format("wr u{} w{}", item.index, item.word);
  if (item.kind == StreamWord::Kind::ordered) return fmt::format("wr c{}", item.index);
  if (view.scheduled.looped()) return fmt::format("wr b{}", item.index);
  if (item.kind == StreamWord::Kind::pixels)
    return fmt::format("wr s{}.{} w{}", view.group.inputs[static_cast<std::size_t>(item.index)], item.column,
                       item.word);
  const auto [map, word] = coefficient_word(item.index, view);
  return fmt::format("wr c{}.{}", map, word);
}

}  // namespace convscope::nve
