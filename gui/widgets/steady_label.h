// A label that is as high as the longest text it may have to show, so that a mark behind the text
// that comes and goes moves nothing below it.
#pragma once

#include <QLabel>

namespace warpscope::gui {

class SteadyLabel : public QLabel {
    Q_OBJECT
  public:
    explicit SteadyLabel(QWidget* parent = nullptr);  // wraps

    // `mark` is what may stand behind the text; it does so if `marked`.
    void setText(const QString& text, const QString& mark, bool marked);
    int heightForWidth(int width) const override;

  private:
    QString m_longest;
};

}  // namespace warpscope::gui
