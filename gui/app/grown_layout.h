// The layout of a window that opens maximized or on the whole screen, restored once it has its
// size.
#pragma once

#include <QByteArray>
#include <QMainWindow>
#include <QTimer>

namespace warpscope::gui {

// Panels that were shown or hidden meanwhile stay so. Ends itself.
class GrownLayout : public QObject {
    Q_OBJECT
  public:
    GrownLayout(QMainWindow& window, const QByteArray& layout, int version);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void restore();

    QMainWindow& m_window;
    QByteArray m_layout;
    int m_version;
    QTimer m_settled;
};

}  // namespace warpscope::gui
