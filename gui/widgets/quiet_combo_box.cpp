#include "gui/widgets/quiet_combo_box.h"

#include <QAbstractItemView>
#include <QKeyEvent>
#include <QWheelEvent>
#include <algorithm>

namespace warpscope::gui {

QuietComboBox::QuietComboBox(QWidget* parent) : QComboBox(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(6);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void QuietComboBox::showPopup() {
    view()->setMinimumWidth(std::max(width(), view()->sizeHintForColumn(0) + 24));
    QComboBox::showPopup();
}

void QuietComboBox::keyPressEvent(QKeyEvent* event) {
    // Qt would jump to the entry that begins with this letter and apply it at once.
    const QString text = event->text();
    if (!text.isEmpty() && text.at(0).isPrint() && event->key() != Qt::Key_Space)
        event->ignore();
    else
        QComboBox::keyPressEvent(event);
}

void QuietComboBox::wheelEvent(QWheelEvent* event) {
    if (hasFocus())
        QComboBox::wheelEvent(event);
    else
        event->ignore();
}

}  // namespace warpscope::gui
