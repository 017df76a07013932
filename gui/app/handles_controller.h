// Handles of the selected step in the picture, while their command is on: gives the canvas the
// crop's rectangle or the rotation's angle, and the document what becomes of them. What a crop is
// given is computed on a worker of its own, unless it is the source.
#pragma once

#include <QAction>
#include <QObject>
#include <memory>
#include <optional>

#include "engine/base/mailbox.h"
#include "engine/worker/render_worker.h"
#include "gui/canvas/step_handles.h"

namespace warpscope::gui {

class Canvas;
class Document;
class EngineBridge;

class HandlesController : public QObject {
    Q_OBJECT
  public:
    // `shown`: the command, which is on after a crop or rotation was added by hand. The worker is
    // made when it is needed.
    HandlesController(Document& document, EngineBridge& bridge, Canvas& canvas, QAction& shown,
                      RenderWorker::BackendFactory factory);
    ~HandlesController() override;

  private:
    Q_INVOKABLE void drain();
    void sync();
    std::optional<HandledStep> handled(int index);
    PyramidPtr inputOf(int index);
    void dropInput();
    void grabbed(bool on);
    void edit(const HandledStep& to);

    Document& m_document;
    EngineBridge& m_bridge;
    Canvas& m_canvas;
    QAction& m_shown;
    const RenderWorker::BackendFactory m_factory;

    int m_index = -1;     // of the step that has handles
    bool m_held = false;  // one of them
    ParamSet m_before;    // of the step then

    // What m_input is made of; null while it is computed.
    std::optional<Pipeline> m_steps;
    PyramidPtr m_source, m_second, m_input;
    bool m_computing = false;
    std::uint64_t m_revision = 0;
    Mailbox<RenderEvent> m_events;
    std::unique_ptr<RenderWorker> m_worker;  // last: joined before the mailbox goes
};

}  // namespace warpscope::gui
