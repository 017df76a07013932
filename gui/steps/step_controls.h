// The controls of the selected step, made from the description of its operation.
#pragma once

#include <QMap>
#include <QScrollArea>
#include <functional>
#include <vector>

#include "gui/document/document.h"

class QAction;
class QHBoxLayout;
class QToolButton;
class QVBoxLayout;

namespace warpscope::gui {

class AboutSection;
class EngineBridge;
class ParamRow;
class WrapLabel;

class StepControls : public QScrollArea {
    Q_OBJECT
  public:
    explicit StepControls(Document& document, QWidget* parent = nullptr);
    ~StepControls() override;

    void focusFirst(Qt::FocusReason reason = Qt::OtherFocusReason);
    void showAbout();
    // Variants that are wrong on purpose. Where one is chosen they are shown in any case.
    void setWrongVariantsShown(bool shown);

    void setHandlesAction(QAction* action);
    // Tells what steps found; borrowed.
    void follow(const EngineBridge& bridge);

    int contentHeight() const;  // that the controls of the selected step need

  signals:
    void secondDropped(const QString& path);  // to be opened as second image
    void objectsRequested();                  // the table of them

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool focusNextPrevChild(bool next) override;

  private:
    const Step* step() const;  // the selected one, null if there is none
    void sync();
    void rebuild(const Operation& operation);
    void addChoice(QVBoxLayout& layout, const ParamSpec& spec);
    void addNumber(QVBoxLayout& layout, const ParamSpec& spec);
    void fitToInput(ParamRow* row, const ParamSpec& spec);
    void connectLevel(ParamRow* row, const std::string& id);
    void addList(QVBoxLayout& layout, const Operation& operation, const ParamSpec& spec);
    std::function<std::vector<double>(const PointList&)> curveOf(const Operation& operation,
                                                                 const std::string& parameter);
    void addImage(QVBoxLayout& layout, const ParamSpec& spec);
    void addFromRegion(QHBoxLayout& layout);
    void addObjects(QHBoxLayout& layout);
    void addAutomatic(QVBoxLayout& layout);
    void addHandles(QHBoxLayout& layout);
    template <class Row>
    void connectValue(Row* row, const std::string& id);
    void addVariants(QVBoxLayout& layout, const OperationDescription& description);
    void endGesture();

    Document& m_document;
    const EngineBridge* m_bridge = nullptr;
    QWidget* m_content;
    WrapLabel* m_hint;
    WrapLabel* m_title;
    QToolButton* m_reset;
    QWidget* m_page;
    QWidget* m_rows = nullptr;  // one set of controls, made anew for another operation
    AboutSection* m_about;
    QAction* m_handles = nullptr;            // in the picture; null: nobody draws them
    const Operation* m_operation = nullptr;  // that m_rows belongs to
    // Bring a control up to date; the flag: it belongs to another step from now on.
    std::vector<std::function<void(const Step&, bool)>> m_readers;
    int m_index = -1;  // step that the controls edit
    bool m_gesture = false;
    bool m_showWrong = false;      // asked for
    bool m_rowsHaveWrong = false;  // m_rows has them
};

}  // namespace warpscope::gui
