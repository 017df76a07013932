// The memory budget as a person sets it: what an image may take, and what results of steps may
// keep. In MiB here, in bytes everywhere else.
#pragma once

#include <QString>
#include <cstdint>
#include <functional>

class QInputDialog;
class QWidget;

namespace warpscope::gui {

class EngineBridge;
class Settings;

inline constexpr int kLeastMemoryMiB = 64;
inline constexpr int kMostMemoryMiB = 1 << 20;

int defaultMemoryMiB();                   // within those limits
QString memoryText(std::uint64_t bytes);  // "5,888 MiB"
QString howToRaiseMemory();               // where in the window; follows a refusal

// The remembered budget, or the default.
void applyMemoryBudget(const Settings& settings, EngineBridge& bridge);

// Asks for another, applies and remembers it, then calls `changed`. Does not wait: the dialog
// deletes itself.
QInputDialog* askMemoryBudget(QWidget& window, Settings& settings, EngineBridge& bridge,
                              std::function<void()> changed);

}  // namespace warpscope::gui
