#include "core/nve/architecture/assembly_cells.h"

#include <fmt/format.h>

namespace convscope::nve {

bool TokenCursor::accept(std::string_view spelling) {
  if (at_end() || tokens_[position_].kind == Token::Kind::text || tokens_[position_].spelling != spelling) return false;
  ++position_;
  return true;
}

void TokenCursor::expect(std::string_view spelling) {
  if (error_.empty() && !accept(spelling)) refuse(fmt::format("{} instead of '{}'", found(), spelling));
}

void TokenCursor::expect_end() {
  if (error_.empty() && !at_end()) refuse(fmt::format("{} instead of the line's end", found()));
}

int TokenCursor::number() {
  if (!error_.empty()) return 0;
  if (at_end() || tokens_[position_].kind != Token::Kind::number) {
    refuse(fmt::format("{} instead of a number", found()));
    return 0;
  }
  return tokens_[position_++].number;
}

std::vector<int> TokenCursor::numbers() {
  std::vector<int> values;
  while (error_.empty() && !at_end() && tokens_[position_].kind == Token::Kind::number) values.push_back(number());
  return values;
}

std::string TokenCursor::word() {
  if (!at_end() && tokens_[position_].kind == Token::Kind::word) return tokens_[position_++].spelling;
  refuse(fmt::format("{} instead of a name", found()));
  return {};
}

std::string TokenCursor::text() {
  if (!at_end() && tokens_[position_].kind == Token::Kind::text) return tokens_[position_++].spelling;
  refuse(fmt::format("{} instead of a name in quotes", found()));
  return {};
}

void TokenCursor::refuse(const std::string& what) {
  if (error_.empty()) error_ = what;
}

std::string TokenCursor::found() const {
  if (at_end()) return "the line's end";
  return fmt::format("'{}' in column {}", tokens_[position_].spelling.substr(0, 40), tokens_[position_].begin + 1);
}

namespace {

class CellParser {
 public:
  CellParser(TokenCursor& cursor, const Machine& machine, SectionTraffic& traffic)
      : cursor_(cursor), machine_(machine), traffic_(traffic) {}

  Instruction parse() {
    if (cursor_.accept("nop")) {
      cursor_.expect_end();
      return {};
    }
    bool first = true;
    for (int i = 0; i < field_count && !cursor_.at_end(); ++i) {
      const Field field = static_cast<Field>(i);
      if (!has_field(machine_, field)) continue;
      if (!first) cursor_.expect("|");
      first = false;
      const Token* const token = cursor_.peek();
      if (token && token->spelling != "|") cell(field);
    }
    cursor_.expect_end();
    return instruction_;
  }

 private:
  void cell(Field field) {
    switch (field) {
      case Field::mema:
      case Field::memb:
      case Field::memw:
        return memory(instruction_.memory(field));
      case Field::wreg:
        return weight();
      case Field::ireg:
        return image();
      case Field::vmac:
        return vector();
      case Field::act:
        return activate();
    }
  }

  int limited(const char* what, int high) {
    const int value = cursor_.number();
    if (value < 0 || value > high) cursor_.refuse(fmt::format("{} {} instead of 0 to {}", what, value, high));
    return value;
  }

  void memory(MemoryField& memory) {
    const bool write = cursor_.accept("wr");
    if (!write) cursor_.expect("rd");
    memory.kind = write ? MemoryKindOfAccess::write : MemoryKindOfAccess::read;
    memory.offset = limited("offset", machine_.local_buffer_words - 1);
    if (cursor_.accept("+")) {
      memory.update = limited("update", machine_.local_buffer_words - 1);
      memory.circular = cursor_.accept("c");
    }
    if (write) source();
  }

  void source() {
    StreamWord item;
    cursor_.expect("<-");
    if (cursor_.accept("coefficients")) {
      item.kind = StreamWord::Kind::coefficients;
      item.index = cursor_.number();
    } else if (cursor_.accept("ordered")) {
      item.kind = StreamWord::Kind::ordered;
      item.index = cursor_.number();
    } else if (cursor_.accept("unit")) {
      item.kind = StreamWord::Kind::unit;
      item.index = cursor_.number();
      cursor_.expect("word");
      item.word = cursor_.number();
    } else {
      cursor_.expect("pixels");
      item.index = cursor_.number();
      cursor_.expect("column");
      item.column = cursor_.number();
      cursor_.expect("word");
      item.word = cursor_.number();
    }
    traffic_.stream.push_back(item);
  }

  void weight() {
    const bool set = cursor_.accept("set");
    if (!set) cursor_.expect("sh");
    cursor_.expect("rw");
    instruction_.weight = set ? WeightOperation::set : WeightOperation::shift;
  }

  void image() {
    if (cursor_.accept("set")) {
      instruction_.image = ImageOperation::set;
      cursor_.expect("ri");
      instruction_.image_group = limited("group", RegisterLayout(machine_, largest_lane_stride).groups() - 1);
      return;
    }
    instruction_.image = cursor_.accept("setsh") ? ImageOperation::set_shift : ImageOperation::shift;
    if (instruction_.image == ImageOperation::shift) cursor_.expect("sh");
    cursor_.expect("ri");
  }

  void vector() {
    instruction_.vector = cursor_.accept("mac") ? VectorOperation::mac : VectorOperation::set_bias;
    if (instruction_.vector == VectorOperation::set_bias) {
      cursor_.expect("set");
      cursor_.expect("rb");
    }
    const Token* const token = cursor_.peek();
    if (token && token->kind == Token::Kind::number)
      instruction_.accumulator = limited("vector", machine_.accumulators - 1);
  }

  void activate() {
    cursor_.expect("act");
    OutputWord item;
    item.half = limited("half", 1);
    cursor_.expect("->");
    cursor_.expect("map");
    item.map = cursor_.number();
    cursor_.expect("column");
    item.iteration = cursor_.number();
    instruction_.activate = true;
    instruction_.half = item.half;
    traffic_.outputs.push_back(item);
  }

  TokenCursor& cursor_;
  const Machine& machine_;
  SectionTraffic& traffic_;
  Instruction instruction_;
};

}  // namespace

Instruction parse_cells(TokenCursor& cursor, const Machine& machine, SectionTraffic& traffic) {
  return CellParser(cursor, machine, traffic).parse();
}

std::string instruction_form(const Machine& machine) {
  std::string form = "cells";
  for (int i = 0; i < field_count; ++i)
    if (has_field(machine, static_cast<Field>(i)))
      form += fmt::format("{} {}", i == 0 ? "" : " |", field_name(static_cast<Field>(i)));
  return form;
}

}  // namespace convscope::nve
