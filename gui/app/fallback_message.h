// Says once that something was computed elsewhere than asked, and why, until that is over.
#pragma once

namespace warpscope::gui {

class EngineBridge;
class MessageBar;

// Both are borrowed and must live as long as each other.
void sayFallbacks(EngineBridge& bridge, MessageBar& messages);

}  // namespace warpscope::gui
