#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>

#include <fmt/format.h>

#include "core/figures/tso/tso_figures.h"
#include "core/figures/tso/tso_networks.h"

namespace convscope::figures {
namespace {

constexpr const char* source = "tso-section6-threads";
constexpr int repetitions = 5;  // the fastest counts: whatever else the computer does only slows down

/// 1, 2, 4, … and as many as the computer has; two at least, so that there is something to compare.
std::vector<int> thread_counts() {
  const int all = std::max(2, static_cast<int>(std::thread::hardware_concurrency()));
  std::vector<int> counts;
  for (int n = 1; n < all; n *= 2) counts.push_back(n);
  counts.push_back(all);
  return counts;
}

double search_seconds(const TsoNetwork& network, const nmp::Machine& machine, int threads,
                      const Environment& environment) {
  const auto executor = engine::make_tbb_executor(threads);
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repetitions; ++i) {
    const auto cache = engine::make_memory_cache();
    const Environment fresh{executor.get(),        cache.get(),      environment.published,
                            environment.catalogue, environment.stop, {}};
    const auto start = std::chrono::steady_clock::now();
    solve_all(network, machine, {}, fresh);
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return least;
}

Cell milliseconds(std::optional<double> seconds, Origin origin) {
  if (seconds) *seconds *= 1e3;
  return number_cell(seconds, "ms", origin, origin == Origin::published ? 0 : 3);
}

}  // namespace

std::optional<Figure> tso_figure10(const Environment& environment, Diagnostics& diagnostics) {
  const auto machine = tso_machine(environment, diagnostics);
  const std::vector<TsoNetwork> networks = tso_networks(environment, diagnostics);
  if (!machine || networks.empty()) return std::nullopt;
  Figure figure{"tso-fig10", "Time of the search by number of threads", "", {}, {}, {}};
  figure.columns = {"network",
                    "threads",
                    "ms here",
                    "speed-up here",
                    "convolutions",
                    "ms published, serial",
                    "ms published, 16 cores"};
  for (const TsoNetwork& network : networks) {
    double serial = 0;
    for (const int threads : thread_counts()) {
      if (environment.progress)
        environment.progress(static_cast<double>(&network - networks.data()) / static_cast<double>(networks.size()),
                             network.network->name);
      const double seconds = search_seconds(network, *machine, threads, environment);
      if (threads == 1) serial = seconds;
      const auto stated = [&](const char* metric) {
        return threads == 1 ? environment.published->find(source, network.network->name, "", metric) : std::nullopt;
      };
      figure.rows.push_back({text_cell(network.network->name), number_cell(threads, "", Origin::measured, 0),
                             milliseconds(seconds, Origin::measured),
                             number_cell(serial / seconds, "x", Origin::measured, 2),
                             number_cell(static_cast<double>(network.convolutions.size()), "", Origin::derived, 0),
                             milliseconds(stated("search_seconds_serial"), Origin::published),
                             milliseconds(stated("search_seconds_parallel"), Origin::published)});
    }
  }
  figure.notes = {
      fmt::format("Measured on this computer ({} threads), the fastest of {} searches: other runs give other numbers.",
                  std::thread::hardware_concurrency(), repetitions),
      "Published: Intel Xeon E5-2620, OpenMP, trying every tile; the lines of other networks are only drawn.",
      "Ours searches equal convolutions once and prunes by bounds; its best tilings are those of trying all."};
  return figure;
}

}  // namespace convscope::figures
