// Compares the open image with another one, both after the same steps: computes them for the other
// one on a worker of its own, and shows both results in the canvas for as long as the person wants,
// whatever is edited or opened meanwhile.
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>

#include "engine/base/mailbox.h"
#include "engine/worker/render_worker.h"
#include "gui/document/image_loader.h"

namespace warpscope::gui {

class Canvas;
class Document;
class EngineBridge;

class CompareController : public QObject {
    Q_OBJECT
  public:
    // Before the canvas hears of another image. The worker is made with the first comparison.
    CompareController(Document& document, EngineBridge& bridge, Canvas& canvas,
                      RenderWorker::BackendFactory factory);
    ~CompareController() override;

    void compareWith(const QString& path);
    void stop();
    bool active() const { return !m_path.isEmpty(); }
    const QString& path() const { return m_path; }         // of the other image; empty: none
    const PyramidPtr& source() const { return m_source; }  // null until it is read
    bool busy() const { return m_loading || m_computing; }

  signals:
    void changed();  // begun, with another one, or ended
    void read();     // the other image's file was read
    void failed(const QString& message);

  private:
    Q_INVOKABLE void drain();
    void load();
    void compute();
    void show();
    void onSourceChanged();
    void onComparisonChanged();

    Document& m_document;
    EngineBridge& m_bridge;
    Canvas& m_canvas;
    const RenderWorker::BackendFactory m_factory;
    QString m_path;
    PyramidPtr m_source;
    PyramidPtr m_result;  // of the present steps; null while it is computed
    PyramidPtr m_shownFirst, m_shownSecond;
    bool m_awaitsSource = false;  // another image was opened: its result comes
    bool m_loading = false;
    bool m_computing = false;
    std::uint64_t m_revision = 0;
    Mailbox<RenderEvent> m_events;
    std::unique_ptr<ImageLoader> m_loader;
    std::unique_ptr<RenderWorker> m_worker;  // last: joined before the mailbox goes
};

}  // namespace warpscope::gui
