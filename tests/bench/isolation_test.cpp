// A test's process: what it sends, what it prints, how it ends, and that nothing of it is left.
#include "isolation.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <string>

#include <gtest/gtest.h>

#include "failure.hpp"
#include "helper_process.hpp"

namespace envgen::bench {
namespace {

void send(int descriptor, const std::string& text) {
  ASSERT_EQ(::write(descriptor, text.data(), text.size()), static_cast<ssize_t>(text.size()));
}

TEST(Isolation, AFloodIsBounded) {
  const auto outcome = run_isolated(
      [](int descriptor) {
        const std::string part(1U << 20U, 'x');
        for (int i = 0; i < 72; ++i) write_exactly(descriptor, part.data(), part.size());
      },
      120);
  EXPECT_EQ(outcome.end, Outcome::End::finished);
  EXPECT_GE(outcome.sent.size(), 64U << 20U);
  EXPECT_LE(outcome.sent.size(), (64U << 20U) + 65536);
}

TEST(Isolation, OfWhatIsPrintedTheEndIsKept) {
  const auto outcome = run_isolated(
      [](int) {
        for (int i = 0; i < 3000; ++i) send(STDOUT_FILENO, "line\n");
        send(STDERR_FILENO, "the last line\n");
      },
      60);
  EXPECT_EQ(outcome.output.size(), 4096U);
  EXPECT_TRUE(outcome.output.ends_with("line\nthe last line\n"));
}

TEST(Isolation, AChildHasNoInputNoCoreAndAGroupOfItsOwn) {
  const auto outcome = run_isolated(
      [](int descriptor) {
        char byte = 0;
        rlimit core{1, 1};
        ::getrlimit(RLIMIT_CORE, &core);
        const bool alone = ::read(STDIN_FILENO, &byte, 1) == 0 && core.rlim_cur == 0 && ::getpgrp() == ::getpid();
        send(descriptor, alone ? "alone" : "not alone");
      },
      60);
  EXPECT_EQ(outcome.sent, "alone");
}

TEST(Isolation, WhatTheChildStartedEndsWithIt) {
  const auto outcome = run_isolated(
      [](int descriptor) {
        const pid_t started = ::fork();
        if (started == 0) {
          ::sleep(60);
          ::_exit(0);
        }
        send(descriptor, std::to_string(started));
      },
      60);
  const pid_t started = std::stoi(outcome.sent);
  // It is another's child by now: gone, or a zombie that nobody has waited for.
  const auto gone = [&] {
    std::string state(1, '?');
    const int file = ::open(("/proc/" + outcome.sent + "/stat").c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return true;
    char text[64] = {};
    const auto size = ::read(file, text, sizeof text - 1);
    ::close(file);
    return size <= 0 || std::strstr(text, ") Z ") != nullptr;
  };
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (!gone() && std::chrono::steady_clock::now() < until) ::usleep(10'000);
  EXPECT_TRUE(gone());
  ::kill(started, SIGKILL);
}

TEST(Isolation, HowItEnds) {
  const auto exited = run_isolated([](int) { ::_exit(7); }, 60);
  EXPECT_EQ(exited.end, Outcome::End::exited);
  EXPECT_EQ(exited.exit_status, 7);
  const auto crashed = run_isolated([](int) { ::raise(SIGKILL); }, 60);
  EXPECT_EQ(crashed.end, Outcome::End::crashed);
  EXPECT_EQ(crashed.signal, SIGKILL);
  const auto hung = run_isolated([](int) { ::sleep(60); }, 0.2);
  EXPECT_EQ(hung.end, Outcome::End::timed_out);
  EXPECT_EQ(hung.signal, 0);
  EXPECT_LT(hung.seconds, 30);
}

TEST(HelperProcess, SaysHowItEnded) {
  HelperProcess killed([](int, int) {
    ::raise(SIGKILL);
    return 0;
  });
  char byte = 0;
  EXPECT_FALSE(killed.receive(&byte, 1));
  EXPECT_EQ(killed.wait(), 128 + SIGKILL);
  HelperProcess exited([](int, int) { return 3; });
  EXPECT_EQ(exited.wait(), 3);
  EXPECT_FALSE(exited.send(&byte, 1));  // and the test does not die of SIGPIPE
  HelperProcess echo([](int read_from, int write_to) {
    char word[5];
    return read_exactly(read_from, word, sizeof word) && write_exactly(write_to, word, sizeof word) ? 0 : 1;
  });
  char word[5] = "";
  EXPECT_TRUE(echo.send("echo", 5));
  EXPECT_TRUE(echo.receive(word, 5));
  EXPECT_STREQ(word, "echo");
}

}  // namespace
}  // namespace envgen::bench
