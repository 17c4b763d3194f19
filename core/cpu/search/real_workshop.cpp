#include "core/cpu/search/real_workshop.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/key.h"
#include "core/cpu/estimate/estimate.h"
#include "core/cpu/generate/generate.h"

namespace convscope::cpu {
namespace {

constexpr int most_samples_alone = 9;  ///< enough to tell whom to measure again, in turn
/// A round counts if none of the programs was disturbed: with neighbours one in three.
constexpr double patience_in_turn = 2.5;

std::vector<Prepared> prepare(const RealWorld& world, const std::vector<Path>& paths, const std::stop_token& stop) {
  std::vector<Prepared> all(paths.size());
  std::vector<Generated> programs;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    Diagnostics diagnostics;
    auto program = generate(world.laboratory->problem(), paths[i], diagnostics);
    if (!program) {
      all[i].failure = failed(Ending::unavailable, diagnostics.text());
      continue;
    }
    all[i].source_hash = hash64(program->text.source);
    all[i].temporary_bytes = program->text.temporary_bytes;
    programs.push_back(std::move(program->text));
    places.push_back(i);
  }
  std::vector<Outcome> failures;
  std::vector<std::optional<Runnable>> compiled = world.laboratory->compile(programs, stop, failures);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (compiled[i])
      all[places[i]].program = std::move(*compiled[i]);
    else
      all[places[i]].failure = failures[i];
  }
  return all;
}

std::vector<Outcome> compare(const RealWorld& world, const std::vector<Prepared>& prepared, Occasion::Kind kind,
                             const std::stop_token& stop) {
  std::vector<Runnable> programs;
  programs.reserve(prepared.size());
  for (const Prepared& each : prepared) programs.push_back(std::any_cast<const Runnable&>(each.program));
  if (kind == Occasion::Kind::final) return world.laboratory->run(programs, world.final_run, stop);
  RunOptions in_turn = world.variant_run;
  in_turn.sampling.seconds *= patience_in_turn * static_cast<double>(programs.size());
  return world.laboratory->run(programs, in_turn, stop);
}

SearchIdentity identity_of(const RealWorld& world, const Occasion& occasion) {
  SearchIdentity identity = world.identity;
  if (occasion.kind == Occasion::Kind::final) identity.algorithm = "final";
  if (occasion.kind == Occasion::Kind::in_turn) identity.algorithm += fmt::format(", in turn {}", occasion.round);
  return identity;
}

void keep_in_store(const RealWorld& world, const Path& path, const Prepared& prepared, const Outcome& outcome,
                   const Occasion& occasion) {
  Record record;
  record.problem = world.laboratory->problem();
  record.path = path;
  record.source_hash = prepared.source_hash;
  record.host = world.identity.host;
  record.outcome = outcome;
  record.algorithm = identity_of(world, occasion).algorithm;
  record.seed = world.identity.seed;
  record.temporary_bytes = prepared.temporary_bytes;
  Diagnostics diagnostics;
  const bool kept = world.store->add(record, diagnostics);
  if (!kept && !world.diagnostics->has_errors()) world.diagnostics->append(diagnostics);
}

}  // namespace

Workshop real_workshop(const RealWorld& world) {
  const Problem& problem = world.laboratory->problem();
  Workshop workshop;
  workshop.tree.next_level = [problem](const Path& path) { return next_level(problem, path); };
  TreeMachine tree = world.tree;
  if (tree.accuracy.bound <= 0) tree.accuracy.bound = usual_error;  // that Winograd's programs are held to
  workshop.tree.options = [tree, weights = world.weights, problem](const Path& path) {
    return options(problem, tree, weights, path);
  };
  workshop.estimate = [world, problem](const Path& path) -> std::optional<double> {
    Diagnostics ignored;
    const auto nest = describe(problem, path, ignored);
    return nest ? std::optional(estimate(*nest, world.machine).seconds) : std::nullopt;
  };
  workshop.prepare = [world](const std::vector<Path>& paths, const std::stop_token& stop) {
    return prepare(world, paths, stop);
  };
  workshop.run = [world](const Prepared& prepared, const std::stop_token& stop) {
    RunOptions alone = world.variant_run;
    alone.sampling.samples = std::min(alone.sampling.samples, most_samples_alone);
    return world.laboratory->run({std::any_cast<const Runnable&>(prepared.program)}, alone, stop).front();
  };
  workshop.compare = [world](const std::vector<Prepared>& prepared, Occasion::Kind kind, const std::stop_token& stop) {
    return compare(world, prepared, kind, stop);
  };
  workshop.known = [world](const Path& path, const Occasion& occasion) {
    return world.store ? world.store->find(world.laboratory->problem(), path, identity_of(world, occasion))
                       : std::nullopt;
  };
  workshop.keep = [world](const Path& path, const Prepared& prepared, const Outcome& outcome,
                          const Occasion& occasion) {
    if (world.store) keep_in_store(world, path, prepared, outcome, occasion);
  };
  return workshop;
}

}  // namespace convscope::cpu
