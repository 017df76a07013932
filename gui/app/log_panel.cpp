#include "gui/app/log_panel.h"

#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QTime>
#include <QToolButton>
#include <QVBoxLayout>

#include "gui/base/queued_call.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr int kMaxLines = 5000;

QString levelName(LogLevel level) {
    switch (level) {
        case LogLevel::Debug:
            return LogPanel::tr("debug");
        case LogLevel::Info:
            return LogPanel::tr("info");
        case LogLevel::Warning:
            return LogPanel::tr("warning");
        case LogLevel::Error:
            break;
    }
    return LogPanel::tr("error");
}

}  // namespace

LogPanel::LogPanel(QWidget* parent) : QWidget(parent), m_lines(queuedCall(this, "drain")) {
    m_view = new QPlainTextEdit(this);
    m_view->setReadOnly(true);
    m_view->setMaximumBlockCount(kMaxLines);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setFont(Theme::instance().figureFont());
    m_view->setTabChangesFocus(true);
    m_view->setAccessibleName(tr("Log"));
    m_view->setPlaceholderText(tr("Nothing has been reported yet."));

    const auto button = [this](const char* icon, const QString& text) {
        auto* b = new QToolButton(this);
        b->setIcon(Theme::instance().icon(QLatin1String(icon)));
        b->setAutoRaise(true);
        b->setToolTip(text);
        b->setAccessibleName(text);
        return b;
    };
    auto* copy = button("copy", tr("Copy log"));
    auto* clear = button("delete", tr("Clear log"));
    connect(copy, &QToolButton::clicked, m_view, [this] {
        m_view->selectAll();
        m_view->copy();
        m_view->moveCursor(QTextCursor::End);
    });
    connect(clear, &QToolButton::clicked, m_view, &QPlainTextEdit::clear);
    auto* side = new QVBoxLayout;
    side->setContentsMargins(4, 4, 4, 4);
    side->addWidget(copy);
    side->addWidget(clear);
    side->addStretch(1);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_view, 1);
    layout->addLayout(side);
    setLogSink([this](LogLevel level, std::string_view message) {
        m_lines.post({level, std::string(message)});
    });
}

LogPanel::~LogPanel() {
    setLogSink({});
}

QString LogPanel::text() const {
    return m_view->toPlainText();
}

void LogPanel::drain() {
    const QString now = QTime::currentTime().toString(QStringLiteral("HH:mm:ss"));
    // The window's lines come translated; those of the engine are translated here.
    for (const auto& [level, message] : m_lines.take())
        m_view->appendPlainText(
            QStringLiteral("%1  %2  %3").arg(now, levelName(level), engineText(message)));
}

}  // namespace warpscope::gui
