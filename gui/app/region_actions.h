// What a region is drawn as: commands, their menu, and what they do. The
// shape is kept from one run to the next.
#pragma once

namespace warpscope::gui {

class Actions;
class Canvas;
class Settings;

// Both must live as long as the window.
void connectRegionShapes(const Actions& actions, Canvas& canvas, Settings& settings);

}  // namespace warpscope::gui
