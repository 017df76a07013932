// What is seen of single steps: small histograms on their cards, the pixel's values after each, and
// what one of them gives in place of the result.
#pragma once

namespace warpscope::gui {

class Actions;
class Canvas;
class Document;
class EngineBridge;
class InspectorPanel;
class MessageBar;
class Settings;
class StepsPanel;

struct StepViewParts {
    const Actions& actions;
    Canvas& canvas;
    Document& document;
    EngineBridge& bridge;
    StepsPanel& steps;
    InspectorPanel& inspector;
    MessageBar& messages;
    Settings& settings;
};
// All must outlive the canvas.
void connectStepViews(const StepViewParts& parts);

}  // namespace warpscope::gui
