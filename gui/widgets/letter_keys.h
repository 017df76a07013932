// Keys of one letter, digit or sign act wherever the focus is, not on the canvas alone: a slider
// that was just moved must not swallow the key of a view. While text is typed they are text.
#pragma once

class QWidget;

namespace warpscope::gui {

// Widens the context of such shortcuts among the canvas's actions to the window. Keys that controls
// use themselves (Tab, Delete, arrows, Page Up and the like) stay with the canvas.
void letMarksReachTheWindow(QWidget& canvas, QWidget& window);

}  // namespace warpscope::gui
