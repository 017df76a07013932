// The pipeline: a list of steps with on/off, name, variant, where it ran and its time; under it the
// controls of the selected step.
#pragma once

#include <QWidget>
#include <memory>

#include "gui/app/document.h"
#include "gui/app/engine_bridge.h"

namespace warpscope::gui {

class Settings;

class StepsPanel : public QWidget {
    Q_OBJECT
  public:
    StepsPanel(Document& document, EngineBridge& bridge, QWidget* parent = nullptr);
    ~StepsPanel() override;

    void setSettings(Settings& settings);  // where presets are kept; borrowed. None without

  public slots:
    void showAddStep();  // searchable list with descriptions
    void removeCurrentStep();
    void duplicateCurrentStep();
    void focusControls();

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace warpscope::gui
