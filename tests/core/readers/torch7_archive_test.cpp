// Serialization of Torch7: the values of real files, and what the writer here writes in both forms.

#include "core/readers/torch7/constants.h"
#include "core/readers/torch7/tables.h"
#include "tests/core/readers/graph_questions.h"
#include "tests/core/readers/torch7_writer.h"

namespace convscope::readers::torch7 {
namespace {

using network::ElementType;

/// A file's values; the bytes live as long.
struct Opened {
  std::string bytes;
  Archive archive;
  Tables tables{archive};

  explicit Opened(std::string content) : bytes(std::move(content)) {
    Source::Problem problem;
    auto read = read_archive(bytes, nullptr, problem);
    EXPECT_TRUE(read.has_value()) << problem.what << " at " << problem.place.byte << ", line " << problem.place.line;
    if (read) archive = *std::move(read);
  }
  const Value& root() const { return archive.root; }
  const Object& root_object() const { return archive.objects.at(static_cast<std::size_t>(root().object)); }
  std::vector<float> floats(const Value& tensor) {
    const auto stored = stored_tensor(tables, tensor);
    network::Constant constant;
    std::size_t budget = 1000;
    if (!stored || !give_tensor(*stored, constant, budget)) return {};
    constant.dimensions = stored->layout.dimensions;
    return constant.floats().value_or(std::vector<float>{});
  }
};

Opened real(const std::string& name) {
  return Opened(content_of(model_path("torch7/torchfile-tests/" + name + ".t7")));
}

#define NEEDS_TORCH7 CONVSCOPE_NEEDS_MODELS("torch7/torchfile-tests")

TEST(Torch7Archive, RealTables) {
  NEEDS_TORCH7
  Opened hello = real("hello=123");
  EXPECT_EQ(hello.tables.field(hello.root(), "hello").number, 123);
  Opened list = real("list_table");
  const auto values = list.tables.list(list.root());
  ASSERT_EQ(values.size(), 4u);
  EXPECT_EQ(values[0].text, "hello");
  EXPECT_EQ(values[2].text, "third item");
  EXPECT_EQ(values[3].number, 123);
  // Keys 0 to 4, and 1 to 4 with a word.
  Opened from_zero = real("map_table1"), with_word = real("map_table2");
  EXPECT_EQ(from_zero.root_object().values.size(), 10u);
  EXPECT_EQ(from_zero.tables.list(from_zero.root()).size(), 4u);
  EXPECT_EQ(with_word.tables.field(with_word.root(), "a").text, "non number key");
  EXPECT_EQ(with_word.tables.list(with_word.root())[1].text, "world");
}

TEST(Torch7Archive, RealCircles) {
  NEEDS_TORCH7
  Opened table = real("recursive_kv_table"), instance = real("recursive_class");
  ASSERT_EQ(table.root_object().values.size(), 2u);
  EXPECT_EQ(table.root_object().values[0].object, table.root().object);
  EXPECT_EQ(table.root_object().values[1].object, table.root().object);
  EXPECT_EQ(instance.root_object().type, "A");
  EXPECT_EQ(instance.tables.field(instance.root(), "a").object, instance.root().object);
}

TEST(Torch7Archive, RealTensors) {
  NEEDS_TORCH7
  Opened doubles = real("doubletensor"), floats = real("floattensor");
  EXPECT_EQ(stored_tensor(doubles.tables, doubles.root())->layout.dimensions, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(doubles.floats(doubles.root()), (std::vector<float>{1, 2, 3, 4, 5, 6.9F}));
  EXPECT_EQ(stored_tensor(floats.tables, floats.root())->layout.dimensions, (std::vector<std::int64_t>{2, 3, 4}));
  const std::vector<float> values = floats.floats(floats.root());
  ASSERT_EQ(values.size(), 24u);
  EXPECT_FLOAT_EQ(values.front(), 0.8635312F);
  EXPECT_FLOAT_EQ(values.back(), 0.13664843F);
}

TEST(Torch7Archive, RealFunctionsAndClasses) {
  NEEDS_TORCH7
  EXPECT_EQ(real("function").root_object().kind, ObjectKind::function);
  Opened closure = real("function_upvals");
  EXPECT_EQ(closure.root_object().kind, ObjectKind::function);
  const Value upvalue = closure.tables.list(closure.root_object().values[0]).at(0);
  EXPECT_EQ(closure.tables.field(upvalue, "name").text, "asdf");
  EXPECT_EQ(closure.tables.field(upvalue, "value").number, 123);
  EXPECT_EQ(real("custom_class").root_object().type, "Blah");
  Opened node = real("nngraph_node");
  EXPECT_EQ(node.root_object().type, "nngraph.Node");
  const Value annotations = node.tables.field(node.tables.field(node.root(), "data"), "annotations");
  EXPECT_EQ(node.tables.field(annotations, "hello").number, 123);
  EXPECT_EQ(node.tables.field(node.root(), "visited").kind, Kind::boolean);
}

TEST(Torch7Archive, RealContainersOfTds) {
  NEEDS_TORCH7
  const auto numbers = [](const Opened& opened) {
    std::vector<double> found;
    for (const Value& value : opened.root_object().values) found.push_back(value.number);
    return found;
  };
  EXPECT_EQ(numbers(real("tds_hash")), (std::vector<double>{2, 3, 10, 11, 1, 2}));
  EXPECT_EQ(numbers(real("tds_vec")), (std::vector<double>{123, 456}));
}

/// Binary with longs of 8 and of 4 bytes, and text.
class Torch7Forms : public testing::TestWithParam<int> {
 protected:
  static std::string file(const Lua& value) {
    return GetParam() == 0 ? Torch7Writer::file(value, true) : Torch7Writer::file(value, false, GetParam());
  }
};

TEST_P(Torch7Forms, HaveTheSameValues) {
  const Lua shared = lua_table({{"a", 1.5}});
  Opened opened(file(lua_table({{"text", "two\nlines"},
                                {"empty", ""},
                                {"yes", true},
                                {"shared", shared},
                                {"again", shared},
                                {"code", lua_function()},
                                {"after", -2.25e-9}})));
  const auto field = [&](const char* key) { return opened.tables.field(opened.root(), key); };
  EXPECT_EQ(field("text").text, "two\nlines");
  EXPECT_EQ(field("empty").kind, Kind::text);
  EXPECT_EQ(field("yes").number, 1);
  EXPECT_EQ(field("shared").object, field("again").object);
  EXPECT_EQ(opened.tables.field(field("again"), "a").number, 1.5);
  EXPECT_EQ(field("after").number, -2.25e-9);
}

TEST_P(Torch7Forms, TensorsOfAllTypes) {
  for (const char* type :
       {"Byte", "Char", "Short", "Int", "Long", "Float", "Double", "Half", "Cuda", "CudaHalf", "Cl"}) {
    SCOPED_TRACE(type);
    Opened opened(file(lua_list({lua_tensor(type, {2, 3}, {1, 2, 3, 50, 5, 6}), "behind"})));
    const auto& values = opened.tables.list(opened.root());
    ASSERT_EQ(values.size(), 2u);
    EXPECT_EQ(opened.floats(values[0]), (std::vector<float>{1, 2, 3, 50, 5, 6}));
    EXPECT_EQ(values[1].text, "behind");
  }
}

TEST_P(Torch7Forms, ViewsOfOneStorage) {
  const Lua whole = lua_tensor("Float", {2, 3}, {1, 2, 3, 4, 5, 6});
  auto turned = std::make_shared<LuaObject>(*whole.object), row = std::make_shared<LuaObject>(*whole.object);
  turned->dimensions = {3, 2};
  turned->strides = {1, 3};
  row->dimensions = {3};
  row->strides = {1};
  row->offset = 4;
  Opened opened(file(lua_list({whole, Lua(turned), Lua(row)})));
  const auto& values = opened.tables.list(opened.root());
  EXPECT_EQ(opened.floats(values.at(1)), (std::vector<float>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(opened.floats(values.at(2)), (std::vector<float>{4, 5, 6}));
  std::size_t budget = 0;
  network::Constant constant;
  EXPECT_FALSE(give_tensor(*stored_tensor(opened.tables, values.at(1)), constant, budget));
  ASSERT_TRUE(give_tensor(*stored_tensor(opened.tables, values.at(2)), constant, budget));
  if (GetParam() != 0) {  // no copy
    EXPECT_GE(reinterpret_cast<const char*>(constant.bytes.data()), opened.bytes.data());
    EXPECT_LT(reinterpret_cast<const char*>(constant.bytes.data()), opened.bytes.data() + opened.bytes.size());
  }
}

TEST_P(Torch7Forms, ListsOfIntegers) {
  Opened opened(file(lua_list({lua_storage("Long", {3, -1}), lua_tensor("Long", {2}, {4, 5}), lua_list({6, 7, 8}),
                               lua_list({0.5}), "no list"})));
  using Integers = std::vector<std::int64_t>;
  const auto& values = opened.tables.list(opened.root());
  const auto integers = [&](std::size_t at) { return integers_of(opened.tables, values.at(at)); };
  EXPECT_EQ(integers(0), (Integers{3, -1}));
  EXPECT_EQ(integers(1), (Integers{4, 5}));
  EXPECT_EQ(integers(2), (Integers{6, 7, 8}));
  EXPECT_FALSE(integers(3));
  EXPECT_FALSE(integers(4));
}

INSTANTIATE_TEST_SUITE_P(TextAndBinary, Torch7Forms, testing::Values(0, 8, 4));

}  // namespace
}  // namespace convscope::readers::torch7
