#include "gui/session/apply_command.h"

#include <QFileInfo>

#include "engine/pipeline/chain_shape.h"
#include "gui/base/file_name.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

tl::unexpected<Error> refuse(const QString& why) {
    return fail(ErrorCode::Unsupported, why.toStdString());
}

std::string wordOf(const QString& path) {
    return nameToBytes(path).toStdString();
}

// Without the steps that are off. Whoever takes what one of them gives takes what the last step
// before it gives.
Pipeline enabledPart(Pipeline pipeline) {
    for (std::size_t i = 0; i < pipeline.steps.size(); ++i) {
        const auto reference = secondInputOf(pipeline.steps[i]);
        if (!reference || reference->kind != ImageReference::Kind::Step) continue;
        std::size_t at = 0;
        while (at < i && pipeline.steps[at].name != reference->step) ++at;
        if (at == i || pipeline.steps[at].enabled) continue;
        while (at > 0 && !pipeline.steps[at - 1].enabled) --at;
        const std::string named =
            at == 0 ? std::string("source") : "step:" + nameOfStep(pipeline, at - 1);
        Step& step = pipeline.steps[i];
        for (const ParamSpec& spec : findOperation(step.operation)->description().parameters)
            if (spec.kind == ParamKind::Image) step.parameters.set(spec.id, named);
    }
    std::erase_if(pipeline.steps, [](const Step& step) { return !step.enabled; });
    return pipeline;
}

// In which every sample of the result fits.
const char* endingFor(PixelFormat format) {
    switch (format) {
        case PixelFormat::GrayF32:
        case PixelFormat::RgbaF32:
            return "tiff";
        case PixelFormat::Gray32:
        case PixelFormat::Gray64:
            return "npy";
        default:
            return "png";
    }
}

}  // namespace

Result<std::vector<std::string>> applyCommand(const Document& document, int page,
                                              BackendChoice backend) {
    const Image image = document.image();
    if (image.isNull()) return refuse(tr("No image is open."));
    if (document.filePath().isEmpty())
        return refuse(tr("%1 is no file: save it first, so that a command can open it.")
                          .arg(document.title()));
    const ChainShape shape =
        shapeOf(document.pipeline(), image.format(), Placement::all(image.size()));
    if (shape.failure)
        return refuse(tr("Step %1 cannot run: %2")
                          .arg(shape.failure->step + 1)
                          .arg(engineText(shape.failure->error.message)));
    const Pipeline pipeline = enabledPart(document.pipeline());
    bool second = false;
    std::vector<std::string> words{"warpscope-cli", "apply", wordOf(document.filePath())};
    for (std::size_t i = 0; i < pipeline.steps.size(); ++i) {
        const Step& step = pipeline.steps[i];
        if (const auto input = resolveSecondInput(pipeline, i); !input)
            return refuse(
                tr("Step %1 cannot run: %2").arg(i + 1).arg(engineText(input.error().message)));
        const auto reference = secondInputOf(step);
        second |= reference && reference->kind == ImageReference::Kind::Second;
        words.insert(words.end(), {"--step", toText(step)});
    }
    if (second && !document.second())
        return refuse(tr("A step takes the second image, and none is open."));
    if (second && document.secondPath().isEmpty())
        return refuse(tr("%1 is no file: save it first, so that a command can open it.")
                          .arg(document.secondTitle()));
    if (second) words.insert(words.end(), {"--second", wordOf(document.secondPath())});
    if (page > 0) words.insert(words.end(), {"--page", std::to_string(page + 1)});
    if (backend != BackendChoice::Auto)
        words.insert(words.end(), {"--backend", std::string(choiceId(backend))});
    // Braces and a leading dash mean something there.
    QString base = QFileInfo(document.filePath()).completeBaseName();
    base.replace(QLatin1Char('{'), QLatin1Char('_'));
    if (base.startsWith(QLatin1Char('-'))) base.prepend(QStringLiteral("./"));
    words.insert(words.end(), {"-o", wordOf(base) + "-result." + endingFor(shape.format)});
    return words;
}

}  // namespace warpscope::gui
