#include "core/cpu/generate/flyte_text.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace convscope::cpu {
namespace {

using flyte::Rounding;
using flyte::Storage;
using fmt::format;

/// Storage whose bytes are an integer type: lanes are widened and shifted.
bool integral(const Storage& storage) {
  return storage.bytes == 1 || storage.bytes == 2 || storage.bytes == 4;
}

/// Vectors by the storage and the family: everything else is put together from `chunk` bytes at a time.
struct Shape {
  Storage storage;
  Family family;
  int lanes;

  int chunk() const {
    const int whole = storage.whole * lanes, widest = family == Family::neon32 ? 8 : 16;
    return whole < widest ? whole : widest;
  }
  int chunks() const { return storage.whole * lanes / chunk(); }
  int chunk_values() const { return chunk() / storage.whole; }
  int chunk_bytes() const { return chunk_values() * storage.bytes; }  ///< stored
  int dropped() const { return storage.whole - storage.bytes; }
  /// One load or store of a whole vector, bytes moved by one instruction (VBMI). What is read behind the values is
  /// within the slack; a single chunk needs no such instruction.
  bool by_bytes() const { return family == Family::avx512vbmi && chunks() > 1 && dropped() * lanes <= flyte_slack; }
  /// The same by two: groups of three dwords are spread over four.
  bool by_dwords() const {
    return has_512_bits(family) && lanes == 16 && storage.whole == 4 && storage.bytes == 3 && !by_bytes();
  }
  std::string value_type() const {
    const bool single = storage.whole == 4;
    return lanes == 1 ? (single ? "float" : "double") : format("{}{}", single ? 'v' : 'd', lanes);
  }
};

/// Source of each byte of `values` whole numbers: of their stored bytes, or -1 for a byte that was dropped. Lowest byte
/// first.
std::vector<int> load_table(const Shape& shape, int values) {
  std::vector<int> table;
  for (int value = 0; value < values; ++value)
    for (int byte = 0; byte < shape.storage.whole; ++byte)
      table.push_back(byte < shape.dropped() ? -1 : value * shape.storage.bytes + byte - shape.dropped());
  return table;
}

/// Source of each stored byte among those of `values` whole numbers; -1 behind the last one.
std::vector<int> store_table(const Shape& shape, int values) {
  std::vector<int> table;
  for (int value = 0; value < values; ++value)
    for (int byte = shape.dropped(); byte < shape.storage.whole; ++byte)
      table.push_back(value * shape.storage.whole + byte);
  table.resize(static_cast<std::size_t>(values * shape.storage.whole), -1);
  return table;
}

std::vector<int> repeated(const std::vector<int>& table, int times) {
  std::vector<int> all;
  for (int i = 0; i < times; ++i) all.insert(all.end(), table.begin(), table.end());
  return all;
}

std::vector<int> counted(int count, int from = 0) {
  std::vector<int> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(from + i);
  return numbers;
}

std::string bits_type(const Storage& storage) {
  return storage.whole == 4 ? "unsigned int" : "unsigned long long";
}

std::string signed_bits_type(const Storage& storage) {
  return storage.whole == 4 ? "int" : "long long";
}

std::string part_type(const Storage& storage) {
  return storage.bytes == 1 ? "unsigned char" : storage.bytes == 2 ? "unsigned short" : "unsigned int";
}

std::string vector_typedef(const std::string& element, const char* name, int bytes) {
  return format("  typedef {} {} __attribute__((vector_size({})));\n", element, name, bytes);
}

/// "after": bytes of `before` (a vector of `bytes`) moved by the table within each chunk; -1 becomes 0.
std::string moved_bytes(const Shape& shape, const char* before, const char* after, const std::vector<int>& table,
                        int bytes) {
  const int chunk = static_cast<int>(table.size());
  const std::vector<int> all = repeated(table, bytes / chunk);
  if (is_x86(shape.family)) {
    const std::string list = format("{}", fmt::join(all, ", "));
    const std::string head = format("  const bytes table = {{{}}};\n", list);
    if (bytes < 64)
      return head + format("  const bytes {} = __builtin_ia32_pshufb{}({}, table);\n", after, 8 * bytes, before);
    return head + format(
                      "#ifdef __clang__\n  const bytes {0} = __builtin_ia32_pshufb512({1}, table);\n#else\n"
                      "  const bytes {0} = __builtin_ia32_pshufb512_mask({1}, table, {1}, -1);\n#endif\n",
                      after, before);
  }
  std::vector<int> lanes;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int first = static_cast<int>(i) / chunk * chunk;
    lanes.push_back(all[i] < 0 ? bytes : first + all[i]);
  }
  return format("  const bytes {} = __builtin_shufflevector({}, bytes{{}}, {});\n", after, before,
                fmt::join(lanes, ", "));
}

