#include "gui/widgets/message_bar.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QDateTime>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "engine/base/log.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr int kHintMs = 8000;
constexpr int kIconSide = 20;
constexpr int kNarrow = 560;

// What somebody must know or decide; the rest says what has just been done.
bool stays(const MessageBar::Message& message) {
    return message.level != MessageBar::Level::Info || message.act;
}

}  // namespace

MessageBar::MessageBar(QWidget* parent) : QFrame(parent) {
    setObjectName(QStringLiteral("messageBar"));
    setAccessibleName(tr("Message"));
    m_icon = new QLabel(this);
    m_label = new QLabel(this);
    m_label->setWordWrap(true);
    m_label->setTextFormat(Qt::PlainText);
    m_label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_more = new QLabel(this);
    m_action = new QPushButton(this);
    m_other = new QPushButton(this);
    m_copy = new QPushButton(tr("Copy details"), this);
    m_copy->setToolTip(tr("Copy details"));
    m_copy->setAccessibleName(tr("Copy details"));
    m_close = new QToolButton(this);
    m_close->setIcon(Theme::instance().icon(QStringLiteral("close")));
    m_close->setAutoRaise(true);
    m_close->setToolTip(tr("Dismiss"));
    m_close->setAccessibleName(tr("Dismiss message"));
    m_action->setObjectName(QStringLiteral("messageAction"));
    m_other->setObjectName(QStringLiteral("messageOther"));
    m_copy->setObjectName(QStringLiteral("messageCopy"));
    m_close->setObjectName(QStringLiteral("messageClose"));

    m_hint = new QLabel(this);
    m_hint->setObjectName(QStringLiteral("messageHint"));
    m_hint->setWordWrap(true);
    m_hint->setTextFormat(Qt::PlainText);

    auto* text = new QHBoxLayout;
    text->setSpacing(8);
    text->addWidget(m_label, 1);
    text->addWidget(m_more);
    m_buttons = new QHBoxLayout;
    m_buttons->setSpacing(8);
    m_buttons->addStretch(1);
    m_buttons->addWidget(m_action);
    m_buttons->addWidget(m_other);
    m_buttons->addWidget(m_copy);
    m_row = new QHBoxLayout;
    m_row->setSpacing(4);
    m_row->addLayout(text, 1);
    m_row->addLayout(m_buttons);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_icon);
    row->addLayout(m_row, 1);
    row->addWidget(m_close);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 8, 8, 8);
    layout->setSpacing(4);
    layout->addLayout(row);
    layout->addWidget(m_hint);

    m_timer = new QTimer(this);
    m_timer->setSingleShot(true);
    m_timer->setInterval(kHintMs);
    connect(m_timer, &QTimer::timeout, this, &MessageBar::dismiss);
    connect(m_close, &QToolButton::clicked, this, &MessageBar::dismissInRow);
    connect(m_copy, &QPushButton::clicked, this, &MessageBar::copyDetails);
    const auto take = [this](std::function<void()> Message::*action) {
        if (m_messages.empty()) return;
        const auto act = std::move(m_messages[inRow()].*action);
        dismissInRow();
        if (act) act();
    };
    connect(m_action, &QPushButton::clicked, this, [take] { take(&Message::act); });
    connect(m_other, &QPushButton::clicked, this, [take] { take(&Message::other); });
    connect(&Theme::instance(), &Theme::changed, this, &MessageBar::present);
    setVisible(false);
}

void MessageBar::show(Message message) {
    const LogLevel level = message.level == Level::Error     ? LogLevel::Error
                           : message.level == Level::Warning ? LogLevel::Warning
                                                             : LogLevel::Info;
    logMessage(level, message.text.toStdString());
    clear(Level::Info);
    std::erase_if(m_messages, [&](const Message& m) {
        return m.text == message.text || (!m.cause.isEmpty() && m.cause == message.cause);
    });
    m_messages.push_back(std::move(message));
    present();
}

void MessageBar::dismiss() {
    if (!m_messages.empty()) m_messages.pop_back();
    present();
}

// The newest of those that stay; what passes is told below it, or here if there is none.
std::size_t MessageBar::inRow() const {
    const std::size_t newest = m_messages.size() - 1;
    return newest > 0 && !stays(m_messages[newest]) ? newest - 1 : newest;
}

