// The entries of a matrix in small fields, and its size. Typing changes the chosen entry, arrow
// keys and Tab choose; rows that are pasted take the place of all; another size keeps the middle.
#pragma once

#include "gui/steps/list_row.h"

class QTableWidget;
class QTableWidgetItem;

namespace warpscope::gui {

class QuietComboBox;

class MatrixGrid : public ListEditor {
    Q_OBJECT
  public:
    explicit MatrixGrid(const ParamSpec& spec, QWidget* parent = nullptr);

    void setValue(const ParamValue& value) override;

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    QuietComboBox* makeSides(const char* name, const QString& accessible);
    void onEdited(QTableWidgetItem* item);
    void paste(const QString& text);
    void resizeMatrix();
    void fit();  // fields as wide as the row has room for, as high as they need

    ParamSpec m_spec;
    IntMatrix m_matrix;
    bool m_filling = false;
    QTableWidget* m_table;
    QuietComboBox* m_columns;
    QuietComboBox* m_rows;
};

}  // namespace warpscope::gui
