// Named parameters of operations, kept in the settings. What is read back is checked: a parameter,
// variant or value that the operation does not know (any more) is left out and logged.
#pragma once

#include <QString>
#include <map>
#include <string>
#include <vector>

#include "engine/pipeline/pipeline.h"

namespace warpscope::gui {

class Settings;

struct Preset {
    QString name;
    ParamSet parameters;  // resolved
    std::string variant{kAutomaticVariant};
};

class PresetStore {
  public:
    explicit PresetStore(Settings& settings);  // borrowed

    // In the order of their names. Empty for an operation that does not exist.
    const std::vector<Preset>& of(const std::string& operation);
    // Replaces the preset of that name. False for a name that is empty or longer than kMaxName, or
    // where there are kMaxPresets already.
    bool save(const Step& step, const QString& name);
    void remove(const std::string& operation, const QString& name);

    static constexpr int kMaxName = 60;
    static constexpr int kMaxPresets = 100;  // an operation

  private:
    std::vector<Preset> read(const std::string& operation) const;
    void write(const std::string& operation);

    Settings& m_settings;
    std::map<std::string, std::vector<Preset>> m_known;  // read when first asked for
};

}  // namespace warpscope::gui
