// Runs oneDNN and im2col + OpenBLAS on a problem, and programs of ours in turn with them.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <unistd.h>

#include "app/peers/peer.h"
#include "core/cpu/run/child.h"
#include "core/cpu/run/protocol.h"
#include "core/cpu/run/toolchain.h"

namespace convscope::peers {
namespace {

std::vector<cpu::Guest> guests(const cpu::TestData& data) {
  std::vector<std::shared_ptr<Peer>> peers;
  for (const bool winograd : {false, true})
    if (auto peer = make_onednn(data, winograd)) peers.push_back(std::move(peer));
  for (const bool by_pixel : {true, false}) peers.push_back(make_im2col(data, by_pixel));
  std::vector<cpu::Guest> result;
  for (const auto& peer : peers) {
    result.push_back({peer->name(), peer->implementation(), peer->temporary_bytes(), [peer] { peer->run(); },
                      [peer] { return peer->output(); }});
  }
  return result;
}

/// OpenBLAS and oneDNN read these when they are loaded, so the program is begun anew with them. An OpenBLAS older than
/// the processor takes its slowest kernels unless it is told which ones the processor can run.
void set_libraries_up(char** arguments, int threads) {
  if (std::getenv("CONVSCOPE_PEERS_SET_UP") != nullptr) return;
  const auto set = [](const char* name, const std::string& value, int over) { setenv(name, value.c_str(), over); };
  const bool wide = cpu::runs_here(cpu::Family::avx512);
  set("OPENBLAS_CORETYPE", wide ? "SKYLAKEX" : "HASWELL", 0);
  set("OPENBLAS_NUM_THREADS", std::to_string(threads), 1);
  set("OMP_NUM_THREADS", std::to_string(threads), 1);
  set("CONVSCOPE_PEERS_SET_UP", "1", 1);
  execv("/proc/self/exe", arguments);
}

/// The peers alone, as the same protocol tells it.
int run_alone(const std::string& text) {
  Diagnostics diagnostics;
  const auto problem = cpu::parse_problem(text, diagnostics);
  const auto data = problem ? cpu::TestData::make(*problem, 1, {}, diagnostics) : nullptr;
  if (!data) return std::fputs(diagnostics.text().c_str(), stderr), 2;
  cpu::RunRequest request;
  request.problem = *problem;
  request.sampling = {31, 1.0, problem->threads > 1};
  request.cpu_seconds = 600;
  request.more_bytes = std::uint64_t{2} << 30;
  for (const cpu::Family family : {cpu::Family::avx2, cpu::Family::avx512})
    if (cpu::runs_here(family)) request.family = family;
  dup2(data->descriptor(), STDIN_FILENO);
  return cpu::run_as_child(cpu::text(request), guests);
}

int threads_of(const std::string& argument) {
  Diagnostics ignored;
  if (const auto request = cpu::parse_request(argument)) return request->problem.threads;
  const auto problem = cpu::parse_problem(argument, ignored);
  return problem ? problem->threads : 1;
}

}  // namespace
}  // namespace convscope::peers

int main(int count, char** arguments) {
  using namespace convscope;
  if (count != 2) {
    std::fputs("usage: convscope-peers PROBLEM, e.g. '56x56x64 -> 64, 3x3'; JSON on stdout, seconds and FLOP/s\n",
               stderr);
    return 2;
  }
  const std::string argument = arguments[1];
  peers::set_libraries_up(arguments, peers::threads_of(argument));
  return cpu::parse_request(argument) ? cpu::run_as_child(argument, peers::guests) : peers::run_alone(argument);
}
