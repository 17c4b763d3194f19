#include "core/readers/torch7/archive.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/readers/torch7/tensor_type.h"

namespace convscope::readers::torch7 {
namespace {

/// How a value begins (torch/File.lua).
enum class Mark {
  nothing = 0,
  number = 1,
  text = 2,
  table = 3,
  torch = 4,
  boolean = 5,
  unreferenced_function = 6,
  old_function = 7,
  function = 8
};

constexpr std::int64_t dimension_cap = 32;
constexpr std::size_t smallest_value = 4;  ///< bytes of nil

/// "V 1" before the class; files older than versions have the class at once.
bool is_version(std::string_view text) {
  return text.starts_with("V ") && parse_integer<int>(text.substr(2)).has_value();
}

/// Keeps a stack of its own, so that depth in the file is no depth in the program.
class ArchiveReader {
 public:
  ArchiveReader(std::string_view bytes, const std::shared_ptr<const void>& owner, Form form)
      : source_(bytes, owner, form) {
    archive_.form = form;
  }

  std::optional<Archive> read(Source::Problem& problem) {
    archive_.root = value();
    while (!open_.empty() && !source_.failed()) {
      Open& innermost = open_.back();
      if (innermost.missing == 0) {
        close();
        continue;
      }
      --innermost.missing;
      const int object = innermost.object;
      const Value read = value();
      archive_.objects[static_cast<std::size_t>(object)].values.push_back(read);
      if (++values_ > value_cap) source_.fail(fmt::format("more than {} values", value_cap));
    }
    problem = source_.problem();
    if (source_.failed()) return std::nullopt;
    return std::move(archive_);
  }

 private:
  struct Open {
    int object = 0;
    std::int64_t missing = 0;  ///< values still to come
  };

  Value value() {
    const std::int64_t mark = source_.integer();
    if (mark < 0 || mark > static_cast<std::int64_t>(Mark::function)) {
      source_.fail(fmt::format("a value of kind {}", mark), "a kind from 0 to 8");
      return {};
    }
    switch (static_cast<Mark>(mark)) {
      case Mark::nothing:
        return {};
      case Mark::number:
        return {Kind::number, source_.number()};
      case Mark::text:
        return {Kind::text, 0, source_.string()};
      case Mark::boolean:
        return {Kind::boolean, source_.integer() != 0 ? 1.0 : 0.0};
      case Mark::unreferenced_function:
        return function(add(ObjectKind::function));
      case Mark::table:
      case Mark::torch:
      case Mark::old_function:
      case Mark::function:
        return referred(static_cast<Mark>(mark));
    }
    return {};
  }

  /// The object of an index: the first time its content follows.
  Value referred(Mark mark) {
    const std::int64_t index = source_.integer();
    if (source_.failed()) return {};
    const auto known = indices_.find(index);
    if (known != indices_.end()) return {Kind::object, 0, {}, known->second};
    const int object = add(ObjectKind::table);
    indices_[index] = object;
    if (mark == Mark::torch) return instance(object);
    return mark == Mark::table ? table(object, source_.integer(), 2) : function(object);
  }

  int add(ObjectKind kind) {
    if (archive_.objects.size() >= object_cap) source_.fail(fmt::format("more than {} objects", object_cap));
    archive_.objects.push_back({kind, {}, source_.place(), {}, -1});
    return static_cast<int>(archive_.objects.size()) - 1;
  }

  Object& at(int object) { return archive_.objects[static_cast<std::size_t>(object)]; }

  Value opened(int object, std::int64_t values) {
    open_.push_back({object, values});
    return {Kind::object, 0, {}, object};
  }

  Value table(int object, std::int64_t entries, std::int64_t values_each) {
    if (!source_.failed() && !source_.has_room(entries, smallest_value * static_cast<std::size_t>(values_each)))
      source_.fail(fmt::format("a table of {} entries, for which the rest of the file is too short", entries));
    return opened(object, source_.failed() ? 0 : entries * values_each);
  }

  Value function(int object) {
    at(object).kind = ObjectKind::function;
    source_.string();  // compiled Lua
    return opened(object, 1);
  }