/// The same anywhere in a vector of 32 or 64 bytes.
std::string permuted_bytes(const char* before, const char* after, const std::vector<int>& table) {
  const std::size_t bytes = table.size();
  unsigned long long kept = 0;
  std::vector<int> sources = table;
  for (std::size_t i = 0; i < bytes; ++i) {
    if (table[i] >= 0) kept |= 1ULL << i;
    sources[i] = std::max(table[i], 0);
  }
  // GCC takes the masking instruction itself; Clang makes it of a choice.
  return format(
      "  const bytes table = {{{0}}};\n"
      "#ifdef __clang__\n  const bytes {2} = __builtin_ia32_selectb_{3}(0x{4:x}U{5}, "
      "__builtin_ia32_permvarqi{3}({1}, table), bytes{{}});\n#else\n"
      "  const bytes {2} = __builtin_ia32_permvarqi{3}_mask({1}, table, bytes{{}}, 0x{4:x}U{5});\n#endif\n",
      fmt::join(sources, ", "), before, after, 8 * bytes, kept, bytes > 32 ? "LL" : "");
}

/// Chunks side by side become the vector `name`, two by two.
std::string joined_chunks(int chunks, int chunk, const std::string& name) {
  std::string text;
  int level = 0;
  for (int count = chunks, bytes = chunk; count > 1; count /= 2, bytes *= 2, ++level) {
    text += format("  typedef char bytes{0} __attribute__((vector_size({0})));\n", 2 * bytes);
    for (int i = 0; i < count / 2; ++i) {
      const std::string target = count == 2 ? name : format("part{}_{}", level + 1, i);
      text += format("  const bytes{} {} = __builtin_shufflevector(part{}_{}, part{}_{}, {});\n", 2 * bytes, target,
                     level, 2 * i, level, 2 * i + 1, fmt::join(counted(2 * bytes), ", "));
    }
  }
  return text;
}

/// GCC's instruction that widens a whole register of parts, which it makes several of by itself; empty if there is
/// none.
std::string widening(const Shape& shape) {
  const Storage& s = shape.storage;
  if (!is_x86(shape.family) || s.whole != 4) return {};
  if (shape.lanes == 16)
    return format("__builtin_ia32_pmovzx{}d512_mask((signed_parts)stored, (signed_bits){{}}, -1)",
                  s.bytes == 1 ? 'b' : 'w');
  return shape.lanes == 8 && s.bytes == 2 ? "__builtin_ia32_pmovzxwd256((signed_parts)stored)" : "";
}

std::string load_integral(const Shape& shape) {
  const Storage& s = shape.storage;
  const int shift = 8 * shape.dropped();
  std::string text = vector_typedef(part_type(s), "parts", s.bytes * shape.lanes) +
                     vector_typedef(bits_type(s), "bits", s.whole * shape.lanes) +
                     format("  parts stored;\n  __builtin_memcpy(&stored, from, {});\n", s.bytes * shape.lanes);
  const std::string portable =
      format("  return ({})(__builtin_convertvector(stored, bits) << {});\n", shape.value_type(), shift);
  const std::string wide = widening(shape);
  if (wide.empty()) return text + portable;
  return text + "#ifdef __clang__\n" + portable + "#else\n" +
         vector_typedef(s.bytes == 1 ? "char" : "short", "signed_parts", s.bytes * shape.lanes) +
         (shape.lanes == 16 ? vector_typedef("int", "signed_bits", 64) : "") +
         format("  return ({})((bits){} << {});\n#endif\n", shape.value_type(), wide, shift);
}

