#include "files/grammar.hpp"

#include <gtest/gtest.h>

namespace envgen::files {
namespace {

using Check = Expected<void> (*)(std::string_view, const std::string&);

std::string refusal(Check check, std::string_view text) {
  const auto checked = check(text, "--flag");
  if (checked) return "accepted";
  EXPECT_EQ(checked.error().code, ErrorCode::usage);
  EXPECT_EQ(checked.error().origin, "--flag");
  return checked.error().message + "; " + checked.error().hints.at(0);
}

/// What could end a line, start an option, be run or be filled in, somewhere.
const std::vector<std::string> hostile{"",
                                       " ",
                                       "-x",
                                       "--yes",
                                       "a b",
                                       "a\nb",
                                       "a\rb",
                                       "a\tb",
                                       "$(touch x)",
                                       "`x`",
                                       "a;b",
                                       "a&b",
                                       "a|b",
                                       "'a'",
                                       "\"a\"",
                                       "a\\b",
                                       "{{a}}",
                                       "a # b",
                                       "a: b",
                                       "a>b c",
                                       std::string("a\0b", 3),
                                       "\xC3\xA4",
                                       std::string(1 << 20, 'a')};

void refuses_all_of(Check check) {
  for (const auto& text : hostile) EXPECT_FALSE(check(text, "--flag")) << text.substr(0, 20);
}

TEST(AptPackage, IsAName) {
  for (const auto* good : {"libgl1", "g++-12", "libstdc++6", "git=1:2.39.5-0+deb12u2", "python3.11", "a0"})
    EXPECT_TRUE(check_apt_package(good, "--flag")) << good;
  refuses_all_of(check_apt_package);
  // apt-get(8): a name that ends in `-` removes the package.
  for (const auto* bad : {"git-", "git=1-"}) EXPECT_FALSE(check_apt_package(bad, "--flag")) << bad;
  EXPECT_EQ(refusal(check_apt_package, "git; rm -rf /"), "'git; rm -rf /' is not an apt package name; such as libgl1");
}

TEST(PipRequirement, IsANameWithOrWithoutVersions) {
  for (const auto* good : {"numpy", "numpy<2", "numpy >= 1.26, <2", "uvicorn[standard]==0.30.*", "a", "zope.interface",
                           "torch==2.3.1+cu121", "x===1", "x~=1.2", "x[a,b]!=3"})
    EXPECT_TRUE(check_pip_requirement(good, "--flag")) << good;
  refuses_all_of(check_pip_requirement);
  for (const auto* bad :
       {"numpy==", "numpy=1", "numpy<2,", "numpy[", "x @ https://a/b.whl", "x; python_version<'3'", "./x", "git+https://a/b"})
    EXPECT_FALSE(check_pip_requirement(bad, "--flag")) << bad;
  EXPECT_EQ(refusal(check_pip_requirement, "--index-url=x"),
            "'--index-url=x' is not a pip requirement by name; such as 'numpy>=1.26,<2'");
}

TEST(PipRequirement, HasVersionsThatPipUnderstands) {
  for (const auto* good : {"x==2.0.0rc1", "x>=1.0.dev3", "x==1!2.0.post1", "x==2.0+cu121", "x!=1.*", "x~=1.4.2", "x===abc",
                           "x>=v1.0", "x<=1.0-1", "x > 1.0-alpha.2, != 3"})
    EXPECT_TRUE(check_pip_requirement(good, "--flag")) << good;
  for (const auto* bad : {"x>=abc", "x>=1.*", "x~=2", "x==1.0.x", "x>=1.0+local", "x<2,>=1..0", "x==2abc"})
    EXPECT_FALSE(check_pip_requirement(bad, "--flag")) << bad;
  EXPECT_EQ(refusal(check_pip_requirement, "numpy<2,>=abc"),
            "'>=abc' of 'numpy<2,>=abc' is not a version range; such as 'numpy>=1.26,<2'");
}

TEST(PipRequirement, OfAnotherFormIsRefusedForWhatItIs) {
  const auto condition = [](std::string_view text) {
    return fmt::format("{} has a condition, but an environment has one Python and one platform; where it holds, write 'numpy<2'",
                       text);
  };
  EXPECT_EQ(refusal(check_pip_requirement, "numpy "), "'numpy ' begins or ends with a space; did you mean 'numpy'?");
  EXPECT_EQ(refusal(check_pip_requirement, "\tnumpy<2"), "'\\x09numpy<2' begins or ends with a space; did you mean 'numpy<2'?");
  EXPECT_EQ(refusal(check_pip_requirement, "numpy<2; python_version<'3.9'"), condition("'numpy<2; python_version<'3.9''"));
  EXPECT_EQ(refusal(check_pip_requirement, "numpy<2 ;x"), condition("'numpy<2 ;x'"));
  const auto place = [](std::string_view text) {
    return fmt::format(
        "'{}' is an address or a file, not a package name; install it in a Dockerfile or script of your own, after "
        "what envgen's files install",
        text);
  };
  for (const auto* text :
       {"x @ https://a/b.whl", "git+https://a/b", "./x", "/srv/x", "../x", "~/x", "x-1.0-py3-none-any.whl", "x.zip"})
    EXPECT_EQ(refusal(check_pip_requirement, text), place(text));
  EXPECT_EQ(refusal(check_pip_requirement, "git+https://user:token@a/b"), place("git+https://***@a/b"));
  for (const auto* text : {" ", ";", " ; x", "; rm"})
    EXPECT_EQ(refusal(check_pip_requirement, text),
              fmt::format("'{}' is not a pip requirement by name; such as 'numpy>=1.26,<2'", text));
}

TEST(UserName, IsNotRoot) {
  for (const auto* good : {"dev", "_x", "jane-doe", "u1"}) EXPECT_TRUE(check_user_name(good, "--flag")) << good;
  refuses_all_of(check_user_name);
  EXPECT_EQ(refusal(check_user_name, "root"), "'root' is a system user or group; such as dev");
  EXPECT_EQ(refusal(check_user_name, "users"), "'users' is a system user or group; such as dev");
  EXPECT_FALSE(check_user_name("Dev", "--flag"));
  EXPECT_FALSE(check_user_name(std::string(33, 'a'), "--flag"));
}

TEST(Url, HasNoCredentials) {
  for (const auto* good : {"https://mirror.example.org/simple", "http://127.0.0.1:8931/simple/", "file:///srv/wheels"})
    EXPECT_TRUE(check_url(good, "--flag")) << good;
  refuses_all_of(check_url);
  EXPECT_EQ(refusal(check_url, "https://me:secret@example.org/simple"),
            "'https://***@example.org/simple' is not an http, https or file URL without a password, query or fragment; such "
            "as https://mirror.example.org/simple");
  for (const auto* bad : {"ftp://example.org", "http://", "http:///", "http://:80", "http://m:abc/u", "file://host", "http://-x"})
    EXPECT_FALSE(check_url(bad, "--flag")) << bad;
}

TEST(Url, OfAnIndexHasNoQueryAndNoFragment) {
  for (const auto* bad : {"http://m/simple?a=1", "http://m?a", "http://m/simple#a", "http://m#"})
    EXPECT_FALSE(check_url(bad, "--flag")) << bad;
  EXPECT_EQ(refusal(check_url, "https://example.org/simple?x=secret#y"),
            "'https://example.org/simple?***' is not an http, https or file URL without a password, query or fragment; such "
            "as https://mirror.example.org/simple");
  EXPECT_THAT(refusal(check_url, "https://example.org/simple#secret"),
              testing::HasSubstr("'https://example.org/simple#***' is not"));
}

TEST(Url, OfOneWithAPasswordIsNotPrintedWithIt) {
  EXPECT_THAT(refusal(check_base_url, "https://me:secret@example.org"), testing::HasSubstr("'https://***@example.org' is not"));
  EXPECT_THAT(refusal(check_base_url, "https://me:sec@ret@example.org"), testing::HasSubstr("'https://***@example.org' is not"));
  EXPECT_THAT(refusal(check_url, "me:secret@example.org"), testing::HasSubstr("'***@example.org' is not"));
}

TEST(BaseUrl, HasAPathToWhichMoreIsAdded) {
  for (const auto* good : {"https://mirror.example.org", "http://127.0.0.1:8931/conda/", "file:///srv/channels"})
    EXPECT_TRUE(check_base_url(good, "--flag")) << good;
  refuses_all_of(check_base_url);
  for (const auto* bad : {"http://m/u?a=1", "http://m/u#x", "http://m/a&b", "http:///"})
    EXPECT_FALSE(check_base_url(bad, "--flag")) << bad;
  EXPECT_EQ(refusal(check_base_url, "http://m/u?a=1"),
            "'http://m/u?***' is not an http, https or file URL without a password, query or fragment; such as "
            "https://mirror.example.org/path");
}

TEST(CondaChannel, IsAName) {
  for (const auto* good : {"conda-forge", "nvidia/label/cuda-12.4.1"}) EXPECT_TRUE(check_conda_channel(good, "--flag")) << good;
  refuses_all_of(check_conda_channel);
  EXPECT_EQ(refusal(check_conda_channel, "-c"), "'-c' is not a conda channel; such as conda-forge");
}

TEST(Path, NeedsNoQuotes) {
  for (const auto* good : {"/etc/ssl/certs/ca-certificates.crt", "ca.pem", "../ca@1+2.pem", "./a_b"})
    EXPECT_TRUE(check_path(good, "--flag")) << good;
  for (const auto* bad : {"", "-ca.pem", "a b", "a,b", "a:b", "$HOME/ca.pem", "~/ca.pem", "a\"b", "a\nb"})
    EXPECT_FALSE(check_path(bad, "--flag")) << bad;
  refuses_all_of(check_path);
  EXPECT_EQ(refusal(check_path, "my ca"),
            "'my ca' is not a path without spaces or quotes; such as /etc/ssl/certs/ca-certificates.crt");
}

TEST(Image, IsAReference) {
  for (const auto* good :
       {"ubuntu:22.04", "debian:12-slim", "registry.example.org:5000/team/base:1.0", "nvidia/cuda:12.1.1-devel-ubuntu22.04",
        "scratch", "a/b@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"})
    EXPECT_TRUE(check_image(good, "--flag")) << good;
  refuses_all_of(check_image);
  EXPECT_EQ(refusal(check_image, "Ubuntu 22"), "'Ubuntu 22' is not an image name; such as registry.example.org/base:1.0");
  EXPECT_EQ(refusal(check_image, "alice:s3cret@registry.example.org/base:1.0"),
            "'***@registry.example.org/base:1.0' is not an image name; such as registry.example.org/base:1.0");
  EXPECT_EQ(refusal(check_image, "base@sha256:12"),
            "'base@sha256:12' is not an image name; such as registry.example.org/base:1.0");
  for (const auto* bad : {"ubuntu:", "a..b", "a.-b", "a___b", "a./b"}) EXPECT_FALSE(check_image(bad, "--flag")) << bad;
  for (const auto* good : {"a__b", "a--b", "a.b_c-d"}) EXPECT_TRUE(check_image(good, "--flag")) << good;
  const std::string tag(128, 't'), digest = "@sha256:" + std::string(64, 'a');
  for (const auto& good : {"a.org:5000/b:" + tag, "ubuntu" + digest, "ubuntu:" + tag + digest})
    EXPECT_TRUE(check_image(good, "--flag")) << good;
  for (const auto& bad :
       {"a.org:5000/b:" + tag + "t", "ubuntu" + digest + "a", "ubuntu@sha256:a" + digest, "ubuntu" + digest.substr(0, 71)})
    EXPECT_FALSE(check_image(bad, "--flag")) << bad;
}

}  // namespace
}  // namespace envgen::files
