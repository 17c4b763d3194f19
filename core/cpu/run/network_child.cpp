#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <span>

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/cpu/run/child_setup.h"
#include "core/cpu/run/guarded_buffer.h"
#include "core/cpu/run/network_run.h"
#include "core/cpu/run/peak_loops.h"
#include "core/cpu/run/sandbox.h"
#include "core/quantization/error.h"

namespace convscope::cpu {
namespace {

using Clock = std::chrono::steady_clock;

using Convolution = void (*)(const void*, const void*, void*);
using Plain = void (*)(const void* const*, void*);

struct LoadedStep {
  Convolution convolution = nullptr;
  Plain plain = nullptr;
  std::vector<const void*> inputs;
  void* output = nullptr;

  void run() const {
    if (convolution != nullptr)
      convolution(inputs[0], inputs[1], output);
    else
      plain(inputs.data(), output);
  }
};

/// What signal handlers look at.
struct State {
  int answer = -1;
  std::vector<std::unique_ptr<GuardedBuffer>> buffers;
  std::size_t current = 0;
};
State state;

void report(const Incident& incident) {
  const bool near =
      incident.address != nullptr && std::any_of(state.buffers.begin(), state.buffers.end(),
                                                 [&](const auto& buffer) { return buffer->near(incident.address); });
  std::array<char, 24> step{};
  std::snprintf(step.data(), step.size(), "%zu", state.current + 1);
  ShortLine line;
  line.put(R"({"ending":")");
  line.put(near ? "out_of_bounds" : incident.kind);
  line.put(R"(","message":"step )");
  line.put(step.data());
  line.put(": ");
  line.put(incident.what);
  line.put(R"("})");
  if (!line.write_to(state.answer)) _exit(2);
}

NetworkRunAnswer answered(Ending ending, std::string message) {
  NetworkRunAnswer answer;
  answer.whole = failed(ending, std::move(message));
  return answer;
}

/// A request with the contents behind it, as they stand in stdin.
struct Input {
  const std::byte* base = nullptr;
  std::size_t bytes = 0, contents = 0;  ///< where the contents begin

  const std::byte* at(std::int64_t offset) const { return base + contents + static_cast<std::size_t>(offset); }
  std::span<const float> floats(std::int64_t offset, std::int64_t count) const {
    return {reinterpret_cast<const float*>(at(offset)), static_cast<std::size_t>(count)};
  }
  bool holds(std::int64_t offset, std::int64_t size) const {
    return offset >= 0 && size >= 0 && offset % 64 == 0 &&
           contents + static_cast<std::size_t>(offset) + static_cast<std::size_t>(size) <= bytes;
  }
};

Input map_input(std::size_t request_bytes) {
  struct stat about {};
  if (fstat(STDIN_FILENO, &about) != 0 || about.st_size < 0) return {};
  const auto bytes = static_cast<std::size_t>(about.st_size);
  if (bytes < request_bytes) return {};
  void* base = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, STDIN_FILENO, 0);
  close(STDIN_FILENO);
  if (base == MAP_FAILED) return {};
  return {static_cast<const std::byte*>(base), bytes, (request_bytes + 63) / 64 * 64};
}

class NetworkSession {
 public:
  NetworkSession(const NetworkRunRequest& request, const Input& input) : request_(request), input_(input) {}

  NetworkRunAnswer run() {
    if (!allocate()) return answered(Ending::unavailable, "the request names what isn't there");
    if (!filter_for_loading(state.answer, request_.more_bytes)) return unfiltered();
    if (const std::string missing = load(); !missing.empty()) return answered(Ending::compile_error, missing);
    if (!filter_for_running(state.answer, request_.more_bytes / 4)) return unfiltered();
    if (!check()) return answer_;
    time();
    return answer_;
  }

 private:
  static NetworkRunAnswer unfiltered() { return answered(Ending::unavailable, "this kernel filters no system calls"); }

