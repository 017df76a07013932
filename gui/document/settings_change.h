// A change of settings that adds to what is there, a list or what another program may have written:
// one program of several at a time, from the values as they are in the file.
#pragma once

#include <QLockFile>
#include <QString>
#include <memory>

#include "gui/document/settings.h"

namespace warpscope::gui {

class SettingsChange {
  public:
    // Reads what others have written since; where somebody holds the file for long, all the same.
    explicit SettingsChange(Settings& settings) : m_settings(settings) {
        if (const QString folder = settings.folder(); !folder.isEmpty()) {
            m_lock = std::make_unique<QLockFile>(folder + QStringLiteral("/warpscope.change.lock"));
            constexpr int kMostMs = 500;
            (void)m_lock->tryLock(kMostMs);
        }
        m_settings.save();
    }
    ~SettingsChange() { m_settings.save(); }
    SettingsChange(const SettingsChange&) = delete;
    SettingsChange& operator=(const SettingsChange&) = delete;

  private:
    Settings& m_settings;
    std::unique_ptr<QLockFile> m_lock;
};

}  // namespace warpscope::gui
