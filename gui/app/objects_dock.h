// The table of objects in the window: its dock, its button on the step, and what it has to do with
// the picture.
#pragma once

#include "engine/worker/render_worker.h"

class QMainWindow;

namespace warpscope::gui {

class Canvas;
class Docks;
class Document;
class EngineBridge;
class MessageBar;
class Settings;
class StepsPanel;

struct ObjectsParts {
    QMainWindow& window;
    Docks& docks;
    Canvas& canvas;
    Document& document;
    Settings& settings;
    EngineBridge& bridge;
    StepsPanel& steps;
    MessageBar& messages;
};
// All must live as long as the window. The dock is not shown yet.
void addObjectsDock(const ObjectsParts& parts, RenderWorker::BackendFactory factory);

}  // namespace warpscope::gui
