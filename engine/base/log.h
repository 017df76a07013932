// Messages of the engine go through one sink that the program chooses: standard error for the
// command line, the log dock for the window, a list for tests.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace warpscope {

enum class LogLevel { Debug, Info, Warning, Error };

using LogSink = std::function<void(LogLevel, std::string_view)>;

// Replaces the sink; an empty one drops everything. Thread-safe. The sink may be called from any
// thread, one call at a time.
void setLogSink(LogSink sink);
void logMessage(LogLevel level, std::string_view message);

}  // namespace warpscope
