#include "simulated.hpp"

#include <algorithm>
#include <utility>

#include "faults.hpp"

namespace envgen::doubles {

Context current = nullptr;

std::map<DevicePointer, Allocation>& allocations() {
  static std::map<DevicePointer, Allocation> all;
  return all;
}

void* address(DevicePointer memory) { return reinterpret_cast<void*>(memory); }

bool keep(DevicePointer* pointer, const Memory& memory) {
  if (!memory) return false;
  static std::map<Context, int> made;
  *pointer = reinterpret_cast<DevicePointer>(memory.address);
  allocations()[*pointer] = {memory, current, made[current]++};
  return true;
}

bool let_go(DevicePointer pointer) {
  const auto found = allocations().find(pointer);
  if (found == allocations().end()) return false;
  release(found->second.memory);
  allocations().erase(found);
  return true;
}

std::vector<Stream>& streams() {
  static std::vector<Stream> all;
  return all;
}

/// Does the next thing of a stream, of `context` where it has any that can be done. False: there is nothing.
bool step(Context context) {
  auto in_order = streams();
  if (number_setting("ENVGEN_DOUBLE_YOUNGEST", 0) != 0) std::reverse(in_order.begin(), in_order.end());
  for (const bool any_context : {false, true}) {
    for (const auto stream : in_order) {
      auto& todo = stream->todo;
      if (todo.empty() || (!any_context && stream->context != context)) continue;
      const auto& next = todo.front();
      if (next.waits_for != nullptr && next.waits_for->recorded < next.times) continue;
      const auto work = std::move(todo.front().work);
      todo.pop_front();
      if (work) work();
      return true;
    }
  }
  return false;
}

bool all_done(Context context) {
  return std::all_of(streams().begin(), streams().end(),
                     [&](Stream stream) { return stream->context != context || stream->todo.empty(); });
}

/// What a GPU reads that has kept an old copy of the other's memory, or takes its own for it.
const void* misread(const std::string& function, Context reader, DevicePointer from, std::size_t bytes) {
  static std::map<DevicePointer, std::vector<unsigned char>> kept;
  const auto* memory = static_cast<const unsigned char*>(address(from));
  if (told(function, "old")) return kept.try_emplace(from, memory, memory + bytes).first->second.data();
  if (told(function, "own")) {
    const int number = allocations().at(from).number;
    for (const auto& [pointer, allocation] : allocations()) {
      if (allocation.context == reader && allocation.number == number) return address(pointer);
    }
  }
  return memory;
}

}  // namespace envgen::doubles
