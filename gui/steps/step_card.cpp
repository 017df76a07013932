#include "gui/steps/step_card.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QGridLayout>
#include <QMouseEvent>
#include <QPainter>

#include "gui/widgets/theme.h"

namespace warpscope::gui {

namespace {
constexpr double kRadius = 4;
}

StepSwitch::StepSwitch(QWidget* parent) : QCheckBox(parent) {
    setFocusPolicy(Qt::NoFocus);  // Space on the card does it
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
}

QSize StepSwitch::sizeHint() const {
    return {26, 24};
}

void StepSwitch::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF body(0.75, height() / 2.0 - 7, 24.5, 14);
    QColor fill = colors.text;
    fill.setAlphaF(isChecked() ? (underMouse() ? 0.8f : 0.68f) : 0.0f);
    painter.setBrush(fill);
    painter.setPen(isChecked() ? QPen(Qt::NoPen)
                               : QPen(underMouse() ? colors.text : colors.weakText, 1.2));
    painter.drawRoundedRect(body, 7, 7);
    painter.setPen(Qt::NoPen);
    painter.setBrush(isChecked() ? colors.window : colors.weakText);
    const double x = isChecked() ? body.right() - 7 : body.left() + 7;
    const double radius = isChecked() ? 5 : 4;
    painter.drawEllipse(QPointF(x, body.center().y()), radius, radius);
}

MenuDots::MenuDots(QWidget* parent) : QToolButton(parent) {
    setFocusPolicy(Qt::NoFocus);  // the menu key on the card does it
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
}

void MenuDots::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    if (underMouse() || isDown()) {
        QColor hover = colors.text;
        hover.setAlphaF(isDown() ? 0.2f : 0.1f);
        painter.setBrush(hover);
        painter.drawRoundedRect(rect(), kRadius, kRadius);
    }
    painter.setBrush(underMouse() ? colors.text : colors.weakText);
    const QPointF middle = QRectF(rect()).center();
    for (const int dy : {-5, 0, 5}) painter.drawEllipse(middle + QPointF(0, dy), 1.4, 1.4);
}

StepCard::StepCard(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::ClickFocus);
    m_switch = new StepSwitch(this);
    m_label = new WrapLabel(this);
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    m_label->setFont(strong);
    m_status = new WrapLabel(this);
    m_status->setReservesLine(true);
    m_speedups = new WrapLabel(this);
    m_warning = new WrapLabel(this);
    m_error = new WrapLabel(this);
    m_peek = new WrapLabel(this);
    m_bars = new StepBars(this);
    m_bars->hide();
    m_menu = new MenuDots(this);
    m_menu->setToolTip(tr("Reset, duplicate, move, remove, help"));
    m_menu->setAccessibleName(tr("Step menu"));
    const auto adoptFonts = [this] {
        QFont figures = Theme::instance().figureFont();
        if (figures.pointSizeF() > 0) figures.setPointSizeF(figures.pointSizeF() * 0.92);
        m_status->setFont(figures);
        m_speedups->setFont(figures);
        m_warning->setFont(figures);
        m_error->setFont(figures);
        m_peek->setFont(figures);
        update();
    };
    adoptFonts();
    connect(&Theme::instance(), &Theme::changed, this, adoptFonts);

    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(14, 6, 4, 8);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(2);
    grid->addWidget(m_switch, 0, 0, Qt::AlignTop);
    grid->addWidget(m_label, 0, 1);
    grid->addWidget(m_menu, 0, 2, Qt::AlignTop);
    grid->addWidget(m_status, 1, 1, 1, 2);
    grid->addWidget(m_speedups, 2, 1, 1, 2);
    grid->addWidget(m_warning, 3, 1, 1, 2);
    grid->addWidget(m_error, 4, 1, 1, 2);
    grid->addWidget(m_peek, 5, 1, 1, 2);
    grid->addWidget(m_bars, 6, 1);
    grid->setColumnStretch(1, 1);
    for (WrapLabel* label : {m_speedups, m_warning, m_error, m_peek}) label->hide();

    connect(m_switch, &QCheckBox::clicked, this, &StepCard::toggled);
    connect(m_menu, &QToolButton::clicked, this, [this] {
        emit pressed();
        emit menuRequested(m_menu->mapToGlobal(QPoint(0, m_menu->height())));
    });
}

void StepCard::setStep(int index, const QString& title, bool enabled) {
    m_index = index;
    m_name = title;
    m_label->setText(title, enabled ? Tone::Text : Tone::Weak);
    m_switch->setChecked(enabled);
    m_switch->setToolTip(enabled ? tr("Turn off") : tr("Turn on"));
    m_switch->setAccessibleName(tr("%1 on").arg(title));
    describe();
}