void MessageBar::dismissInRow() {
    if (!m_messages.empty()) m_messages.erase(m_messages.begin() + std::ptrdiff_t(inRow()));
    present();
}

void MessageBar::withdraw(const QString& text) {
    if (std::erase_if(m_messages, [&](const Message& m) { return m.text == text; }) > 0) present();
}

void MessageBar::withdrawCause(const QString& cause) {
    if (std::erase_if(m_messages, [&](const Message& m) { return m.cause == cause; }) > 0)
        present();
}

void MessageBar::clear(Level atMost) {
    std::erase_if(m_messages, [&](const Message& m) {
        return m.level <= atMost && (atMost > Level::Info || !stays(m));
    });
    present();
}

QString MessageBar::text() const {
    return m_messages.empty() ? QString() : m_messages.back().text;
}

MessageBar::Level MessageBar::level() const {
    return m_messages.empty() ? Level::Info : m_messages.back().level;
}

void MessageBar::present() {
    m_timer->stop();
    const bool passing = !m_messages.empty() && !stays(m_messages.back());
    const bool elsewhere =
        m_hintLine && m_hintLine(passing ? m_messages.back().text : QString()) && passing;
    if (passing) m_timer->start();
    if (m_messages.size() == (elsewhere ? 1 : 0)) {
        // Focus must not vanish with the bar.
        if (isAncestorOf(QApplication::focusWidget())) focusNextChild();
        setVisible(false);
        return;
    }
    const Message& message = m_messages[inRow()];
    const Message& newest = m_messages.back();
    const bool hinted = &newest != &message && !elsewhere;
    const ThemeColors& colors = Theme::instance().colors();
    const char* icon = message.level == Level::Error     ? "error"
                       : message.level == Level::Warning ? "warning"
                                                         : "info";
    const QColor edge = message.level == Level::Error     ? colors.error
                        : message.level == Level::Warning ? colors.warning
                                                          : colors.weakText;
    m_icon->setPixmap(Theme::instance()
                          .icon(QLatin1String(icon))
                          .pixmap(QSize(kIconSide, kIconSide), devicePixelRatioF()));
    m_label->setText(message.text);
    m_hint->setText(hinted ? newest.text : QString());
    m_hint->setVisible(hinted);
    m_more->setText(tr("%n more", nullptr, int(inRow())));
    m_more->setVisible(inRow() > 0);
    m_action->setText(message.actionText);
    m_action->setVisible(!message.actionText.isEmpty());
    m_other->setText(message.otherText);
    m_other->setVisible(!message.otherText.isEmpty());
    m_copy->setIcon(Theme::instance().icon(QStringLiteral("copy")));
    m_copy->setVisible(message.level != Level::Info && message.otherText.isEmpty());
    setStyleSheet(QStringLiteral("#messageBar { background: %1; border: 0; border-left: 4px solid "
                                 "%2; border-bottom: 1px solid %3; }")
                      .arg(colors.raised.name(), edge.name(), colors.border.name()));
    fit();
    setVisible(true);
    if (elsewhere) return;
    QAccessibleEvent alert(hinted ? m_hint : m_label, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

// In a narrow bar the text, not the buttons, gets the room.
void MessageBar::fit() {
    const bool narrow = width() < kNarrow;
    m_copy->setText(narrow ? QString() : tr("Copy details"));
    const bool below = narrow && m_buttons->sizeHint().width() > width() / 3;
    m_row->setDirection(below ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void MessageBar::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    fit();
}

void MessageBar::copyDetails() {
    if (m_messages.empty()) return;
    const Message& message = m_messages[inRow()];
    QString text = message.text;
    if (!message.details.isEmpty()) text += QLatin1Char('\n') + message.details;
    text +=
        QStringLiteral("\nWarpscope " WARPSCOPE_VERSION ", Qt %1, %2")
            .arg(QLatin1String(qVersion()), QDateTime::currentDateTimeUtc().toString(Qt::ISODate));
    QGuiApplication::clipboard()->setText(text);
}

void MessageBar::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        dismiss();
    else
        QFrame::keyPressEvent(event);
}

}  // namespace warpscope::gui
