// Keeps the device busy for so many clock cycles, so that what is queued behind it starts without waiting for the host.
#include "device.hpp"

ENVGEN_KERNEL spin(long long cycles) {
  const long long start = __nvvm_read_ptx_sreg_clock64();
  while (__nvvm_read_ptx_sreg_clock64() - start < cycles) {
  }
}