  bool allocate() {
    for (const auto& buffer : request_.buffers) {
      if (buffer.contents >= 0 && !input_.holds(buffer.contents, buffer.bytes())) return false;
      const auto floats = static_cast<std::size_t>((buffer.bytes() + buffer.behind + 3) / 4);
      state.buffers.push_back(std::make_unique<GuardedBuffer>("tensor", floats));
      if (buffer.contents < 0) continue;
      std::memcpy(state.buffers.back()->data(), input_.at(buffer.contents), static_cast<std::size_t>(buffer.bytes()));
      state.buffers.back()->protect();
    }
    const auto known = [&](int buffer) {
      return buffer >= 0 && static_cast<std::size_t>(buffer) < state.buffers.size();
    };
    const auto comparable = [&](int buffer, std::int64_t expected) {
      return known(buffer) && input_.holds(expected, about(buffer).values * static_cast<std::int64_t>(sizeof(float)));
    };
    if (!std::all_of(request_.outputs.begin(), request_.outputs.end(),
                     [&](const auto& output) { return comparable(output.buffer, output.expected); }))
      return false;
    return std::all_of(request_.steps.begin(), request_.steps.end(), [&](const auto& step) {
      return known(step.output) && std::all_of(step.inputs.begin(), step.inputs.end(), known) &&
             (!step.convolution || step.inputs.size() == 2) && step.library >= 0 &&
             static_cast<std::size_t>(step.library) < request_.libraries.size() &&
             (step.expected < 0 || comparable(step.output, step.expected));
    });
  }

  const NetworkRunRequest::Buffer& about(int buffer) const {
    return request_.buffers[static_cast<std::size_t>(buffer)];
  }

  std::vector<float> values(int buffer) const {
    const void* data = state.buffers[static_cast<std::size_t>(buffer)]->data();
    const auto bytes = static_cast<std::size_t>(about(buffer).bytes());
    return flyte::decoded({static_cast<const std::byte*>(data), bytes}, about(buffer).storage);
  }

  std::string load() {
    std::vector<void*> libraries;
    for (const std::string& path : request_.libraries) {
      libraries.push_back(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
      if (libraries.back() == nullptr) return dlerror();
    }
    for (const auto& step : request_.steps) {
      void* function = dlsym(libraries[static_cast<std::size_t>(step.library)], step.symbol.c_str());
      if (function == nullptr) return "there is no " + step.symbol;
      LoadedStep loaded;
      if (step.convolution)
        loaded.convolution = reinterpret_cast<Convolution>(function);
      else
        loaded.plain = reinterpret_cast<Plain>(function);
      for (const int input : step.inputs)
        loaded.inputs.push_back(state.buffers[static_cast<std::size_t>(input)]->data());
      loaded.output = state.buffers[static_cast<std::size_t>(step.output)]->data();
      steps_.push_back(std::move(loaded));
    }
    answer_.steps.resize(steps_.size());
    return {};
  }

  /// Outputs hold no numbers before the first run; each is compared as soon as it is complete.
  bool check() {
    for (std::size_t i = 0; i < request_.buffers.size(); ++i)
      if (request_.buffers[i].contents < 0)
        std::memset(state.buffers[i]->data(), 0xff, static_cast<std::size_t>(request_.buffers[i].bytes()));
    answer_.whole.ending = Ending::ran;
    for (std::size_t i = 0; i < steps_.size() && answer_.whole.ran(); ++i) {
      state.current = i;
      steps_[i].run();
      if (request_.steps[i].expected >= 0) compare(i);
    }
    for (const auto& buffer : state.buffers)
      if (!buffer->intact() && answer_.whole.ran())
        answer_ = answered(Ending::out_of_bounds, "written before a tensor");
    return answer_.whole.ran();
  }

  std::span<const float> expected(int buffer, std::int64_t offset) const {
    return input_.floats(offset, about(buffer).values);
  }

  /// The largest; infinite where one is no number.
  static double error_of(const std::vector<float>& found, std::span<const float> expected) {
    double error = 0;
    for (std::size_t at = 0; at < found.size(); ++at) {
      const double distance = std::abs(static_cast<double>(found[at]) - static_cast<double>(expected[at]));
      if (!(distance <= error)) error = std::isnan(distance) ? std::numeric_limits<double>::infinity() : distance;
    }
    return error;
  }

  void compare(std::size_t i) {
    const int buffer = request_.steps[i].output;
    const std::span<const float> wanted = expected(buffer, request_.steps[i].expected);
    const double error = answer_.steps[i].error = error_of(values(buffer), wanted);
    answer_.whole.error = std::max(answer_.whole.error, error);
    if (request_.step_by_step) {
      const std::vector<std::byte> stored = flyte::encoded(wanted, about(buffer).storage);
      std::memcpy(state.buffers[static_cast<std::size_t>(buffer)]->data(), stored.data(), stored.size());
    }
    if (error <= request_.steps[i].bound) return;
    std::array<char, 128> told{};
    std::snprintf(told.data(), told.size(), "step %zu: an error of %.3g, %.3g allowed", i + 1, error,
                  request_.steps[i].bound);
    answer_.whole.ending = Ending::wrong_result;
    answer_.whole.message = told.data();
  }

  /// After a run in which every step took what the one before gave.
  void compare_outputs() {
    for (const auto& output : request_.outputs) {
      const std::span<const float> wanted = expected(output.buffer, output.expected);
      const std::vector<float> found = values(output.buffer);
      quantization::Error sums;
      const std::vector<double> exact(wanted.begin(), wanted.end()), approximate(found.begin(), found.end());
      sums.add(exact, approximate);
      answer_.outputs.push_back(
          {error_of(found, wanted), sums.signal, sums.noise, quantization::same_largest(exact, approximate)});
    }
  }

  struct Round {
    std::vector<double> seconds;  ///< of each step
    double whole = 0, before = 0, after = 0;
    bool preempted = false;
  };

  double loop() {
    const double rate = multiply_add_rate(request_.family, loop_microseconds);
    peak_ = std::max(peak_, rate);
    return rate;
  }

  static long preemptions() {
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nivcsw;
  }

  Round once() {
    Round round;
    round.seconds.resize(steps_.size());
    const long preempted = preemptions();
    round.before = loop();
    const auto begin = Clock::now();
    auto last = begin;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      state.current = i;
      steps_[i].run();
      const auto now = Clock::now();
      round.seconds[i] = std::chrono::duration<double>(now - last).count();
      last = now;
    }
    round.whole = std::chrono::duration<double>(last - begin).count();
    round.after = loop();
    round.preempted = preemptions() != preempted;
    return round;
  }

