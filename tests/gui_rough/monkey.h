// Random events at the windows of the program, as they come from a mouse and a keyboard.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QRandomGenerator>
#include <QStringList>
#include <QTest>
#include <QWindow>

class QFileDialog;
class QWidget;

namespace warpscope::gui {

class Monkey : public QObject {
  public:
    // Gives names of files in `folder` alone to the dialogs that ask for them.
    Monkey(QWidget& window, const QString& folder, const QStringList& images, quint32 seed)
        : m_window(window), m_folder(folder), m_images(images), m_random(seed) {}

    // Until one of the two is reached.
    void start(int events, qint64 ms);
    bool finished() const { return m_finished && m_depth == 0; }
    int sent() const { return m_sent; }
    int dialogs() const { return m_dialogs; }
    // Of events, without those that dialogs opened by them waited for.
    qint64 longestMs() const { return m_longestMs; }

  private:
    void next();
    void goOnWithin(int number);
    void step();
    void finish();
    void act();
    void tidyUp();
    void letGo();
    bool answeredDialog();
    QWindow* someWindow();
    void mouse(QWindow& some);
    void wheel(QWindow& window);
    void key(QWindow& window);
    void log(const QString& what) const;
    int below(int end) { return int(m_random.bounded(end)); }
    QPoint somewhere(const QWindow& window);

    QWidget& m_window;
    QString m_folder;
    QStringList m_images;
    QRandomGenerator m_random;
    QElapsedTimer m_clock;
    int m_events = 0;
    qint64 m_ms = 0;
    int m_sent = 0;
    int m_dialogs = 0;
    int m_depth = 0;  // loops of events that events have opened
    int m_stuck = 0;  // events since the last one that was not in such a loop
    qint64 m_longestMs = 0;
    bool m_pending = false;  // the next event is on its way
    bool m_finished = false;
    Qt::MouseButton m_held = Qt::NoButton;
    // Of which the mouse is until the button is let go, wherever it moves.
    QPointer<QWindow> m_heldIn;
};

}  // namespace warpscope::gui
