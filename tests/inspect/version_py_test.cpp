#include "inspect/version_py.hpp"

#include <gtest/gtest.h>

namespace envgen::inspect {
namespace {

VersionPy version_of(const std::string& text) { return parse_version_py(text, "torch/version.py", "t.whl").value(); }
std::string refusal_of(const std::string& text) {
  const auto parsed = parse_version_py(text, "torch/version.py", "t.whl");
  if (parsed) return "taken";
  EXPECT_EQ(parsed.error().code, ErrorCode::bad_input);
  EXPECT_EQ(parsed.error().origin, "t.whl");
  return parsed.error().message;
}

TEST(VersionPy, StatesTextsAndNone) {
  EXPECT_EQ(version_of("__version__ = '2.9.1+cu128'\n").version, "2.9.1+cu128");
  EXPECT_EQ(version_of("x = 1\r\n__version__: str=\"2.9.1\" # of the build\r\n").version, "2.9.1");
  EXPECT_EQ(version_of("cuda: Optional[str] = '12.8'\n").cuda, Version(12, 8));
  EXPECT_EQ(version_of("cuda='9.0.176'").cuda, Version(9, 0, 176));
  EXPECT_EQ(version_of("cuda_like = '1'\ncuda = '12.8'\ncudaX = '2'\n").cuda, Version(12, 8));
  EXPECT_EQ(version_of("cuda = None").cuda, Version());
  EXPECT_EQ(version_of("cuda: Optional[str] = None  # a build for processors\n").cuda, Version());
}

TEST(VersionPy, NamesAnotherAccelerator) {
  EXPECT_EQ(version_of("cuda = None\nhip: Optional[str] = '6.2.41133'\nxpu = None\n").accelerator, "ROCm");
  EXPECT_EQ(version_of("cuda = None\nhip = None\nxpu: Optional[str] = '20250101'\n").accelerator, "XPU");
  EXPECT_EQ(version_of("cuda = '12.8'\nhip: Optional[str] = None\nxpu: Optional[str] = None\n").accelerator, "");
}

TEST(VersionPy, TheLastLineHolds) {
  EXPECT_EQ(version_of("cuda = None\ncuda = '12.8'\n").cuda, Version(12, 8));
  EXPECT_EQ(version_of("cuda = '12.8'\ncuda = None\n").cuda, Version());
}

TEST(VersionPy, WhatItDoesNotStateIsUnknown) {
  EXPECT_FALSE(version_of("").cuda.has_value());
  EXPECT_FALSE(version_of("# cuda = '12.8'\n  cuda = '12.8'\ncuda\ncuda: str\n").cuda.has_value());
  for (const std::string text : {"", "__version__ = None", "__version__ = __import__('os').system('id')",
                                 "__version__ = '2' + '.9'", "__version__ = '2.9", "__version__ = '2\\x2e9'"})
    EXPECT_EQ(version_of(text).version, "") << text;
}

TEST(VersionPy, WithACudaThatIsNoneIsDamaged) {
  EXPECT_EQ(refusal_of("cuda = '13.2\x1b'"), "'torch/version.py' gives '13.2\\x1b' as its CUDA, which is not a version");
  EXPECT_EQ(refusal_of("cuda = '4294967296.1'\n"), "'torch/version.py' gives '4294967296.1' as its CUDA, which is not a version");
  EXPECT_EQ(refusal_of("cuda = '1' + '2.8'\n"), "'torch/version.py' gives ''1' + '2.8'' as its CUDA, which is not a version");
  EXPECT_EQ(refusal_of("cuda = ''"), "'torch/version.py' gives '' as its CUDA, which is not a version");
  EXPECT_EQ(refusal_of("cuda = '12\\x2e8'"), "'torch/version.py' gives ''12\\x2e8'' as its CUDA, which is not a version");
  EXPECT_EQ(refusal_of("cuda ="), "'torch/version.py' gives '' as its CUDA, which is not a version");
  EXPECT_EQ(refusal_of("cuda = 12.8"), "'torch/version.py' gives '12.8' as its CUDA, which is not a version");
  EXPECT_EQ(refusal_of("cuda = NoneType"), "'torch/version.py' gives 'NoneType' as its CUDA, which is not a version");
}

}  // namespace
}  // namespace envgen::inspect
