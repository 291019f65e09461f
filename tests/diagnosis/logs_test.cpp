// logs/ID.txt: wordings that must be diagnosed as ID before all else; quiet.txt: what must not be diagnosed. The line below a
// heading is no part of the log, and says where it is from: `recorded` was shortened from a log that was seen, `reproduced:
// COMMAND / TEST` is what that command says, and that test runs it, `after the message` was written around a message that is
// known.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ids.hpp"
#include "log_file.hpp"

namespace envgen {
namespace {

namespace fs = std::filesystem;
using test::ids_of;
using test::Log;

std::vector<Log> logs_in(const fs::path& path, const std::string& id) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  const auto logs = test::logs_of(text.str(), id);
  if (logs) return *logs;
  ADD_FAILURE() << path << ": " << logs.error().message;
  return {};
}

std::vector<Log> logs() {
  std::vector<Log> all;
  for (const auto& entry : fs::directory_iterator(LOGS "/logs")) {
    const auto more = logs_in(entry.path(), entry.path().stem().string());
    all.insert(all.end(), more.begin(), more.end());
  }
  EXPECT_FALSE(all.empty());
  return all;
}

std::vector<Log> quiet_logs() { return logs_in(LOGS "/quiet.txt", {}); }

std::string reversed_lines(const std::string& text) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) result.insert(0, line + "\n");
  return result;
}

TEST(Logs, AreDiagnosedAsWhatTheyShow) {
  for (const auto& sample : logs()) {
    const auto ids = ids_of(sample.text);
    EXPECT_EQ(ids.empty() ? "" : ids.front(), sample.id) << sample.where() << ": " << testing::PrintToString(ids);
  }
}

constexpr std::string_view reproduced = "# reproduced: ";

TEST(Logs, SayWhereTheyAreFrom) {
  for (const auto& sample : logs()) {
    EXPECT_THAT(sample.source, testing::AnyOf(testing::StartsWith("# recorded: "), testing::StartsWith("# after the message: "),
                                              testing::StartsWith(reproduced)))
        << sample.where();
    EXPECT_NE(sample.text, "") << sample.where();
  }
}

TEST(Logs, ThereIsOneOfEachDiagnosis) {
  std::map<std::string, int> count;
  for (const auto& sample : logs()) ++count[sample.id];
  for (const auto& row : diagnosis::all()) EXPECT_GE(count[std::string(row.id)], 1) << row.id;
  for (const auto& [id, samples] : count) EXPECT_NE(diagnosis::find(id), nullptr) << id;
}

TEST(Logs, NameATestOfTheRepositoryThatMakesThem) {
  for (const auto& sample : logs()) {
    if (!sample.source.starts_with(reproduced)) continue;
    const auto test = sample.source.rfind(" / ");
    ASSERT_NE(test, std::string::npos) << sample.source;
    EXPECT_TRUE(fs::is_regular_file(fs::path(LOGS) / "../.." / sample.source.substr(test + 3))) << sample.source;
  }
}

TEST(Logs, AreReproducedWhereTheTableSaysSo) {
  std::set<std::string, std::less<>> ids;
  for (const auto& sample : logs()) {
    if (sample.source.starts_with(reproduced)) ids.insert(sample.id);
  }
  for (const auto& row : diagnosis::all()) EXPECT_EQ(ids.contains(row.id), row.proof == diagnosis::Proof::reproduced) << row.id;
}

/// What surrounds a message changes nothing: each sample in each dress.
std::string each_line(const std::string& text, const std::function<std::string(const std::string&)>& dressed) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) result += dressed(line) + "\n";
  return result;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::string json_escaped(const std::string& text) {
  return R"({"log":")" + replaced(replaced(replaced(replaced(text, "\\", "\\\\"), "\"", "\\\""), ">", "\\u003e"), "\n", "\\n") +
         R"(","stream":"stderr"})" + "\n";
}

