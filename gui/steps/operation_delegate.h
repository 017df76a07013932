// Draws an operation in the list of the Add step popup: name and category, below it the summary;
// and the headings of categories.
#pragma once

#include <QStyledItemDelegate>

namespace warpscope::gui {

enum OperationRole {
    OperationIdRole = Qt::UserRole,
    SummaryRole,
    CategoryRole,  // shown beside the name where there are no headings
    RefusalRole,   // why it cannot be chosen, in the place of the summary
    HeadingRole    // true: a heading, only DisplayRole counts
};

class OperationDelegate : public QStyledItemDelegate {
    Q_OBJECT
  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace warpscope::gui
