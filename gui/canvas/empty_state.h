// What the canvas shows while there is no image.
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace warpscope::gui {

class EmptyState : public QWidget {
    Q_OBJECT
  public:
    explicit EmptyState(QWidget* parent);
    QWidget* firstButton() const;
    void setOpening(const QString& name);  // of an image that is on its way; empty: none is

  signals:
    void openRequested();
    void sampleRequested();

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void retranslate();

    QString m_opening;
    QLabel* m_hint = nullptr;
    QPushButton* m_open = nullptr;
    QPushButton* m_sample = nullptr;
};

}  // namespace warpscope::gui
