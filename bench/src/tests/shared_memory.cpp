// What PyTorch's DataLoader does: workers write batches into /dev/shm, and the parent reads them there.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <string>
#include <vector>

#include "failure.hpp"
#include "generator.hpp"
#include "helper_process.hpp"
#include "nameless_file.hpp"
#include "session.hpp"
#include "speed.hpp"
#include "tests/tests.hpp"

namespace envgen::bench::tests {
namespace {

constexpr int worker_count = 4;
constexpr int batches_of_worker = 2;  // prefetched, so all of them lie there at once

/// What a worker says of one batch.
struct Written {
  int error_number = 0;
  unsigned long long digest = 0;
};

Written write_batch(int descriptor, unsigned seed, std::size_t bytes) {
  // ftruncate would succeed whatever the size, and the first write beyond it would be a SIGBUS.
  if (const int error = ::posix_fallocate(descriptor, 0, static_cast<off_t>(bytes)); error != 0) return {error, 0};
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) return {errno, 0};
  auto* words = static_cast<unsigned*>(memory);
  const auto count = bytes / sizeof(unsigned);
  unsigned long long digest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    words[i] = generated_word(seed, i);
    digest += digest_part(words[i], i);
  }
  ::munmap(memory, bytes);
  return {0, digest};
}

unsigned long long read_batch(int descriptor, std::size_t bytes) {
  void* memory = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor, 0);
  ::close(descriptor);
  if (memory == MAP_FAILED) throw TestFailed(system_failure("", "mmap", "a batch in /dev/shm", errno));
  const auto digest = host_digest(static_cast<const unsigned*>(memory), bytes / sizeof(unsigned));
  ::munmap(memory, bytes);
  return digest;
}

unsigned long long shm_size() {
  struct statvfs space {};
  if (::statvfs("/dev/shm", &space) != 0) throw TestFailed(system_failure("shm-bus-error", "statvfs", "/dev/shm", errno));
  return static_cast<unsigned long long>(space.f_blocks) * space.f_frsize;
}

}  // namespace

std::vector<Row> shared_memory(const Context& context) {
  const auto bytes = context.sizes.shared_batch_bytes;
  const auto size = shm_size();
  // As torch does it: a file without a name, which the workers have open.
  std::vector<int> batches;
  for (int batch = 0; batch < worker_count * batches_of_worker; ++batch) batches.push_back(nameless_file("/dev/shm"));
  const auto start = std::chrono::steady_clock::now();
  std::vector<HelperProcess> workers;
  for (int worker = 0; worker < worker_count; ++worker) {
    workers.emplace_back([&, worker](int, int write_to) {
      for (int batch = 0; batch < batches_of_worker; ++batch) {
        const auto number = static_cast<std::size_t>(worker * batches_of_worker + batch);
        const auto written = write_batch(batches[number], static_cast<unsigned>(number), bytes);
        if (!write_exactly(write_to, &written, sizeof written)) return 1;
      }
      return 0;
    });
  }
  // All are written before the first is read: they must all fit.
  std::vector<Written> written(worker_count * batches_of_worker);
  for (std::size_t i = 0; i < written.size(); ++i) {
    auto& worker = workers[i / batches_of_worker];
    if (!worker.receive(&written[i], sizeof written[i])) {
      Failure failure;
      const int status = worker.wait();
      const bool bus_error = status == 128 + SIGBUS;
      failure.id = bus_error ? "shm-bus-error" : "";
      failure.message = bus_error ? "a worker was killed by SIGBUS while writing to /dev/shm"
                                  : "a worker exited with status " + std::to_string(status);
      throw TestFailed(failure);
    }
    if (written[i].error_number != 0) {
      const auto need = bytes * written.size() >> 20;
      throw TestFailed(system_failure(
          written[i].error_number == ENOSPC ? "shm-bus-error" : "", "posix_fallocate",
          "/dev/shm has " + std::to_string(size >> 20) + " MiB, and " + std::to_string(need) + " MiB of batches do not fit",
          written[i].error_number));
    }
  }
  for (std::size_t i = 0; i < batches.size(); ++i)
    require_digest(written[i].digest, read_batch(batches[i], bytes), "a batch in /dev/shm");
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const auto total = bytes * written.size();
  Row row;
  row.status = Status::pass;
  row.message = std::to_string(total >> 20) + " MiB from " + std::to_string(worker_count) + " workers, hashed; /dev/shm has " +
                std::to_string(size >> 20) + " MiB";
  row.evidence = {
      {"workers", worker_count}, {"batches", written.size()}, {"batch_bytes", bytes}, {"shm_bytes", size}, {"seconds", seconds}};
  return {row};
}

}  // namespace envgen::bench::tests
