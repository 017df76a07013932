// A few alternatives side by side, or under each other where they do not fit. Radio buttons to
// keyboard and screen readers.
#pragma once

#include <QRadioButton>
#include <QStringList>
#include <QVector>
#include <QWidget>

namespace warpscope::gui {

class SegmentButton : public QRadioButton {
    Q_OBJECT
  public:
    SegmentButton(const QString& label, QWidget* parent);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {24, sizeHint().height()}; }

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool hitButton(const QPoint& position) const override { return rect().contains(position); }
};

class SegmentedControl : public QWidget {
    Q_OBJECT
  public:
    // Tool tips go with the labels.
    SegmentedControl(const QStringList& labels, const QStringList& toolTips,
                     QWidget* parent = nullptr);

    int current() const;
    void setCurrent(int index);  // emits nothing
    SegmentButton* button(int index) const { return m_buttons[index]; }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  signals:
    void chosen(int index);

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    bool fitsInOneRow(int width) const;

    QVector<SegmentButton*> m_buttons;
};

}  // namespace warpscope::gui
