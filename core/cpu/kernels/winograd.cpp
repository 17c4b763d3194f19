#include "core/cpu/kernels/winograd.h"

#include <functional>

#include <fmt/format.h>

#include "core/cpu/kernels/vectors.h"

namespace convscope::cpu {
namespace {

using fmt::format;
using winograd::LinearProgram;
using winograd::StepKind;

using Names = std::vector<std::string>;

NodePtr step_node(const winograd::Step& step, const std::string& name, const Names& values, int lanes) {
  const auto value = [&](int index) { return values[static_cast<std::size_t>(index)]; };
  const double c = winograd::to_double(step.c);
  switch (step.kind) {
    case StepKind::add:
      return combine(name, vector_type(lanes), {value(step.x), value(step.y)}, {1, 1});
    case StepKind::subtract:
      return combine(name, vector_type(lanes), {value(step.x), value(step.y)}, {1, -1});
    case StepKind::scale:
      return combine(name, vector_type(lanes), {value(step.x)}, {c});
    case StepKind::multiply_add:
      return combine(name, vector_type(lanes), {value(step.x), value(step.y)}, {c, 1});
    default:
      return combine(name, vector_type(lanes), {value(step.x), value(step.y)}, {c, -1});
  }
}

/// Appends the program's steps; names of its outputs.
Names apply(const LinearProgram& program, Names values, const std::string& stem, int lanes, Nodes& nodes) {
  for (const winograd::Step& step : program.steps) {
    std::string name = format("{}_{}", stem, values.size());
    nodes.push_back(step_node(step, name, values, lanes));
    values.push_back(std::move(name));
  }
  Names outputs;
  for (const int output : program.outputs) outputs.push_back(values[static_cast<std::size_t>(output)]);
  return outputs;
}

/// Columns first, then rows; `load` makes element (y, x) and tells its name, `keep` takes result (y, x). Without a
/// program for columns they stay as they are.
struct Nested {
  const LinearProgram* columns;
  const LinearProgram& rows;
  int in_rows, in_columns, lanes;
  std::string suffix;  ///< of variables: vectors of each width have their own

