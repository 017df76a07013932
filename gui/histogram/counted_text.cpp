#include "gui/histogram/counted_text.h"

#include "gui/widgets/engine_text.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

QString placeOf(const CountedOn& counted) {
    return counted.backend == BackendKind::Cuda        ? tr("GPU")
           : counted.backend == BackendKind::CpuSingle ? tr("one thread")
                                                       : tr("all cores");
}

}  // namespace

QString countedText(const HistogramsReady& histograms) {
    if (!histograms.resultOn.backend)
        return histograms.sourceOn.backend ? tr("; %1").arg(placeOf(histograms.sourceOn))
                                           : QString();
    QString text = tr("; %1").arg(placeOf(histograms.resultOn));
    if (histograms.sourceOn.backend != histograms.resultOn.backend)
        text += tr(", source %1").arg(placeOf(histograms.sourceOn));
    if (!histograms.resultOn.fallbackReason.empty())
        text += QStringLiteral(" (%1)").arg(engineText(histograms.resultOn.fallbackReason));
    return text;
}

}  // namespace warpscope::gui
