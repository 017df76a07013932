#include "gui/teststrip/strip_grid.h"

#include <QEnterEvent>
#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "gui/display/small_picture.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr int kCellGap = 6;
constexpr int kCellFrame = 3;  // around the picture, for the marks of present value and focus

}  // namespace

StripCell::StripCell(const DisplaySettings& display, QWidget* parent)
    : QAbstractButton(parent), m_display(display) {
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
}

void StripCell::setValue(const QString& label, const QString& spoken, bool present) {
    m_present = present;
    setText(label);
    setToolTip(spoken);
    setAccessibleName(present ? tr("%1, present value").arg(spoken) : spoken);
    setAccessibleDescription(m_problem);
    update();
}

void StripCell::setPicture(const Image& picture, const QString& problem, bool labels) {
    m_picture = picture;
    m_labels = labels;
    m_problem = problem;
    setAccessibleDescription(problem);
    drawAnew();
}

void StripCell::drawAnew() {
    m_drawn = {};
    update();
}

QSize StripCell::pictureRoom(QSize cell, int lineHeight) {
    return (cell - QSize(2 * kCellFrame, 2 * kCellFrame + lineHeight)).expandedTo({1, 1});
}

QRect StripCell::pictureRect() const {
    const double dpr = devicePixelRatioF();
    const QSize room = pictureRoom(size(), fontMetrics().height()) * dpr;
    if (m_picture.isNull()) return {};
    const QSize shown = sizeIn(room, m_picture.size());
    const int frame = int(std::lround(kCellFrame * dpr));
    return {QPoint(frame + (room.width() - shown.width()) / 2,
                   frame + (room.height() - shown.height()) / 2),
            shown};
}

void StripCell::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.fillRect(rect(), colors.canvas);
    const int line = fontMetrics().height();
    const QRect label(0, height() - line - kCellFrame, width(), line);
    const QRect room = rect().adjusted(kCellFrame, kCellFrame, -kCellFrame, -kCellFrame - line);
    if (!m_picture.isNull()) {
        const QRect place = pictureRect();
        if (m_drawn.size() != place.size()) {
            DisplayLook look = m_display.lookFor(m_picture);
            if (m_labels) look = lookOfLabels(look, m_picture);
            m_drawn = smallPicture(m_picture, place.size(), look);
        }
        const double dpr = devicePixelRatioF();
        m_drawn.setDevicePixelRatio(dpr);
        painter.drawImage(QPointF(place.topLeft()) / dpr, m_drawn);
    } else {
        painter.setPen(m_problem.isEmpty() ? colors.weakText : colors.warning);
        painter.drawText(room, Qt::AlignCenter | Qt::TextWordWrap,
                         m_problem.isEmpty() ? QStringLiteral("…") : m_problem);
    }
    painter.setPen(underMouse() || hasFocus() ? colors.text : colors.weakText);
    QFont font = this->font();
    font.setBold(m_present);
    painter.setFont(font);
    painter.drawText(
        label, Qt::AlignCenter,
        QFontMetrics(font).elidedText(text(), Qt::ElideRight, std::max(0, width() - 2)));
    const auto frame = [&](const QColor& color, double wide, double inset) {
        painter.setPen(QPen(color, wide));
        painter.drawRect(QRectF(rect()).adjusted(inset, inset, -inset, -inset));
    };
    if (underMouse()) frame(colors.weakText, 1, 0.5);
    if (m_present) frame(colors.text, 2, 1);
    if (hasFocus()) frame(colors.accent, 2, m_present ? 3 : 1);
}

void StripCell::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Left:
            return emit moveRequested(-1, 0);
        case Qt::Key_Right:
            return emit moveRequested(1, 0);
        case Qt::Key_Up:
            return emit moveRequested(0, -1);
        case Qt::Key_Down:
            return emit moveRequested(0, 1);
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Space:
            return emit taken((event->modifiers() & Qt::ShiftModifier) != 0);
        default:
            QAbstractButton::keyPressEvent(event);
    }
}

