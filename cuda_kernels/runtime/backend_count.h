// How many backends of this program share a device.
#pragma once

namespace warpscope::cuda {

// Thread-safe. Those that live at the moment; 0 for an index that there is not.
int backendsOn(int device);

// One of them, from the beginning to the end of its life.
class CountedBackend {
  public:
    explicit CountedBackend(int device);
    ~CountedBackend();
    CountedBackend(const CountedBackend&) = delete;
    CountedBackend& operator=(const CountedBackend&) = delete;

  private:
    int m_device;
};

}  // namespace warpscope::cuda