void StepCard::setRun(const RunInfo& run) {
    m_status->setPieces(run.status);
    m_speedups->setPieces(run.speedups);
    m_speedups->setVisible(!run.speedups.isEmpty());
    for (WrapLabel* label : {m_status, m_speedups}) label->setToolTip(run.toolTip);
    const bool warns = !run.warnings.isEmpty();
    m_warning->setText(run.warnings.join(QLatin1Char('\n')), Tone::Warning);
    m_warning->setVisible(warns);
    m_error->setText(run.error, Tone::Error);
    m_error->setVisible(!run.error.isEmpty());
    m_warning->setToolTip(m_warning->text());
    m_error->setToolTip(run.error);
    describe();
}

void StepCard::setBarsShown(bool shown) {
    m_bars->setVisible(shown);
}

void StepCard::setPeek(Peek peek) {
    m_peek->setText(peek == Peek::Shown     ? tr("The image shows what this step gives.")
                    : peek == Peek::LeftOut ? tr("Left out: the image shows an earlier step.")
                                            : QString(),
                    peek == Peek::Shown ? Tone::Warning : Tone::Weak);
    m_peek->setVisible(peek != Peek::None);
    describe();
}

QString StepCard::warningText() const {
    return m_warning->text();
}

QString StepCard::errorText() const {
    return m_error->text();
}

void StepCard::describe() {
    QStringList parts{tr("Step %1: %2").arg(m_index + 1).arg(m_name),
                      m_switch->isChecked() ? tr("on") : tr("off")};
    if (m_switch->isChecked() && !m_status->text().isEmpty()) parts << m_status->text();
    if (m_switch->isChecked() && !m_speedups->text().trimmed().isEmpty())
        parts << m_speedups->text().trimmed().replace(QChar::LineSeparator, QLatin1Char(','));
    if (!m_warning->text().isEmpty()) parts << m_warning->text();
    if (!m_peek->text().isEmpty()) parts << m_peek->text();
    if (!m_error->text().isEmpty()) parts << m_error->text();
    setAccessibleName(parts.join(QStringLiteral(", ")));
}

void StepCard::setCurrent(bool current) {
    setFocusPolicy(current ? Qt::StrongFocus : Qt::ClickFocus);
    if (current == m_current) return;
    m_current = current;
    update();
}

void StepCard::setLifted(bool lifted) {
    m_lifted = lifted;
    if (!lifted) m_dragging = m_pressed = false;
    update();
}

void StepCard::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF body = QRectF(rect()).adjusted(1, 1, -1, -1);
    QColor fill = m_current ? colors.raised : colors.base;
    if (!m_current && underMouse()) fill = colors.raised, fill.setAlphaF(0.5f);
    if (m_lifted) fill.setAlphaF(0.3f);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(body, kRadius, kRadius);
    if (m_current) {
        painter.setBrush(colors.accent);
        painter.drawRoundedRect(QRectF(body.left(), body.top() + 6, 3, body.height() - 12), 1.5,
                                1.5);
    }
    if (underMouse()) {  // it can be dragged
        painter.setBrush(colors.weakText);
        for (const double x : {5.5, 8.5})
            for (const double dy : {-4.0, 0.0, 4.0})
                painter.drawEllipse(QPointF(x, m_switch->geometry().center().y() + 0.5 + dy), 0.9,
                                    0.9);
    }
    if (hasFocus()) {
        painter.setPen(QPen(colors.accent, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(body.adjusted(0.25, 0.25, -0.25, -0.25), kRadius, kRadius);
    }
}

void StepCard::mousePressEvent(QMouseEvent* event) {
    emit pressed();
    if (event->button() != Qt::LeftButton) return;
    m_pressed = true;
    m_dragging = false;
    m_pressPosition = event->position().toPoint();
}

void StepCard::mouseMoveEvent(QMouseEvent* event) {
    if (!m_pressed) return;
    const QPoint moved = event->position().toPoint() - m_pressPosition;
    if (!m_dragging && moved.manhattanLength() < QApplication::startDragDistance()) return;
    m_dragging = true;
    emit dragMoved(event->globalPosition().toPoint());
}

void StepCard::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const bool wasDragging = m_dragging;
    m_pressed = m_dragging = false;
    if (wasDragging) emit dropped();
}

void StepCard::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) emit nameRequested();
}

void StepCard::contextMenuEvent(QContextMenuEvent* event) {
    emit pressed();
    emit menuRequested(event->reason() == QContextMenuEvent::Keyboard
                           ? m_menu->mapToGlobal(QPoint(0, m_menu->height()))
                           : event->globalPos());
}

void StepCard::focusInEvent(QFocusEvent*) {
    update();
    emit focused();
}

void StepCard::focusOutEvent(QFocusEvent*) {
    update();
}

void StepCard::enterEvent(QEnterEvent*) {
    update();
}

void StepCard::leaveEvent(QEvent*) {
    update();
}

}  // namespace warpscope::gui
