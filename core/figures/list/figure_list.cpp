#include <functional>

#include "core/figures/eyeriss/eyeriss_figures.h"
#include "core/figures/genvolution/genvolution_figures.h"
#include "core/figures/machines/machine_figures.h"
#include "core/figures/nve_thesis/nve_figures.h"
#include "core/figures/snowflake/snowflake_figures.h"
#include "core/figures/tso/tso_figures.h"
#include "core/figures/winograd/winograd_figures.h"

namespace convscope::figures {
namespace {

struct Maker {
  FigureEntry entry;
  std::string source;
  std::function<std::optional<Figure>(const Environment&, Diagnostics&)> make;
};

std::vector<Maker> makers() {
  const std::string thesis = "Automatic Mapping of Convolutional Networks on the Neuro Vector Engine, ";
  const std::string paper = "Tensor Slicing and Optimization for Multicore NPUs, ";
  const std::string snowflake = "Compiling Deep Learning Models for Custom Hardware Accelerators, ";
  const std::string eyeriss = "Eyeriss: An Energy-Efficient Reconfigurable Accelerator, JSSC 2017, ";
  const std::string genvolution =
      "Automatic Program Generation for Convolutional Neural Networks on Resource Constrained Devices, ";
  const auto memory = [](const char* number) {
    return [number](const Environment& environment, Diagnostics& diagnostics) {
      return genvolution_memory(number, environment, diagnostics);
    };
  };
  const auto slots = [](const char* number) {
    return [number](const Environment& environment, Diagnostics& diagnostics) {
      return nve_slot_table(number, environment, diagnostics);
    };
  };
  return {{{"machines", "Modern networks on every machine"}, "docs/guide.md", machines_side_by_side},
          {{"nve-table1", "MACs and data transfer of both networks"}, thesis + "Table 1", nve_table1},
          {{"nve-table5", "Utilization, automatic and manual"}, thesis + "Table 5", nve_table5},
          {{"nve-fig17", "Slots of the 3x3 filter, no optimization"}, thesis + "Fig. 17", slots("17")},
          {{"nve-fig24", "Slots of the 3x3 filter, coefficients packed"}, thesis + "Fig. 24", slots("24")},
          {{"nve-fig26", "Slots of the 3x3 filter, modulo scheduled"}, thesis + "Fig. 26", slots("26")},
          {{"nve-fig33", "Roofline of the ARM Cortex-A9"}, thesis + "Fig. 33", nve_figure33},
          {{"nve-fig35", "Roofline of the NVE, three transfer modes"}, thesis + "Fig. 35", nve_figure35},
          {{"nve-fig36", "Utilization at four levels beside manual"}, thesis + "Fig. 36", nve_figure36},
          {{"nve-fig37", "Data transfer at four levels"}, thesis + "Fig. 37", nve_figure37},
          {{"tso-table1", "Time of five networks under eight strategies"}, paper + "Table I", tso_table1},
          {{"tso-fig1", "Bursts of tiles of different shapes"}, paper + "Fig. 1 and section VI", tso_figure1},
          {{"tso-fig8", "Speed-up of choosing tilings by bursts"}, paper + "Fig. 8", tso_figure8},
          {{"tso-fig9", "What time is spent on"}, paper + "Fig. 9", tso_figure9},
          {{"tso-fig10", "Time of the search by number of threads"}, paper + "Fig. 10", tso_figure10},
          {{"tso-fig11", "Roofline of every convolution"}, paper + "Fig. 11", tso_figure11},
          {{"tso-fig12", "Speed-up over fixed TLE partitions"}, paper + "Fig. 12", tso_figure12},
          {{"tso-fig13", "Speed-up over fixed TLT schedules"}, paper + "Fig. 13", tso_figure13},
          {{"nmp-levels", "Tilings of all cost levels side by side"}, "docs/nmp.md", nmp_levels},
          {{"eyeriss-alexnet", "AlexNet on a machine like Eyeriss"}, eyeriss + "Table V", eyeriss_alexnet},
          {{"eyeriss-vgg16", "VGG-16 on a machine like Eyeriss"}, eyeriss + "Table VI", eyeriss_vgg16},
          {{"snowflake-table1", "Generated code beside code by hand"}, snowflake + "Table 1", snowflake_table1},
          {{"snowflake-table2", "Time and traffic of three networks"}, snowflake + "Table 2", snowflake_table2},
          {{"snowflake-table3", "Speed-up by load imbalance"}, snowflake + "Table 3", snowflake_table3},
          {{"snowflake-fig4", "Bandwidth with maps or kernels repeated"}, snowflake + "Fig. 4", snowflake_figure4},
          {{"snowflake-ablations", "Each assumption beyond the paper changed"},
           snowflake + "Tables 1 and 2",
           snowflake_ablations},
          {{"cpu-table4.1", "Temporary memory on ARM Target 1"}, genvolution + "Table 4.1", memory("4.1")},
          {{"cpu-table4.2", "Temporary memory on ARM Target 2"}, genvolution + "Table 4.2", memory("4.2")},
          {{"cpu-table4.3", "Temporary memory on Intel Target 1"}, genvolution + "Table 4.3", memory("4.3")},
          {{"cpu-table6.1", "Memory of Winograd convolution, two dimensions over one"},
           genvolution + "Table 6.1",
           winograd_reductions},
          {{"cpu-table6.2", "Multiplications saved by F(2,3), in two dimensions and in one"},
           genvolution + "Table 6.2",
           winograd_multiplications},
          {{"cpu-winograd-operations", "Additions and multiplications of Winograd's transforms"},
           genvolution + "section 6.9, Figs 6-22 to 6-31",
           winograd_operations},
          {{"cpu-winograd-memory", "Memory of Winograd convolution beside im2col's"},
           genvolution + "section 6.12.7",
           winograd_memory},
          {{"cpu-winograd-error", "Error of Winograd convolution in float32"},
           genvolution + "section 6.5.1",
           winograd_errors}};
}

}  // namespace

std::vector<FigureEntry> figure_list() {
  std::vector<FigureEntry> entries;
  for (Maker& maker : makers()) entries.push_back(std::move(maker.entry));
  return entries;
}

std::optional<Figure> make_figure(std::string_view id, const Environment& environment, Diagnostics& diagnostics) {
  for (const Maker& maker : makers()) {
    if (maker.entry.id != id) continue;
    std::optional<Figure> figure = maker.make(environment, diagnostics);
    if (figure) figure->source = maker.source;
    return figure;
  }
  diagnostics.error({}, "there is no figure '" + std::string(id) + "'", {}, "`convscope-cli figure --list` prints all");
  return std::nullopt;
}

}  // namespace convscope::figures
