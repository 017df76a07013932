// Live histogram of source (outline) and result (filled) in Qt Charts.
#pragma once

#include <QWidget>
#include <memory>

#include "gui/app/document.h"
#include "gui/app/engine_bridge.h"

namespace warpscope::gui {

class HistogramPanel : public QWidget {
    Q_OBJECT
  public:
    HistogramPanel(Document& document, EngineBridge& bridge, QWidget* parent = nullptr);
    ~HistogramPanel() override;

  public slots:
    void setPixel(const QPoint& pixel);  // marks its values on the axis; (-1, -1): none

  private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace warpscope::gui