const std::map<std::string, std::function<std::string(const std::string&)>> dresses{
    {"CRLF", [](const std::string& text) { return replaced(text, "\n", "\r\n"); }},
    {"capitals", upper},
    {"colour", [](const std::string& text) { return each_line(text, [](auto& line) { return "\x1b[31m" + line + "\x1b[0m"; }); }},
    {"docker --timestamps",
     [](const std::string& text) {
       return each_line(text, [](auto& line) { return "2026-11-20T09:14:22.123456789Z " + line; });
     }},
    {"docker compose",
     [](const std::string& text) { return each_line(text, [](auto& line) { return "trainer-1  | " + line; }); }},
    {"kubectl --prefix",
     [](const std::string& text) { return each_line(text, [](auto& line) { return "[pod/train-0/main] " + line; }); }},
    {"journal",
     [](const std::string& text) {
       return each_line(text, [](auto& line) { return "Nov 20 09:14:22 node7 dockerd[812]: " + line; });
     }},
    {"json-file", json_escaped},
    {"json in json", [](const std::string& text) { return json_escaped(json_escaped(text)); }},
    {"curly quotes", [](const std::string& text) { return replaced(replaced(text, "\"", "\xE2\x80\x9D"), "'", "\xE2\x80\x99"); }},
    {"box",
     [](const std::string& text) {
       return each_line(text, [](auto& line) { return "\xE2\x94\x82 " + line + "   \xE2\x94\x82"; });
     }},
    {"UTF-16",
     [](const std::string& text) {
       std::string wide = "\xFF\xFE";
       for (const char c : text) {
         if (static_cast<unsigned char>(c) >= 0x80) return text;  // the others are enough
         wide.append(1, c).append(1, '\0');
       }
       return wide;
     }},
};

TEST(Logs, ShowTheSameInEveryDress) {
  for (const auto& sample : logs()) {
    const auto plain = ids_of(sample.text);
    for (const auto& [name, dress] : dresses) EXPECT_EQ(ids_of(dress(sample.text)), plain) << sample.where() << ": " << name;
  }
}

TEST(Logs, ShowTheSameAmongOtherLines) {
  std::string other;
  // These say something of the logs around them: that there is a driver, that slurmd looked for GPUs, that uv found a torch.
  const std::set<std::string> telling{"smi", "slurm-without-gpus", "uv-verbose"};
  for (const auto& sample : quiet_logs()) {
    if (!telling.contains(sample.name)) other += sample.text + "\n";
  }
  for (const auto& sample : logs()) {
    const auto plain = ids_of(sample.text);
    EXPECT_EQ(ids_of(other + sample.text + "\n" + other), plain) << sample.where();
  }
}

/// A terminal of 80 columns breaks lines anywhere, a reporter between words.
std::string wrapped(const std::string& text, std::size_t width, bool at_spaces) {
  return each_line(text, [&](const std::string& line) {
    std::string result;
    std::string_view rest = line;
    while (rest.size() > width) {
      const auto space = rest.rfind(' ', width);
      const bool by_space = at_spaces && space != std::string_view::npos && space > 0;
      const auto end = by_space ? space : width;
      result += std::string(rest.substr(0, end)) + "\n";
      rest.remove_prefix(by_space ? end + 1 : end);
    }
    return result + std::string(rest);
  });
}

TEST(Logs, ShowTheSameWhereTheirLinesAreWrapped) {
  for (const auto& sample : logs()) {
    for (const bool at_spaces : {false, true}) {
      const auto ids = ids_of(wrapped(sample.text, 80, at_spaces));
      EXPECT_EQ(ids.empty() ? "" : ids.front(), sample.id) << sample.where() << (at_spaces ? " between words" : " anywhere");
    }
  }
}

TEST(Logs, OfOrdinaryRunsShowNothing) {
  const auto quiet = quiet_logs();
  EXPECT_FALSE(quiet.empty());
  for (const auto& sample : quiet) {
    EXPECT_THAT(sample.source, testing::StartsWith("# ")) << sample.where();
    EXPECT_THAT(ids_of(sample.text), testing::IsEmpty()) << sample.where();
    EXPECT_THAT(ids_of(reversed_lines(sample.text)), testing::IsEmpty()) << sample.where() << ", from the end";
  }
}

}  // namespace
}  // namespace envgen
