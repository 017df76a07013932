#include "gui/steps/preset_store.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

#include "engine/base/log.h"
#include "gui/document/settings_change.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

constexpr qsizetype kMaxText = 256 * 1024;

// What somebody may have typed into the file, for a line of the log.
QString shown(const QString& text) {
    return text.left(PresetStore::kMaxName).simplified();
}

void logLeftOut(const std::string& operation, const QString& name, const QString& what) {
    logMessage(LogLevel::Warning, tr("Preset “%1” of %2, left out: %3")
                                      .arg(shown(name), QString::fromStdString(operation), what)
                                      .toStdString());
}

Preset presetFrom(const OperationDescription& description, const Step& defaults,
                  const QString& name, const QJsonObject& object) {
    Step step = defaults;
    const QJsonObject values = object[QLatin1String("parameters")].toObject();
    for (auto value = values.begin(); value != values.end(); ++value) {
        const ParamSpec* spec = description.findParameter(value.key().toStdString());
        if (!spec) {
            logLeftOut(description.id, name,
                       tr("there is no parameter “%1”").arg(shown(value.key())));
            continue;
        }
        const auto parsed = parseParameter(*spec, value->toString().toStdString());
        if (parsed)
            step.parameters.set(spec->id, *parsed);
        else
            logLeftOut(description.id, name, engineText(parsed.error().message));
    }
    const QString variant = object[QLatin1String("variant")].toString();
    if (description.findVariant(variant.toStdString()))
        step.variant = variant.toStdString();
    else if (!variant.isEmpty())
        logLeftOut(description.id, name, tr("there is no variant “%1”").arg(shown(variant)));
    return {name, step.parameters, step.variant};
}

bool byName(const Preset& a, const Preset& b) {
    const int order = QString::compare(a.name, b.name, Qt::CaseInsensitive);
    return order != 0 ? order < 0 : a.name < b.name;
}

}  // namespace

PresetStore::PresetStore(Settings& settings) : m_settings(settings) {}

const std::vector<Preset>& PresetStore::of(const std::string& operation) {
    const auto known = m_known.find(operation);
    if (known != m_known.end()) return known->second;
    return m_known.emplace(operation, read(operation)).first->second;
}

std::vector<Preset> PresetStore::read(const std::string& operation) const {
    const auto defaults = makeStep(operation);
    const QString text = m_settings.presets(QString::fromStdString(operation));
    if (!defaults || text.isEmpty() || text.size() > kMaxText) return {};
    const QJsonDocument document = QJsonDocument::fromJson(text.toUtf8());
    if (!document.isArray()) {
        logMessage(LogLevel::Warning, tr("The presets of %1 are damaged and were left out")
                                          .arg(QString::fromStdString(operation))
                                          .toStdString());
        return {};
    }
    const OperationDescription& description = findOperation(operation)->description();
    std::vector<Preset> presets;
    for (const QJsonValue& value : document.array()) {
        const QString name = value[QLatin1String("name")].toString().simplified();
        const bool twice = std::any_of(presets.begin(), presets.end(),
                                       [&](const Preset& other) { return other.name == name; });
        if (name.isEmpty() || name.size() > kMaxName || twice || presets.size() >= kMaxPresets) {
            logLeftOut(operation, name, tr("no good name, or too many presets"));
            continue;
        }
        presets.push_back(presetFrom(description, *defaults, name, value.toObject()));
    }
    std::sort(presets.begin(), presets.end(), byName);
    return presets;
}

bool PresetStore::save(const Step& step, const QString& name) {
    const QString clean = name.simplified();
    if (clean.isEmpty() || clean.size() > kMaxName) return false;
    const SettingsChange change(m_settings);
    std::vector<Preset>& presets = m_known[step.operation] = read(step.operation);
    const auto same = std::find_if(presets.begin(), presets.end(),
                                   [&](const Preset& preset) { return preset.name == clean; });
    if (same != presets.end())
        *same = {clean, step.parameters, step.variant};
    else if (presets.size() >= kMaxPresets)
        return false;
    else
        presets.push_back({clean, step.parameters, step.variant});
    std::sort(presets.begin(), presets.end(), byName);
    write(step.operation);
    return true;
}

void PresetStore::remove(const std::string& operation, const QString& name) {
    const SettingsChange change(m_settings);
    const QString gone = name;  // it may be that of a preset, which is read again
    m_known[operation] = read(operation);
    std::erase_if(m_known[operation], [&](const Preset& preset) { return preset.name == gone; });
    write(operation);
}

void PresetStore::write(const std::string& operation) {
    QJsonArray all;
    for (const Preset& preset : m_known[operation]) {
        QJsonObject values;
        // As text, which reads back as the same value to the bit.
        for (const auto& [id, value] : preset.parameters.values())
            values[QString::fromStdString(id)] = QString::fromStdString(toText(value));
        all.append(QJsonObject{{QStringLiteral("name"), preset.name},
                               {QStringLiteral("variant"), QString::fromStdString(preset.variant)},
                               {QStringLiteral("parameters"), values}});
    }
    m_settings.setPresets(
        QString::fromStdString(operation),
        all.isEmpty() ? QString()
                      : QString::fromUtf8(QJsonDocument(all).toJson(QJsonDocument::Compact)));
}

}  // namespace warpscope::gui
