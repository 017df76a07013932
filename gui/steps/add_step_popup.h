// Every filter with its summary, and a field to search in. Works by keyboard alone: type, arrow
// keys, Enter; Escape closes.
#pragma once

#include <QFrame>
#include <string>

class QLineEdit;
class QListWidget;

namespace warpscope::gui {

class WrapLabel;

class AddStepPopup : public QFrame {
    Q_OBJECT
  public:
    explicit AddStepPopup(QWidget* parent);

    // Below the anchor, as far as the screen goes; the search is empty again.
    void showAt(const QRect& globalAnchor);

  signals:
    void chosen(const std::string& operationId);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void search();
    void moveBy(int rows);
    void accept();

    QLineEdit* m_field;
    QListWidget* m_list;
    WrapLabel* m_nothing;
};

}  // namespace warpscope::gui