/// Dwords 0 1 2, 3 4 5 ... go to the first three of each group of four.
std::string load_by_dwords(const Shape& shape) {
  return "  typedef char bytes __attribute__((vector_size(64)));\n"
         "  typedef unsigned int dwords __attribute__((vector_size(64)));\n"
         "  dwords all;\n  __builtin_memcpy(&all, from, 64);\n"
         "  const bytes stored = (bytes)__builtin_shufflevector(all, all, 0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 8, 8, 9, 10, "
         "11, 11);\n" +
         moved_bytes(shape, "stored", "whole", load_table(shape, shape.chunk_values()), 64) +
         format("  return ({})whole;\n", shape.value_type());
}

std::string load_by_bytes(const Shape& shape) {
  const int bytes = shape.storage.whole * shape.lanes;
  return vector_typedef("char", "bytes", bytes) +
         format("  bytes stored;\n  __builtin_memcpy(&stored, from, {});\n", bytes) +
         permuted_bytes("stored", "whole", load_table(shape, shape.lanes)) +
         format("  return ({})whole;\n", shape.value_type());
}

std::string load_chunks(const Shape& shape) {
  const int chunk = shape.chunk(), chunks = shape.chunks();
  std::string text = format("  typedef char bytes{0} __attribute__((vector_size({0})));\n", chunk);
  for (int i = 0; i < chunks; ++i) {
    const std::string part = chunks == 1 ? "stored" : format("part0_{}", i);
    text += format("  bytes{} {};\n  __builtin_memcpy(&{}, from + {}, {});\n", chunk, part, part,
                   i * shape.chunk_bytes(), chunk);
  }
  text += joined_chunks(chunks, chunk, "stored");
  return text + vector_typedef("char", "bytes", chunk * chunks) +
         moved_bytes(shape, "stored", "whole", load_table(shape, shape.chunk_values()), chunk * chunks) +
         format("  return ({})whole;\n", shape.value_type());
}

/// Byte by byte in the text; compilers make one or two loads of it.
std::string load_number(const Shape& shape) {
  const Storage& s = shape.storage;
  std::string sum;
  for (int i = 0; i < s.bytes; ++i)
    sum += format("{}({})from[{}] << {}", i > 0 ? " | " : "", bits_type(s), i, 8 * (shape.dropped() + i));
  return format("  const {} bits = {};\n  {} value;\n  __builtin_memcpy(&value, &bits, {});\n  return value;\n",
                bits_type(s), sum, shape.value_type(), s.whole);
}

std::string hexadecimal(const Storage& storage, unsigned long long value) {
  return format("0x{:x}{}", value, storage.whole == 4 ? "U" : "ULL");
}

/// From `bits` (a vector or a number) those that are stored, the dropped ones still below them: flyte.h says how. Masks
/// are -1 where they hold; comparing is signed, as magnitudes are and as vectors can.
std::string rounded_bits(const Shape& shape) {
  const Storage& s = shape.storage;
  const bool single = s.whole == 4, vector = shape.lanes > 1;
  const int dropped = 8 * shape.dropped();
  const unsigned long long sign = single ? 0x80000000ULL : 0x8000000000000000ULL, unit = 1ULL << dropped;
  const unsigned long long infinity = single ? 0x7f800000ULL : 0x7ff0000000000000ULL;
  const unsigned long long quiet = single ? 0x00400000ULL : 0x0008000000000000ULL;
  const unsigned long long beyond = s.bytes == 1 ? sign - unit : infinity;
  // Comparisons of numbers are 0 or 1, of vectors 0 or -1.
  const std::string begin = vector ? "(bits_type)((signed_type)magnitude " : "-(bits_type)((signed_type)magnitude ";
  std::string text = format("  const bits_type magnitude = bits & {};\n", hexadecimal(s, sign - 1));
  if (s.bytes > 1)
    text += format("  const bits_type quiet = {}> ({}){}) & {};\n", begin, signed_bits_type(s),
                   hexadecimal(s, infinity), hexadecimal(s, quiet));
  if (s.rounding == Rounding::nearest_even) {
    text += format("  const bits_type finite = {}< ({}){});\n", begin, signed_bits_type(s), hexadecimal(s, beyond));
    text += format("  bits += (((bits >> {}) & 1) + {}) & finite;\n", dropped, hexadecimal(s, unit / 2 - 1));
  }
  if (s.rounding == Rounding::truncated && s.bytes == 1) return {};
  return text + (s.bytes > 1 ? "  bits |= quiet;\n" : "");
}

