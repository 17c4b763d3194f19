#pragma once
// Writes Torch7 files for tests as torch.save does (torch/File.lua, writeObject; lib/TH/THDiskFile.c): binary and text.

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace convscope::readers {

struct LuaObject;

/// A value of Lua; objects are shared when the value is copied.
struct Lua {
  enum class Kind { nil, number, text, boolean, object };
  Kind kind = Kind::nil;
  double number = 0;
  std::string text;
  std::shared_ptr<LuaObject> object;

  Lua() = default;
  Lua(double value) : kind(Kind::number), number(value) {}
  Lua(int value) : Lua(static_cast<double>(value)) {}
  Lua(const char* value) : kind(Kind::text), text(value) {}
  Lua(bool value) : kind(Kind::boolean), number(value ? 1 : 0) {}
  Lua(std::shared_ptr<LuaObject> value) : kind(Kind::object), object(std::move(value)) {}
};

using LuaEntries = std::vector<std::pair<Lua, Lua>>;

struct LuaObject {
  enum class Kind { table, instance, function, tensor, storage };
  Kind kind = Kind::table;
  std::string type;    ///< of an instance its class, of tensors and storages "Float" and the like
  LuaEntries entries;  ///< of tables and instances
  std::vector<std::int64_t> dimensions, strides;
  std::int64_t offset = 1;
  Lua storage;
  std::vector<double> values;  ///< of storages
};

inline Lua lua_table(LuaEntries entries) {
  auto made = std::make_shared<LuaObject>();
  made->entries = std::move(entries);
  return made;
}

inline Lua lua_list(const std::vector<Lua>& values) {
  LuaEntries entries;
  for (std::size_t i = 0; i < values.size(); ++i) entries.emplace_back(static_cast<double>(i + 1), values[i]);
  return lua_table(std::move(entries));
}

inline Lua lua_function() {
  auto made = std::make_shared<LuaObject>();
  made->kind = LuaObject::Kind::function;
  return made;
}

inline Lua module(const std::string& type, LuaEntries fields = {}) {
  auto made = std::make_shared<LuaObject>();
  made->kind = LuaObject::Kind::instance;
  made->type = type;
  made->entries = std::move(fields);
  return made;
}

inline Lua container(const std::string& type, const std::vector<Lua>& modules, LuaEntries fields = {}) {
  fields.emplace_back("modules", lua_list(modules));
  return module(type, std::move(fields));
}

inline Lua lua_storage(const std::string& type, std::vector<double> values) {
  auto made = std::make_shared<LuaObject>();
  made->kind = LuaObject::Kind::storage;
  made->type = type;
  made->values = std::move(values);
  return made;
}

/// Contiguous.
inline Lua lua_tensor(const std::string& type, std::vector<std::int64_t> dimensions, std::vector<double> values) {
  auto made = std::make_shared<LuaObject>();
  made->kind = LuaObject::Kind::tensor;
  made->type = type;
  made->strides.assign(dimensions.size(), 1);
  for (std::size_t axis = dimensions.size(); axis-- > 1;)
    made->strides[axis - 1] = made->strides[axis] * dimensions[axis];
  made->dimensions = std::move(dimensions);
  made->storage = lua_storage(type, std::move(values));
  return made;
}

/// Small values that differ: -0.5, -0.375 … 0.5, and again.
inline Lua counted_tensor(const std::string& type, const std::vector<std::int64_t>& dimensions) {
  const auto count = std::accumulate(dimensions.begin(), dimensions.end(), std::int64_t{1}, std::multiplies<>());
  std::vector<double> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i % 9) / 8 - 0.5;
  return lua_tensor(type, dimensions, std::move(values));
}

class Torch7Writer {
 public:
  explicit Torch7Writer(bool in_text, int long_bytes = 8) : text_(in_text), long_bytes_(long_bytes) {}

  static std::string file(const Lua& value, bool in_text, int long_bytes = 8) {
    Torch7Writer writer(in_text, long_bytes);
    writer.write(value);
    return writer.out_;
  }

  void write(const Lua& value) {
    switch (value.kind) {
      case Lua::Kind::nil:
        return integer(0);
      case Lua::Kind::number:
        integer(1);
        return element("Double", value.number), end();
      case Lua::Kind::text:
        integer(2);
        return characters(value.text);
      case Lua::Kind::boolean:
        integer(5);
        return integer(static_cast<std::int32_t>(value.number));
      case Lua::Kind::object:
        return write(*value.object);
    }
  }

