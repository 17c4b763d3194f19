// Sessions: what must work.

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/atomic_file.h"
#include "core/base/key.h"
#include "core/session/network_reference.h"
#include "tests/core/arch/made_up_machine.h"
#include "tests/core/session/sessions.h"

namespace convscope::session::test {
namespace {

using testing::HasSubstr;

TEST(Session, IsReadBackAsWritten) {
  for (const Session& session : {full_session(), Session{}}) {
    Diagnostics diagnostics;
    const auto again = read_session(write_session(session), "s.convscope", diagnostics);
    ASSERT_TRUE(again) << diagnostics.text();
    EXPECT_EQ(*again, session);
    EXPECT_EQ(write_session(*again), write_session(session));
    EXPECT_EQ(diagnostics.empty(), !session.machine.target.empty()) << diagnostics.text();
  }
}

TEST(Session, SizesAreToldOrNotAndABatchOfOneIsTold) {
  Session session = full_session();
  for (const auto& sizes : {std::optional<network::InputSizes>(), std::optional(network::InputSizes{}),
                            std::optional(network::InputSizes{1, network::Size{32, 32}, {}})}) {
    session.baselines.front().network.sizes = sizes;
    Diagnostics diagnostics;
    const auto again = read_session(write_session(session), "s", diagnostics);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->baselines.front().network.sizes.has_value(), sizes.has_value());
    EXPECT_EQ(*again, session);
  }
}

// Must never be changed: it is what version 1 of the program has written.
TEST(Session, OfVersionOneKeepsOpening) {
  Diagnostics diagnostics;
  const auto session = load_session(CONVSCOPE_SOURCE_DIR "/tests/fuzz/corpus/session/version_1.convscope", diagnostics);
  ASSERT_TRUE(session) << diagnostics.text();
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
  EXPECT_EQ(session->network->path, "networks/net.onnx");
  EXPECT_EQ(session->network->hash, 0x0123456789abcdefULL);
  EXPECT_EQ(session->network->sizes->image, (network::Size{480, 640}));
  EXPECT_EQ(session->network->sizes->symbols.at("length"), 128);
  EXPECT_EQ(session->machine.target, "nve");
  EXPECT_EQ(session->machine.level, "fusion");
  EXPECT_EQ(session->machine.parameters.size(), 2u);
  EXPECT_EQ(session->selection.layer, 2);
  EXPECT_EQ(session->baselines.at(0).name, "Eight lanes");
  EXPECT_EQ(session->theme, "dark");
  EXPECT_EQ(session->window.at("layout"), "AAAA");
}

TEST(Session, RestoresParametersByName) {
  arch::ParameterValues values(arch::made_up_machine());
  Diagnostics diagnostics;
  ASSERT_TRUE(values.set("lanes", "32", diagnostics));
  ASSERT_TRUE(values.set("clock", "66.6", diagnostics));
  ASSERT_TRUE(values.set("memory", "banked", diagnostics));
  Session session;
  session.machine = {"toaster", "", "", assignments_of(values)};
  const auto again = read_session(write_session(session), "s", diagnostics);
  ASSERT_TRUE(again);
  EXPECT_EQ(machine_values(again->machine, arch::ParameterValues(arch::made_up_machine()), "s", diagnostics), values);
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
}

TEST(Session, FindsTheNetworkFromAnyWorkingDirectory) {
  const Folder folder;
  std::filesystem::create_directories(folder / "nets");
  std::filesystem::create_directories(folder / "sessions");
  std::ofstream(folder / "nets/a.xml") << "network";
  Diagnostics diagnostics;
  NetworkReference reference{
      path_from(folder / "sessions", folder / "nets/a.xml"), hash_of_file(folder / "nets/a.xml", diagnostics), {}};
  EXPECT_EQ(reference.path, "../nets/a.xml");
  EXPECT_EQ(reference.hash, hash64("network"));
  EXPECT_EQ(find_network(reference, folder / "sessions/s.convscope", {}, diagnostics), folder / "nets/a.xml");
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
}

TEST(Session, FindsAMovedNetworkBesideItAndSaysSo) {
  const Folder folder;
  std::ofstream(folder / "a.xml") << "network";
  Diagnostics diagnostics;
  const NetworkReference reference{"gone/a.xml", hash64("network"), {}};
  EXPECT_EQ(find_network(reference, folder / "s.convscope", {}, diagnostics), folder / "a.xml");
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_THAT(diagnostics.text(), HasSubstr("it is not there any more; opened"));
}

TEST(Session, PrefersTheNetworkWithTheRightContent) {
  const Folder folder;
  std::filesystem::create_directories(folder / "in");
  std::filesystem::create_directories(folder / "samples");
  std::ofstream(folder / "in/a.xml") << "edited";
  std::ofstream(folder / "samples/a.xml") << "network";
  Diagnostics diagnostics;
  const NetworkReference reference{"in/a.xml", hash64("network"), {}};
  EXPECT_EQ(find_network(reference, folder / "s.convscope", {folder / "samples"}, diagnostics),
            folder / "samples/a.xml");
}

// A process that saves one session and then the other as fast as it can: PAIRS of them, or until it is killed.
pid_t saving_process(const Session& first, const Session& second, const std::string& path, int pairs) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  Diagnostics ignored;
  for (int pair = 0; pair != pairs; ++pair) {
    if (!save_session(first, path, ignored) || !save_session(second, path, ignored)) ::_exit(1);
  }
  ::_exit(0);
}

// How long such a process takes for a pair: hosts and sanitizers differ by a hundred.
std::chrono::microseconds time_of_a_pair(const Session& first, const Session& second, const std::string& path) {
  constexpr int pairs = 5;
  const auto begin = std::chrono::steady_clock::now();
  int status = 0;
  EXPECT_GT(::waitpid(saving_process(first, second, path, pairs), &status, 0), 0);
  EXPECT_EQ(status, 0);
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin) / pairs;
}

// The delay grows from kill to kill, to three pairs; and further while a busy host has shown one of the files only.
TEST(Session, AKillAtAnyMomentLeavesTheOldOrTheNewFile) {
  const Folder folder;
  const std::string path = folder / "s.convscope";
  Session old_one = full_session(), new_one = full_session();
  old_one.theme = "light";
  // Large enough for a save to take several writes' worth of time.
  new_one.window["layout"] = std::string(300'000, 'x');
  const std::string old_text = write_session(old_one), new_text = write_session(new_one);
  const auto delay = time_of_a_pair(new_one, old_one, path) / 50;
  Diagnostics diagnostics;
  int old_seen = 0, new_seen = 0;
  for (int round = 0; round < 150 || (round < 1000 && (old_seen == 0 || new_seen == 0)); ++round) {
    ASSERT_TRUE(save_session(old_one, path, diagnostics)) << diagnostics.text();
    const pid_t child = saving_process(new_one, old_one, path, -1);
    ASSERT_GT(child, 0);
    std::this_thread::sleep_for(round * delay);
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    const auto text = read_file(path, diagnostics);
    ASSERT_TRUE(text && (*text == old_text || *text == new_text))
        << "after " << round << " times " << delay.count() << " us";
    (*text == old_text ? old_seen : new_seen)++;
  }
  EXPECT_GT(old_seen, 0);
  EXPECT_GT(new_seen, 0);
}

}  // namespace
}  // namespace convscope::session::test
