// Label, presets, editor and text form of a parameter that is a list: points of a curve, the
// entries of a matrix. A double click on the label brings the default back.
#pragma once

#include <QWidget>

#include "engine/operations/parameters.h"
#include "gui/document/document.h"

class QToolButton;

namespace warpscope::gui {

class ValueEdit;
class WrapLabel;

// The drawn part of such a row.
class ListEditor : public QWidget {
    Q_OBJECT
  public:
    using QWidget::QWidget;
    virtual void setValue(const ParamValue& value) = 0;  // emits nothing

  signals:
    // A drag or a run of key presses stands between these two; single changes need not.
    void gestureStarted();
    void gestureEnded();
    void changed(const warpscope::ParamValue& value);
    void refused(const QString& why);  // what was typed stands no more
};

class ListRow : public QWidget {
    Q_OBJECT
  public:
    // Takes the editor.
    ListRow(const ParamSpec& spec, ListEditor* editor, QWidget* parent = nullptr);

    void setValue(const ParamValue& value);  // as it stands in the document; emits nothing
    void discardTyped();                     // text that was not confirmed, and its error
    ListEditor& editor() { return *m_editor; }

  signals:
    void gestureStarted();
    void gestureEnded();
    void edited(const warpscope::ParamValue& value, warpscope::gui::EditPhase phase);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void addPresets(QToolButton& button);
    void take(const Result<ParamValue>& value);
    void commit(bool keepWrongText);
    void showError(const QString& message);
    void showText();

    ParamSpec m_spec;
    ParamValue m_value;
    WrapLabel* m_label;
    ListEditor* m_editor;
    ValueEdit* m_edit;
    WrapLabel* m_error;
};

}  // namespace warpscope::gui
