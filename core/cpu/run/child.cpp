#include "core/cpu/run/child.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <string>

#include <dlfcn.h>
#include <unistd.h>

#include "core/cpu/run/child_setup.h"
#include "core/cpu/run/compared.h"
#include "core/cpu/run/guarded_buffer.h"
#include "core/cpu/run/network_run.h"
#include "core/cpu/run/packing.h"
#include "core/cpu/run/protocol.h"
#include "core/cpu/run/sandbox.h"
#include "core/cpu/run/test_data.h"

namespace convscope::cpu {
namespace {

using Function = void (*)(const void*, const void*, void*);

struct Program {
  GuardedBuffer image, kernel, output;
  Function convolution = nullptr;

  Program(const RunRequest::Program& about, const Problem& problem)
      : image("image", floats(about.image, problem.image())),
        kernel("kernel", floats(about.kernel, about.transform.extents(problem))),
        output("output", floats(about.output, problem.output())) {}

  /// As many as have room for the tensor as it is stored.
  static std::size_t floats(const Layout& layout, const Extents& extents) {
    return static_cast<std::size_t>((bytes(layout, extents) + readable_behind(layout) + 3) / 4);
  }
  void run() const { convolution(image.data(), kernel.data(), output.data()); }
  /// Name of the buffer that an address has to do with; null if none.
  const char* buffer_near(const void* address) const {
    for (const GuardedBuffer* buffer : {&image, &kernel, &output})
      if (buffer->near(address)) return buffer->name().c_str();
    return nullptr;
  }
};

/// What signal handlers look at; nothing of it changes while a program runs.
struct State {
  int answer = -1;
  std::vector<std::unique_ptr<Program>> programs;
  std::size_t current = 0;
};
State state;

constexpr std::size_t most_told = 20;  // that a short line has room for

/// Answers for the program that did it and for those before it, which are told as not run. Within a signal handler.
void report(const Incident& incident) {
  const Program* program = state.current < state.programs.size() ? state.programs[state.current].get() : nullptr;
  const char* buffer = program && incident.address ? program->buffer_near(incident.address) : nullptr;
  ShortLine line;
  line.put(R"({"complete":false,"programs":[)");
  for (std::size_t i = 0; i < state.current && i < most_told; ++i)
    line.put(R"({"ending":"unavailable","message":""},)");
  line.put(R"({"ending":")");
  line.put(buffer ? "out_of_bounds" : incident.kind);
  line.put(R"(","message":")");
  if (buffer) {
    line.put("outside of the ");
    line.put(buffer);
    line.put(", or writing into it: ");
  }
  line.put(incident.what);
  line.put("\"}]}");
  if (!line.write_to(state.answer)) _exit(2);
}

void prepare(Program& program, const RunRequest::Program& about, const TestData& data) {
  const Problem& problem = data.problem();
  const auto put = [](const float* plain, const Layout& layout, const Extents& extents, GuardedBuffer& buffer) {
    pack_bytes(plain, layout, extents, buffer.data());
  };
  put(data.image(), about.image, problem.image(), program.image);
  if (about.transform.none())
    put(data.kernel(), about.kernel, problem.kernel(), program.kernel);
  else
    put(transformed(about.transform, problem, data.kernel()).data(), about.kernel, about.transform.extents(problem),
        program.kernel);
  program.image.protect();
  program.kernel.protect();
}

void spoil(const Program& program, std::size_t floats) {
  std::fill_n(program.output.data(), floats, std::numeric_limits<float>::quiet_NaN());
}

Outcome load(Program& program, const RunRequest::Program& about) {
  void* handle = dlopen(about.library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return failed(Ending::compile_error, dlerror());
  program.convolution = reinterpret_cast<Function>(dlsym(handle, about.symbol.c_str()));
  if (program.convolution == nullptr)
    return failed(Ending::compile_error,
                  "the source defines no extern \"C\" void convolution(const float*, const "
                  "float*, float*)");
  return failed(Ending::ran, "");
}

/// What a program may err at most by the metric that was asked for: infinite if it is what any sum may.
double allowed(const Accuracy& accuracy, const Outcome& outcome, double error_growth) {
  if (accuracy.bound > 0) return accuracy.bound;
  if (error_growth == 1 || outcome.error == 0) return std::numeric_limits<double>::infinity();
  const double rms = outcome.error / outcome.error_max;
  return std::max(usual_error, outcome.bound / error_growth / rms);
}

/// Whether it is as accurate as was asked for.
void judge(const Accuracy& accuracy, double error_growth, Outcome& outcome) {
  const double error = accuracy.metric == ErrorMetric::max ? outcome.error_max : outcome.error_l2;
  const double most = allowed(accuracy, outcome, error_growth);
  if (!outcome.ran() || error <= most) return;
  outcome.ending = Ending::inaccurate;
  std::array<char, 100> text{};
  std::snprintf(text.data(), text.size(), "an error of %.3g (%s), %.3g allowed", error,
                std::string(key(accuracy.metric)).c_str(), most);
  outcome.message = text.data();
}

/// A program's output as it stands, and whether it kept within its buffers.
Outcome checked(const Program& program, const RunRequest::Program& about, const Accuracy& accuracy,
                const TestData& data) {
  for (const GuardedBuffer* buffer : {&program.image, &program.kernel, &program.output})
    if (!buffer->intact()) return failed(Ending::out_of_bounds, "written before the " + buffer->name());
  std::vector<float> plain(Program::floats(Layout{"HWM"}, data.problem().output()));
  unpack_bytes(program.output.data(), about.output, data.problem().output(), plain.data());
  Outcome outcome = compared(data, plain.data(), about.transform.error_growth);
  judge(accuracy, about.transform.error_growth, outcome);
  return outcome;
}

class Session {
 public:
  Session(const RunRequest& request, const TestData& data, std::span<const std::byte> others,
          const std::vector<Guest>& guests)
      : request_(request), data_(data), others_(others), guests_(guests) {}

  RunAnswer run() {
    allocate();
    if (!filter_for_loading(state.answer, request_.more_bytes)) return refused();
    each([&](std::size_t i) { return load(*state.programs[i], request_.programs[i]); });
    if (!filter_for_running(state.answer, request_.more_bytes / 4)) return refused();
    each([&](std::size_t i) {
      spoil(*state.programs[i], Program::floats(request_.programs[i].output, data_.problem().output()));
      state.programs[i]->run();
      return check(i);
    });
    if (good() && !request_.only_check) time();
    return answer_;
  }

 private:
  void allocate() {
    for (const RunRequest::Program& about : request_.programs) {
      state.programs.push_back(std::make_unique<Program>(about, data_.problem()));
      prepare(*state.programs.back(), about, data_);
    }
    answer_.programs.resize(request_.programs.size());
    answer_.complete = true;
  }

  RunAnswer refused() const {
    RunAnswer answer;
    answer.programs = {failed(Ending::unavailable, "this kernel filters no system calls")};
    return answer;
  }

  Outcome check(std::size_t i) const {
    return checked(*state.programs[i], request_.programs[i], request_.accuracy, data_);
  }

  bool good() const {
    return std::all_of(answer_.programs.begin(), answer_.programs.end(),
                       [](const Outcome& each) { return each.ran(); });
  }

  /// One step for each program that is still good.
  template <typename Step>
  void each(const Step& step) {
    for (std::size_t i = 0; i < answer_.programs.size(); ++i) {
      Outcome& outcome = answer_.programs[i];
      if (outcome.ending != Ending::ran && outcome.ending != Ending::unavailable) continue;
      state.current = i;
      outcome = step(i);
    }
  }

  void time() {
    std::vector<std::function<void()>> works;
    for (std::size_t i = 0; i < state.programs.size(); ++i) {
      works.emplace_back([i] {
        state.current = i;
        state.programs[i]->run();
      });
    }
    for (const Guest& guest : guests_) {
      works.emplace_back([&guest] {
        state.current = state.programs.size();
        guest.run();
      });
    }
    const Sampling sampling = sample(works, request_.family, request_.sampling, others_);
    // Values once more: a program may go wrong on what it left behind in its output or its own memory.
    for (std::size_t i = 0; i < answer_.programs.size(); ++i) {
      answer_.programs[i] = check(i);
      put_times(sampling, i, answer_.programs[i]);
    }
    for (std::size_t i = 0; i < guests_.size(); ++i) {
      const Guest& guest = guests_[i];
      const std::vector<float> output = guest.output();
      answer_.peers.push_back(
          {guest.name, guest.implementation, guest.temporary_bytes, compared(data_, output.data())});
      put_times(sampling, answer_.programs.size() + i, answer_.peers.back().outcome);
    }
  }

  static void put_times(const Sampling& sampling, std::size_t work, Outcome& outcome) {
    const Sampled& sampled = sampling.works[work];
    outcome.minimum = sampled.minimum;
    outcome.first_quartile = sampled.first_quartile;
    outcome.median = sampled.median;
    outcome.samples = sampled.samples;
    outcome.gated = sampled.gated;
    outcome.ratio = sampled.ratio;
    outcome.peak = sampling.peak;
    outcome.sustained = sampling.sustained;
  }

  const RunRequest& request_;
  const TestData& data_;
  const std::span<const std::byte> others_;
  const std::vector<Guest>& guests_;
  RunAnswer answer_;
};

}  // namespace

int run_as_child(const std::string& text, const GuestMaker& make_guests) {
  if (const auto bytes = parse_network_argument(text)) return run_network_as_child(*bytes);
  const auto request = parse_request(text);
  const auto data = request ? TestData::map(request->problem, STDIN_FILENO) : nullptr;
  if (!data) return 2;
  const auto others = TestData::map_others(request->problem, STDIN_FILENO, request->sampling.other_bytes);
  close(STDIN_FILENO);
  state.answer = set_answer_aside();
  pin(request->problem.threads);
  keep_freed_memory();
  const std::vector<Guest> guests = make_guests ? make_guests(*data) : std::vector<Guest>{};
  for (const Guest& guest : guests) guest.run();  // libraries look for what they need when they are first used
  // Buffers of ours, and as much again for comparing.
  const std::uint64_t programs = request->programs.size();
  const std::uint64_t ours = static_cast<std::uint64_t>(TestData::bytes(request->problem)) * (programs + 2) +
                             3 * programs * GuardedBuffer::most_besides;
  limit_resources(request->cpu_seconds, request->more_bytes + ours);
  report_incidents(report);
  try {
    send_answer(state.answer, cpu::text(Session(*request, *data, others, guests).run()));
  } catch (const std::bad_alloc&) {
    RunAnswer answer;
    answer.programs = {failed(Ending::memory, "no memory for the tensors")};
    send_answer(state.answer, cpu::text(answer));
  }
  _exit(0);  // nothing that a program left to be done at exit
}

}  // namespace convscope::cpu
