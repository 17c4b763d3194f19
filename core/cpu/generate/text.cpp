#include "core/cpu/generate/text.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/cpu/generate/flyte_text.h"
#include "core/cpu/generate/lowering.h"

namespace convscope::cpu {
namespace {

constexpr const char* bounds_text =
    R"(// First i from `begin` on with step * i + rest >= 0; end of those below `end` with step * i < room.
static inline long first_inside(long begin, long rest, long step) {
  return -rest > begin * step ? (step - 1 - rest) / step : begin;
}
static inline long end_inside(long end, long room, long step) {
  return room < end * step ? (room > 0 ? (room + step - 1) / step : 0) : end;
}
)";

std::string vector_types(int lanes) {
  return fmt::format(
      "typedef float v{0} __attribute__((vector_size({1})));\n"
      "typedef float v{0}u __attribute__((vector_size({1}), aligned(4), may_alias));\n",
      lanes, 4 * lanes);
}

std::string stream_function(int lanes) {
  return fmt::format(
      "static inline void stream{0}(float* to, v{0} value) {{\n"
      "#ifdef __clang__\n"
      "  __builtin_nontemporal_store(value, (v{0}*)to);\n"
      "#else\n"
      "  __builtin_ia32_movntps{1}(to, value);\n"
      "#endif\n"
      "}}\n",
      lanes, lanes == 4 ? "" : std::to_string(32 * lanes));
}

class Writer {
 public:
  Writer(const SyntaxTree& tree, Family family) : tree_(tree), family_(family) {}

  SourceText run(const std::string& comment) {
    for (const std::string& one : words(comment, "\n")) line("// " + one, -1);
    prelude();
    for (const NodePtr& child : tree_.root->children) write(*child);
    return std::move(source_);
  }

 private:
  void prelude() {
    const int most = traits(family_).lanes;
    for (int lanes = 2; lanes <= most; lanes *= 2)
      if (lanes > 2 || most == 4) raw(vector_types(lanes));
    for (const Tensor& tensor : tree_.tensors)
      if (tensor.buffer) line(buffer_line(tensor), -1);
    if (is_x86(family_))
      for (int lanes = 4; lanes <= most; lanes *= 2) raw(stream_function(lanes));
    for (const Tensor& tensor : tree_.tensors) flyte_functions(tensor);
    raw(bounds_text);
  }

  /// Of bytes if it is stored as flyte, with what loads may read behind.
  static std::string buffer_line(const Tensor& tensor) {
    const bool floats = tensor.layout.storage.complete();
    return fmt::format("static {}{} {}[{}] __attribute__((aligned(64)));", tensor.threads > 1 ? "thread_local " : "",
                       floats ? "float" : "unsigned char", tensor.name,
                       floats ? elements(tensor.layout, tensor.extents)
                              : bytes(tensor.layout, tensor.extents) + readable_behind(tensor.layout));
  }

  /// What loads or stores a tensor's elements, for all vectors that the program may have; once for tensors alike.
  void flyte_functions(const Tensor& tensor) {
    if (tensor.layout.storage.complete()) return;
    const bool written = tensor.name == "output";
    for (int lanes = 1; lanes <= traits(family_).lanes; lanes *= 2) {
      if (lanes == 2 && traits(family_).lanes > 4) continue;
      const std::string name =
          written ? flyte_store_name(tensor.layout.storage, lanes) : flyte_load_name(tensor.layout.storage, lanes);
      if (source_.text.find(" " + name + "(") != std::string::npos) continue;
      raw(written ? flyte_store_functions(tensor.layout.storage, family_, lanes)
                  : flyte_load_function(tensor.layout.storage, family_, lanes));
    }
  }

  void raw(const std::string& text) {
    for (const std::string& one : words(text, "\n")) line(one, -1);
  }

  void line(const std::string& text, int node) {
    source_.text += text + "\n";
    ++lines_;
    if (node >= 0) source_.links.push_back({lines_, node});
  }

