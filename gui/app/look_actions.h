// What the commands of the look do: black and white, channel, exposure, false colours, clipping;
// and what is said where a picture shows little.
#pragma once

namespace warpscope::gui {

class Actions;
class Canvas;
class DisplaySettings;
class Document;
class MessageBar;
class Settings;

struct LookParts {
    const Actions& actions;
    DisplaySettings& display;
    Canvas& canvas;
    Document& document;
    MessageBar& messages;
    Settings& settings;
};
// All must outlive the canvas.
void connectLook(const LookParts& parts);

}  // namespace warpscope::gui
