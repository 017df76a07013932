// What a region is drawn as: commands, their menu, and what they do.
#pragma once

namespace warpscope::gui {

class Actions;
class Canvas;

// Both must live as long as the window.
void connectRegionShapes(const Actions& actions, Canvas& canvas);

}  // namespace warpscope::gui