 private:
  template <typename Value>
  void binary(Value value) {
    out_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void end() {
    if (text_) out_ += '\n';
  }
  void integer(std::int32_t value) {
    element("Int", value);
    end();
  }
  void characters(const std::string& value) {
    integer(static_cast<std::int32_t>(value.size()));
    out_ += value;
    if (!value.empty()) end();
  }
  void longs(const std::vector<std::int64_t>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0 && text_) out_ += ' ';
      element("Long", static_cast<double>(values[i]));
    }
    if (!values.empty()) end();
  }

  void element(std::string type, double value) {
    for (const char* device : {"Cuda", "Cl"})
      if (type.starts_with(device)) type = type.substr(std::strlen(device));
    if (type.empty()) type = "Float";
    const bool real = type == "Float" || type == "Double" || type == "Half";
    if (type == "Byte" || type == "Char") return binary(static_cast<std::int8_t>(value));
    if (text_) {
      out_ += real ? fmt::format("{:.17g}", value) : fmt::format("{}", static_cast<std::int64_t>(value));
    } else if (type == "Long" && long_bytes_ == 8) {
      binary(static_cast<std::int64_t>(value));
    } else if (type == "Int" || type == "Long") {
      binary(static_cast<std::int32_t>(value));
    } else if (type == "Short") {
      binary(static_cast<std::int16_t>(value));
    } else if (type == "Half") {
      binary(half_of(value));
    } else if (type == "Float") {
      binary(static_cast<float>(value));
    } else {
      binary(value);
    }
  }

  /// Of values that a half can hold, and no subnormal ones.
  static std::uint16_t half_of(double value) {
    const auto single = static_cast<float>(value);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &single, sizeof bits);
    if (value == 0) return 0;
    return static_cast<std::uint16_t>(((bits >> 16) & 0x8000) | ((((bits >> 23) & 0xff) - 112) << 10) |
                                      ((bits >> 13) & 0x3ff));
  }

  void write(const LuaObject& object) {
    using Kind = LuaObject::Kind;
    integer(object.kind == Kind::table ? 3 : object.kind == Kind::function ? 8 : 4);
    const auto [known, fresh] = indices_.try_emplace(&object, static_cast<std::int32_t>(indices_.size() + 1));
    integer(known->second);
    if (!fresh) return;
    if (object.kind == Kind::table) return table(object.entries);
    if (object.kind == Kind::function) return characters("\x1bLJ"), write_new({});
    characters("V 1");
    if (object.kind == Kind::tensor) return tensor(object);
    if (object.kind == Kind::storage) return storage(object);
    characters(object.type);
    write_new(object.entries);  // torch writes an instance's fields as one table
  }

  void write_new(LuaEntries entries) {
    auto made = std::make_shared<LuaObject>();
    made->entries = std::move(entries);
    kept_.push_back(made);
    write(*made);
  }

  void table(const LuaEntries& entries) {
    integer(static_cast<std::int32_t>(entries.size()));
    for (const auto& [key, value] : entries) {
      write(key);
      write(value);
    }
  }

  void tensor(const LuaObject& tensor) {
    characters("torch." + tensor.type + "Tensor");
    integer(static_cast<std::int32_t>(tensor.dimensions.size()));
    longs(tensor.dimensions);
    longs(tensor.strides);
    longs({tensor.offset});
    write(tensor.storage);
  }

  void storage(const LuaObject& storage) {
    characters("torch." + storage.type + "Storage");
    longs({static_cast<std::int64_t>(storage.values.size())});
    const bool characters = storage.type.ends_with("Byte") || storage.type.ends_with("Char");
    for (std::size_t i = 0; i < storage.values.size(); ++i) {
      if (i > 0 && text_ && !characters) out_ += ' ';
      element(storage.type, storage.values[i]);
    }
    if (!storage.values.empty()) end();
  }

  bool text_;
  int long_bytes_;
  std::string out_;
  std::map<const LuaObject*, std::int32_t> indices_;
  std::vector<std::shared_ptr<LuaObject>> kept_;  ///< addresses stay taken
};

}  // namespace convscope::readers
