// Values of the pixel under the cursor, in source and result, a loupe of both, pinned pixels, and
// the statistics of both images. Scrolls where the dock is small.
#pragma once

#include <QWidget>
#include <memory>

#include "gui/app/document.h"
#include "gui/app/engine_bridge.h"

namespace warpscope::gui {

class DisplaySettings;
struct Comparison;

class InspectorPanel : public QWidget {
    Q_OBJECT
  public:
    InspectorPanel(Document& document, EngineBridge& bridge, QWidget* parent = nullptr);
    ~InspectorPanel() override;

    void setDisplay(DisplaySettings& display);  // must outlive the panel
    void setShowingSource(bool source);         // the canvas shows the source alone
    void editLevels();                          // focus to the value that is drawn black

    QSize sizeHint() const override;

  public slots:
    // Two given images are read out in place of source and result; null: no longer. Statistics stay
    // those of source and result.
    void setComparison(const warpscope::gui::Comparison* comparison);
    void setPixel(const QPoint& pixel);  // (-1, -1): none
    // Pins a read-out, or takes it away if it is pinned; connect Canvas::pixelClicked here.
    void togglePin(const QPoint& pixel);

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace warpscope::gui
