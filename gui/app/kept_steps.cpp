#include "gui/app/kept_steps.h"

#include <QAction>

#include "gui/document/document.h"
#include "gui/document/settings_change.h"
#include "gui/widgets/message_bar.h"

namespace warpscope::gui {
namespace {

const QString kSwitch = QStringLiteral("keepSteps");
const QString kCause = QStringLiteral("kept steps");

}  // namespace

KeptSteps::KeptSteps(Document& document, Settings& settings, MessageBar& messages, QAction& keep,
                     QObject* parent)
    : QObject(parent),
      m_document(document),
      m_settings(settings),
      m_messages(messages),
      m_keep(keep) {
    keep.setChecked(settings.switched(kSwitch).value_or(true));
    connect(&keep, &QAction::toggled, this,
            [this](bool on) { m_settings.setSwitched(kSwitch, on); });
    connect(&document, &Document::pipelineChanged, this, [this](bool structural) {
        m_asked = false;
        if (structural) m_messages.withdrawCause(kCause);  // they are others now
    });
}

bool KeptSteps::unsaved() const {
    return !m_document.pipeline().steps.empty() && !m_document.undoStack().isClean();
}

void KeptSteps::restore() {
    const QString json = m_settings.keptSteps();
    if (json.isEmpty() || !m_document.pipeline().steps.empty()) return;
    m_taken = json;
    const auto pipeline = pipelineFromJson(json.toStdString());
    if (!pipeline || pipeline->steps.empty()) return;  // of another version, or edited by hand
    m_document.replacePipeline(*pipeline, tr("Steps of the last time"));
    // What the next image looks like is not how it is: it must be read.
    m_messages.show({.level = MessageBar::Level::Warning,
                     .text = tr("Steps of the last time that were not saved are here again: %1.")
                                 .arg(pipeline->steps.size()),
                     .actionText = tr("Remove them"),
                     .act = [this] { m_document.replacePipeline({}, tr("Remove steps")); },
                     .cause = kCause});
}

bool KeptSteps::mayClose() {
    const bool keeps = m_keep.isChecked();
    if (unsaved() && !keeps && !m_asked) {
        m_asked = true;
        m_messages.show({.level = MessageBar::Level::Warning,
                         .text = tr("The steps are not saved. Close again to close all the same."),
                         .cause = kCause});
        return false;
    }
    const SettingsChange change(m_settings);
    if (unsaved() && keeps) {
        m_settings.setKeptSteps(QString::fromStdString(toJson(m_document.pipeline())));
        return true;
    }
    // What another window has left since is not this one's to remove.
    if (m_settings.keptSteps() == m_taken) m_settings.setKeptSteps({});
    return true;
}

}  // namespace warpscope::gui
