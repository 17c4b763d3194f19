#include "core/figures/eyeriss/eyeriss_figures.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/figures/samples.h"
#include "core/nmp/artifacts/plan.h"
#include "core/nmp/search/solution.h"

namespace convscope::figures {
namespace {

/// A layer as the tables name it: square maps and kernels.
struct EyerissLayer {
  const char* name;
  int in_maps, in, out_maps, out, kernel, stride, padding, groups;
};

struct EyerissNetwork {
  const char* id;
  const char* name;
  int images;  ///< that the published times are for
  std::vector<EyerissLayer> layers;
};

EyerissNetwork alexnet() {
  return {"eyeriss-alexnet",
          "AlexNet",
          4,
          {{"CONV1", 3, 227, 96, 55, 11, 4, 0, 1},
           {"CONV2", 96, 27, 256, 27, 5, 1, 2, 2},
           {"CONV3", 256, 13, 384, 13, 3, 1, 1, 1},
           {"CONV4", 384, 13, 384, 13, 3, 1, 1, 2},
           {"CONV5", 384, 13, 256, 13, 3, 1, 1, 2}}};
}

EyerissNetwork vgg16() {
  EyerissNetwork network{"eyeriss-vgg16", "VGG-16", 3, {}};
  const auto add = [&](const char* name, int in_maps, int size, int out_maps) {
    network.layers.push_back({name, in_maps, size, out_maps, size, 3, 1, 1, 1});
  };
  add("CONV1-1", 3, 224, 64);
  add("CONV1-2", 64, 224, 64);
  add("CONV2-1", 64, 112, 128);
  add("CONV2-2", 128, 112, 128);
  add("CONV3-1", 128, 56, 256);
  add("CONV3-2", 256, 56, 256);
  add("CONV3-3", 256, 56, 256);
  add("CONV4-1", 256, 28, 512);
  add("CONV4-2", 512, 28, 512);
  add("CONV4-3", 512, 28, 512);
  for (const char* name : {"CONV5-1", "CONV5-2", "CONV5-3"}) add(name, 512, 14, 512);
  return network;
}

nmp::Convolution convolution_of(const EyerissLayer& l) {
  nmp::Convolution c;
  c.rows = c.columns = {l.in, l.out, l.kernel, l.stride, 1, l.padding};
  c.channels = l.in_maps / l.groups;
  c.units = l.out_maps / l.groups;
  c.repeats = l.groups;
  return c;
}

std::optional<nmp::Machine> eyeriss_machine(const Environment& environment, Diagnostics& diagnostics) {
  const auto target = environment.catalogue->find_target("nmp");
  const auto values = target ? preset_machine(*target, "eyeriss", diagnostics) : std::nullopt;
  if (!values) return std::nullopt;
  return nmp::machine_from(*values);
}

/// Ours and the published one, in milliseconds for all images, and the error.
struct TimeColumns {
  double ours = 0, published = 0;
  void add_to(std::vector<Cell>& row) const {
    row.push_back(number_cell(ours * 1e3, "ms", Origin::estimate, 1));
    row.push_back(number_cell(published * 1e3, "ms", Origin::published, 1));
    row.push_back(difference_cell(ours, published));
  }
};

std::optional<Figure> beside_published(const EyerissNetwork& network, const Environment& environment,
                                       Diagnostics& diagnostics) {
  const auto machine = eyeriss_machine(environment, diagnostics);
  if (!machine) return std::nullopt;
  Figure figure{network.id, std::string(network.name) + " on a machine like Eyeriss", "", {}, {}, {}};
  figure.columns = {"layer",           "tiling",      "MACs at work", "published at work", "array ms",
                    "published array", "array error", "whole ms",     "published whole",   "whole error"};
  TimeColumns array, whole;
  double array_error = 0, whole_error = 0;
  for (const EyerissLayer& layer : network.layers) {
    const nmp::Convolution c = convolution_of(layer);
    const auto solution = nmp::solve(c, *machine, {}, *environment.cache, environment.stop);
    const auto published = [&](const char* metric) {
      return environment.published->find(network.id, network.name, layer.name, metric).value_or(0);
    };
    const TimeColumns of_array{solution->seconds.mac * network.images, published("seconds_mac")};
    const TimeColumns of_whole{solution->seconds.total() * network.images, published("seconds")};
    std::vector<Cell> row{text_cell(layer.name), text_cell(nmp::tiling_text(solution->tiling)),
                          number_cell(static_cast<double>(c.macs()) / static_cast<double>(solution->totals.mac_cycles),
                                      "", Origin::estimate, 0),
                          number_cell(published("active_macs"), "", Origin::published, 0)};
    of_array.add_to(row);
    of_whole.add_to(row);
    figure.rows.push_back(std::move(row));
    array.ours += of_array.ours;
    array.published += of_array.published;
    whole.ours += of_whole.ours;
    whole.published += of_whole.published;
    array_error += std::abs(of_array.ours / of_array.published - 1);
    whole_error += std::abs(of_whole.ours / of_whole.published - 1);
  }
  std::vector<Cell> total{text_cell("all"), text_cell(""), {}, {}};
  array.add_to(total);
  whole.add_to(total);
  figure.rows.push_back(std::move(total));
  const auto count = static_cast<double>(network.layers.size());
  figure.notes = {
      fmt::format("Preset eyeriss, level burst; {} images, one after the other. Mean error of a layer: {:.0f} % of the "
                  "array's time, {:.0f} % of the whole. Nothing is fitted.",
                  network.images, 100 * array_error / count, 100 * whole_error / count),
      "Array: published processing latency. Whole: published total latency. MACs at work: on average over the array's",
      "time here, as mapped there. Tilings here are those that take the least time; Eyeriss' mapping is chosen for its",
      "energy, and in layers with large maps adds up so few channels at a time that partial sums hold up the array."};
  return figure;
}

}  // namespace

std::optional<Figure> eyeriss_alexnet(const Environment& environment, Diagnostics& diagnostics) {
  return beside_published(alexnet(), environment, diagnostics);
}

std::optional<Figure> eyeriss_vgg16(const Environment& environment, Diagnostics& diagnostics) {
  return beside_published(vgg16(), environment, diagnostics);
}

}  // namespace convscope::figures