  template <typename Load, typename Keep>
  void run(Nodes& nodes, const Load& load, const Keep& keep) const {
    std::vector<Names> half;  // by column
    for (int x = 0; x < in_columns; ++x) {
      Names column;
      for (int y = 0; y < in_rows; ++y) column.push_back(load(y, x));
      half.push_back(columns ? apply(*columns, column, format("t{}_{}", suffix, x), lanes, nodes) : column);
    }
    for (std::size_t y = 0; y < half.front().size(); ++y) {
      Names row;
      for (const Names& column : half) row.push_back(column[y]);
      const Names results = apply(rows, row, format("u{}_{}", suffix, y), lanes, nodes);
      for (std::size_t x = 0; x < results.size(); ++x) keep(static_cast<int>(y), static_cast<int>(x), results[x]);
    }
  }
};

Access image_element(const TileSite& site, const Affine& y, const Affine& x, const Affine& c) {
  return {"image", {{'H', site.row + y}, {'W', site.column + x}, {'C', c}}, {}, {}};
}

Access patch_element(const Affine& y, const Affine& x, const Affine& c) {
  return {"patch", {{'Y', y}, {'X', x}, {'C', c}}, {}, {}};
}

/// Both sides of a dimension: 0 <= form < limit.
std::vector<Condition> both_sides(const Affine& form, int limit, char dimension) {
  return {{form, false, 0, dimension}, {form, true, limit, dimension}};
}

std::vector<Condition> inside(const TileSite& site, const Affine& y, const Affine& x) {
  const Problem& p = site.plan.convolution;
  std::vector<Condition> tests = both_sides(site.row + y, p.height, 'H');
  for (Condition& test : both_sides(site.column + x, p.width, 'W')) tests.push_back(std::move(test));
  return tests;
}

Nodes guarded(const std::vector<Condition>& tests, Nodes nodes) {
  for (auto test = tests.rbegin(); test != tests.rend(); ++test) nodes = {condition(*test, std::move(nodes))};
  return nodes;
}

std::string pointer_name(int y, int x) {
  return format("at_{}_{}", y, x);
}

/// The indirection buffer: a pointer to channel 0 of each pixel, or to zeros.
Nodes pointers(const TileSite& site) {
  Nodes nodes;
  for (int y = 0; y < site.grid.positions_y; ++y)
    for (int x = 0; x < site.grid.positions_x; ++x) {
      Node node;
      node.kind = Kind::pointer;
      node.name = pointer_name(y, x);
      node.type = {Type::Base::pointer, 1};
      node.accesses = {image_element(site, y, x, 0), {"zeros", {{'C', 0}}, {}, {}}};
      node.conditions = inside(site, y, x);
      nodes.push_back(make(std::move(node)));
    }
  return nodes;
}

/// Of a tile's channels, as the path's padding says.
Nodes load_element(const TileSite& site, const std::string& name, int y, int x, const Lanes& lanes) {
  const Type type = vector_type(lanes.count);
  switch (site.plan.padding) {
    case Padding::tile:
      return {load(name, type, patch_element(y, x, lanes.first))};
    case Padding::indirection:
      return {load(name, type, {"image", {}, pointer_name(y, x), lanes.first})};
    case Padding::peeled: {
      Node assigned = *load(name, type, image_element(site, y, x, lanes.first));
      assigned.assigns = true;
      Nodes nodes{definition(name, type)};
      append(nodes, guarded(inside(site, y, x), {make(std::move(assigned))}));
      return nodes;
    }
    default:
      return {load(name, type, image_element(site, y, x, lanes.first))};
  }
}

Access block_element(const char* tensor, int y, int x, const Affine& tile, char dimension, const Affine& index) {
  return {tensor, {{'Y', y}, {'X', x}, {'T', tile}, {dimension, index}}, {}, {}};
}

/// Of a tile's positions; `programs` must outlive it.
Nested nested_of(const TileSite& site, const SidePrograms& programs, LinearProgram WinogradPrograms::*which,
                 const Lanes& lanes) {
  return {programs.y ? &((*programs.y).*which) : nullptr,
          (*programs.x).*which,
          site.grid.positions_y,
          site.grid.positions_x,
          lanes.count,
          width_suffix(site.plan, lanes.count)};
}

Nodes transform_channels(const TileSite& site, const Lanes& lanes) {
  const SidePrograms programs = side_programs(site.plan, site.plan.part);
  const Nested nested = nested_of(site, programs, &WinogradPrograms::input, lanes);
  const std::string& suffix = nested.suffix;
  Nodes nodes;
  nested.run(
      nodes,
      [&](int y, int x) {
        std::string name = format("d{}_{}_{}", suffix, y, x);
        append(nodes, load_element(site, name, y, x, lanes));
        return name;
      },
      [&](int y, int x, const std::string& name) {
        nodes.push_back(store(block_element("transformed", y, x, site.tile, 'C', lanes.first), name, false));
      });
  return nodes;
}

NodePtr store_output(const TileSite& site, int y, int x, const Affine& m, const std::string& name) {
  return store({"output", {{'H', site.out_row + y}, {'W', site.out_column + x}, {'M', m}}, {}, {}}, name, false);
}

Nodes transform_products(const TileSite& site, const Lanes& lanes) {
  const SidePrograms programs = side_programs(site.plan, site.plan.part);
  const Problem& p = site.plan.convolution;
  const Nested nested = nested_of(site, programs, &WinogradPrograms::output, lanes);
  const std::string& suffix = nested.suffix;
  Nodes nodes;
  nested.run(
      nodes,
      [&](int y, int x) {
        std::string name = format("p{}_{}_{}", suffix, y, x);
        nodes.push_back(
            load(name, vector_type(lanes.count), block_element("products", y, x, site.tile, 'M', lanes.first)));
        return name;
      },
      [&](int y, int x, const std::string& name) {
        append(nodes,
               guarded({{site.out_row + y, true, p.out_height(), 'H'}, {site.out_column + x, true, p.out_width(), 'W'}},
                       {store_output(site, y, x, lanes.first, name)}));
      });
  return nodes;
}

/// A loop over a patch's rows or columns where a condition holds on top of the loop's own bounds.
NodePtr clipped(const char* variable, int trips, std::vector<Condition> tests, Nodes children) {
  Node node = *loop(variable, trips, std::move(children));
  node.conditions = std::move(tests);
  return make(std::move(node));
}

/// form < 0, and form >= limit.
std::vector<Condition> before(const Affine& form) {
  return {{form, true, 0, 'W'}};
}
std::vector<Condition> behind(const Affine& form, int limit) {
  return {{form + Affine(-limit), false, 0, 'W'}};
}

}  // namespace

Nodes input_transform(const TileSite& site) {
  Nodes nodes;
  if (site.plan.padding == Padding::indirection) nodes = pointers(site);
  append(nodes, each_vector("c", site.plan.convolution.channels, site.plan.lanes(),
                            [&](const Lanes& lanes) { return transform_channels(site, lanes); }));
  return nodes;
}

Nodes copy_patch(const TileSite& site) {
  const Problem& p = site.plan.convolution;
  const int rows = site.grid.positions_y, columns = site.grid.positions_x;
  const Affine y = Affine::variable("y"), x = Affine::variable("x");
  const Affine row = site.row + y, column = site.column + x;
  const auto channels = [&](const std::function<NodePtr(const std::string&, const Lanes&)>& value) {
    return each_vector("c", p.channels, site.plan.lanes(), [&](const Lanes& lanes) {
      const std::string name = "element" + width_suffix(site.plan, lanes.count);
      return Nodes{value(name, lanes), store(patch_element(y, x, lanes.first), name, false)};
    });
  };
  const Nodes zero =
      channels([](const std::string& name, const Lanes& lanes) { return definition(name, vector_type(lanes.count)); });
  const Nodes copy = channels([&](const std::string& name, const Lanes& lanes) {
    return load(name, vector_type(lanes.count), image_element(site, y, x, lanes.first));
  });
  return {clipped("y", rows, before(row), {loop("x", columns, zero)}),
          clipped("y", rows, behind(row, p.height), {loop("x", columns, zero)}),
          clipped("y", rows, both_sides(row, p.height, 'W'),
                  {clipped("x", columns, before(column), zero), clipped("x", columns, behind(column, p.width), zero),
                   clipped("x", columns, both_sides(column, p.width, 'W'), copy)})};
}

Nodes output_transform(const TileSite& site) {
  return each_vector("m", site.plan.convolution.kernels, site.plan.lanes(),
                     [&](const Lanes& lanes) { return transform_products(site, lanes); });
}

}  // namespace convscope::cpu
