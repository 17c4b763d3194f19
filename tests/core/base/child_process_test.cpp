#include "core/base/child_process.h"

#include <csignal>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace convscope::test {
namespace {

using End = ChildResult::End;
using namespace std::chrono_literals;

ChildRequest shell(const std::string& script) {
  return {{"/bin/sh", "-c", script}};
}

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TEST(ChildProcess, TellsHowItEndedAndWhatItWrote) {
  const ChildResult result = run_child(shell("echo out; echo err >&2; exit 3"), {});
  EXPECT_EQ(result.end, End::exited);
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.output, "out\n");
  EXPECT_EQ(result.errors, "err\n");
  const ChildResult killed = run_child(shell("kill -SEGV $$"), {});
  EXPECT_EQ(killed.end, End::signalled);
  EXPECT_EQ(killed.signal, SIGSEGV);
  EXPECT_EQ(killed.exit_code, -1);
}

TEST(ChildProcess, HasTheEnvironmentThatWasAdded) {
  ChildRequest request = shell("echo $CONVSCOPE_TRIAL");
  request.environment = {"CONVSCOPE_TRIAL=there"};
  EXPECT_EQ(run_child(request, {}).output, "there\n");
}

TEST(ChildProcess, IsEndedWithItsGroupAtTheWallLimit) {
  ChildRequest request = shell("sleep 100 & sleep 100; echo late");
  request.limits.wall = 50ms;
  ChildResult result;
  EXPECT_LT(seconds_of([&] { result = run_child(request, {}); }), 20);
  EXPECT_EQ(result.end, End::timed_out);
  EXPECT_EQ(result.output, "");
}

TEST(ChildProcess, DoesNotWaitForProcessesThatItLeftBehind) {
  ChildResult result;
  EXPECT_LT(seconds_of([&] { result = run_child(shell("sleep 100 & echo done"), {}); }), 20);
  EXPECT_EQ(result.end, End::exited);
  EXPECT_EQ(result.output, "done\n");
}

TEST(ChildProcess, IsKilledAtOnceWhenStopped) {
  std::stop_source source;
  const std::jthread stopper([&] {
    std::this_thread::sleep_for(30ms);
    source.request_stop();
  });
  ChildResult result;
  EXPECT_LT(
      seconds_of([&] { result = run_child(shell("trap '' TERM; while :; do sleep 1; done"), source.get_token()); }),
      20);
  EXPECT_TRUE(result.stopped());
}

TEST(ChildProcess, HasTimeToTidyUpIfThereIsGrace) {
  std::stop_source source;
  ChildRequest request = shell("trap 'echo tidied; exit 0' TERM; echo begun; while :; do sleep 0.01; done");
  request.grace = 20s;
  const std::jthread stopper([&] {
    std::this_thread::sleep_for(200ms);
    source.request_stop();
  });
  const ChildResult result = run_child(request, source.get_token());
  EXPECT_TRUE(result.stopped());
  EXPECT_EQ(result.output, "begun\ntidied\n");
}

TEST(ChildProcess, IsEndedWhenItWritesTooMuch) {
  ChildRequest request = shell("while :; do echo 0123456789; done");
  request.limits.output = 1000;
  const ChildResult result = run_child(request, {});
  EXPECT_EQ(result.end, End::too_much_output);
  EXPECT_EQ(result.output.size(), 1000U);
}

TEST(ChildProcess, CannotWriteFilesWhereThatIsForbidden) {
  const std::string path = testing::TempDir() + "child_process_file";
  ChildRequest request = shell("echo much > " + path + "; echo after");
  request.limits.no_files = true;
  run_child(request, {});
  EXPECT_EQ(run_child(shell("cat " + path), {}).output, "");
}

TEST(ChildProcess, SaysWhyItDidNotStart) {
  const ChildResult result = run_child({{"/nowhere/program"}}, {});
  EXPECT_EQ(result.end, End::not_started);
  EXPECT_EQ(result.failure, "No such file or directory");
}

}  // namespace
}  // namespace convscope::test
