// Waveform, RGB parade or vectorscope of source or result. Counts on a thread, from the images in
// full, and only while somebody can see it.
#pragma once

#include <QWidget>
#include <memory>

#include "gui/document/document.h"
#include "gui/document/engine_bridge.h"
#include "gui/scopes/scope_view.h"

namespace warpscope::gui {

struct ScopeSwitches {
    ScopeKind kind = ScopeKind::Waveform;
    bool ofResult = true;
    bool logarithmic = true;
    int brightness = 0;  // tenths of a stop
};

class ScopesPanel : public QWidget {
    Q_OBJECT
  public:
    ScopesPanel(Document& document, EngineBridge& bridge, QWidget* parent = nullptr);
    ~ScopesPanel() override;

    const ScopeView& view() const;
    ScopeSwitches switches() const;
    void setSwitches(const ScopeSwitches& switches);
    // How often something was counted since the start.
    int countings() const;

  public slots:
    // Behind another tab Qt says that a panel is visible; its dock knows better.
    void setInSight(bool inSight);

  signals:
    void shown();  // a scope is new
    void switched();

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace warpscope::gui
