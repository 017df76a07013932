// Exposure, gamma, channel, false colours and clipping of the view, under black and white.
#pragma once

#include <QWidget>

#include "gui/display/display_settings.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;

namespace warpscope::gui {

class LookControls : public QWidget {
    Q_OBJECT
  public:
    explicit LookControls(QWidget* parent = nullptr);
    void setDisplay(DisplaySettings& display);

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void retranslate();
    void refresh();
    void take();

    DisplaySettings* m_display = nullptr;
    QLabel* m_stopsLabel = nullptr;
    QDoubleSpinBox* m_stops = nullptr;
    QLabel* m_gammaLabel = nullptr;
    QDoubleSpinBox* m_gamma = nullptr;
    QComboBox* m_channel = nullptr;
    QComboBox* m_map = nullptr;
    QCheckBox* m_zebra = nullptr;
    QPushButton* m_reset = nullptr;
};

}  // namespace warpscope::gui
