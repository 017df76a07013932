#include "engine/base/log.h"

#include <mutex>
#include <utility>

namespace warpscope {
namespace {

std::mutex sinkMutex;
LogSink currentSink;  // guarded by sinkMutex

}  // namespace

void setLogSink(LogSink sink) {
    const std::lock_guard lock(sinkMutex);
    currentSink = std::move(sink);
}

void logMessage(LogLevel level, std::string_view message) {
    const std::lock_guard lock(sinkMutex);
    if (currentSink) currentSink(level, message);
}

}  // namespace warpscope
