// What moves memory on the device.
#include "device.hpp"

// 16 bytes a thread: the widest access that one thread can make on every architecture.
ENVGEN_KERNEL copy_16(Vector16* to, const Vector16* from, Index count) {
  const Index i = thread_index();
  if (i < count) to[i] = from[i];
}

// Reads 4 bytes and writes 4 an element: the figure that people know as the speed of an element-wise operation.
ENVGEN_KERNEL scale_vector(float* to, const float* from, Index count, float factor) {
  const Index i = thread_index();
  if (i < count) to[i] = from[i] * factor;
}
