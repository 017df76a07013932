// CPU one thread, CPU all cores and GPU for every step: table and bar chart, filled when the worker
// is idle.
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

  private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace warpscope::gui
