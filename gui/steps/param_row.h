// Label, exact value and slider of one numeric parameter, made from its ParamSpec.
#pragma once

#include <QWidget>

#include "engine/operations/parameters.h"
#include "gui/document/document.h"

namespace warpscope::gui {

class ValueEdit;
class ValueSlider;
class WrapLabel;

class ParamRow : public QWidget {
    Q_OBJECT
  public:
    ParamRow(const ParamSpec& spec, QWidget* parent = nullptr);

    void setValue(const ParamValue& value);  // as it stands in the document; emits nothing
    // Where 0 lets the operation choose: what it chooses now, 0 if that is not known.
    void setAutomaticSize(int pixels);
    // What 0 is called where it lets the operation choose, in place of "automatic".
    void setAutomaticName(const QString& name);
    // The value was found by the operation and is no setting: said beside the name.
    void setFound(bool found);
    void discardTyped();  // text that was not confirmed, and its error
    ValueSlider& slider() { return *m_slider; }

  signals:
    void gestureStarted();
    void gestureEnded();
    void edited(const warpscope::ParamValue& value, warpscope::gui::EditPhase phase);

  private:
    void commit(bool keepWrongText);
    void showError(const QString& message);
    void showValue();
    bool isAutomatic() const;  // it is 0, and 0 is no number of pixels

    ParamSpec m_spec;
    ParamValue m_value;
    QString m_automaticName;
    bool m_typedOnSlider = false;  // what stands in the field was begun there
    WrapLabel* m_label;
    ValueEdit* m_edit;
    ValueSlider* m_slider;
    WrapLabel* m_error;
};

}  // namespace warpscope::gui
