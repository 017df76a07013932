// Values of the pixel under the cursor, in source and result, and the statistics of both images.
#pragma once

#include <QWidget>
#include <memory>

#include "gui/app/document.h"
#include "gui/app/engine_bridge.h"

namespace warpscope::gui {

class InspectorPanel : public QWidget {
    Q_OBJECT
  public:
    InspectorPanel(Document& document, EngineBridge& bridge, QWidget* parent = nullptr);
    ~InspectorPanel() override;

  public slots:
    void setPixel(const QPoint& pixel);  // (-1, -1): none

  private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace warpscope::gui
