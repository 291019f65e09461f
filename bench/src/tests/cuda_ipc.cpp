// A buffer of one process's GPU memory, read and written by another: what PyTorch does with tensors that workers share.
#include <cstring>
#include <string>
#include <vector>

#include "failure.hpp"
#include "generator.hpp"
#include "helper_process.hpp"
#include "session.hpp"
#include "tests/tests.hpp"

namespace envgen::bench::tests {
namespace {

constexpr unsigned lent_seed = 20'267;
constexpr unsigned returned_seed = 20'268;
constexpr std::size_t lent_words = 4U << 20;

/// What the borrower says: its digest of what it found, or what failed.
struct Reply {
  int code = 0;
  unsigned long long digest = 0;
  char message[512] = {};
  char name[64] = {};
  char call[64] = {};
};

void keep(char* to, std::size_t size, const std::string& text) {
  std::strncpy(to, text.c_str(), size - 1);
  to[size - 1] = '\0';
}

Reply borrow(const Context& context, const api::cuda::IpcMemHandle& handle) {
  Reply reply;
  try {
    const Driver driver = start_driver(context.places);
    const Session session(driver, context.device);
    api::cuda::DevicePointer memory = 0;
    driver.check(driver.api.cuIpcOpenMemHandle_v2(&memory, handle, api::cuda::ipc_mem_lazy_enable_peer_access),
                 "cuIpcOpenMemHandle");
    reply.digest = session.digest(memory, lent_words);
    session.generate(memory, lent_words, returned_seed);
    session.synchronize();
    driver.check(driver.api.cuIpcCloseMemHandle(memory), "cuIpcCloseMemHandle");
  } catch (const TestFailed& failed) {
    reply.code = failed.failure().code.value_or(-1);
    keep(reply.message, sizeof reply.message, failed.failure().message);
    keep(reply.name, sizeof reply.name, failed.failure().name);
    keep(reply.call, sizeof reply.call, failed.failure().call);
  }
  return reply;
}

}  // namespace

std::vector<Row> cuda_ipc(const Context& context) {
  // Before the driver is initialised here: a process cannot use CUDA that it inherited by fork.
  HelperProcess borrower([&](int read_from, int write_to) {
    api::cuda::IpcMemHandle handle{};
    if (!read_exactly(read_from, &handle, sizeof handle)) return 1;
    const auto reply = borrow(context, handle);
    return write_exactly(write_to, &reply, sizeof reply) ? 0 : 1;
  });
  const Driver driver = start_driver(context.places);
  const Session session(driver, context.device);
  const auto memory = session.allocate(lent_words * sizeof(unsigned));
  session.generate(memory, lent_words, lent_seed);
  session.synchronize();
  api::cuda::IpcMemHandle handle{};
  driver.check(driver.api.cuIpcGetMemHandle(&handle, memory), "cuIpcGetMemHandle");
  Reply reply;
  if (!borrower.send(&handle, sizeof handle) || !borrower.receive(&reply, sizeof reply)) {
    Failure failure;
    failure.message = "the process that should open the handle exited with status " + std::to_string(borrower.wait());
    throw TestFailed(failure);
  }
  if (reply.code != 0) {
    const bool opening = std::string(reply.call) == "cuIpcOpenMemHandle";
    throw TestFailed(Failure{opening ? "cuda-ipc" : cuda_failure_id(reply.code, driver.version), reply.message, reply.code,
                             reply.name, reply.call});
  }
  require_digest(expected_digest(lent_seed, lent_words), reply.digest, "the buffer as the other process sees it");
  require_digest(expected_digest(returned_seed, lent_words), session.digest(memory, lent_words),
                 "the buffer written by the other process");
  Row row;
  row.status = Status::pass;
  row.message = "another process read and wrote " + std::to_string(lent_words * sizeof(unsigned) >> 20) +
                " MiB of this process's GPU memory";
  row.evidence = {{"bytes", lent_words * sizeof(unsigned)}};
  return {row};
}

}  // namespace envgen::bench::tests
