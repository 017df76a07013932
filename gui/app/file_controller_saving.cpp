// Saving and copying of what is shown; pipeline files.
#include "gui/app/file_controller.h"
#include "gui/widgets/engine_text.h"

#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImage>
#include <exception>
#include <filesystem>

#include "engine/io/image_writer.h"
#include "engine/io/text_file.h"
#include "engine/pipeline/shipped_presets.h"
#include "gui/app/qimage_convert.h"
#include "gui/base/file_name.h"
#include "gui/display/display_levels.h"
#include "gui/display/display_settings.h"
#include "gui/steps/shipped_menu.h"

namespace warpscope::gui {
namespace {

using Level = MessageBar::Level;

// The engine's sentence stands alone on the command line; here the verdict comes before it.
QString withoutVerdict(const std::string& message) {
    return engineText(QString::fromStdString(message)
                          .replace(QLatin1String(": not saved, "), QLatin1String(": "))
                          .toStdString());
}

}  // namespace

Image FileController::resultOf(const std::optional<Rect>& region) {
    const Image& result = m_bridge.result()->levels.front();
    if (!region) return result;
    const Rect part = intersect(mapped(inverse(m_bridge.sourceFromResult()), *region),
                                {0, 0, result.width(), result.height()});
    if (!part.empty()) return result.crop(part);
    report(Level::Warning, tr("The region lies outside the result: there is nothing to save."));
    return {};
}

void FileController::saveNow(const QString& path, bool replaceSource, SaveAs as,
                             const std::optional<Rect>& region) {
    const Image image = resultOf(region);
    if (image.isNull()) return;
    if (as.asSeen)
        saveAsSeen(image, path, replaceSource);
    else
        save(image, path, replaceSource, {}, m_saveStop.get_token());
}

void FileController::reportCancelled(const QString& path) {
    report(Level::Info,
           tr("Not saved: %1. Saving was cancelled.").arg(QDir::toNativeSeparators(path)));
}

void FileController::cancelWaitingSave() {
    if (m_pendingSave) reportCancelled(std::exchange(m_pendingSave, std::nullopt)->path);
}

void FileController::cancelSaves() {
    cancelWaitingSave();
    m_saveStop.request_stop();
    m_saveStop = std::stop_source();
}

void FileController::run(TaskRunner::Work work) {
    m_tasks.run([this, work = std::move(work)]() -> TaskRunner::Finish {
        try {
            return work();
        } catch (const std::exception& e) {
            const bool memory = dynamic_cast<const std::bad_alloc*>(&e);
            return [this, what = engineText(memory ? "not enough memory" : e.what())] {
                report(Level::Error, tr("Could not save or copy. %1").arg(what));
            };
        }
    });
}

void FileController::saveResultTo(const QString& path, bool replaceSource, SaveAs as) {
    if (m_document.image().isNull()) return;
    const std::optional<Rect> region = as.regionOnly ? m_document.region() : std::nullopt;
    if (m_bridge.resultIsCurrent()) return saveNow(path, replaceSource, as, region);
    m_pendingSave = PendingSave{path,
                                replaceSource,
                                as,
                                region,
                                m_document.image().id(),
                                m_document.second(),
                                m_document.pipeline()};
    m_bridge.resume();  // after a cancel nothing else would ever make it
    report(Level::Info, m_bridge.stale()
                            ? tr("The result is not up to date. It is saved as soon as it is.")
                            : tr("The result is saved as soon as it is complete."));
}

void FileController::onFullReady() {
    if (!m_pendingSave || !m_bridge.resultIsCurrent()) return;
    const PendingSave wanted = *std::exchange(m_pendingSave, std::nullopt);
    // Only what was on the screen when the name was given may get that name.
    if (wanted.imageId != m_document.image().id() || wanted.second != m_document.second() ||
        wanted.pipeline != m_document.pipeline()) {
        report(Level::Warning,
               tr("Not saved: %1. The image or its steps changed before the result was complete.")
                   .arg(QDir::toNativeSeparators(wanted.path)));
        return;
    }
    saveNow(wanted.path, wanted.replaceSource, wanted.as, wanted.region);
}

std::vector<std::filesystem::path> FileController::protectedFiles() const {
    std::vector<std::filesystem::path> files;
    for (const QString& path : {m_document.filePath(), m_document.secondPath()})
        if (!path.isEmpty()) files.push_back(pathOf(path));
    return files;
}

void FileController::saveAsSeen(const Image& image, const QString& path, bool replaceSource) {
    // Of the whole result, so that a region looks as it does on the screen.
    const Image whole = m_bridge.result()->levels.front();
    const DisplayLook look = m_display ? m_display->lookFor(whole) : DisplayLook{};
    const DisplayRange range = look.range.value_or(knownNaturalRange(whole));
    QString levels = m_display ? m_display->describe(whole) : QString();
    if (levels.isEmpty()) levels = tr("full range");
    const std::stop_token stop = m_saveStop.get_token();
    run([this, image, path, replaceSource, range, look, levels, stop]() -> TaskRunner::Finish {
        const auto shown = toScreen(image, range, look);
        return [this, shown, path, replaceSource, levels, stop] {
            if (shown)
                save(*shown, path, replaceSource, tr("as seen: 8 bits, %1").arg(levels), stop);
            else
                report(Level::Error,
                       tr("Could not save. %1").arg(withoutVerdict(shown.error().message)), path);
        };
    });
}

void FileController::save(const Image& image, const QString& path, bool replaceSource,
                          const QString& remark, const std::stop_token& stop) {
    WriteOptions options;
    options.protectedFiles = protectedFiles();
    options.overwriteProtected = replaceSource;
    options.stop = stop;
    leaveOut(path);
    run([this, image, path, options, remark]() -> TaskRunner::Finish {
        const auto done = saveImage(image, pathOf(path), options);
        return [this, done, image, path, remark, replaced = options.overwriteProtected] {
            if (done) {
                rememberFolder(path);
                QString text = tr("Saved %1").arg(QDir::toNativeSeparators(path));
                if (!remark.isEmpty()) text += QStringLiteral(" · ") + remark;
                for (const std::string& notice : done->notices)
                    text += QStringLiteral(" · ") + engineText(notice);
                report(Level::Info, text);
                emit saved(path);
                return;
            }
            if (done.error().code == ErrorCode::Cancelled) return reportCancelled(path);
            const QString why = withoutVerdict(done.error().message);
            if (done.error().code == ErrorCode::InvalidArgument && !replaced) {
                m_messages.show({Level::Warning, tr("Not saved: %1").arg(why), path,
                                 tr("Replace the source"),
                                 // This image, even if another one is open by then.
                                 [this, image, path, remark] {
                                     save(image, path, true, remark, m_saveStop.get_token());
                                 }});
                return;
            }
            report(Level::Error, tr("Could not save. %1").arg(why), path);
        };
    });
}

void FileController::copyResult() {
    if (!m_bridge.resultIsCurrent()) {
        report(Level::Info, tr("The result is not complete yet."));
        return;
    }
    copy(m_bridge.result()->levels.front(), tr("Result"));
}

void FileController::copyRegion() {
    if (!m_bridge.resultIsCurrent()) {
        report(Level::Info, tr("The result is not complete yet."));
        return;
    }
    const Image image = resultOf(m_document.region());
    if (!image.isNull()) copy(image, tr("Region"));
}

void FileController::copy(const Image& image, const QString& what) {
    // As the whole result looks: a part has other extremes.
    const Image whole = m_bridge.result()->levels.front();
    DisplayLook look = m_display ? m_display->lookFor(whole) : DisplayLook{};
    if (image.id() != whole.id() && !look.range) look.range = knownNaturalRange(whole);
    run([this, image, whole, look, what]() -> TaskRunner::Finish {
        const Copied copied = copyOf(image, look);
        return [this, copied, whole, what] {
            if (copied.picture.isNull()) {
                report(Level::Error, tr("Could not copy: not enough memory for the picture"));
                return;
            }
            QGuiApplication::clipboard()->setImage(copied.picture);
            if (copied.exact) {
                report(Level::Info, tr("%1 copied, %2 bits.").arg(what).arg(copied.bits));
                return;
            }
            QString range = m_display ? m_display->describe(whole) : QString();
            if (range.isEmpty()) range = tr("full range");
            report(Level::Info, tr("%1 copied as on the screen: %2 bits, %3. Saving as TIFF "
                                   "keeps the samples.")
                                    .arg(what)
                                    .arg(copied.bits)
                                    .arg(range));
        };
    });
}

// --- pipelines ---

void FileController::openPipelineFrom(const QString& path) {
    // As on the command line.
    const QString preset = QStringLiteral("preset:");
    if (path.startsWith(preset)) {
        const auto shipped = shippedPreset(path.mid(preset.size()).toStdString());
        if (!shipped)
            return report(
                Level::Error,
                tr("Could not open the pipeline. %1").arg(engineText(shipped.error().message)));
        replaceFitted(m_document, *shipped, tr("Open pipeline %1").arg(path));
        return;
    }
    const QString name = QFileInfo(path).fileName();
    const auto json = readTextFile(std::filesystem::path(path.toStdU16String()), kMaxPipelineBytes);
    const auto pipeline = json ? pipelineFromJson(*json) : Result<Pipeline>(fail(json.error()));
    if (pipeline) {
        m_document.replacePipeline(*pipeline, tr("Open pipeline %1").arg(name));
        m_document.undoStack().setClean();
        return;
    }
    QString why = engineText(pipeline.error().message);
    if (json) why = tr("%1: %2").arg(name, why);  // else it names the file itself
    report(Level::Error, tr("Could not open the pipeline. %1").arg(why), path);
}

void FileController::savePipelineTo(const QString& path) {
    const Pipeline pipeline = m_document.pipeline();
    const std::string json = toJson(pipeline);
    WriteOptions options;
    options.protectedFiles = protectedFiles();
    options.stop = m_saveStop.get_token();
    run([this, pipeline, json, path, options]() -> TaskRunner::Finish {
        const std::span bytes(reinterpret_cast<const std::uint8_t*>(json.data()), json.size());
        const auto done = writeFileAtomically(pathOf(path), bytes, options);
        return [this, done, pipeline, path] {
            if (done) {
                if (pipeline == m_document.pipeline()) m_document.undoStack().setClean();
                report(Level::Info, tr("Saved %1").arg(QDir::toNativeSeparators(path)));
                emit saved(path);
            } else if (done.error().code == ErrorCode::Cancelled) {
                reportCancelled(path);
            } else {
                report(Level::Error,
                       tr("Could not save. %1").arg(withoutVerdict(done.error().message)), path);
            }
        };
    });
}

}  // namespace warpscope::gui
