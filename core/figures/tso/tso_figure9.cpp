#include <fmt/format.h>

#include "core/analysis/table.h"
#include "core/figures/tso/tso_figures.h"
#include "core/figures/tso/tso_networks.h"

namespace convscope::figures {
namespace {

constexpr const char* text_source = "tso-section6-burst";

/// Seconds by what a TLE does; commands belong to the transfers that they start.
struct Split {
  double load = 0, store = 0, mac = 0;
  double all() const { return load + store + mac; }
};

double traffic_seconds(const nmp::Traffic& traffic, const nmp::Machine& machine) {
  return static_cast<double>(traffic.bytes) / machine.bandwidth +
         static_cast<double>(traffic.bursts) * machine.cas_seconds +
         static_cast<double>(traffic.commands) * machine.command_seconds;
}

Split split_of(const Solutions& solutions, const nmp::Machine& machine) {
  Split split;
  for (const auto& solution : solutions) {
    const nmp::Totals& totals = solution->totals;
    for (const nmp::Traffic& loaded : {totals.in, totals.weights, totals.partial_loads})
      split.load += traffic_seconds(loaded, machine);
    for (const nmp::Traffic& stored : {totals.out, totals.partial_stores})
      split.store += traffic_seconds(stored, machine);
    split.mac += solution->seconds.mac;
  }
  return split;
}

/// What the paper says of a network, as far as it does: shares of TSO-noburst's time, and Table I's seconds.
struct Stated {
  std::optional<double> transfer_share;  ///< LOAD + STORE of TSO-noburst
  std::optional<double> decrease;        ///< of that share, in points, by TSO-burst
  std::optional<double> no_burst, burst;
  std::optional<double> burst_share() const {
    if (!transfer_share || !decrease) return std::nullopt;
    return *transfer_share - *decrease;
  }
  /// Seconds that remain for MACs.
  std::optional<double> no_burst_mac() const {
    if (!transfer_share || !no_burst) return std::nullopt;
    return (1 - *transfer_share) * *no_burst;
  }
  std::optional<double> burst_mac() const {
    if (!burst_share() || !no_burst || !burst) return std::nullopt;
    return *burst - *burst_share() * *no_burst;
  }
};

Stated stated_of(const std::string& network, const analysis::PublishedTables& tables) {
  return {tables.find(text_source, network, "", "no_burst_transfer_share"),
          tables.find(text_source, network, "", "transfer_decrease"),
          tables.find("tso-table1-no-burst", network, "", "seconds"),
          tables.find("tso-table1-burst", network, "", "seconds")};
}

std::optional<double> rate(std::int64_t macs, std::optional<double> seconds) {
  if (!seconds) return std::nullopt;
  return static_cast<double>(macs) / *seconds / 1e9;
}

std::vector<Cell> row(const std::string& network, const char* chosen_by, const Split& split, double whole,
                      std::optional<double> published_share, std::optional<double> implied_rate) {
  const auto share = [&](double seconds) { return number_cell(seconds / whole, "%", Origin::estimate, 1); };
  return {text_cell(network),
          text_cell(chosen_by),
          share(split.load),
          share(split.store),
          share(split.mac),
          share(split.load + split.store),
          number_cell(published_share, "%", Origin::published, 1),
          number_cell(implied_rate, "GMAC/s", Origin::derived, 0)};
}

void add_contradictions(Figure& figure, const std::string& network, const Stated& stated, std::int64_t macs,
                        double peak) {
  const auto implied = rate(macs, stated.no_burst_mac());
  if (implied && *implied > peak)
    figure.notes.push_back(
        fmt::format("{}: the {:.2f} % that the split leaves for MACs are {:.1f} us of Table I's {:.0f} us: {:.0f} "
                    "GMAC/s, above the "
                    "stated peak of {:.0f}.",
                    network, (1 - *stated.transfer_share) * 100, *stated.no_burst_mac() * 1e6, *stated.no_burst * 1e6,
                    *implied, peak));
  if (!stated.decrease || !stated.no_burst || !stated.burst) return;
  const double whole_decrease = 1 - *stated.burst / *stated.no_burst;
  if (*stated.decrease > whole_decrease)
    figure.notes.push_back(
        fmt::format("{}: transfers are said to fall by {:.2f} points, but the whole time of Table I falls by {:.2f} %: "
                    "MACs would have "
                    "to take longer with the same work.",
                    network, *stated.decrease * 100, whole_decrease * 100));
}

}  // namespace

std::optional<Figure> tso_figure9(const Environment& environment, Diagnostics& diagnostics) {
  const auto machine = tso_machine(environment, diagnostics);
  const std::vector<TsoNetwork> networks = tso_networks(environment, diagnostics);
  const auto peak = environment.published->find("tso-section3", "", "", "peak_macs_per_second_16_bit");
  if (!machine || networks.empty()) return std::nullopt;
  Figure figure{"tso-fig9", "What time is spent on, as shares of TSO-noburst's time", "", {}, {}, {}};
  figure.columns = {"network",
                    "chosen by",
                    "load",
                    "store",
                    "MAC",
                    "load + store",
                    "load + store published",
                    "MAC rate implied by it, GMAC/s"};
  figure.notes = {
      "Our cost of a command belongs to the load or store that it starts. The paper's rates follow from its split",
      "and Table I's times: where they contradict each other, the text says so here and nothing was adjusted."};
  for (const TsoNetwork& network : networks) {
    const std::string& name = network.network->name;
    const Split volume =
        split_of(solve_all(network, *machine, {nmp::CostLevel::volume, {}, {}}, environment), *machine);
    const Split burst = split_of(solve_all(network, *machine, {nmp::CostLevel::burst, {}, {}}, environment), *machine);
    const Stated stated = stated_of(name, *environment.published);
    figure.rows.push_back(
        row(name, "volume", volume, volume.all(), stated.transfer_share, rate(network.macs(), stated.no_burst_mac())));
    figure.rows.push_back(
        row(name, "bursts", burst, volume.all(), stated.burst_share(), rate(network.macs(), stated.burst_mac())));
    add_contradictions(figure, name, stated, network.macs(), peak.value_or(machine->peak()) / 1e9);
  }
  add_contradictions(figure, "YOLO", stated_of("YOLO", *environment.published), 0,
                     peak.value_or(machine->peak()) / 1e9);
  return figure;
}

}  // namespace convscope::figures