  static double at_middle(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[(values.size() - 1) / 2];
  }

  /// Rounds that nobody disturbed, if they are short enough to tell; all else, of which minima mean something.
  void time() {
    for (int i = 0; i < 5; ++i) loop();
    once();
    compare_outputs();
    std::vector<Round> rounds;
    const auto begin = Clock::now();
    do {
      rounds.push_back(once());
    } while (static_cast<int>(rounds.size()) < request_.sampling.samples &&
             std::chrono::duration<double>(Clock::now() - begin).count() < request_.sampling.seconds);
    std::vector<Round> good;
    for (const Round& round : rounds)
      if (!round.preempted && round.whole <= longest_gated && std::min(round.before, round.after) >= good_share * peak_)
        good.push_back(round);
    answer_.whole.gated = !good.empty();
    if (good.empty()) good = std::move(rounds);
    const auto put = [&](auto of, double& minimum, double& median) {
      std::vector<double> values;
      values.reserve(good.size());
      for (const Round& round : good) values.push_back(of(round));
      minimum = *std::min_element(values.begin(), values.end());
      median = at_middle(std::move(values));
    };
    put([](const Round& round) { return round.whole; }, answer_.whole.minimum, answer_.whole.median);
    for (std::size_t i = 0; i < steps_.size(); ++i)
      put([&](const Round& round) { return round.seconds[i]; }, answer_.steps[i].minimum, answer_.steps[i].median);
    answer_.whole.samples = static_cast<int>(good.size());
    answer_.whole.peak = peak_;
  }

  const NetworkRunRequest& request_;
  const Input input_;
  std::vector<LoadedStep> steps_;
  NetworkRunAnswer answer_;
  double peak_ = 0;
};

}  // namespace

int run_network_as_child(std::size_t request_bytes) {
  const Input input = map_input(request_bytes);
  if (input.base == nullptr) return 2;
  const auto request = parse_network_request(std::string(reinterpret_cast<const char*>(input.base), request_bytes));
  if (!request) return 2;
  state.answer = set_answer_aside();
  pin(1);
  std::uint64_t ours = 0;
  for (const auto& buffer : request->buffers)
    ours += static_cast<std::uint64_t>(buffer.bytes()) + GuardedBuffer::most_besides;
  limit_resources(request->cpu_seconds, request->more_bytes + ours);
  report_incidents(report);
  try {
    send_answer(state.answer, text(NetworkSession(*request, input).run()));
  } catch (const std::bad_alloc&) {
    send_answer(state.answer, text(answered(Ending::memory, "no memory for the tensors")));
  }
  _exit(0);  // nothing that a program left to be done at exit
}

}  // namespace convscope::cpu
