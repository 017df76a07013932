#include "gui/showcase/showcase_overlays.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPropertyAnimation>
#include <QTimer>
#include <QToolButton>

#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr int kIcon = 24;

void paintPanel(QWidget& widget, qreal opacity) {
    QPainter painter(&widget);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor ground = Theme::instance().colors().raised;
    ground.setAlphaF(float(0.97 * opacity));
    painter.setBrush(ground);
    painter.setPen(Qt::NoPen);
    painter.drawRoundedRect(widget.rect(), 6, 6);
}

}  // namespace

ShowcaseToolBar::ShowcaseToolBar(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("showcaseToolBar"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Button);
    setCursor(Qt::ArrowCursor);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 8, 8, 8);
    row->setSpacing(4);
    const auto step = [this](const char* icon, const QString& tip, auto signal, int by) {
        connect(add(QLatin1String(icon), tip), &QToolButton::clicked, this,
                [this, signal, by] { emit(this->*signal)(by); });
    };
    step("chevron-left", tr("Operation before (Left)"), &ShowcaseToolBar::operationStepped, -1);
    step("chevron-right", tr("Next operation (Right)"), &ShowcaseToolBar::operationStepped, 1);
    row->addSpacing(8);
    step("arrow-down", tr("Smaller image (Down)"), &ShowcaseToolBar::sizeStepped, -1);
    step("arrow-up", tr("Larger image (Up)"), &ShowcaseToolBar::sizeStepped, 1);
    row->addSpacing(8);
    m_threads = add(QStringLiteral("cpu"), tr("One thread or all cores (C)"));
    connect(m_threads, &QToolButton::clicked, this, &ShowcaseToolBar::threadsToggled);
    auto* opponent = add(QStringLiteral("timings"), tr("Opponent, and picture of the result (O)"));
    connect(opponent, &QToolButton::clicked, this, &ShowcaseToolBar::opponentAsked);
    m_pause = add(QStringLiteral("pause"), tr("Pause (Space)"));
    connect(m_pause, &QToolButton::clicked, this, &ShowcaseToolBar::pauseToggled);
    auto* help = add(QStringLiteral("help"), tr("Keys (H)"));
    connect(help, &QToolButton::clicked, this, &ShowcaseToolBar::helpToggled);
    row->addSpacing(8);
    auto* leave = add(QStringLiteral("close"), tr("Leave (Esc)"));
    connect(leave, &QToolButton::clicked, this, &ShowcaseToolBar::leaveAsked);
}

QToolButton* ShowcaseToolBar::add(const QString& icon, const QString& tip) {
    auto* button = new QToolButton(this);
    button->setObjectName(icon);
    button->setIcon(Theme::instance().icon(icon));
    button->setIconSize({kIcon, kIcon});
    button->setAutoRaise(true);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    // The arrow keys belong to the demo; everything here has a key.
    button->setFocusPolicy(Qt::NoFocus);
    layout()->addWidget(button);
    return button;
}

void ShowcaseToolBar::setPaused(bool paused) {
    m_pause->setIcon(
        Theme::instance().icon(paused ? QStringLiteral("play") : QStringLiteral("pause")));
    m_pause->setToolTip(paused ? tr("Go on (Space)") : tr("Pause (Space)"));
    m_pause->setAccessibleName(m_pause->toolTip());
}

void ShowcaseToolBar::setThreadsOffered(bool offered) {
    m_threads->setVisible(offered);
}

ShowcaseHint::ShowcaseHint(const QString& text, QWidget* parent) : QLabel(text, parent) {
    setObjectName(QStringLiteral("showcaseHint"));
    setAlignment(Qt::AlignCenter);
    setMargin(10);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    auto* fade = new QPropertyAnimation(this, "shown", this);
    fade->setDuration(kFadeMs);
    fade->setStartValue(1.0);
    fade->setEndValue(0.0);
    connect(fade, &QPropertyAnimation::finished, this, &QWidget::hide);
    QTimer::singleShot(kStayMs, fade, [fade] { fade->start(); });
}

void ShowcaseHint::setShown(qreal part) {
    m_shown = part;
    update();
}

void ShowcaseHint::paintEvent(QPaintEvent*) {
    paintPanel(*this, m_shown);
    QPainter painter(this);
    painter.setOpacity(m_shown);
    painter.setPen(Theme::instance().colors().text);
    painter.drawText(contentsRect(), Qt::AlignCenter, text());
}

ShowcaseHelp::ShowcaseHelp(QWidget* parent) : QLabel(parent) {
    setObjectName(QStringLiteral("showcaseHelp"));
    setTextFormat(Qt::RichText);
    setMargin(24);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    const auto row = [](const QString& key, const QString& what) {
        return QStringLiteral("<tr><td style='padding-right:24px'><b>%1</b></td><td>%2</td></tr>")
            .arg(key.toHtmlEscaped(), what.toHtmlEscaped());
    };
    const QString weak = Theme::instance().colors().weakText.name();
    setText(
        QStringLiteral("<table cellspacing='4'>") +
        row(tr("Left, Right"), tr("the operation before or after")) +
        row(tr("Up, Down"), tr("a larger or smaller image")) +
        row(tr("C"), tr("CPU on one thread or on all cores, against a GPU")) +
        row(tr("O"), tr("the opponent: this machine or a recorded one")) +
        row(tr("N"), tr("against a recording: the nearest values that it has")) +
        row(tr("Ctrl+C, Ctrl+S"), tr("copy or save this screen as a picture")) +
        row(tr("Space"), tr("pause and go on")) + row(tr("H"), tr("show or hide these keys")) +
        row(tr("F11"), tr("full screen or window")) + row(tr("Esc"), tr("leave")) +
        QStringLiteral("</table><p style='color:%1'>").arg(weak) +
        tr("Both sides get the same moving picture, a little different in every frame. "
           "They never run at the same time:<br>each has the machine to itself for a moment, then "
           "the other, and the screen is drawn in between.<br>A frame of the GPU is upload, "
           "kernels and download. The results of both sides are compared once for each<br>"
           "operation and size; where they do not agree no speedup is shown.") +
        QStringLiteral("</p>"));
}

void ShowcaseHelp::paintEvent(QPaintEvent* event) {
    paintPanel(*this, 1.0);
    QLabel::paintEvent(event);
}

}  // namespace warpscope::gui
