#include "host/machine.hpp"

#include <gtest/gtest.h>

namespace envgen::host {
namespace {

std::string id_of(std::string_view text) {
  const auto id = parse_os_release(text);
  return id ? *id : "error: " + id.error().message;
}

TEST(OsRelease, RealFiles) {
  EXPECT_EQ(
      id_of(
          "PRETTY_NAME=\"Ubuntu 22.04.4 LTS\"\nNAME=\"Ubuntu\"\nVERSION_ID=\"22.04\"\nVERSION=\"22.04.4 LTS (Jammy Jellyfish)\"\n"
          "VERSION_CODENAME=jammy\nID=ubuntu\nID_LIKE=debian\nUBUNTU_CODENAME=jammy\n"),
      "ubuntu22.04");
  EXPECT_EQ(id_of("PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nVERSION_ID=\"12\"\nID=debian\n"), "debian12");
  EXPECT_EQ(id_of("NAME=\"Rocky Linux\"\nVERSION=\"9.3 (Blue Onyx)\"\nID=\"rocky\"\nID_LIKE=\"rhel centos "
                  "fedora\"\nVERSION_ID=\"9.3\"\n"),
            "rocky9.3");
  EXPECT_EQ(id_of("NAME=\"Arch Linux\"\nID=arch\nBUILD_ID=rolling\n"), "arch");
}

TEST(OsRelease, QuotingAndRepetition) {
  EXPECT_EQ(id_of("# a comment\r\nID='ubuntu'\r\nVERSION_ID=2\\4.04\r\n"), "ubuntu24.04");
  EXPECT_EQ(id_of("ID=debian\nID=ubuntu\nVERSION_ID=\"24.04\""), "ubuntu24.04");
  EXPECT_EQ(id_of(""), "linux");
}

TEST(OsRelease, QuotesAreTakenInPairs) {
  EXPECT_EQ(id_of("ID=\"a\nVERSION_ID=1\n"), "error: ID '\"a' is not well-formed");
  EXPECT_EQ(id_of("ID='a\nVERSION_ID=1\n"), "error: ID ''a' is not well-formed");
  EXPECT_EQ(id_of("ID=\"\nVERSION_ID=1\n"), "error: ID '\"' is not well-formed");
  EXPECT_EQ(id_of("ID=''\n"), "error: ID '' is not well-formed");
  EXPECT_EQ(id_of("ID='a\\b'\n"), "error: ID 'a\\b' is not well-formed");  // single quotes resolve nothing
  EXPECT_EQ(id_of("ID=\"a\\b\"\n"), "ab");
  EXPECT_EQ(id_of("ID=ab\\\n"), "error: ID 'ab\\' is not well-formed");
  EXPECT_EQ(id_of("ID=" + std::string(40, 'a')), std::string(40, 'a'));
  EXPECT_EQ(id_of("ID=a\nVERSION_ID=" + std::string(41, '1')),
            "error: VERSION_ID '" + std::string(41, '1') + "' is not well-formed");
}

TEST(OsRelease, WhatThePageForbidsIsRefused) {
  EXPECT_EQ(id_of("ID=\"x; rm -rf /\"\n"), "error: ID 'x; rm -rf /' is not well-formed");
  EXPECT_EQ(id_of("ID=\nVERSION_ID=1\n"), "error: ID '' is not well-formed");
  EXPECT_EQ(id_of("ID=Ubuntu\n"), "error: ID 'Ubuntu' is not well-formed");
  EXPECT_EQ(id_of("ID=a\nVERSION_ID=\"\x1b[31m\xff\"\n"), "error: VERSION_ID '[31m?' is not well-formed");
  EXPECT_EQ(id_of("ID=" + std::string(41, 'a')), "error: ID '" + std::string(41, 'a') + "' is not well-formed");
  EXPECT_EQ(parse_os_release("ID=%").error().code, ErrorCode::bad_input);
}

}  // namespace
}  // namespace envgen::host