void StripCell::mouseReleaseEvent(QMouseEvent* event) {
    const bool click = isDown() && event->button() == Qt::LeftButton &&
                       rect().contains(event->position().toPoint());
    const bool stay = (event->modifiers() & Qt::ShiftModifier) != 0;
    QAbstractButton::mouseReleaseEvent(event);
    if (click) emit taken(stay);
}

void StripCell::enterEvent(QEnterEvent* event) {
    QAbstractButton::enterEvent(event);
    update();
    emit pointed(true);
}

void StripCell::leaveEvent(QEvent* event) {
    QAbstractButton::leaveEvent(event);
    update();
    emit pointed(false);
}

void StripCell::focusInEvent(QFocusEvent* event) {
    QAbstractButton::focusInEvent(event);
    emit pointed(true);
}

StripGrid::StripGrid(const DisplaySettings& display, QWidget* parent)
    : QWidget(parent), m_display(display) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setMinimumSize(160, 64);
    const auto drawAnew = [this] {
        for (StripCell* cell : m_cells) cell->drawAnew();
    };
    connect(&display, &DisplaySettings::changed, this, drawAnew);
    connect(&Theme::instance(), &Theme::changed, this, drawAnew);
}

StripCell* StripGrid::makeCell() {
    auto* cell = new StripCell(m_display, this);
    connect(cell, &StripCell::taken, this,
            [this, cell](bool stay) { emit taken(indexOf(cell), stay); });
    connect(cell, &StripCell::pointed, this,
            [this, cell](bool at) { emit pointedAt(at ? indexOf(cell) : -1); });
    connect(cell, &StripCell::moveRequested, this, [this, cell](int across, int down) {
        const int index = indexOf(cell);
        const int column = index % m_columns + across;
        const int to = index + across + down * m_columns;
        if (column < 0 || column >= m_columns || to < 0 || to >= int(m_cells.size())) return;
        m_cells[std::size_t(to)]->setFocus(Qt::OtherFocusReason);
    });
    return cell;
}

int StripGrid::indexOf(const StripCell* cell) const {
    return int(std::ranges::find(m_cells, cell) - m_cells.begin());
}

void StripGrid::setValues(const std::vector<Value>& values, int columns) {
    while (m_cells.size() > values.size()) {
        // One of them may be sending the signal that led here.
        m_cells.back()->hide();
        m_cells.back()->deleteLater();
        m_cells.pop_back();
    }
    while (m_cells.size() < values.size()) m_cells.push_back(makeCell());
    for (std::size_t i = 0; i < values.size(); ++i)
        m_cells[i]->setValue(values[i].label, values[i].spoken, values[i].present);
    m_columns = std::max(1, columns);
    layOut();
}

QSize StripGrid::cellSize() const {
    const int rows = std::max(1, (int(m_cells.size()) + m_columns - 1) / m_columns);
    return QSize((width() + kCellGap) / m_columns - kCellGap,
                 (height() + kCellGap) / rows - kCellGap)
        .expandedTo({16, 16});
}

QSize StripGrid::pictureRoom() const {
    return StripCell::pictureRoom(cellSize(), fontMetrics().height()) * devicePixelRatioF();
}

void StripGrid::layOut() {
    const QSize cell = cellSize();
    for (std::size_t i = 0; i < m_cells.size(); ++i) {
        const int column = int(i) % m_columns, row = int(i) / m_columns;
        m_cells[i]->setGeometry(QRect(
            QPoint(column * (cell.width() + kCellGap), row * (cell.height() + kCellGap)), cell));
        m_cells[i]->show();
    }
}

void StripGrid::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layOut();
    emit roomChanged();
}

void StripGrid::focusPresent() {
    for (StripCell* cell : m_cells)
        if (cell->isPresent()) cell->setFocus(Qt::OtherFocusReason);
}

}  // namespace warpscope::gui