std::string rounding_types(const Shape& shape) {
  const Storage& s = shape.storage;
  const auto named = [&](const std::string& element, const char* name) {
    return shape.lanes == 1 ? format("  typedef {} {};\n", element, name)
                            : vector_typedef(element, name, s.whole * shape.lanes);
  };
  const bool compares = s.bytes > 1 || s.rounding == Rounding::nearest_even;
  return named(bits_type(s), "bits_type") + (compares ? named(signed_bits_type(s), "signed_type") : "");
}

std::string store_number(const Shape& shape) {
  const Storage& s = shape.storage;
  std::string text = rounding_types(shape) +
                     format("  bits_type bits;\n  __builtin_memcpy(&bits, &value, {});\n", s.whole) +
                     rounded_bits(shape);
  for (int i = 0; i < s.bytes; ++i)
    text += format("  to[{}] = (unsigned char)(bits >> {});\n", i, 8 * (shape.dropped() + i));
  return text;
}

std::string store_integral(const Shape& shape) {
  const Storage& s = shape.storage;
  return vector_typedef(part_type(s), "parts", s.bytes * shape.lanes) +
         format(
             "  const parts stored = __builtin_convertvector(bits >> {}, parts);\n"
             "  __builtin_memcpy(to, &stored, {});\n",
             8 * shape.dropped(), s.bytes * shape.lanes);
}

/// The first `count` bytes of a vector of `chunk` bytes in as few pieces as there are; the first `done` are stored.
std::string store_pieces(const std::string& vector, int chunk, int count, int at, int done = 0) {
  constexpr int widths[] = {8, 4, 2, 1};
  constexpr const char* types[] = {"unsigned long long", "unsigned int", "unsigned short", "unsigned char"};
  std::string text;
  for (int i = 0; i < 4; ++i)
    while (count - done >= widths[i]) {
      text += format(
          "  {{\n    typedef {} pieces __attribute__((vector_size({})));\n    const {} piece = "
          "((pieces){})[{}];\n    __builtin_memcpy(to + {}, &piece, {});\n  }}\n",
          types[i], chunk, types[i], vector, done / widths[i], at + done, widths[i]);
      done += widths[i];
    }
  return text;
}

/// Groups of three dwords of four side by side.
std::string store_by_dwords(const Shape& shape, bool exact) {
  std::string text =
      "  typedef unsigned int dwords __attribute__((vector_size(64)));\n" +
      moved_bytes(shape, "whole", "spread", store_table(shape, shape.chunk_values()), 64) +
      "  const dwords all = (dwords)spread;\n"
      "  const dwords stored = __builtin_shufflevector(all, all, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, "
      "15, 15, 15, 15);\n";
  if (!exact) return text + "  __builtin_memcpy(to, &stored, 64);\n";
  return text +
         "  typedef unsigned int eight __attribute__((vector_size(32)));\n"
         "  typedef unsigned int four __attribute__((vector_size(16)));\n"
         "  const eight first = __builtin_shufflevector(stored, stored, 0, 1, 2, 3, 4, 5, 6, 7);\n"
         "  const four last = __builtin_shufflevector(stored, stored, 8, 9, 10, 11);\n"
         "  __builtin_memcpy(to, &first, 32);\n  __builtin_memcpy(to + 32, &last, 16);\n";
}

