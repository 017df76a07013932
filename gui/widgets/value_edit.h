// The field with the exact value of a parameter: figures of equal width, the unit inside in a
// weaker tone.
#pragma once

#include <QLineEdit>

namespace warpscope::gui {

class ValueEdit : public QLineEdit {
    Q_OBJECT
  public:
    ValueEdit(const QString& unit, QWidget* parent = nullptr);

    // Shown instead of a figure and its unit while the text is empty: "automatic (7 px)". Setting
    // one makes the field wide enough.
    void setAutomatic(const QString& text);
    void setFaulty(bool faulty);  // framed in the colour of errors
    bool isFaulty() const { return m_faulty; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

  signals:
    void stepRequested(double steps);  // Up and Down
    void escaped();
    void left();  // the focus has gone elsewhere, also after Enter

  protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void adopt();  // fonts and margins of the theme

    QString m_unit;
    bool m_automatic = false;  // an empty text means something
    bool m_faulty = false;
    QSize m_hint;  // as the layout knows it
};

}  // namespace warpscope::gui
