// A plain table of cells for the benchmark window: what a cell says, and by what it is sorted.
#pragma once

#include <QAbstractTableModel>
#include <QVariant>
#include <optional>
#include <string>
#include <vector>

#include "engine/backend/backend.h"

namespace warpscope::gui {

struct SheetCell {
    enum class Tone { Normal, Weak, Warning, Error };
    QString text;
    std::optional<double> number;  // sorts by it; else by the text
    Tone tone = Tone::Normal;
    QString toolTip;
    std::optional<BackendKind> backend;  // a square in its colour
};
using SheetRow = std::vector<SheetCell>;

struct SheetColumn {
    QString title;
    bool number = false;  // right-aligned, in figures of one width
    QString toolTip;
};

struct Sheet {
    std::vector<SheetColumn> columns;
    std::vector<SheetRow> rows;  // as many cells as columns
    // So many cells from the left tell rows apart; 0: all. The others may change under a selection.
    std::size_t keys = 0;
};

class SheetModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    explicit SheetModel(QObject* parent = nullptr);

    static constexpr int kOrderRole = Qt::UserRole;

    // Rows that are there already stay, with selection and place, where `sheet` begins with them,
    // or with rows of the same keys.
    // Whether any text changed.
    bool setSheet(Sheet sheet);
    const Sheet& sheet() const { return m_sheet; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    void setScale(double scale);  // of figures and titles
    double scale() const { return m_scale; }

  private:
    Sheet m_sheet;
    double m_scale = 1;
};

}  // namespace warpscope::gui
