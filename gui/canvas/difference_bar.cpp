#include "gui/canvas/difference_bar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "gui/widgets/theme.h"

namespace warpscope::gui {

DifferenceBar::DifferenceBar(QWidget* parent) : QFrame(parent) {
    setObjectName(QStringLiteral("differenceBar"));
    setCursor(Qt::ArrowCursor);
    m_less = button("differenceLess");
    m_gain = new QLabel(this);
    m_gain->setAlignment(Qt::AlignCenter);
    m_more = button("differenceMore");
    m_sign = button("differenceSign");
    m_sign->setCheckable(true);
    m_next = button("differenceNext");
    m_back = button("differenceBack");
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(4, 4, 4, 4);
    row->setSpacing(2);
    row->addWidget(m_less);
    row->addWidget(m_gain);
    row->addWidget(m_more);
    row->addWidget(m_sign);
    row->addWidget(m_next);
    row->addWidget(m_back);
    connect(m_less, &QToolButton::clicked, this, [this] { emit gainRequested(false); });
    connect(m_more, &QToolButton::clicked, this, [this] { emit gainRequested(true); });
    connect(m_sign, &QToolButton::clicked, this, &DifferenceBar::signRequested);
    connect(m_next, &QToolButton::clicked, this, &DifferenceBar::nextRequested);
    connect(m_back, &QToolButton::clicked, this, &DifferenceBar::backRequested);
    connect(&Theme::instance(), &Theme::changed, this, &DifferenceBar::applyTheme);
    retranslate();
    applyTheme();
    showState({}, 1, false, false);
    hide();
}

QToolButton* DifferenceBar::button(const char* name) {
    auto* made = new QToolButton(this);
    made->setObjectName(QLatin1String(name));
    made->setAutoRaise(true);
    made->setFocusPolicy(Qt::NoFocus);
    return made;
}

void DifferenceBar::showState(const DifferenceStyle& style, int mostGain, bool given,
                              bool differing) {
    m_gain->setMinimumWidth(
        QFontMetrics(m_gain->font()).horizontalAdvance(QStringLiteral("× %1").arg(mostGain)) + 8);
    m_gain->setText(QStringLiteral("× %1").arg(style.gain));
    m_gain->setAccessibleName(tr("Amplified %1 times").arg(style.gain));
    m_less->setEnabled(style.gain > 1);
    m_more->setEnabled(style.gain < mostGain);
    m_sign->setChecked(style.kind == DifferenceKind::Signed);
    m_next->setVisible(given && differing);
    m_back->setVisible(given);
    adjustSize();
}

void DifferenceBar::retranslate() {
    const auto say = [](QToolButton* made, const QString& text, const QString& name,
                        const QString& key) {
        made->setText(text);
        made->setAccessibleName(name);
        made->setToolTip(QStringLiteral("%1 (%2)").arg(name, key));
    };
    say(m_less, QStringLiteral("−"), tr("Amplify half as much"), QStringLiteral("["));
    say(m_more, QStringLiteral("+"), tr("Amplify twice as much"), QStringLiteral("]"));
    say(m_sign, QStringLiteral("±"), tr("With sign: grey is equal, brighter is more"),
        QStringLiteral("S"));
    say(m_next, tr("Next"), tr("Next pixel that differs"), QStringLiteral("N"));
    say(m_back, tr("Back"), tr("Back to source and result"), tr("Esc"));
}

void DifferenceBar::applyTheme() {
    const ThemeColors& colors = Theme::instance().colors();
    m_gain->setFont(Theme::instance().figureFont());
    setStyleSheet(QStringLiteral("#differenceBar { background: %1; border: 1px solid %2; "
                                 "border-radius: 4px; }")
                      .arg(colors.raised.name(), colors.border.name()));
}

void DifferenceBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QFrame::changeEvent(event);
}

}  // namespace warpscope::gui
