// Every filter with its summary and a preview, and a field to search in. Works by keyboard alone:
// type, arrow keys, Enter; Escape closes.
#pragma once

#include <QFrame>
#include <optional>
#include <string>

#include "engine/image/pixel_format.h"

class QLabel;
class QLineEdit;
class QListWidget;
class QListWidgetItem;

namespace warpscope::gui {

class OperationPreviews;
class WrapLabel;

class AddStepPopup : public QFrame {
    Q_OBJECT
  public:
    explicit AddStepPopup(QWidget* parent);

    // Without there are no pictures. Must outlive the popup.
    void setPreviews(OperationPreviews& previews);

    // Below the anchor, as far as the screen goes; the search is empty again. `given` is what the
    // step will be given, where that is known: operations that cannot take it say so.
    void showAt(const QRect& globalAnchor, std::optional<PixelFormat> given);

  signals:
    void chosen(const std::string& operationId);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void hideEvent(QHideEvent* event) override;

  private:
    void search();
    void moveBy(int rows);
    void accept();
    void startPreviews();
    void showPreview(const std::string& operation);
    void showPreviews();
    void showPreviewOf(QListWidgetItem& item);
    void showNow();

    std::optional<PixelFormat> m_given;
    QLineEdit* m_field;
    QListWidget* m_list;
    WrapLabel* m_nothing;
    QLabel* m_now;  // as it is without a step more
    WrapLabel* m_part;
    OperationPreviews* m_previews = nullptr;
};

}  // namespace warpscope::gui
