// CPU one thread, CPU all cores and GPU for every step, filled when the worker is idle: the card of
// the selected step, a table and a bar chart of all, and the last run as a waterfall.
#pragma once

#include <QWidget>
#include <memory>

#include "gui/app/document.h"
#include "gui/app/engine_bridge.h"

namespace warpscope::gui {

class TimingsPanel : public QWidget {
    Q_OBJECT
  public:
    TimingsPanel(Document& document, EngineBridge& bridge, QWidget* parent = nullptr);
    ~TimingsPanel() override;

  public slots:
    void resultPainted();  // the canvas has painted: of a new result, the waterfall shows how long

  protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace warpscope::gui
