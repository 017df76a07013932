// Messages above the canvas. They never block: errors, warnings and offers stay until dismissed;
// hints are said in a line elsewhere, which moves nothing, or below the others, or alone, and leave
// by themselves. A message may offer an action, and another one beside it.
#pragma once

#include <QFrame>
#include <QString>
#include <functional>
#include <utility>
#include <vector>

class QBoxLayout;
class QLabel;
class QPushButton;
class QTimer;
class QToolButton;

namespace warpscope::gui {

class MessageBar : public QFrame {
    Q_OBJECT
  public:
    enum class Level { Info, Warning, Error };

    struct Message {
        Level level = Level::Info;
        QString text;
        QString details = {};            // what "Copy details" gives beyond the text
        QString actionText = {};         // empty: no action
        std::function<void()> act = {};  // the message is dismissed before it runs
        QString otherText = {};          // of a second action
        std::function<void()> other = {};
        QString cause = {};  // not empty: takes the place of an older message of the same cause
    };

    explicit MessageBar(QWidget* parent = nullptr);

    // Says a hint, or with an empty text no more. False: it has no room for that one, which then
    // stands in the bar. Outlives the bar's messages.
    using HintLine = std::function<bool(const QString& hint)>;
    void setHintLine(HintLine line) { m_hintLine = std::move(line); }

    // The newest that stays is shown, and the newest hint below it; older ones come back when it is
    // dismissed, older hints do not. The same text is kept once.
    void show(Message message);
    void dismiss();                      // the newest
    void withdraw(const QString& text);  // what is not true any more; nothing if it is not there
    void withdrawCause(const QString& cause);
    // Info: hints, but no offer; else all that is not above this level.
    void clear(Level atMost);

    int count() const { return int(m_messages.size()); }
    // Of the newest, be it a hint.
    QString text() const;
    Level level() const;

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void present();
    std::size_t inRow() const;  // which of them has icon and buttons
    void dismissInRow();
    void copyDetails();
    void fit();

    // Only the last may be a hint.
    std::vector<Message> m_messages;
    QLabel* m_icon = nullptr;
    QLabel* m_label = nullptr;
    QLabel* m_more = nullptr;
    QLabel* m_hint = nullptr;
    QPushButton* m_action = nullptr;
    QPushButton* m_other = nullptr;
    QPushButton* m_copy = nullptr;
    QToolButton* m_close = nullptr;
    QBoxLayout* m_row = nullptr;      // text and buttons, beside or below each other
    QBoxLayout* m_buttons = nullptr;  // but that which dismisses
    QTimer* m_timer = nullptr;
    HintLine m_hintLine;
};

}  // namespace warpscope::gui
