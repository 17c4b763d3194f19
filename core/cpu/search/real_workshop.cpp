#include "core/cpu/search/real_workshop.h"

#include "core/base/key.h"
#include "core/cpu/estimate/estimate.h"
#include "core/cpu/generate/generate.h"

namespace convscope::cpu {
namespace {

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

std::vector<Outcome> compare(const RealWorld& world, const std::vector<Prepared>& prepared,
                             const std::stop_token& stop) {
  std::vector<Runnable> programs;
  programs.reserve(prepared.size());
  for (const Prepared& each : prepared) programs.push_back(std::any_cast<const Runnable&>(each.program));
  return world.laboratory->run(programs, world.final_run, stop);
}

SearchIdentity identity_of(const RealWorld& world, bool final) {
  SearchIdentity identity = world.identity;
  if (final) identity.algorithm = "final";
  return identity;
}

void keep_in_store(const RealWorld& world, const Path& path, const Prepared& prepared, const Outcome& outcome,
                   bool final) {
  Record record;
  record.problem = world.laboratory->problem();
  record.path = path;
  record.source_hash = prepared.source_hash;
  record.host = world.identity.host;
  record.outcome = outcome;
  record.algorithm = identity_of(world, final).algorithm;
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
    return world.laboratory->run({std::any_cast<const Runnable&>(prepared.program)}, world.variant_run, stop).front();
  };
  workshop.compare = [world](const std::vector<Prepared>& prepared, const std::stop_token& stop) {
    return compare(world, prepared, stop);
  };
  workshop.known = [world](const Path& path, bool final) {
    return world.store ? world.store->find(world.laboratory->problem(), path, identity_of(world, final)) : std::nullopt;
  };
  workshop.keep = [world](const Path& path, const Prepared& prepared, const Outcome& outcome, bool final) {
    if (world.store) keep_in_store(world, path, prepared, outcome, final);
  };
  return workshop;
}

}  // namespace convscope::cpu
