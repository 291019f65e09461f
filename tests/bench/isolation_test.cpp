// A test's process: what it sends, what it prints, how it ends, and that nothing of it is left.
#include "isolation.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "failure.hpp"
#include "helper_process.hpp"

namespace envgen::bench {
namespace {

void send(int descriptor, const std::string& text) {
  ASSERT_EQ(::write(descriptor, text.data(), text.size()), static_cast<ssize_t>(text.size()));
}

/// It is another's child: gone, or a zombie that nobody has waited for.
bool ends_soon(pid_t process) {
  const auto gone = [&] {
    const int file = ::open(("/proc/" + std::to_string(process) + "/stat").c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return true;
    char text[64] = {};
    const auto size = ::read(file, text, sizeof text - 1);
    ::close(file);
    return size <= 0 || std::strstr(text, ") Z ") != nullptr;
  };
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (!gone() && std::chrono::steady_clock::now() < until) ::usleep(10'000);
  return gone();
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
  // This process has both, for as long.
  int input[2];
  ASSERT_EQ(::pipe(input), 0);
  send(input[1], "x");
  const int own_input = ::dup(STDIN_FILENO);
  ::dup2(input[0], STDIN_FILENO);
  rlimit own_core{};
  ::getrlimit(RLIMIT_CORE, &own_core);
  const rlimit some{own_core.rlim_max, own_core.rlim_max};
  ::setrlimit(RLIMIT_CORE, &some);
  const auto outcome = run_isolated(
      [](int descriptor) {
        char byte = 0;
        rlimit core{1, 1};
        ::getrlimit(RLIMIT_CORE, &core);
        const bool alone = ::read(STDIN_FILENO, &byte, 1) == 0 && core.rlim_cur == 0 && ::getpgrp() == ::getpid();
        send(descriptor, alone ? "alone" : "not alone");
      },
      60);
  ::setrlimit(RLIMIT_CORE, &own_core);
  ::dup2(own_input, STDIN_FILENO);
  for (const int each : {own_input, input[0], input[1]}) ::close(each);
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
  EXPECT_TRUE(ends_soon(started));
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

TEST(Isolation, AChildEndsWithTheProgramThatStartedIt) {
  for (const bool helper : {false, true}) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t program = ::fork();
    if (program == 0) {
      const auto tell = [&] {
        send(ends[1], std::to_string(::getpid()) + " ");
        ::sleep(60);
      };
      if (helper) {
        const HelperProcess started([&](int, int) {
          tell();
          return 0;
        });
        ::sleep(60);
      } else {
        run_isolated([&](int) { tell(); }, 60);
      }
      ::_exit(0);
    }
    char text[16] = {};
    EXPECT_GT(::read(ends[0], text, sizeof text - 1), 0);
    ::kill(program, SIGKILL);
    ::waitpid(program, nullptr, 0);
    EXPECT_TRUE(ends_soon(std::atoi(text))) << helper;
    ::kill(std::atoi(text), SIGKILL);
    for (const int end : ends) ::close(end);
  }
}

TEST(Isolation, SignalsEndAChildWhateverTheProgramDoesWithThem) {
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE}) {
    const auto before = std::signal(signal, SIG_IGN);
    const auto outcome = run_isolated([&](int) { ::raise(signal); }, 60);
    std::signal(signal, before);
    EXPECT_EQ(outcome.end, Outcome::End::crashed);
    EXPECT_EQ(outcome.signal, signal);
  }
}

TEST(Isolation, AChildThatClosesItsOutputIsWaitedFor) {
  const auto outcome = run_isolated(
      [](int descriptor) {
        send(descriptor, "all");
        for (const int each : {STDOUT_FILENO, STDERR_FILENO, descriptor}) ::close(each);
        ::usleep(200'000);
        ::_exit(4);
      },
      60);
  EXPECT_EQ(outcome.sent, "all");
  EXPECT_EQ(outcome.exit_status, 4);
  EXPECT_GE(outcome.seconds, 0.05);  // its time is counted from a moment after it began
}

TEST(HelperProcess, ThatSomethingElseWaitedForIsNotWaitedForAgain) {
  HelperProcess helper([](int, int) { return 3; });
  const pid_t process = helper.process();
  ASSERT_EQ(::waitpid(process, nullptr, 0), process);
  EXPECT_EQ(helper.wait(), 0);  // and at once: how it ended is lost
  EXPECT_EQ(helper.process(), -1);
}

TEST(HelperProcess, IsKilledWithWhatHoldsIt) {
  pid_t process = 0;
  {
    HelperProcess first([](int, int) {
      ::sleep(60);
      return 0;
    });
    process = first.process();
    const HelperProcess second(std::move(first));
    EXPECT_EQ(first.process(), -1);  // NOLINT(bugprone-use-after-move)
    EXPECT_EQ(second.process(), process);
    EXPECT_EQ(::kill(process, 0), 0);
  }
  EXPECT_NE(::kill(process, 0), 0);
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

TEST(HelperProcess, CarriesASingleByteAndAMillion) {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{1'000'000}}) {
    HelperProcess echo([&](int read_from, int write_to) {
      std::string text(bytes, ' ');
      return read_exactly(read_from, text.data(), bytes) && write_exactly(write_to, text.data(), bytes) ? 0 : 1;
    });
    const std::string sent(bytes, 'x');
    std::string received(bytes, ' ');
    EXPECT_TRUE(echo.send(sent.data(), bytes));
    EXPECT_TRUE(echo.receive(received.data(), bytes));
    EXPECT_EQ(received, sent);
    EXPECT_EQ(echo.wait(), 0);
  }
}

}  // namespace
}  // namespace envgen::bench
