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

Prepared refused(Ending ending, const std::string& message) {
  Prepared prepared;
  prepared.failure = failed(ending, message);
  return prepared;
}

Prepared prepare(const RealWorld& world, const Path& path, const std::stop_token& stop) {
  Diagnostics diagnostics;
  const auto program = generate(world.laboratory->problem(), path, diagnostics);
  if (!program) return refused(Ending::unavailable, diagnostics.text());
  Prepared prepared;
  prepared.source_hash = hash64(program->text.source);
  prepared.temporary_bytes = program->text.temporary_bytes;
  Outcome failure;
  auto runnable = world.laboratory->compile(program->text, stop, failure);
  if (runnable)
    prepared.program = std::move(*runnable);
  else
    prepared.failure = failure;
  return prepared;
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
  workshop.prepare = [world](const Path& path, const std::stop_token& stop) { return prepare(world, path, stop); };
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
