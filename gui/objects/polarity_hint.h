// A line above the table of objects where one object covers most of the picture: mostly the ground,
// because the objects are darker than it, or because nothing tells them apart. Its button mends it.
#pragma once

#include <QWidget>

#include "gui/document/document.h"
#include "gui/objects/object_counter.h"

class QPushButton;

namespace warpscope::gui {

class WrapLabel;

class PolarityHint : public QWidget {
    Q_OBJECT
  public:
    explicit PolarityHint(Document& document, QWidget* parent = nullptr);  // borrowed

    // The objects of that step of the present pipeline; null: not known now, the line goes.
    void look(const ObjectCounter::Objects* objects, int step);
    QString text() const;  // empty where it is hidden

  private:
    void mend();

    Document& m_document;
    WrapLabel* m_label;
    QPushButton* m_button;
    int m_step = -1;
    int m_threshold = -1;  // the last one before the step that is on
};

}  // namespace warpscope::gui
