// The samples of one pixel after every step, beside the step's name. Asks for them a moment after
// the pixel or the result is another.
#pragma once

#include <QPointF>
#include <QTimer>
#include <QWidget>
#include <optional>
#include <vector>

#include "gui/document/document.h"
#include "gui/document/engine_bridge.h"

class QGridLayout;
class QLabel;

namespace warpscope::gui {

class StepValues : public QWidget {
    Q_OBJECT
  public:
    StepValues(Document& document, EngineBridge& bridge, QWidget* parent = nullptr);

    void setOn(bool on);  // off: nothing is shown or asked for
    // In pixels of the source; nothing: none.
    void setPoint(const std::optional<QPointF>& point);
    QStringList texts() const;  // "1 Invert: R 12  G 3  B 255"; empty until they are there

  protected:
    void changeEvent(QEvent* event) override;

  private:
    struct Row {
        QLabel* step = nullptr;
        QLabel* values = nullptr;
    };
    void ask();
    void show(const ProbeReady& probe);
    void rebuild();
    void retranslate();

    Document& m_document;
    EngineBridge& m_bridge;
    bool m_on = false;
    std::optional<QPointF> m_point;
    QTimer m_timer;
    QLabel* m_title = nullptr;
    QGridLayout* m_grid = nullptr;
    std::vector<Row> m_rows;  // one a step
};

}  // namespace warpscope::gui