  Value instance(int object) {
    std::string_view type = source_.string();
    if (is_version(type)) type = source_.string();
    at(object).kind = ObjectKind::instance;
    at(object).type = type;
    if (const auto element = tensor_element(type, source_.form().long_bytes)) return tensor(object);
    if (const auto element = storage_element(type, source_.form().long_bytes)) return storage(object, *element);
    if (type == "tds.Hash") return table(object, source_.long_integer(), 2);
    if (type == "tds.Vec") return table(object, source_.long_integer(), 1);
    return opened(object, 1);
  }

  Value tensor(int object) {
    at(object).kind = ObjectKind::tensor;
    at(object).detail = static_cast<int>(archive_.layouts.size());
    TensorLayout& layout = archive_.layouts.emplace_back();
    const std::int64_t rank = source_.integer();
    if (rank < 0 || rank > dimension_cap)
      source_.fail(fmt::format("a tensor of {} dimensions", rank), fmt::format("at most {}", dimension_cap));
    const auto longs = [&](std::vector<std::int64_t>& values) {
      for (std::int64_t i = 0; i < rank && !source_.failed(); ++i) values.push_back(source_.long_integer());
    };
    longs(layout.dimensions);
    longs(layout.strides);
    layout.offset = std::max<std::int64_t>(source_.long_integer(), 0) - 1;  // Lua counts from 1
    return opened(object, 1);
  }

  Value storage(int object, network::ElementType element) {
    at(object).kind = ObjectKind::storage;
    at(object).detail = static_cast<int>(archive_.arrays.size());
    archive_.arrays.push_back(source_.array(element, source_.long_integer()));
    return {Kind::object, 0, {}, object};
  }

  void close() {
    const Object& closed = at(open_.back().object);
    if (closed.kind == ObjectKind::tensor) check(closed);
    open_.pop_back();
  }

  /// A layout that leads out of its storage is also what `long`s of the other size look like.
  void check(const Object& tensor) {
    const TensorLayout& layout = archive_.layouts[static_cast<std::size_t>(tensor.detail)];
    const Value& storage = tensor.values.front();
    const bool stored = storage.kind == Kind::object && at(storage.object).kind == ObjectKind::storage;
    if (storage.kind != Kind::nothing && !stored) source_.fail("a tensor whose storage is none", "a storage or nil");
    const std::int64_t held = stored ? archive_.arrays[static_cast<std::size_t>(at(storage.object).detail)].count : 0;
    if (!fits(layout, held))
      source_.fail(fmt::format("a tensor that begins at byte {} and leads out of its storage of {} elements",
                               tensor.place.byte, held));
  }

  static bool fits(const TensorLayout& layout, std::int64_t held) {
    std::int64_t last = layout.offset;
    bool empty = layout.dimensions.empty();
    if (!empty && last < 0) return false;
    for (std::size_t i = 0; i < layout.dimensions.size(); ++i) {
      const std::int64_t dimension = layout.dimensions[i], stride = layout.strides[i];
      if (dimension < 0 || stride < 0) return false;
      empty = empty || dimension == 0;
      if (dimension <= 1) continue;
      if (stride > 0 && dimension - 1 > (held - last) / stride) return false;
      last += (dimension - 1) * stride;
    }
    return empty || last < held;
  }

  Source source_;
  Archive archive_;
  std::vector<Open> open_;
  std::unordered_map<std::int64_t, int> indices_;
  std::size_t values_ = 0;
};

}  // namespace

std::optional<Archive> read_archive(std::string_view bytes, const std::shared_ptr<const void>& owner, Form form,
                                    Source::Problem& problem) {
  return ArchiveReader(bytes, owner, form).read(problem);
}

std::optional<Archive> read_archive(std::string_view bytes, const std::shared_ptr<const void>& owner,
                                    Source::Problem& problem) {
  const bool text = !bytes.empty() && bytes[0] >= '0' && bytes[0] <= '9';
  auto archive = read_archive(bytes, owner, {text, 8}, problem);
  Source::Problem other;
  if (!archive && !text) archive = read_archive(bytes, owner, {false, 4}, other);
  return archive;
}

}  // namespace convscope::readers::torch7
