#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>

namespace envgen::bench {

/// A process that a test starts beside itself, with a pipe from it and one to it. It dies with the test, however that ends.
class HelperProcess {
 public:
  /// `body` gets the ends that it reads from and writes to; its result is the exit status. Throws TestFailed.
  explicit HelperProcess(const std::function<int(int read_from, int write_to)>& body);
  ~HelperProcess();
  HelperProcess(const HelperProcess&) = delete;
  HelperProcess& operator=(const HelperProcess&) = delete;
  HelperProcess(HelperProcess&& other) noexcept;
  HelperProcess& operator=(HelperProcess&&) = delete;

  pid_t process() const { return process_; }
  /// Reads or writes exactly so many bytes. False: the helper has ended.
  bool receive(void* data, std::size_t bytes) const;
  bool send(const void* data, std::size_t bytes) const;
  /// The exit status, or 128 and the signal that ended it.
  int wait();

 private:
  pid_t process_ = -1;
  int read_from_ = -1;
  int write_to_ = -1;
};

bool read_exactly(int descriptor, void* data, std::size_t bytes);
bool write_exactly(int descriptor, const void* data, std::size_t bytes);

}  // namespace envgen::bench
