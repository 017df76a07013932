// A sortable table whose cells can be copied as text.
#pragma once

#include <QTableView>

#include "gui/benchmark/sheet_model.h"

class QMenu;
class QSortFilterProxyModel;

namespace warpscope::gui {

class SheetView : public QTableView {
    Q_OBJECT
  public:
    SheetView(const QString& name, const QString& accessibleName, QWidget* parent = nullptr);

    void setSheet(Sheet sheet);
    const Sheet& sheet() const { return m_model->sheet(); }

    // With titles, columns apart by tabs, rows in the order that is seen: the selected rows, or all
    // where none is selected.
    QString textOf(bool selectedOnly) const;
    int currentSheetRow() const;  // in the order of sheet(); below 0: none
    void copy() const;            // of what is selected, or everything

    void setScale(double scale);  // of the text
    // Rows of two lines, the first column at most this wide, so that all figures are in view.
    void setWrapped(int firstColumn);

  signals:
    void currentSheetRowChanged();
    // Before it is shown, for the current row.
    void menuWanted(QMenu* menu);

  protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

  private:
    void fitRows();
    void fitColumns();

    SheetModel* m_model = nullptr;
    QSortFilterProxyModel* m_sorted = nullptr;
    int m_firstColumn = 0;  // at most so wide, in rows of two lines; 0: rows of one
};

}  // namespace warpscope::gui