  void statement(const std::string& text, int node) { line(std::string(2 * depth_, ' ') + text, node); }

  void write(const Node& node) {
    switch (node.kind) {
      case Kind::block:
        return braces("", node);
      case Kind::function:
        return braces(head(node), node);
      case Kind::loop:
        return write_loop(node);
      case Kind::condition:
        return braces(fmt::format("if ({})", test(node.conditions.front())), node);
      case Kind::clear:
      case Kind::tile_copy:
      case Kind::microkernel:
        for (const NodePtr& child : node.children) write(*child);
        return;
      default:
        return write_fragment(node, node.id);
    }
  }

  void braces(const std::string& head, const Node& node) {
    statement(head.empty() ? "{" : head + " {", node.id);
    ++depth_;
    for (const NodePtr& child : node.children) write(*child);
    --depth_;
    statement("}", node.id);
  }

  static std::string test(const Condition& test) {
    return text(test.form) + (test.over ? fmt::format(" < {}", test.limit) : " >= 0");
  }

  std::string head(const Node& node) const {
    std::string parameters;
    const auto add = [&](const std::string& one) { parameters += (parameters.empty() ? "" : ", ") + one; };
    const auto add_tensor = [&](const char* name) {
      const Tensor& tensor = tree_.tensor(name);
      add(pointer_type(tensor) + " " + name);
    };
    if (node.name == "convolution") {
      for (const char* tensor : {"image", "kernel", "output"}) add_tensor(tensor);
      return fmt::format("extern \"C\" void convolution({})", parameters);
    }
    for (const Access& access : node.accesses) add_tensor(access.tensor.c_str());
    for (const std::string& name : node.operands) add("long " + name);
    return fmt::format("static __attribute__((noinline)) void {}({})", node.name, parameters);
  }

  void write_loop(const Node& node) {
    if (node.threads > 1) statement(fmt::format("#pragma omp parallel for num_threads({})", node.threads), node.id);
    braces(node.conditions.empty()
               ? fmt::format("for (long {0} = {1}; {0} < {2}; ++{0})", node.name, node.begin, node.end)
               : clipped(node),
           node);
  }

  static std::string clipped(const Node& node) {
    std::string begin = fmt::format("{}", node.begin), end = fmt::format("{}", node.end);
    for (const Condition& clip : node.conditions) {
      const std::int64_t step = clip.form.coefficient(node.name);
      const Affine rest = substitute(clip.form, node.name, 0);
      if (clip.over)
        end = fmt::format("end_inside({}, {}, {})", end, text(rest * -1 + Affine(clip.limit)), step);
      else
        begin = fmt::format("first_inside({}, {}, {})", begin, text(rest), step);
    }
    return fmt::format("for (long {0} = {1}, {0}_end = {2}; {0} < {0}_end; ++{0})", node.name, begin, end);
  }

  /// Text up to semicolons, each of which ends a line.
  void write_fragment(const Node& node, int id) {
    print(node, id);
    if (!pending_.empty()) statement(std::exchange(pending_, {}), id);
  }

  void print(const Node& node, int id) {
    switch (node.kind) {
      case Kind::semicolon:
        statement(std::exchange(pending_, {}) + ";", id);
        return;
      case Kind::type:
        pending_ += node.type.lanes == 1 ? "float" : fmt::format("v{}", node.type.lanes);
        return;
      case Kind::brackets:
        pending_ += "(";
        break;
      default:
        pending_ += node.name;
        break;
    }
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      if (i > 0 && node.kind == Kind::comma_list) pending_ += ", ";
      print(*node.children[i], id);
    }
    if (node.kind == Kind::brackets) pending_ += ")";
  }

  const SyntaxTree& tree_;
  Family family_;
  SourceText source_;
  std::string pending_;
  int lines_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

SourceText write_source(const SyntaxTree& lowered, Family family, const std::string& comment) {
  return Writer(lowered, family).run(comment);
}

}  // namespace convscope::cpu
