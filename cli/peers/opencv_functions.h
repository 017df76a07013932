// What OpenCV does of our operations, behind the seam of engine/measure/peer_module.h.
#pragma once

#include <opencv2/core.hpp>
#include <span>
#include <string_view>

#include "engine/measure/peer_module.h"

namespace warpscope::peer {

inline const WarpscopePeerParameter* parameter(const WarpscopePeerTask& task, std::string_view id) {
    for (int i = 0; i < task.parameter_count; ++i)
        if (task.parameters[i].id == id) return &task.parameters[i];
    return nullptr;
}

inline double number(const WarpscopePeerTask& task, std::string_view id) {
    const auto* found = parameter(task, id);
    return found ? found->number : 0;
}

inline bool isChoice(const WarpscopePeerTask& task, std::string_view id, std::string_view value) {
    const auto* found = parameter(task, id);
    return found && found->text && found->text == value;
}

inline bool grayEightBit(const WarpscopePeerTask& task) {
    return task.input.channels == 1 && task.input.sample_bytes == 1;
}

inline bool eightBit(const WarpscopePeerTask& task) {
    return task.input.sample_bytes == 1;
}

inline bool graySamples(const WarpscopePeerTask& task) {
    return task.input.channels == 1 && task.input.sample_bytes <= 2;
}

// A function of OpenCV that does what the operation does: to the bit, nearly, or (non-local means)
// with weights of its own.
struct Function {
    std::string_view operation;
    bool (*can)(const WarpscopePeerTask& task);
    void (*run)(const WarpscopePeerTask& task, const cv::Mat& in, cv::Mat& out);
};

// Of levels, neighbourhoods and whole images.
std::span<const Function> filterFunctions();
// Where pixels move, and what is put together of several functions.
std::span<const Function> movingFunctions();

}  // namespace warpscope::peer
