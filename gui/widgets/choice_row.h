// Label and alternatives of a choice parameter or of the variants: side by side where they are few,
// else as a list that drops down.
#pragma once

#include <QString>
#include <QVector>
#include <QWidget>
#include <string>

namespace warpscope::gui {

struct ChoiceItem {
    std::string id;
    QString label;
    QString help;
};

class SegmentedControl;
class QuietComboBox;

class ChoiceRow : public QWidget {
    Q_OBJECT
  public:
    ChoiceRow(const std::string& id, const QString& label, const QString& help,
              const QVector<ChoiceItem>& items, QWidget* parent = nullptr);

    void setChoice(const std::string& id);  // emits nothing

  signals:
    void chosen(const std::string& id);

  private:
    QVector<ChoiceItem> m_items;
    SegmentedControl* m_segments = nullptr;  // one of the two
    QuietComboBox* m_combo = nullptr;
};

}  // namespace warpscope::gui
