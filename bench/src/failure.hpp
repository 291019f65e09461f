#pragma once

#include <exception>
#include <optional>
#include <string>
#include <string_view>

namespace envgen::bench {

/// What went wrong, in the words of facts/failures.md where it is known there.
struct Failure {
  std::string id;  ///< a row of the list of failures (`cuda-209`); empty: none fits
  std::string message;
  std::optional<int> code;  ///< the library's or the system's own number
  std::string name;         ///< that number's name (`CUDA_ERROR_NO_BINARY_FOR_GPU`, `ENOSPC`)
  std::string call;         ///< the function that said so
};

/// Ends a test from any depth. A test is a long row of calls of which each can fail, so this one case is an exception: it is
/// thrown in a child process and caught in one place there (`run_body`).
class TestFailed : public std::exception {
 public:
  explicit TestFailed(Failure failure) : failure_(std::move(failure)) {}
  const char* what() const noexcept override { return failure_.message.c_str(); }
  const Failure& failure() const { return failure_; }

 private:
  Failure failure_;
};

/// Ends a test that cannot be made here; the text says why.
class TestSkipped : public std::exception {
 public:
  explicit TestSkipped(std::string reason) : reason_(std::move(reason)) {}
  const char* what() const noexcept override { return reason_.c_str(); }

 private:
  std::string reason_;
};

/// The id for an error of the driver or the runtime (they share their numbers), or "".
/// Error 35 says two things: `driver_version` 0 means that no driver reached the container, above 0 that it is too old.
std::string cuda_failure_id(int code, int driver_version);

/// The id for what the dynamic linker said, or "".
std::string linker_failure_id(std::string_view message);

/// The id for what a library printed before a test failed: NCCL's warnings, or the dynamic linker where a function was missing
/// only when it was called; "" for anything else.
std::string output_failure_id(std::string_view output);

/// A failed system call: `what` and the system's own words.
Failure system_failure(std::string id, std::string_view call, std::string_view what, int error_number);

}  // namespace envgen::bench
