// The small control over a difference: amplification and sign; for two given images also the next
// pixel that differs and the way back. It takes no focus: every button has a key of the canvas.
#pragma once

#include <QFrame>

#include "gui/display/display_convert.h"

class QLabel;
class QToolButton;

namespace warpscope::gui {

class DifferenceBar : public QFrame {
    Q_OBJECT
  public:
    explicit DifferenceBar(QWidget* parent);
    // `differing`: pixels to walk through; `given`: two given images are shown.
    void showState(const DifferenceStyle& style, int mostGain, bool given, bool differing);

  signals:
    void gainRequested(bool up);
    void signRequested();
    void nextRequested();
    void backRequested();

  protected:
    void changeEvent(QEvent* event) override;

  private:
    QToolButton* button(const char* name);
    void retranslate();
    void applyTheme();

    QToolButton* m_less = nullptr;
    QLabel* m_gain = nullptr;
    QToolButton* m_more = nullptr;
    QToolButton* m_sign = nullptr;
    QToolButton* m_next = nullptr;
    QToolButton* m_back = nullptr;
};

}  // namespace warpscope::gui
