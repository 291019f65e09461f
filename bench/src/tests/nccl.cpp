#include <cstdlib>
#include <deque>
#include <vector>

#include "failure.hpp"
#include "image_libraries.hpp"
#include "session.hpp"
#include "speed.hpp"
#include "tests/tests.hpp"
#include "timing.hpp"

namespace envgen::bench::tests {
namespace {

void check_nccl(const Nccl& library, api::nccl::Result result, const char* call) {
  if (result == api::nccl::success) return;
  Failure failure;
  failure.message = std::string(call) + ": " + library.api.ncclGetErrorString(result) + " (error " + std::to_string(result) + ")";
  failure.code = result;
  failure.call = call;
  throw TestFailed(failure);
}

/// What GPU `rank` gives at `index`: whole numbers small enough for their sum over 16 GPUs to be exact.
float given(int rank, std::size_t index) { return static_cast<float>((index + static_cast<std::size_t>(rank) * 7) % 1021); }

}  // namespace

/// A sum over all GPUs by the image's own NCCL, every element checked. busbw as nccl-tests define it: 2 (n - 1) / n times the
/// bytes of one buffer per second, which can be compared with the speed of the links whatever n is.
std::vector<Row> nccl(const Context& context) {
  ::setenv("NCCL_DEBUG", "WARN", 0);  // why something failed, it only prints
  const Nccl library = open_nccl(context.places);
  const auto check = [&](api::nccl::Result result, const char* call) { check_nccl(library, result, call); };
  const Driver driver = start_driver(context.places);
  const int count = context.device_count;
  const auto floats = context.sizes.all_reduce_floats;
  std::deque<Session> sessions;  // a session stays where it is
  std::vector<api::cuda::DevicePointer> from;
  std::vector<api::cuda::DevicePointer> to;
  std::vector<float> values(floats);
  for (int rank = 0; rank < count; ++rank) {
    const auto& session = sessions.emplace_back(driver, rank);
    from.push_back(session.allocate(floats * sizeof(float)));
    to.push_back(session.allocate(floats * sizeof(float)));
    for (std::size_t i = 0; i < floats; ++i) values[i] = given(rank, i);
    session.to_device(from.back(), values.data(), floats * sizeof(float));
    session.fill(to.back(), 0xffffffff, floats);
    session.synchronize();
  }
  std::vector<api::nccl::Communicator> communicators(static_cast<std::size_t>(count), nullptr);
  check(library.api.ncclCommInitAll(communicators.data(), count, nullptr), "ncclCommInitAll");
  const auto all_reduce = [&] {
    check(library.api.ncclGroupStart(), "ncclGroupStart");
    for (std::size_t rank = 0; rank < communicators.size(); ++rank) {
      check(library.api.ncclAllReduce(reinterpret_cast<const void*>(from[rank]), reinterpret_cast<void*>(to[rank]), floats,
                                      api::nccl::float32, api::nccl::sum, communicators[rank], sessions[rank].stream()),
            "ncclAllReduce");
    }
    check(library.api.ncclGroupEnd(), "ncclGroupEnd");
  };
  sessions.front().make_current();
  const auto timing = time_on(sessions.front(), context.sizes, all_reduce);
  for (std::size_t rank = 0; rank < communicators.size(); ++rank) {
    sessions[rank].make_current();
    sessions[rank].to_host(values.data(), to[rank], floats * sizeof(float));
    sessions[rank].synchronize();
    for (std::size_t i = 0; i < floats; ++i) {
      float expected = 0;
      for (int giver = 0; giver < count; ++giver) expected += given(giver, i);
      if (values[i] == expected) continue;
      Failure failure;
      failure.message = "element " + std::to_string(i) + " on GPU " + std::to_string(rank) + " is " + std::to_string(values[i]) +
                        ", expected " + std::to_string(expected);
      throw TestFailed(failure);
    }
  }
  for (const auto communicator : communicators) check(library.api.ncclCommDestroy(communicator), "ncclCommDestroy");
  const double bytes = static_cast<double>(floats) * sizeof(float);
  const double bus = 2.0 * (count - 1) / count * bytes / timing.median;
  Row row;
  row.status = Status::pass;
  row.message = "the sum over " + std::to_string(count) + (count == 1 ? " GPU" : " GPUs") + " is correct" +
                (count > 1 ? ", busbw " + rate_text(bus, "B/s") : "");
  row.evidence = {{"library", library.library.path},
                  {"gpus", count},
                  {"floats", floats},
                  {"seconds", to_json(timing)},
                  {"bus_bytes_per_second", count > 1 ? Json(bus) : Json()}};
  return {row};
}

}  // namespace envgen::bench::tests
