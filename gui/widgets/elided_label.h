// One line that is shortened in its middle where it has no room; its tool tip then has all of it.
#pragma once

#include <QLabel>

namespace warpscope::gui {

class ElidedLabel : public QLabel {
    Q_OBJECT
  public:
    explicit ElidedLabel(QWidget* parent = nullptr);
    QString shownText() const;  // as it is drawn
    QSize minimumSizeHint() const override;

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace warpscope::gui
