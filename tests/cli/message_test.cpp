#include "cli/message.hpp"

#include <gtest/gtest.h>

namespace envgen::cli {
namespace {

TEST(Message, IsWrappedBelowItsBeginning) {
  constexpr auto text =
      "envgen: --os: 'alpine' is not supported: there are no wheels of PyTorch for musl\n"
      "  WSL 2 works, with the Windows driver: use --wsl, and name its Linux distribution with --os\n";
  EXPECT_EQ(message_text(text, 60),
            "envgen: --os: 'alpine' is not supported: there are no wheels\n"
            "  of PyTorch for musl\n"
            "  WSL 2 works, with the Windows driver: use --wsl, and name\n"
            "    its Linux distribution with --os\n");
  EXPECT_EQ(message_text(text, 0), text);
}

TEST(Message, KeepsACommandWhole) {
  constexpr auto text = "envgen: nothing to render\n  for example: envgen render conda --torch 2.3 --gpu 4090\n";
  EXPECT_EQ(message_text(text, 40), text);
}

}  // namespace
}  // namespace envgen::cli
