#include "views_fixture.h"

#include <QPainter>
#include <filesystem>
#include <fstream>
#include <unordered_map>

#include <unistd.h>

#include "made_up_target.h"

namespace convscope::ui::test {

using artifact::OperationClass;
using artifact::OperationKey;

namespace {

OperationKey offset(int program) {
  return static_cast<OperationKey>(program) * second_program;
}

artifact::TimelineCell cell(int resource, std::int64_t begin, OperationKey key, int stage, OperationClass kind,
                            const char* label) {
  return {resource, begin, 1, key, stage, kind, label};
}

std::shared_ptr<const analysis::PublishedTables> published_tables() {
  const auto folder = std::filesystem::temp_directory_path() / ("convscope-views-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "made_up.xml") << R"(<?xml version="1.0"?>
<published>
  <source id="by-hand" title="by hand" citation="nowhere"><network name="made up">
    <layer name="L1"><figure metric="mac_per_instruction" unit="MAC/instruction">12</figure></layer>
    <total><figure metric="mac_per_instruction" unit="MAC/instruction">11</figure></total></network></source>
  <source id="automatic" title="automatic" citation="nowhere"><network name="made up">
    <layer name="L1"><figure metric="mac_per_instruction" unit="MAC/instruction">10</figure></layer></network></source>
  <source id="elsewhere" title="elsewhere" citation="nowhere"><network name="another">
    <layer name="L1"><figure metric="mac_per_instruction" unit="MAC/instruction">1</figure></layer></network></source>
</published>
)";
  Diagnostics diagnostics;
  auto tables = analysis::PublishedTables::load(folder.string(), diagnostics);
  std::filesystem::remove_all(folder);
  return std::make_shared<const analysis::PublishedTables>(std::move(tables));
}

}  // namespace

MadeUpLayer::MadeUpLayer(std::string reason, std::int64_t repeats) : reason_(std::move(reason)), repeats_(repeats) {
  metrics_.macs = 1000;
  metrics_.cycles.value = 500;
  metrics_.utilization.value = 0.5;
  metrics_.bytes_in = 4000;
  metrics_.bytes_out = 3000;
  metrics_.bytes_weights = 100;
  metrics_.breakdown = {{"load", 200}, {"compute", 300}};
  metrics_.target_figures = {{"mac_per_instruction", {8, "", Origin::derived}}};
}

int MadeUpLayer::program_of(OperationKey operation) const {
  if (operation >= read_key && operation <= act_key) return 0;
  return operation >= read_key + second_program && operation <= act_key + second_program ? 1 : -1;
}

std::shared_ptr<const artifact::TaskGraph> MadeUpLayer::task_graph(int program) const {
  artifact::TaskGraph graph;
  const OperationKey base = offset(program);
  graph.resources = {"LOAD", "MAC"};
  graph.operations = {{base + read_key, "rd a", OperationClass::read, 0, 0},
                      {base + mac_key, "mac", OperationClass::multiply_accumulate, 1, 1},
                      {base + act_key, "act", OperationClass::activation, 1, 5}};
  graph.dependences = {{0, 1, 1, 0, artifact::DependenceKind::data},
                       {1, 2, 2, 0, artifact::DependenceKind::order},
                       {1, 0, 0, 1, artifact::DependenceKind::anti}};
  graph.initiation_interval = 3;
  return std::make_shared<const artifact::TaskGraph>(graph);
}

std::shared_ptr<const artifact::Timeline> MadeUpLayer::timeline(int program) const {
  const OperationKey base = offset(program);
  const auto read = [&](int stage) { return cell(0, 0, base + read_key, stage, OperationClass::read, "rd a"); };
  const auto mac = [&](int stage) {
    return cell(1, 1, base + mac_key, stage, OperationClass::multiply_accumulate, "mac");
  };
  const artifact::TimelineCell act = cell(1, 2, base + act_key, 0, OperationClass::activation, "act");
  return std::make_shared<const artifact::Timeline>(
      std::vector<std::string>{"LOAD", "MAC"},
      std::vector<artifact::TimelineSection>{{"prologue", 3, 1, 0, 0, {read(0), mac(0)}},
                                             {"steady state", 3, repeats_, 3, 0, {read(1), mac(1), act}},
                                             {"epilogue", 3, 1, 6, repeats_, {act}}});
}

std::shared_ptr<const artifact::Listing> MadeUpLayer::listing(int program) const {
  artifact::Listing listing;
  listing.columns = {"LOAD", "MAC"};
  const OperationKey base = offset(program);
  const artifact::ListingField none, read{"rd a, \"x\"", base + read_key}, mac{"mac", base + mac_key},
      act{"act", base + act_key};
  const std::pair<artifact::ListingField, artifact::ListingField> rows[] = {{read, none}, {none, mac},  {none, none},
                                                                            {read, none}, {none, mac},  {none, act},
                                                                            {none, none}, {none, none}, {none, act}};
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    const char* section = i < 3 ? "prologue" : i < 6 ? "steady state" : "epilogue";
    listing.lines.push_back({static_cast<std::int64_t>(i), section, "0x00", {rows[i].first, rows[i].second}});
  }
  return std::make_shared<const artifact::Listing>(listing);
}

std::string MadeUpLayer::program_file(int program) const {
  return "made-up run of " + program_name(program);
}

std::shared_ptr<const artifact::Source> MadeUpLayer::source(int /*program*/) const {
  artifact::Source source;
  source.main = {"sum.cpp",
                 "float sum(const float* a) {\n  float s = 0;\n  for (int i = 0; i < 8; ++i)\n    s += a[i];\n"
                 "  return s;\n}\n"};
  const std::vector<artifact::SourceNode> nodes = {{-1, "function sum", 0, 5, 1},
                                                   {0, "definition s", 1, 1, 0},
                                                   {0, "loop i from 0 to 7", 2, 3, 1},
                                                   {2, "add", 3, 3, 1}};
  source.stages = {{"nest", nodes}, {"lower", nodes}};
  return std::make_shared<const artifact::Source>(source);
}

std::shared_ptr<const artifact::DecisionTree> MadeUpLayer::decision_tree() const {
  artifact::DecisionTree tree;
  for (const char* level : {"tile", "unroll", "order"}) {
    tree.levels.push_back({level, {{"14x2", 0.5, ""}, {"8x3", 0.5, ""}}, 0});
    for (int i = 0; i < 20; ++i)
      tree.levels.back().values.push_back({std::to_string(i) + "x9", 0, "too many registers"});
  }
  for (int i = 0; i < 24; ++i) {
    const double seconds = 1e-3 * (1 + i % 5);
    artifact::TriedPath path{
        "{}", {seconds, "s", Origin::estimate}, Quantity{1.2 * seconds, "s", Origin::measured}, "", i == 5};
    if (i % 6 == 1) path = {"{}", {seconds, "s", Origin::estimate}, std::nullopt, "crash", false};
    path.kind = i % 3 == 0 ? "direct" : "F(4,3) 2D, points 0 1 -1 2 -2";
    path.chain = i % 2 == 0 ? 64 : 16;
    if (path.measured) path.error = Quantity{i % 3 == 0 ? 1e-6 : 1e-5 * (1 + i % 2), "", Origin::measured};
    tree.tried.push_back(path);
  }
  tree.error_bound = 1.5e-5;
  return std::make_shared<const artifact::DecisionTree>(tree);
}

std::shared_ptr<const artifact::Explanation> MadeUpLayer::explanation() const {
  artifact::Explanation explanation;
  explanation.summary = mapped() ? "MAC binds: 80 % of the time" : reason_;
  const auto bound = [](const char* kind, std::int64_t cycles, bool proven, const char* text) {
    return artifact::ExplainedBound{
        {kind, cycles, proven}, {static_cast<double>(cycles) * 1e-8, "s", Origin::derived}, text};
  };
  if (mapped())
    explanation.bounds = {bound("MAC", 400, true, "40 operations need MAC"), bound("LOAD", 300, true, ""),
                          bound("transfer", 120, false, "pixels over the bus")};
  explanation.rejected = {{"rows first", true, {6e-6, "s", Origin::estimate}, "moves more"},
                          {"a larger tile", false, {}, "overruns the local buffer by 12 words"}};
  return std::make_shared<const artifact::Explanation>(explanation);
}

std::shared_ptr<const artifact::MemoryMap> MadeUpLayer::memory_map(int /*program*/) const {
  artifact::MemoryMap map;
  map.memories = {{"local buffer",
                   64,
                   20,
                   64,
                   {{"coefficients", OperationClass::coefficients, 0, 8, 0, 60},
                    {"input 0", OperationClass::pixels, 8, 12, 10, 40}}},
                  {"instruction buffer", 512, 9, 96, {}}};
  return std::make_shared<const artifact::MemoryMap>(map);
}

std::shared_ptr<const artifact::Links> MadeUpLayer::links(int program) const {
  return std::make_shared<const artifact::Links>(
      std::vector<artifact::OperationPlace>{{offset(program) + read_key, {0, 3}, {{0, 8}, {0, 9}}, 0, 1}});
}

std::shared_ptr<const artifact::TilePlan> MadeUpLayer::tile_plan() const {
  return made_up_plan();
}

std::shared_ptr<const artifact::TilePlan> made_up_plan(std::int64_t rows) {
  using artifact::TileBox;
  using artifact::TileMove;
  using artifact::TileTensor;
  const std::vector<artifact::TiledTensor> tensors{{TileTensor::input, {3, 2 * rows, 8}, 2},
                                                   {TileTensor::weights, {4, 3, 1}, 2},
                                                   {TileTensor::output, {4, 2 * rows, 8}, 2}};
  const auto make = [tensors](const std::vector<std::int64_t>& index) {
    artifact::TileStep step;
    const std::int64_t row = 2 * index[0], column = 4 * index[1];
    const TileBox in{TileTensor::input, {0, row, column}, {3, 2, 4}};
    step.transfers.push_back({TileMove::load, in, 0, -1, 48, artifact::bursts_of(in, tensors[0], 16)});
    for (int worker = 0; worker < 2; ++worker) {
      const TileBox weights{TileTensor::weights, {2 * worker, 0, 0}, {2, 3, 1}};
      const TileBox out{TileTensor::output, {2 * worker, row, column}, {2, 2, 4}};
      if (index[0] + index[1] == 0) step.transfers.push_back({TileMove::load, weights, 0, worker, 12, 1});
      step.work.push_back({0, worker, in, weights, out});
      step.transfers.push_back({TileMove::store, out, 0, worker, 32, artifact::bursts_of(out, tensors[2], 16)});
    }
    return step;
  };
  return std::make_shared<const artifact::TilePlan>(
      "made up", tensors, std::vector<artifact::TileLoop>{{"rows", rows, 2, 2 * rows}, {"columns", 2, 4, 8}},
      std::vector<artifact::TileMemory>{{"A", TileTensor::input, 64, 48, "for one tile"},
                                        {"B", TileTensor::weights, 64, 12, "for the whole layer"},
                                        {"C", TileTensor::output, 24, 32, "for one tile"}},
      1, 2, 16, make);
}

std::shared_ptr<const engine::CompiledNetwork> made_up_run(const std::string& level, std::int64_t repeats) {
  network::Network network;
  network.name = "made up";
  network.layers.resize(2);
  network.layers[0].name = "L1";
  network.layers[1].name = "L2";
  network.layers[1].dense = true;
  network.layers[1].in = network.layers[1].out = {1, {2, 2}};
  network.layers[1].kernel = {3, 3};
  auto description = std::make_shared<arch::MachineDescription>();
  auto run = std::make_shared<engine::CompiledNetwork>(
      engine::CompiledNetwork{std::make_shared<const network::Network>(network),
                              std::make_shared<const MadeUpTarget>(),
                              arch::ParameterValues(description),
                              level,
                              "none",
                              {},
                              {},
                              {},
                              0.5,
                              true});
  auto first = std::make_shared<MadeUpLayer>("", repeats);
  run->layers = {first, std::make_shared<MadeUpLayer>("the kernel is larger than the image")};
  run->total = first->metrics_;
  run->roofline.roofs = {{"peak", 3.2e9, 0, Origin::derived}, {"memory", 0, 1e9, Origin::estimate}};
  run->roofline.points = {{"L1", 0, 2, 1e9, Origin::derived, "continuous"},
                          {"L1", -1, 2, 4e7, Origin::published, "by hand"}};
  return run;
}

Snapshot made_up_snapshot(std::int64_t repeats) {
  Snapshot snapshot;
  snapshot.compiled = made_up_run("best", repeats);
  snapshot.published = published_tables();
  snapshot.selection.layer = 0;
  return snapshot;
}

Snapshot with_baseline(Snapshot snapshot) {
  auto run = std::make_shared<engine::CompiledNetwork>(*made_up_run("before"));
  auto first = std::make_shared<MadeUpLayer>();
  first->metrics_.cycles.value = 600;
  first->metrics_.bytes_in = 3000;
  first->metrics_.target_figures[0].quantity.value = 6;
  run->layers[0] = first;
  run->total = first->metrics_;
  run->roofline.points[0].operations_per_second = 5e8;
  const auto layers = analysis::identities_of(*run->network);
  auto matching = std::make_shared<const analysis::LayerMatching>(analysis::match_layers(layers, layers));
  snapshot.baselines = {{"pinned", run, std::move(matching), 0}};
  snapshot.compared = 0;
  return snapshot;
}

QImage painted(const ViewPainter& view, QSize size, const Theme& theme) {
  QImage image(size, QImage::Format_ARGB32_Premultiplied);
  image.fill(theme.background);
  QPainter painter(&image);
  view.paint(painter, QRectF(QPointF(), QSizeF(size)), theme);
  return image;
}

int drawn_pixels(const QImage& image) {
  std::unordered_map<QRgb, int> counts;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) ++counts[image.pixel(x, y)];
  }
  int most = 0;
  for (const auto& [colour, count] : counts) most = std::max(most, count);
  return image.width() * image.height() - most;
}

std::vector<std::size_t> csv_widths(const std::string& csv) {
  std::vector<std::size_t> widths;
  std::size_t fields = 1;
  bool quoted = false;
  for (char c : csv) {
    if (c == '"') quoted = !quoted;
    if (!quoted && c == ',') ++fields;
    if (!quoted && c == '\n') {
      widths.push_back(fields);
      fields = 1;
    }
  }
  return widths;
}

}  // namespace convscope::ui::test
