#include "model/python_version.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace envgen {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string python(std::string_view text) {
  const auto parsed = PythonVersion::parse(text);
  return parsed ? parsed->to_string() : parsed.error().message;
}

PythonSet set_of(std::initializer_list<std::string_view> texts) {
  PythonSet set;
  for (const auto text : texts) set.add(PythonVersion::parse(text).value());
  return set;
}

std::vector<std::string> names(PythonSet set) {
  std::vector<std::string> result;
  for (const auto version : set.list()) result.push_back(version.to_string());
  return result;
}

TEST(Python, IsAMinorOfPython3) {
  EXPECT_EQ(python("3.12"), "3.12");
  EXPECT_EQ(python("3.0"), "3.0");
  EXPECT_EQ(python("3.31"), "3.31");
  EXPECT_EQ(PythonVersion::parse("3.12")->version(), Version(3, 12));
}

TEST(Python, ATIsTheFreeThreadedBuild) {
  EXPECT_EQ(python("3.13t"), "3.13t");
  EXPECT_TRUE(PythonVersion::parse("3.13t")->free_threaded);
  EXPECT_FALSE(PythonVersion::parse("3.13")->free_threaded);
}

TEST(Python, TheTagOfAWheelIsReadToo) {
  EXPECT_EQ(python("cp312"), "3.12");
  EXPECT_EQ(python("cp39"), "3.9");
  EXPECT_EQ(python("cp313t"), "3.13t");
}

TEST(Python, MalformedTextsAreRefused) {
  for (const auto* text :
       {"",      "t",  "3",   "3.",   "3.12.1", "3.32",   "2.7", "4.0",   "12",    "3.13tt", "3.13 t", "3.13T",
        "t3.13", "cp", "cp3", "cp3t", "cp27",   "cp3.12", "py3", "CP312", " 3.12", "3.x",    ">=3.10", "3.65548"})
    EXPECT_EQ(python(text), "not a Python version (as in 3.12 or, free-threaded, 3.13t)") << text;
  EXPECT_EQ(PythonVersion::parse("3").error().code, ErrorCode::usage);
}

TEST(Python, IsOrderedByMinorThenByThreading) {
  const char* ascending[] = {"3.8", "3.9", "3.10", "3.13", "3.13t", "3.14"};
  for (std::size_t i = 1; i < std::size(ascending); ++i)
    EXPECT_LT(*PythonVersion::parse(ascending[i - 1]), *PythonVersion::parse(ascending[i])) << ascending[i];
}

TEST(Pythons, AreListedAscendingEachTwinBehindItsRegularOne) {
  EXPECT_THAT(names(set_of({"3.14", "3.13t", "3.9", "3.13", "3.10", "3.14t"})),
              ElementsAre("3.9", "3.10", "3.13", "3.13t", "3.14", "3.14t"));
  EXPECT_THAT(names(PythonSet()), IsEmpty());
}

TEST(Pythons, TheNewestIsRegularWhereThereIsOne) {
  EXPECT_EQ(set_of({"3.9", "3.12", "3.10"}).newest().to_string(), "3.12");
  EXPECT_EQ(set_of({"3.9", "3.13t", "3.14t"}).newest().to_string(), "3.9");
  EXPECT_EQ(set_of({"3.13t", "3.14t"}).newest().to_string(), "3.14t");
  EXPECT_EQ(set_of({"3.0"}).newest().to_string(), "3.0");
  EXPECT_EQ(set_of({"3.31t"}).newest().to_string(), "3.31t");
}

TEST(Pythons, ATwinIsAMemberOfItsOwn) {
  const auto set = set_of({"3.13t"});
  EXPECT_TRUE(set.contains(*PythonVersion::parse("3.13t")));
  EXPECT_FALSE(set.contains(*PythonVersion::parse("3.13")));
  EXPECT_EQ(set.size(), 1);
}

TEST(Pythons, MeetAndJoin) {
  const auto a = set_of({"3.10", "3.11", "3.13t"});
  const auto b = set_of({"3.11", "3.12", "3.13t"});
  EXPECT_THAT(names(a & b), ElementsAre("3.11", "3.13t"));
  EXPECT_THAT(names(a | b), ElementsAre("3.10", "3.11", "3.12", "3.13t"));
  EXPECT_TRUE((set_of({"3.10"}) & set_of({"3.11"})).empty());
  EXPECT_THAT(names(PythonSet::regular() & a), ElementsAre("3.10", "3.11"));
}

TEST(Pythons, AllHoldsBothKindsOfEveryMinor) {
  EXPECT_EQ(PythonSet::all().size(), 64);
  EXPECT_EQ(PythonSet::regular().size(), 32);
  EXPECT_EQ(PythonSet::all().list().size(), 64U);
}

TEST(Pythons, AMinorBeyondTheWordIsNoMember) {
  PythonSet set;
  set.add(PythonVersion{32, false});
  EXPECT_TRUE(set.empty());
  EXPECT_FALSE(PythonSet::all().contains(PythonVersion{32, false}));
}

}  // namespace
}  // namespace envgen
