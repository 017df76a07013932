// Which of several GPUs computes, as a menu; the choice is remembered and takes effect at once.
#pragma once

#include <QActionGroup>
#include <QMenu>
#include <memory>

#include "engine/backend/gpu_choice.h"

namespace warpscope::gui {

class EngineBridge;
class MessageBar;
class Settings;

class GpuMenu : public QMenu {
    Q_OBJECT
  public:
    // What is borrowed must outlive this; the bridge's factory reads `choice`. Says in the message
    // bar where the GPU that was chosen is not the one in use.
    GpuMenu(EngineBridge& bridge, Settings& settings, MessageBar& messages,
            std::shared_ptr<GpuChoice> choice, QWidget* parent);

    // Whether there is something to choose: two GPUs, or a choice to take back. Else the menu does
    // not show.
    bool offers() const { return menuAction()->isVisible(); }

  private:
    void showDevices();
    void markUsed();
    void choose(const QString& uuid);  // empty: none in particular

    EngineBridge& m_bridge;
    Settings& m_settings;
    MessageBar& m_messages;
    const std::shared_ptr<GpuChoice> m_choice;
    QActionGroup m_group{this};
};

}  // namespace warpscope::gui
