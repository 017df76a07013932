// Functions of NVIDIA's NPP that do what our operations do, to the bit or as near as they come.
// 8-bit samples: that is what people use it for, and what our figures are compared in.
#pragma once

#include <npp.h>

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "engine/measure/peer_module.h"

namespace warpscope::npp {

// Device memory that functions need beside images. Allocated by the first run of a task; later
// runs, a captured graph's among them, find it as it is.
class Workspace {
  public:
    Workspace() = default;
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;
    ~Workspace();

    // Room for so many bytes; throws std::runtime_error without memory.
    Npp8u* room(std::size_t bytes);
    // A copy on the device, made anew where the contents are others than last time. Slots are 0
    // to 3.
    template <class T>
    const T* constants(const std::vector<T>& values, int slot = 0) {
        return static_cast<const T*>(copied(values.data(), values.size() * sizeof(T), slot));
    }

  private:
    const void* copied(const void* bytes, std::size_t count, int slot);

    struct Block {
        void* data = nullptr;
        std::size_t bytes = 0;
        std::vector<unsigned char> contents;
    };
    Block m_room;
    Block m_constants[4];
};

struct Work {
    const WarpscopePeerTask& task;
    const WarpscopePeerImage& in;      // on the device
    const WarpscopePeerImage* second;  // on the device; null where the operation takes one
    const WarpscopePeerImage& out;     // on the device
    Workspace& workspace;
    const NppStreamContext& context;
};

// What lies in the result: what the operation gives; 16-bit integers for its 8-bit ones; the same,
// or their negatives, whose halves are around middle gray; sums with a row and a column of zeros
// before them; 256 counts.
enum class Result { Same, Shorts, Halves, NegativeHalves, Integral, Counts };

inline bool areShorts(Result result) {
    return result == Result::Shorts || result == Result::Halves || result == Result::NegativeHalves;
}

struct Function {
    std::string_view operation;
    bool (*can)(const WarpscopePeerTask& task);
    NppStatus (*run)(const Work& work);
    Result result = Result::Same;
};

// Null where there is nothing alike.
const Function* functionFor(const WarpscopePeerTask& task);

}  // namespace warpscope::npp
