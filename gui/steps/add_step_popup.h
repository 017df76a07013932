// Every filter with its summary, and a field to search in. Works by keyboard alone: type, arrow
// keys, Enter; Escape closes.
#pragma once

#include <QFrame>
#include <optional>
#include <string>

#include "engine/image/pixel_format.h"

class QLineEdit;
class QListWidget;

namespace warpscope::gui {

class WrapLabel;

class AddStepPopup : public QFrame {
    Q_OBJECT
  public:
    explicit AddStepPopup(QWidget* parent);

    // Below the anchor, as far as the screen goes; the search is empty again. `given` is what the
    // step will be given, where that is known: operations that cannot take it say so.
    void showAt(const QRect& globalAnchor, std::optional<PixelFormat> given);

  signals:
    void chosen(const std::string& operationId);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void search();
    void moveBy(int rows);
    void accept();

    std::optional<PixelFormat> m_given;
    QLineEdit* m_field;
    QListWidget* m_list;
    WrapLabel* m_nothing;
};

}  // namespace warpscope::gui
