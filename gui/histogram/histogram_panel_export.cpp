// Copying and saving the histogram.
#include "gui/histogram/histogram_panel_state.h"
#include "gui/widgets/engine_text.h"

#include <QFileDialog>
#include <QFileInfo>

#include "gui/display/region_words.h"
#include "gui/document/settings.h"
#include "gui/histogram/histogram_export.h"

namespace warpscope::gui {

QString HistogramPanel::State::csv() const {
    if (!bridge.histograms()) return {};
    return histogramCsv(shownSet(HistogramSide::Source), shownSet(HistogramSide::Result),
                        heading());
}

QString HistogramPanel::State::heading() const {
    const std::optional<Rect> region = document.region();
    if (!region) return document.title();
    if (const RegionShape& shape = *document.regionShape(); !shape.isRectangle())
        return QStringLiteral("%1, %2").arg(document.title(), regionInWords(shape, std::nullopt));
    return tr("%1, region %2 × %3 at (%4, %5)")
        .arg(document.title())
        .arg(region->width)
        .arg(region->height)
        .arg(region->x)
        .arg(region->y);
}

void HistogramPanel::State::saveAs(const QString& filter, const QString& suffix) {
    QFileDialog dialog(panel.window(), tr("Save histogram"),
                       settings ? settings->lastFolder() : QString(), filter);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(suffix);
    const QString image = QFileInfo(document.title()).completeBaseName();
    dialog.selectFile((image.isEmpty() ? QString() : image + QLatin1Char('-')) +
                      QStringLiteral("histogram.") + suffix);
    if (dialog.exec() == QDialog::Accepted) panel.exportTo(dialog.selectedFiles().value(0));
}

void HistogramPanel::State::report(const Result<void>& result) {
    failure = result ? QString() : engineText(result.error().message);
    updateCaption();
    if (!result) emit panel.messageRaised(failure);
}

void HistogramPanel::setSettings(Settings& settings) {
    m_state->settings = &settings;
}

bool HistogramPanel::exportTo(const QString& path) {
    State& s = *m_state;
    WriteOptions write;
    if (const QString open = s.document.filePath(); !open.isEmpty())
        write.protectedFiles.emplace_back(open.toStdU16String());
    if (!s.model.isEmpty()) emit exporting(path);
    const Result<void> result =
        s.model.isEmpty() ? fail(ErrorCode::NotFound, tr("there is no histogram yet").toStdString())
        : path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive)
            ? saveText(path, s.csv(), write)
            : saveHistogramPicture(path, s.model, s.view->options(), s.heading(), write);
    s.report(result);
    if (result && s.settings) s.settings->setLastFolder(QFileInfo(path).absolutePath());
    if (result) emit exported(path);
    return result.has_value();
}

}  // namespace warpscope::gui
