#include <chrono>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/cpu/run/measure.h"
#include "programs.h"

namespace convscope::cpu::test {
namespace {

using testing::HasSubstr;

struct Hostile {
  std::string name, body, before;
  Ending ending;
  std::string message;
};

void PrintTo(const Hostile& hostile, std::ostream* out) {
  *out << hostile.name;
}

RunOptions strict() {
  RunOptions options;
  options.sampling = {3, 0.01, false};
  options.wall = std::chrono::seconds(30);  // a busy machine is no reason to end anything but what hangs
  options.memory = std::uint64_t{256} << 20;
  options.compile.with_libraries = true;
  return options;
}

class HostileProgram : public testing::TestWithParam<Hostile> {};

TEST_P(HostileProgram, IsAnOutcome) {
  const Hostile& hostile = GetParam();
  const Problem problem = small_problem();
  Diagnostics diagnostics;
  RunOptions options = strict();
  if (hostile.ending == Ending::timeout) options.wall = std::chrono::seconds(1);
  const auto laboratory = Laboratory::open(problem, find_availability(), options, {}, diagnostics);
  ASSERT_TRUE(laboratory) << diagnostics.text();
  const Outcome outcome = laboratory->measure(plain_program(problem, hostile.body, hostile.before), {});
  EXPECT_EQ(key(outcome.ending), key(hostile.ending)) << outcome.message;
  EXPECT_THAT(outcome.message, HasSubstr(hostile.message));
}

const std::string unix_headers =
    "#include <fcntl.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <signal.h>\n"
    "#include <string.h>\n#include <sys/mman.h>\n#include <sys/socket.h>\n"
    "#include <unistd.h>\n";

INSTANTIATE_TEST_SUITE_P(
    All, HostileProgram,
    testing::Values(
        Hostile{"NullPointer", "*(volatile int*)0 = 1;", "", Ending::crash, "signal 11"},
        Hostile{"Division", "volatile int zero = 0; zero = 7 / zero;", "", Ending::crash, "signal 8"},
        Hostile{"Abort", "abort();", unix_headers, Ending::crash, "signal 6"},
        Hostile{"StackOverflow", "recurse(1);",
                "int recurse(int n) { volatile char a[10000]; a[n % 10000] = 1; return recurse(n + 1) + a[0]; }",
                Ending::crash, "signal 11"},
        Hostile{"Exit", "_exit(0);", unix_headers, Ending::crash, "ended the process"},
        Hostile{"Hang", "for (volatile int i = 0;;) i = 1;", "", Ending::timeout, "not done"},
        Hostile{"Sleep", "for (;;) sleep(100);", unix_headers, Ending::timeout, "not done"},
        Hostile{"HugeRequest", "*(volatile char*)malloc(1ull << 40) = 1;", unix_headers, Ending::memory, ""},
        Hostile{"MemoryHog", "for (;;) memset(malloc(1 << 20), 1, 1 << 20);", unix_headers, Ending::memory, ""},
        Hostile{"NewHog", "for (;;) { volatile char* c = new char[10000]; c[0] = 1; }", "", Ending::memory, ""},
        Hostile{"FileWriter",
                "FILE* f = fopen(\"/tmp/convscope-hostile\", \"w\"); if (f) { fputs(\"x\", f); fclose(f); }",
                unix_headers, Ending::file, "system call"},
        Hostile{"FileReader", "close(open(\"/etc/passwd\", O_RDONLY));", unix_headers, Ending::file, "system call"},
        Hostile{"FileRemover", "unlink(\"/tmp/convscope-hostile\");", unix_headers, Ending::file, "system call"},
        Hostile{"WriterWhileLoading", "",
                unix_headers + "struct S { S() { creat(\"/tmp/convscope-hostile\", 0600); } } s;", Ending::file,
                "system call"},
        Hostile{"NetworkUser", "socket(AF_INET, SOCK_STREAM, 0);", unix_headers, Ending::network, "system call"},
        Hostile{"NetworkWhileLoading", "", unix_headers + "struct S { S() { socket(AF_UNIX, SOCK_STREAM, 0); } } s;",
                Ending::network, "system call"},
        Hostile{"Forker", "fork();", unix_headers, Ending::forbidden, "system call"},
        Hostile{"Executor", "execl(\"/bin/sh\", \"sh\", (char*)0);", unix_headers, Ending::forbidden, "system call"},
        Hostile{"Killer", "kill(getppid(), SIGKILL);", unix_headers, Ending::forbidden, "system call"},
        Hostile{"HandlerChanger", "signal(SIGSYS, SIG_IGN);", unix_headers, Ending::forbidden, "system call"},
        Hostile{"BehindTheOutput", "output[9 * 7 * 6 + 100] = 1;", "", Ending::out_of_bounds, "output"},
        Hostile{"BehindTheImage", "volatile float f = image[9 * 7 * 5 + 15]; (void)f;", "", Ending::out_of_bounds,
                "image"},
        Hostile{"BehindTheKernel", "volatile float f = kernel[6 * 9 * 5 + 15]; (void)f;", "", Ending::out_of_bounds,
                "kernel"},
        Hostile{"BeforeTheOutput", "output[-1] = 1;", "", Ending::out_of_bounds, "before the output"},
        Hostile{"FarBeforeTheOutput", "output[-4000] = 1;", "", Ending::out_of_bounds, "output"},
        Hostile{"IntoTheImage", "((float*)image)[3] = 1;", "", Ending::out_of_bounds, "image"},
        Hostile{"IntoTheKernel", "((float*)kernel)[3] = 1;", "", Ending::out_of_bounds, "kernel"},
        Hostile{"Printer", "for (int i = 0; i < 100; ++i) puts(\"{\\\"complete\\\":true}\");", unix_headers,
                Ending::ran, ""},
        Hostile{"NoFunction", "", "#define convolution another", Ending::compile_error, "convolution"},
        Hostile{"MissingSymbol", "nowhere();", "void nowhere();", Ending::compile_error, "nowhere"},
        Hostile{"NotCpp", "this is no program", "", Ending::compile_error, "error"}),
    [](const testing::TestParamInfo<Hostile>& tested) { return tested.param.name; });

Outcome outcome_of(const std::string& source, const RunOptions& options = strict()) {
  Diagnostics diagnostics;
  const auto laboratory = Laboratory::open(small_problem(), find_availability(), options, {}, diagnostics);
  Generated program;
  program.source = source;
  return laboratory ? laboratory->measure(program, {}) : Outcome{};
}

TEST(MeasureRefusal, WrongValuesAreToldWithTheirPlace) {
  Generated program = plain_program(small_problem());
  program.source.replace(program.source.find("= sum;"), 6, "= sum + (h == 3 && w == 2 && m == 1) * 0.01f;");
  const Outcome outcome = outcome_of(program.source);
  EXPECT_EQ(outcome.ending, Ending::wrong_result);
  EXPECT_THAT(outcome.message, HasSubstr("h 3, w 2, m 1"));
  EXPECT_GT(outcome.error, outcome.bound);
}

TEST(MeasureRefusal, ValuesThatAreMissingOrDependOnWhatWasThere) {
  Generated program = plain_program(small_problem());
  const auto with = [&](const std::string& assignment) {
    std::string source = program.source;
    return source.replace(source.find("= sum;"), 6, assignment);
  };
  EXPECT_EQ(outcome_of(with("+= sum;")).ending, Ending::wrong_result);
  EXPECT_EQ(outcome_of(with("+= m == 5 ? 0 : sum;")).ending, Ending::wrong_result);
  EXPECT_EQ(outcome_of("extern \"C\" void convolution(const float*, const float*, float*) {}").ending,
            Ending::wrong_result);
}

TEST(MeasureRefusal, ProgramsThatGoWrongLater) {
  const Outcome outcome = outcome_of(
      plain_program(small_problem(), "static int runs = 0; if (++runs > 5) { output[0] = 99; return; }").source);
  EXPECT_EQ(outcome.ending, Ending::wrong_result);
}

TEST(MeasureRefusal, CompilersThatTakeTooLong) {
  RunOptions options = strict();
  options.compile.wall = std::chrono::milliseconds(300);
  EXPECT_EQ(outcome_of("template <int a, int b> struct S { enum { v = S<a - 1, 2 * b>::v + S<a - 1, 2 * b + 1>::v }; };"
                       "template <int b> struct S<0, b> { enum { v = b }; }; int i = S<22, 0>::v;",
                       options)
                .ending,
            Ending::timeout);
}

TEST(MeasureRefusal, AProgramThatEndsARunOfSeveralIsTheOneThatIsBlamed) {
  const Problem problem = small_problem();
  Diagnostics diagnostics;
  const auto laboratory = Laboratory::open(problem, find_availability(), strict(), {}, diagnostics);
  ASSERT_TRUE(laboratory) << diagnostics.text();
  Outcome failure;
  const auto good = laboratory->compile(plain_program(problem), {}, failure);
  const auto bad = laboratory->compile(plain_program(problem, "*(volatile int*)0 = 1;"), {}, failure);
  ASSERT_TRUE(good && bad) << failure.message;
  const auto outcomes = laboratory->run({*good, *bad, *good}, strict(), {});
  EXPECT_EQ(outcomes[0].ending, Ending::unavailable);
  EXPECT_EQ(outcomes[1].ending, Ending::crash);
  EXPECT_EQ(outcomes[2].ending, Ending::unavailable);
}

TEST(MeasureRefusal, AFullDiskIsNoFaultOfTheProgram) {
  const std::string script = testing::TempDir() + "compiler-without-room";
  std::ofstream(script) << "#!/bin/sh\necho 'fatal error: error writing to a.s: No space left on device' >&2\nexit 1\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  Diagnostics diagnostics;
  const auto laboratory = Laboratory::open(small_problem(), find_availability(), strict(), {}, diagnostics);
  ASSERT_TRUE(laboratory) << diagnostics.text();
  Outcome failure;
  EXPECT_FALSE(laboratory->compile(plain_program(small_problem()), {script, "", "full"}, {}, {}, failure));
  EXPECT_EQ(failure.ending, Ending::unavailable);
  EXPECT_THAT(failure.message, HasSubstr("no room for what the compiler writes; TMPDIR"));
  std::filesystem::remove(script);
}

TEST(MeasureRefusal, WithoutACompilerTheReasonNamesThePackage) {
  const Availability none = find_availability("no-such-compiler");
  EXPECT_FALSE(none.available());
  EXPECT_THAT(none.reason, HasSubstr("install the package g++"));
  Diagnostics diagnostics;
  EXPECT_FALSE(Laboratory::open(small_problem(), none, strict(), {}, diagnostics));
  EXPECT_THAT(diagnostics.text(), HasSubstr("nothing can be measured here"));
}

TEST(MeasureRefusal, FamiliesThatThisProcessorDoesNotHave) {
  Diagnostics diagnostics;
  const auto laboratory = Laboratory::open(small_problem(), find_availability(), strict(), {}, diagnostics);
  ASSERT_TRUE(laboratory) << diagnostics.text();
  Generated program = plain_program(small_problem());
  program.family = Family::neon32;
  const Outcome outcome = laboratory->measure(program, {});
  EXPECT_EQ(outcome.ending, Ending::unavailable);
  EXPECT_THAT(outcome.message, HasSubstr("neon32"));
}

}  // namespace
}  // namespace convscope::cpu::test
