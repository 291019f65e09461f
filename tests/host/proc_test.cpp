#include "host/source_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_machine.hpp"

namespace envgen::host {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::string version_in(std::string_view text) {
  const auto module = parse_kernel_module(text);
  return module ? module->version.to_string() + (module->open ? " open" : " proprietary") : "none";
}

TEST(KernelModule, RealFirstLines) {
  EXPECT_EQ(version_in(open_module_version), "565.57.01 open");
  EXPECT_EQ(version_in(proprietary_module_version), "515.65.01 proprietary");
  EXPECT_EQ(version_in("NVRM version: NVIDIA UNIX x86_64 Kernel Module  384.81  Wed Aug 17 22:24:07 PDT 2016\n"),
            "384.81 proprietary");
  EXPECT_EQ(version_in("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  555.58  Release Build  (portage@localhost)  "
                       "\xd0\xa1\xd0\xb1 29 \xd0\xb8\xd1\x8e\xd0\xbd 2024 14:36:22 MSK\n"),
            "555.58 open");
  // A Jetson.
  EXPECT_EQ(version_in("NVRM version: NVIDIA UNIX Open Kernel Module for aarch64  540.4.0  Release Build  "
                       "(buildbrain@mobile-u64-6336-d8000)  Tue Jan  7 17:35:12 PST 2025\n"
                       "GCC version:  collect2: error: ld returned 1 exit status    \n"),
            "540.04.00 open");
}

TEST(KernelModule, GarbageIsNone) {
  for (const std::string_view text :
       {std::string_view(""), std::string_view("\0\xff", 2), std::string_view("NVRM version:"),
        std::string_view("NVRM version: NVIDIA UNIX x86_64 Kernel Module"), std::string_view("Kernel Module 550.54.14"),
        std::string_view("NVRM version: Kernel Module 99999.99999 later 2024"), std::string_view("NVRM version: 550.54.14")}) {
    EXPECT_EQ(version_in(text), "none") << text;
  }
}

TEST(KernelModule, AVersionHasTwoNumbers) {
  EXPECT_EQ(version_in("NVRM version: NVIDIA UNIX x86_64 Kernel Module  7  550.54.14\n"), "550.54.14 proprietary");
  EXPECT_EQ(version_in("NVRM version: NVIDIA UNIX x86_64 Kernel Module  550\n"), "none");
  EXPECT_EQ(version_in("other: Kernel Module 550.54.14\nNVRM version: Kernel Module 545.23.06\n"), "545.23.06 proprietary");
  EXPECT_EQ(version_in("NVRM version: without\nNVRM version: Kernel Module 545.23.06\n"), "545.23.06 proprietary");
}

TEST(ProcGpu, ModelAndExclusion) {
  EXPECT_EQ(parse_proc_gpu(l4_information).model, "NVIDIA L4");
  EXPECT_FALSE(parse_proc_gpu(l4_information).excluded);
  EXPECT_TRUE(parse_proc_gpu("Model: \t\t NVIDIA L4\nGPU Excluded:\t Yes\n").excluded);
  EXPECT_EQ(parse_proc_gpu("Model: \t\t Unknown\n").model, "");
  EXPECT_EQ(parse_proc_gpu("").model, "");
}

TEST(Proc, DriverAndGpusInTheOrderOfTheBus) {
  const FakeRoot root;
  root.write("proc/driver/nvidia/version", open_module_version);
  root.write("proc/driver/nvidia/gpus/10000:01:00.0/information", "Model: \t\t NVIDIA T4\n");
  root.write("proc/driver/nvidia/gpus/0000:70:00.0/information", l4_information);
  root.write("proc/driver/nvidia/gpus/nonsense/information", "Model: \t\t NVIDIA K80\n");
  root.pci("0000:70:00.0", "0x10de", "0x27b8", "0x030200");
  const auto answer = ask_proc(root.path());
  ASSERT_TRUE(answer.driver);
  EXPECT_EQ(answer.driver->to_string(), "565.57.01");
  EXPECT_EQ(answer.driver_origin, "/proc/driver/nvidia/version");
  ASSERT_THAT(answer.gpus, SizeIs(2));
  EXPECT_EQ(answer.gpus[0].name, "NVIDIA L4");
  EXPECT_EQ(answer.gpus[0].pci_id, "10de:27b8");
  EXPECT_EQ(answer.gpus[0].origin, "/proc/driver/nvidia/gpus/0000:70:00.0/information");
  EXPECT_FALSE(answer.gpus[0].capability);
  EXPECT_EQ(answer.gpus[1].name, "NVIDIA T4");
  EXPECT_EQ(answer.gpus[1].pci_id, "");
  EXPECT_THAT(answer.notes, ElementsAre("/proc/driver/nvidia/version: driver 565.57.01 (open kernel module)",
                                        "/proc/driver/nvidia/gpus: 2 GPUs"));
  EXPECT_EQ(kernel_module_of(root.path()), "open");
}

TEST(Proc, NoDriver) {
  const FakeRoot root;
  const auto answer = ask_proc(root.path());
  EXPECT_FALSE(answer.driver);
  EXPECT_THAT(answer.notes, ElementsAre("/proc/driver/nvidia/version: No such file or directory"));
  EXPECT_EQ(kernel_module_of(root.path()), "");
}

TEST(Proc, ADriverWithoutGpus) {
  const FakeRoot root;
  root.write("proc/driver/nvidia/version", proprietary_module_version);
  EXPECT_THAT(ask_proc(root.path()).notes,
              ElementsAre("/proc/driver/nvidia/version: driver 515.65.01 (proprietary kernel module)",
                          "/proc/driver/nvidia/gpus: No such file or directory"));
  std::filesystem::create_directories(root.path() / "proc/driver/nvidia/gpus");
  EXPECT_THAT(ask_proc(root.path()).notes,
              ElementsAre("/proc/driver/nvidia/version: driver 515.65.01 (proprietary kernel module)",
                          "/proc/driver/nvidia/gpus: no GPU"));
  EXPECT_EQ(kernel_module_of(root.path()), "proprietary");
}

TEST(Proc, AVersionFileOfAnotherShape) {
  const FakeRoot root;
  root.write("proc/driver/nvidia/version", std::string_view("\x1b[31mNVRM\0 next\nmore", 18));
  EXPECT_THAT(ask_proc(root.path()).notes, ElementsAre("/proc/driver/nvidia/version: no driver version in '[31mNVRM next'"));
  root.write("proc/driver/nvidia/version", "");
  EXPECT_THAT(ask_proc(root.path()).notes, ElementsAre("/proc/driver/nvidia/version: no driver version in ''"));
  std::filesystem::remove(root.path() / "proc/driver/nvidia/version");
  std::filesystem::create_directory(root.path() / "proc/driver/nvidia/version");
  EXPECT_THAT(ask_proc(root.path()).notes, ElementsAre("/proc/driver/nvidia/version: not a regular file"));
}

TEST(Proc, GpusThatCannotBeUsed) {
  const FakeRoot root;
  root.write("proc/driver/nvidia/gpus/0000:01:00.0/information", "Model: \t\t NVIDIA L4\nGPU Excluded:\t Yes\n");
  root.write("proc/driver/nvidia/gpus/0000:02:00.0/information", "");
  std::filesystem::create_directories(root.path() / "proc/driver/nvidia/gpus/0000:03:00.0");
  const auto answer = ask_proc(root.path());
  EXPECT_THAT(answer.gpus, IsEmpty());
  EXPECT_THAT(answer.notes,
              ElementsAre("/proc/driver/nvidia/version: No such file or directory",
                          "/proc/driver/nvidia/gpus/0000:01:00.0/information: excluded from use (GPU Excluded: Yes)",
                          "/proc/driver/nvidia/gpus/0000:02:00.0/information: has no model name, and /sys has no PCI ID for it",
                          "/proc/driver/nvidia/gpus/0000:03:00.0/information: No such file or directory",
                          "/proc/driver/nvidia/gpus/0000:03:00.0/information: has no model name, and /sys has no PCI ID for it",
                          "/proc/driver/nvidia/gpus: no GPU"));
}

TEST(Proc, AFileThatMayNotBeRead) {
  const FakeRoot root;
  root.write("proc/driver/nvidia/version", open_module_version);
  std::filesystem::permissions(root.path() / "proc/driver/nvidia/version", std::filesystem::perms::none);
  // Root may read everything, so the question is asked as nobody; the folder itself must let that user in.
  constexpr ::uid_t nobody = 65534;
  const bool is_root = ::geteuid() == 0;
  std::filesystem::permissions(root.path(), std::filesystem::perms::others_read | std::filesystem::perms::others_exec,
                               std::filesystem::perm_options::add);
  if (is_root) {
    ASSERT_EQ(::seteuid(nobody), 0);
  }
  const auto notes = ask_proc(root.path()).notes;
  if (is_root) {
    ASSERT_EQ(::seteuid(0), 0);
  }
  EXPECT_THAT(notes, ElementsAre("/proc/driver/nvidia/version: Permission denied"));
}

}  // namespace
}  // namespace envgen::host
