#include "gui/widgets/value_edit.h"

#include <QKeyEvent>
#include <QPainter>
#include <QRegularExpression>
#include <algorithm>

#include "gui/widgets/theme.h"

namespace warpscope::gui {

namespace {
constexpr int kEditPadding = 6;
constexpr int kFigures = 6;  // "1024.5"
}  // namespace

ValueEdit::ValueEdit(const QString& unit, QWidget* parent) : QLineEdit(parent), m_unit(unit) {
    setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setFrame(false);
    setContextMenuPolicy(Qt::DefaultContextMenu);
    adopt();
    connect(&Theme::instance(), &Theme::changed, this, &ValueEdit::adopt);
    connect(this, &QLineEdit::textChanged, this, [this] {
        if (m_automatic) adopt();  // the unit goes with the figure
    });
}

void ValueEdit::adopt() {
    setFont(Theme::instance().figureFont());
    const bool automatic = m_automatic && text().isEmpty();
    const int unit =
        m_unit.isEmpty() || automatic ? 0 : fontMetrics().horizontalAdvance(m_unit) + 4;
    // Only what changed is laid out anew: while a slider is dragged this comes with every value.
    const QMargins margins(kEditPadding - 2, 0, unit + kEditPadding - 2, 0);
    if (margins != textMargins()) setTextMargins(margins);
    if (const QSize hint = sizeHint(); hint != m_hint) {
        m_hint = hint;
        updateGeometry();
    }
    update();
}

void ValueEdit::changeEvent(QEvent* event) {
    if (event->type() == QEvent::EnabledChange) update();
    QLineEdit::changeEvent(event);
}

QSize ValueEdit::sizeHint() const {
    const int unit = m_unit.isEmpty() ? 0 : fontMetrics().horizontalAdvance(m_unit) + 4;
    const int digits = fontMetrics().horizontalAdvance(QLatin1Char('0')) * kFigures;
    // Room for the longest number of pixels, so that the field does not change with the figure.
    QString longest = placeholderText();
    longest.replace(QRegularExpression(QStringLiteral("\\d+")), QStringLiteral("0000"));
    const int automatic = m_automatic ? fontMetrics().horizontalAdvance(longest) : 0;
    return {std::max(digits + unit, automatic) + 2 * kEditPadding + 4, fontMetrics().height() + 8};
}

void ValueEdit::setAutomatic(const QString& text) {
    if (m_automatic && text == placeholderText()) return;
    m_automatic = true;
    setPlaceholderText(text);
    adopt();
}

void ValueEdit::setFaulty(bool faulty) {
    if (m_faulty == faulty) return;
    m_faulty = faulty;
    update();
}

void ValueEdit::paintEvent(QPaintEvent* event) {
    QLineEdit::paintEvent(event);
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    if (!m_unit.isEmpty() && !(m_automatic && text().isEmpty())) {
        painter.setPen(colors.weakText);
        painter.drawText(rect().adjusted(0, 0, -kEditPadding, 0), Qt::AlignRight | Qt::AlignVCenter,
                         m_unit);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_faulty     ? colors.error
                        : hasFocus() ? colors.accent
                                     : colors.border,
                        m_faulty || hasFocus() ? 1.5 : 1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.75, 0.75, -0.75, -0.75), 3, 3);
}

void ValueEdit::keyPressEvent(QKeyEvent* event) {
    const double factor = event->modifiers() & Qt::ShiftModifier     ? 10
                          : event->modifiers() & Qt::ControlModifier ? 0.1
                                                                     : 1;
    switch (event->key()) {
        case Qt::Key_Up:
            emit stepRequested(factor);
            return;
        case Qt::Key_Down:
            emit stepRequested(-factor);
            return;
        case Qt::Key_PageUp:
            emit stepRequested(10);
            return;
        case Qt::Key_PageDown:
            emit stepRequested(-10);
            return;
        case Qt::Key_Escape:
            emit escaped();
            return;
        default:
            QLineEdit::keyPressEvent(event);
    }
}

void ValueEdit::focusInEvent(QFocusEvent* event) {
    QLineEdit::focusInEvent(event);
    if (event->reason() != Qt::PopupFocusReason) selectAll();
}

void ValueEdit::focusOutEvent(QFocusEvent* event) {
    QLineEdit::focusOutEvent(event);
    const auto reason = event->reason();
    if (reason != Qt::PopupFocusReason && reason != Qt::ActiveWindowFocusReason) emit left();
}

}  // namespace warpscope::gui
