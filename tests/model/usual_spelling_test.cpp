#include <gtest/gtest.h>

#include "model/usual_spelling.hpp"

namespace envgen {
namespace {

TEST(UsualSpelling, OfAChoiceIsInSmallLetters) {
  EXPECT_EQ(usual_spelling(Field::engine, "Docker"), "docker");
  EXPECT_EQ(usual_spelling(Field::engine, "Docker-CDI"), "docker-cdi");
  EXPECT_EQ(usual_spelling(Field::installer, "UV"), "uv");
  EXPECT_EQ(usual_spelling(Field::variant, " Devel "), "devel");
  EXPECT_EQ(usual_spelling(Field::base, "PyTorch"), "pytorch");
  EXPECT_EQ(usual_spelling(Field::prefer, "Newest"), "newest");
  EXPECT_EQ(usual_spelling(Field::engine, "Dokcer"), "Dokcer") << "a message shows what was written";
}

TEST(UsualSpelling, OfAPythonIsItsVersion) {
  EXPECT_EQ(usual_spelling(Field::python, "Python 3.12"), "3.12");
  EXPECT_EQ(usual_spelling(Field::python, "python3.12"), "python3.12") << "read by those who read a version";
}

TEST(UsualSpelling, OfADriverIsItsNumber) {
  for (const auto* text : {"535.183.01-0ubuntu1", "535.183.01-0ubuntu0.22.04.1", "535.183.01-1", "NVIDIA-SMI 535.183.01",
                           "Driver Version: 535.183.01", "driver 535.183.01", " 535.183.01"})
    EXPECT_EQ(usual_spelling(Field::driver, text), "535.183.01") << text;
  for (const auto* text : {"nvidia-driver-535", "nvidia-driver-535-server", "nvidia-driver-535-open",
                           "nvidia-driver-535-server-open", "cuda-drivers-535", "libnvidia-compute-535"})
    EXPECT_EQ(usual_spelling(Field::driver, text), "535") << text;
  for (const auto* text :
       {"535-550", "before-535", "535.183-1", "535.183.01-", "535.183.01-rc1", ">= 535", "CUDA 12.2", "5xx 535", "DRIVER", ""})
    EXPECT_EQ(usual_spelling(Field::driver, text), text) << text;
}

TEST(UsualSpelling, OfAFileOfTheWindowsDriver) {
  EXPECT_EQ(driver_of_windows_file("31.0.15.3623"), "536.23");
  EXPECT_EQ(driver_of_windows_file("32.0.15.6094"), "560.94");
  EXPECT_EQ(driver_of_windows_file("27.21.14.5671"), "456.71");
  for (const auto* text : {"31.0.15.362", "536.23", "31.0.15", "31.0.15.36230", "12.1.1", "8.9.2.2612", ""})
    EXPECT_EQ(driver_of_windows_file(text), "") << text;
}

}  // namespace
}  // namespace envgen
