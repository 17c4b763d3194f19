// Sessions: what must be refused, and what is left out with a warning.

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/key.h"
#include "core/session/network_reference.h"
#include "tests/core/arch/made_up_machine.h"
#include "tests/core/session/sessions.h"

namespace convscope::session::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string refusal(const std::string& xml) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read_session(xml, "s", diagnostics)) << xml;
  EXPECT_TRUE(diagnostics.has_errors());
  return diagnostics.text();
}

/// Reads what must open; answers with the warnings.
std::string warnings(const std::string& body, Session* session = nullptr) {
  Diagnostics diagnostics;
  const auto read = read_session("<session version='1'>\n" + body + "\n</session>", "s", diagnostics);
  EXPECT_TRUE(read) << diagnostics.text();
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.text();
  if (session != nullptr && read) *session = *read;
  return diagnostics.text();
}

TEST(SessionRefusal, WhatIsNoSession) {
  for (const char* text : {"", "x", "<session version='1'>", "<network version='1'/>", "<session version='1'/><x/>"}) {
    refusal(text);
  }
}

TEST(SessionRefusal, NoVersion) {
  for (const char* text : {"<session/>", "<session version=''/>", "<session version='0'/>", "<session version='-1'/>",
                           "<session version='1.5'/>", "<session version='99999999999'/>"}) {
    EXPECT_THAT(refusal(text), HasSubstr("attribute 'version' is missing or no version")) << text;
  }
}

TEST(SessionRefusal, ANewerVersionIsRefusedKindly) {
  EXPECT_THAT(refusal("\n<session version='2' program='3.1'><teleporter/></session>"),
              AllOf(StartsWith("s:2: error"), HasSubstr("saved by ConvScope 3.1, in version 2 of the format"),
                    HasSubstr("expected at most version 1"), HasSubstr("hint: open it with that program")));
}

TEST(SessionRefusal, CutShortAnywhere) {
  const std::string whole = write_session(full_session());
  const std::size_t end = whole.rfind('>');
  for (std::size_t length = 0; length < end; ++length) refusal(whole.substr(0, length));
}

TEST(SessionRefusal, MissingFilesAndFolders) {
  const Folder folder;
  Diagnostics diagnostics;
  EXPECT_FALSE(load_session(folder / "missing.convscope", diagnostics));
  EXPECT_FALSE(load_session(folder.path().string(), diagnostics));
  EXPECT_FALSE(save_session(full_session(), folder / "missing/s.convscope", diagnostics));
  EXPECT_EQ(diagnostics.items().size(), 3u);
}

TEST(SessionRefusal, UnknownPartsAreLeftOutWithTheirLines) {
  EXPECT_THAT(warnings("\n<machine target='t'><gear/></machine><hologram/>"),
              AllOf(HasSubstr("s:3: warning: element <gear>: unknown part"), HasSubstr("element <hologram>")));
  EXPECT_THAT(warnings("<network path='a' colour='red'/>"), HasSubstr("unknown attribute 'colour' is left out"));
  EXPECT_THAT(warnings("text"), HasSubstr("unknown part"));
}

TEST(SessionRefusal, BadSizesAreLeftOut) {
  Session session;
  EXPECT_THAT(
      warnings("<network path='a' batch='0' height='3' hash='xyz'><size symbol='N' value='1e9'/></network>", &session),
      AllOf(HasSubstr("'batch' is no size"), HasSubstr("half a size"), HasSubstr("'hash' is no hash"),
            HasSubstr("'value' is no size")));
  EXPECT_EQ(session.network, (NetworkReference{"a", std::nullopt, {}}));
}

TEST(SessionRefusal, NetworksWithoutPathAndHalfBaselinesAreLeftOut) {
  Session session;
  EXPECT_THAT(warnings("<network hash='1'/><baseline name='b'><network path='a'/></baseline>", &session),
              AllOf(HasSubstr("'path' is missing"), HasSubstr("without network or machine")));
  EXPECT_FALSE(session.network);
  EXPECT_TRUE(session.baselines.empty());
}

TEST(SessionRefusal, WhatIsGivenTwiceHoldsOnce) {
  Session session;
  EXPECT_THAT(warnings("<machine target='a'><parameter name='p' value='1'/><parameter name='p' value='2'/></machine>"
                       "<machine target='b'/>",
                       &session),
              HasSubstr("given twice"));
  EXPECT_EQ(session.machine.target, "a");
  ASSERT_EQ(session.machine.parameters.size(), 1u);
  EXPECT_EQ(session.machine.parameters[0].value, "1");
}

TEST(SessionRefusal, ParametersThatTheTargetLostKeepThePresetsValue) {
  Session session;
  warnings(
      "<machine target='toaster'>\n<parameter name='browning' value='3'/>\n<parameter name='lanes' value='999'/>"
      "\n<parameter name='clock' value='50'/></machine>",
      &session);
  const arch::ParameterValues start(arch::made_up_machine());
  Diagnostics diagnostics;
  const auto values = machine_values(session.machine, start, "s", diagnostics);
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_THAT(diagnostics.text(), AllOf(HasSubstr("s:3: warning: parameter 'browning'"), HasSubstr("s:4: warning"),
                                        HasSubstr("it keeps the preset's value")));
  EXPECT_EQ(values.get("lanes"), start.get("lanes"));
  EXPECT_EQ(values.get("clock"), 50);
}

TEST(SessionRefusal, AnotherContentIsAWarning) {
  const Folder folder;
  std::ofstream(folder / "a.xml") << "edited";
  Diagnostics diagnostics;
  EXPECT_EQ(find_network({"a.xml", hash64("network"), {}}, folder / "s.convscope", {}, diagnostics), folder / "a.xml");
  EXPECT_THAT(diagnostics.text(), HasSubstr("warning: network 'a.xml': the file has changed"));
}

TEST(SessionRefusal, AMissingNetworkIsAnErrorThatSaysWhatToDo) {
  const Folder folder;
  Diagnostics diagnostics;
  EXPECT_FALSE(find_network({"nets/a.xml", 1, {}}, folder / "s.convscope", {folder / "none"}, diagnostics));
  EXPECT_THAT(diagnostics.text(), AllOf(HasSubstr("error: network 'nets/a.xml': there is no such file"),
                                        HasSubstr("hint: put a.xml beside the session's file")));
}

}  // namespace
}  // namespace convscope::session::test
