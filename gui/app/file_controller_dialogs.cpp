// The dialogs that ask for names.
#include "gui/app/file_controller.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

#include "engine/io/image_reader.h"
#include "gui/session/session_file.h"

namespace warpscope::gui {
namespace {

using Level = MessageBar::Level;

QString patterns(bool toSave) {
    QStringList list;
    for (const FormatInfo& format : imageFormats())
        if (toSave ? format.writes : format.reads)
            for (const std::string& extension : format.extensions)
                list << QStringLiteral("*.") + QString::fromStdString(extension);
    return list.join(QLatin1Char(' '));
}

}  // namespace

// --- dialogs ---

template <class OnPath>
void FileController::ask(bool toSave, const QString& title, const QString& filter,
                         const QString& suffix, OnPath onPath, const QString& kind) {
    auto* dialog = new QFileDialog(&m_window, title, m_settings.lastFolder(),
                                   filter + QStringLiteral(";;") + tr("All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(toSave ? QFileDialog::AcceptSave : QFileDialog::AcceptOpen);
    dialog->setFileMode(toSave ? QFileDialog::AnyFile : QFileDialog::ExistingFiles);
    if (toSave) {
        dialog->setDefaultSuffix(suffix);
        dialog->selectFile(suggestedName(suffix, kind));
    }
    connect(dialog, &QFileDialog::filesSelected, this, onPath);
    dialog->open();
}

void FileController::openDialog() {
    ask(false, tr("Open images"), tr("Images (%1)").arg(patterns(false)), {},
        [this](const QStringList& paths) { openFiles(paths); });
}

void FileController::askForImage(const QString& title, std::function<void(const QString&)> onPath) {
    ask(false, title, tr("Images (%1)").arg(patterns(false)), {},
        [onPath = std::move(onPath)](const QStringList& paths) { onPath(paths.value(0)); });
}

void FileController::askForSession(bool toSave, std::function<void(const QString&)> onPath) {
    ask(
        toSave, toSave ? tr("Save session") : tr("Open session"),
        tr("Sessions (%1)").arg(QStringLiteral("*.") + QLatin1String(kSessionSuffix)),
        QLatin1String(kSessionSuffix),
        [onPath = std::move(onPath)](const QStringList& paths) { onPath(paths.value(0)); },
        tr("session"));
}

void FileController::openSecondDialog() {
    askForImage(tr("Open as second image"), [this](const QString& path) { openSecond(path); });
}

void FileController::saveDialog() {
    ask(
        true, tr("Save result"), tr("Images (%1)").arg(patterns(true)), QStringLiteral("png"),
        [this](const QStringList& paths) { saveResultTo(paths.value(0)); }, tr("result"));
}

void FileController::saveAsSeenDialog() {
    ask(
        true, tr("Save as seen"), tr("Images (%1)").arg(patterns(true)), QStringLiteral("png"),
        [this](const QStringList& paths) { saveResultTo(paths.value(0), false, {.asSeen = true}); },
        tr("seen"));
}

void FileController::saveRegionDialog() {
    if (!m_document.region()) return;
    ask(
        true, tr("Save region"), tr("Images (%1)").arg(patterns(true)), QStringLiteral("png"),
        [this](const QStringList& paths) {
            saveResultTo(paths.value(0), false, {.regionOnly = true});
        },
        tr("region"));
}

void FileController::openPipelineDialog() {
    ask(false, tr("Open pipeline"), tr("Pipelines (*.json)"), {},
        [this](const QStringList& paths) { openPipelineFrom(paths.value(0)); });
}

void FileController::savePipelineDialog() {
    ask(
        true, tr("Save pipeline"), tr("Pipelines (*.json)"), QStringLiteral("json"),
        [this](const QStringList& paths) { savePipelineTo(paths.value(0)); }, tr("pipeline"));
}

QString FileController::suggestedName(const QString& ending, const QString& kind) const {
    QString base = QFileInfo(m_document.title()).completeBaseName();
    if (base.isEmpty()) base = tr("image");
    return QStringLiteral("%1-%2.%3").arg(base, kind, ending);
}

}  // namespace warpscope::gui