/// The first `count` bytes of "stored" in halves, quarters and so on of it, which are vectors down to 16 bytes.
std::string store_front(int bytes, int count) {
  constexpr int least = 16;
  std::string text;
  int done = 0;
  for (int width = bytes / 2; width >= least; width /= 2) {
    if (count - done < width) continue;
    text += format(
        "  {{\n    typedef char front __attribute__((vector_size({})));\n    const front piece = "
        "__builtin_shufflevector(stored, stored, {});\n    __builtin_memcpy(to + {}, &piece, {});\n  }}\n",
        width, fmt::join(counted(width, done), ", "), done, width);
    done += width;
  }
  return text + store_pieces("stored", bytes, count, 0, done);
}

std::string store_by_bytes(const Shape& shape, bool exact) {
  const int bytes = shape.storage.whole * shape.lanes;
  const std::string moved = permuted_bytes("whole", "stored", store_table(shape, shape.lanes));
  return moved + (exact ? store_front(bytes, shape.storage.bytes * shape.lanes)
                        : format("  __builtin_memcpy(to, &stored, {});\n", bytes));
}

std::string store_chunks(const Shape& shape, bool exact) {
  const int chunk = shape.chunk(), chunks = shape.chunks();
  std::string text = moved_bytes(shape, "whole", "stored", store_table(shape, shape.chunk_values()), chunk * chunks);
  text += format("  typedef char one __attribute__((vector_size({})));\n", chunk);
  for (int i = 0; i < chunks; ++i) {
    text += chunks == 1 ? format("  const one part{} = stored;\n", i)
                        : format("  const one part{} = __builtin_shufflevector(stored, stored, {});\n", i,
                                 fmt::join(counted(chunk, i * chunk), ", "));
    text += exact ? store_pieces(format("part{}", i), chunk, shape.chunk_bytes(), i * shape.chunk_bytes())
                  : format("  __builtin_memcpy(to + {}, &part{}, {});\n", i * shape.chunk_bytes(), i, chunk);
  }
  return text;
}

std::string store_vector(const Shape& shape, bool exact) {
  const Storage& s = shape.storage;
  const std::string text = rounding_types(shape) + "  bits_type bits = (bits_type)value;\n" + rounded_bits(shape);
  if (integral(s)) return text + store_integral(shape);
  return text + vector_typedef("char", "bytes", s.whole * shape.lanes) + "  const bytes whole = (bytes)bits;\n" +
         (shape.by_bytes()    ? store_by_bytes(shape, exact)
          : shape.by_dwords() ? store_by_dwords(shape, exact)
                              : store_chunks(shape, exact));
}

std::string name_of(const char* what, const Storage& storage, int lanes) {
  return format("{}_flyte{}_{}", what, 8 * storage.bytes, lanes);
}

}  // namespace

std::string flyte_load_name(const Storage& storage, int lanes) {
  return name_of("load", storage, lanes);
}
std::string flyte_store_name(const Storage& storage, int lanes) {
  return name_of("store", storage, lanes);
}

std::string flyte_load_function(const Storage& storage, Family family, int lanes) {
  const Shape shape{storage, family, lanes};
  const std::string body = lanes == 1          ? load_number(shape)
                           : integral(storage) ? load_integral(shape)
                           : shape.by_bytes()  ? load_by_bytes(shape)
                           : shape.by_dwords() ? load_by_dwords(shape)
                                               : load_chunks(shape);
  return format("static inline {} {}(const unsigned char* from) {{\n{}}}\n", shape.value_type(),
                flyte_load_name(storage, lanes), body);
}

std::string flyte_store_functions(const Storage& storage, Family family, int lanes) {
  const Shape shape{storage, family, lanes};
  std::string text;
  for (const bool exact : {true, false})
    text += format("static inline void {}(unsigned char* to, {} value) {{\n{}}}\n",
                   name_of(exact ? "store" : "overwrite", storage, lanes), shape.value_type(),
                   lanes == 1 ? store_number(shape) : store_vector(shape, exact));
  return text;
}

}  // namespace convscope::cpu
