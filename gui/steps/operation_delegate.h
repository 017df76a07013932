// Draws an operation in the list of the Add step popup: its preview, name and category, below it
// the summary; and the headings of categories.
#pragma once

#include <QStyledItemDelegate>

namespace warpscope::gui {

enum OperationRole {
    OperationIdRole = Qt::UserRole,
    SummaryRole,
    CategoryRole,  // shown beside the name where there are no headings
    RefusalRole,   // why it cannot be chosen, in the place of the summary
    HeadingRole,   // true: a heading, only DisplayRole counts
    // Room for a preview at the left: a QImage in device pixels, null as long as it is awaited; or
    // a short text in its place. Nothing: no room.
    PictureRole
};

// Logical pixels, of a preview in the list.
inline constexpr QSize kPreviewSize{80, 60};
inline constexpr int kPreviewSide = 12;  // from the edge of the list

class OperationDelegate : public QStyledItemDelegate {
    Q_OBJECT
  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

  private:
    void paintPreview(QPainter& painter, const QRect& room, const QModelIndex& index) const;
};

}  // namespace warpscope::gui
