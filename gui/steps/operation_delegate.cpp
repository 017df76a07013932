#include "gui/steps/operation_delegate.h"

#include <QAbstractItemView>
#include <QPainter>

#include "gui/widgets/theme.h"

namespace warpscope::gui {

namespace {

constexpr int kSide = kPreviewSide;
constexpr int kEdge = 6;
constexpr int kBeside = 10;  // from the preview to the text
constexpr int kWrap = Qt::TextWordWrap;

QFont smaller(QFont font) {
    if (font.pointSizeF() > 0) font.setPointSizeF(font.pointSizeF() * 0.92);
    return font;
}

QFont stronger(QFont font) {
    font.setWeight(QFont::DemiBold);
    return font;
}

int pictureRoom(const QModelIndex& index) {
    return index.data(PictureRole).isValid() ? kPreviewSize.width() + kBeside : 0;
}

int textWidth(const QStyleOptionViewItem& option, const QModelIndex& index) {
    int width = option.rect.width();
    if (const auto* view = qobject_cast<const QAbstractItemView*>(option.widget))
        width = view->viewport()->width();
    return std::max(40, width - 2 * kSide - pictureRoom(index));
}

QString secondLine(const QModelIndex& index) {
    const QString refusal = index.data(RefusalRole).toString();
    return refusal.isEmpty() ? index.data(SummaryRole).toString() : refusal;
}

int heightOf(const QFont& font, int width, const QString& text) {
    if (text.isEmpty()) return 0;
    return QFontMetrics(font).boundingRect(0, 0, width, 10000, kWrap, text).height();
}

int textHeight(const QStyleOptionViewItem& option, const QModelIndex& index, int width) {
    return heightOf(stronger(option.font), width, index.data(Qt::DisplayRole).toString()) + 2 +
           heightOf(smaller(option.font), width, secondLine(index));
}

}  // namespace

QSize OperationDelegate::sizeHint(const QStyleOptionViewItem& option,
                                  const QModelIndex& index) const {
    const int width = textWidth(option, index);
    const QString name = index.data(Qt::DisplayRole).toString();
    if (index.data(HeadingRole).toBool())
        return {width, heightOf(smaller(option.font), width, name) + 2 * kEdge + 2};
    int height = textHeight(option, index, width);
    if (pictureRoom(index) > 0 && index.data(RefusalRole).toString().isEmpty())
        height = std::max(height, kPreviewSize.height());
    return {width, height + 2 * kEdge};
}

void OperationDelegate::paintPreview(QPainter& painter, const QRect& room,
                                     const QModelIndex& index) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QVariant preview = index.data(PictureRole);
    const QImage picture = preview.value<QImage>();
    if (!picture.isNull()) {
        const QSizeF size = picture.deviceIndependentSize();
        const QPointF at(room.left() + (room.width() - size.width()) / 2,
                         room.top() + (room.height() - size.height()) / 2);
        painter.drawImage(at, picture);
        // White on white has an edge, too.
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(colors.border);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(at, size).toAlignedRect().adjusted(-1, -1, 0, 0));
        painter.setRenderHint(QPainter::Antialiasing);
        return;
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.canvas);
    painter.drawRect(room);
    painter.setPen(colors.weakText);
    const QString text = preview.toString();
    painter.drawText(room, Qt::AlignCenter, text.isEmpty() ? QStringLiteral("…") : text);
}

void OperationDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QString name = index.data(Qt::DisplayRole).toString();
    QRect body = option.rect.adjusted(kSide, kEdge, -kSide, -kEdge);
    painter->save();
    if (index.data(HeadingRole).toBool()) {
        painter->setFont(smaller(option.font));
        painter->setPen(colors.weakText);
        painter->drawText(body.adjusted(0, 4, 0, 4), Qt::AlignLeft | Qt::AlignVCenter | kWrap,
                          name);
        painter->restore();
        return;
    }
    const bool refused = !index.data(RefusalRole).toString().isEmpty();
    const bool selected = !refused && option.state & QStyle::State_Selected;
    painter->setRenderHint(QPainter::Antialiasing);
    if (selected || (!refused && option.state & QStyle::State_MouseOver)) {
        QColor fill = colors.raised;
        if (!selected) fill.setAlphaF(0.5f);
        painter->setPen(Qt::NoPen);
        painter->setBrush(fill);
        const QRectF back = QRectF(option.rect).adjusted(4, 1, -4, -1);
        painter->drawRoundedRect(back, 4, 4);
        if (selected) {
            painter->setBrush(colors.accent);
            painter->drawRoundedRect(QRectF(back.left(), back.top() + 6, 3, back.height() - 12),
                                     1.5, 1.5);
        }
    }
    if (const int room = pictureRoom(index); room > 0) {
        if (!refused) paintPreview(*painter, QRect(body.topLeft(), kPreviewSize), index);
        body.setLeft(body.left() + room);
        const int over = body.height() - textHeight(option, index, body.width());
        body.setTop(body.top() + std::max(0, over / 2));
    }
    painter->setFont(stronger(option.font));
    painter->setPen(refused ? colors.disabledText : colors.text);
    QRect used;
    painter->drawText(body, Qt::AlignLeft | Qt::AlignTop | kWrap, name, &used);
    const QString category = index.data(CategoryRole).toString();
    const QFont small = smaller(option.font);
    painter->setFont(small);
    painter->setPen(colors.weakText);
    if (!category.isEmpty() &&
        used.width() + 12 + QFontMetrics(small).horizontalAdvance(category) <= body.width())
        painter->drawText(QRect(body.left(), body.top(), body.width(), used.height()),
                          Qt::AlignRight | Qt::AlignVCenter, category);
    body.setTop(used.bottom() + 2);
    painter->drawText(body.adjusted(0, 0, 0, kEdge), Qt::AlignLeft | Qt::AlignTop | kWrap,
                      secondLine(index));
    painter->restore();
}

}  // namespace warpscope::gui
