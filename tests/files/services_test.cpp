// JupyterLab, sshd and the second stage, as the files have them; tests/e2e/services.sh starts them for real.
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rendered.hpp"

namespace envgen {
namespace {

using test::render;
using test::render_refusal;
using test::rendered;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(Jupyter, IsInstalledAndStarted) {
  EXPECT_THAT(rendered({"dockerfile", "--torch", "2.3", "--jupyter"}),
              AllOf(HasSubstr(" 'setuptools<82' jupyterlab==4.3.8 \\\n"), HasSubstr("\nEXPOSE 8888\n")));
  EXPECT_THAT(rendered({"run", "--torch", "2.3", "--jupyter"}),
              AllOf(HasSubstr("--publish \"127.0.0.1:${JUPYTER_PORT:-8888}:8888\" --env JUPYTER_TOKEN"),
                    HasSubstr("set -- jupyter lab --ip=0.0.0.0 --no-browser --allow-root\n")));
  EXPECT_THAT(rendered({"compose", "--torch", "2.3", "--jupyter"}),
              AllOf(HasSubstr("\n  jupyter:\n    extends: work\n"), HasSubstr("ports: [\"127.0.0.1:8888:8888\"]\n")));
  EXPECT_THAT(rendered({"setup", "--torch", "2.3", "--jupyter"}),
              AllOf(HasSubstr(" jupyterlab==4.3.8\n"), HasSubstr("say \"JupyterLab: $place/bin/jupyter lab\"\n")));
  EXPECT_THAT(rendered({"requirements", "--torch", "2.3", "--jupyter"}), HasSubstr("\njupyterlab==4.3.8\n"));
  EXPECT_THAT(rendered({"conda", "--torch", "2.5", "--installer", "conda", "--jupyter"}),
              HasSubstr("      - \"jupyterlab==4.3.8\"\n"));
}

TEST(Jupyter, IsInNoFileThatWasNotAsked) {
  for (const auto* kind : {"dockerfile", "run", "compose", "setup", "requirements"})
    EXPECT_THAT(rendered({kind, "--torch", "2.3"}), Not(HasSubstr("upyter"))) << kind;
}

TEST(Jupyter, OfTheRequestKeepsItsVersion) {
  EXPECT_THAT(rendered({"requirements", "--torch", "2.3", "--jupyter", "--pip", "JupyterLab==4.2.0"}),
              AllOf(HasSubstr("\nJupyterLab==4.2.0\n"), Not(HasSubstr("\njupyterlab==4.3.8\n"))));
}

TEST(Ssh, LeavesNoKeyInTheImage) {
  const auto made = render({"dockerfile", "--torch", "2.3", "--ssh"});
  EXPECT_EQ(made.err, "envgen: this file needs 'envgen-sshd.sh' next to it; '-o ./' writes both\n");
  EXPECT_THAT(made.out, AllOf(HasSubstr("      openssh-server \\\n"), HasSubstr(" \\\n && rm --force /etc/ssh/ssh_host_*\n"),
                              HasSubstr("\nCOPY envgen-sshd.sh /usr/local/bin/envgen-sshd.sh\n"), HasSubstr("\nEXPOSE 2222\n")));
  EXPECT_THAT(rendered({"run", "--torch", "2.3", "--ssh", "--user", "alice"}),
              AllOf(HasSubstr("ssh -p 2222 alice@127.0.0.1\n"), HasSubstr("ssh -J THIS_MACHINE -p 2222 alice@127.0.0.1\n"),
                    HasSubstr("--publish \"127.0.0.1:${SSH_PORT:-2222}:2222\""), HasSubstr("--env \"SSH_AUTHORIZED_KEYS=$keys\""),
                    HasSubstr("set -- bash /usr/local/bin/envgen-sshd.sh\n")));
  EXPECT_THAT(rendered({"compose", "--torch", "2.3", "--ssh"}),
              AllOf(HasSubstr("\n  ssh:\n    extends: work\n"), HasSubstr("environment: [SSH_AUTHORIZED_KEYS]\n"),
                    HasSubstr("ports: [\"127.0.0.1:2222:2222\"]\n")));
  EXPECT_THAT(rendered({"dockerfile", "--torch", "2.3"}), Not(HasSubstr("ssh")));
}

TEST(Services, AreReachedFromThisMachineAlone) {
  for (const auto* kind : {"run", "compose", "devcontainer"}) {
    std::istringstream text(rendered({kind, "--torch", "2.3", "--jupyter", "--ssh"}));
    for (std::string line; std::getline(text, line);) {
      const bool publishes = line.find("--publish") != std::string::npos || line.find("ports:") != std::string::npos;
      if (publishes) {
        EXPECT_THAT(line, HasSubstr("\"127.0.0.1:")) << kind;
      }
    }
  }
}

TEST(Stages, LeaveTheCompilersBehind) {
  const auto text = rendered({"dockerfile", "--torch", "2.5", "--gpu", "4090", "--pip", "flash-attn", "--multi-stage", "--ssh"});
  const auto second = text.find("\n\nFROM ubuntu:22.04\n");
  ASSERT_NE(second, std::string::npos);
  const auto built = text.substr(0, second);
  const auto kept = text.substr(second);
  EXPECT_THAT(built, AllOf(HasSubstr("\nFROM nvidia/cuda:12.4.1-devel-ubuntu22.04 AS build\n"), HasSubstr("build-essential"),
                           HasSubstr("TORCH_CUDA_ARCH_LIST=\"8.9\""), HasSubstr("--no-build-isolation torch==2.5.1 flash-attn"),
                           Not(HasSubstr("openssh")), Not(HasSubstr("VIRTUAL_ENV"))));
  EXPECT_THAT(kept, AllOf(HasSubstr("\nCOPY --from=build --chown=root:envgen-packages /opt/venv /opt/venv\n"),
                          HasSubstr("      openssh-server \\\n      python3 \\\n"), HasSubstr("\nENV VIRTUAL_ENV=/opt/venv \\\n"),
                          Not(HasSubstr("build-essential")), Not(HasSubstr("python3-venv")), Not(HasSubstr("pip install")),
                          Not(HasSubstr("CUDA_HOME"))));
}

TEST(Stages, TakeThePythonOfUvAlong) {
  EXPECT_THAT(rendered({"dockerfile", "--torch", "2.5", "--python", "3.12", "--os", "ubuntu22.04", "--variant", "devel", "--gpu",
                        "4090", "--multi-stage"}),
              HasSubstr("/opt/python /opt/python\n"));
}

TEST(Stages, KeepTheCudaThatTheFrameworkDoesNotBring) {
  EXPECT_THAT(
      rendered({"dockerfile", "--tensorflow", "2.12", "--variant", "devel", "--multi-stage"}),
      AllOf(HasSubstr("-devel-ubuntu22.04 AS build\n"), HasSubstr("\nFROM nvidia/cuda:11.8.0-cudnn8-runtime-ubuntu22.04\n")));
}

TEST(Stages, AreRefusedWhereTheyLeaveNothingBehind) {
  EXPECT_EQ(render_refusal({"dockerfile", "--torch", "2.3", "--multi-stage"}),
            "envgen: --multi-stage: nothing is compiled in this environment, so one stage is enough\n"
            "  --variant devel\n  --needs-nvcc\n");
  EXPECT_EQ(render_refusal({"dockerfile", "--torch", "2.5", "--variant", "devel", "--installer", "conda", "--multi-stage"}),
            "envgen: --multi-stage: conda installs the compilers into the environment itself, so no stage can drop them\n"
            "  --installer pip\n");
  EXPECT_EQ(render_refusal({"dockerfile", "--torch", "2.3", "--variant", "devel", "--base", "pytorch", "--multi-stage"}),
            "envgen: --multi-stage: the framework is part of the official image and cannot be copied out of it\n"
            "  --base cuda\n");
  EXPECT_THAT(render_refusal({"dockerfile", "--torch", "2.5", "--pip", "deepspeed", "--multi-stage"}),
              HasSubstr("envgen: --pip: 'deepspeed' compiles at run time, and the last stage has no nvcc\n"
                        "  leave out --multi-stage\n"));
}

}  // namespace
}  // namespace envgen
