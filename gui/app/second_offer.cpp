#include "gui/app/second_offer.h"

#include "gui/app/file_controller.h"
#include "gui/document/document.h"
#include "gui/widgets/message_bar.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

const QString kSecondOffer = QStringLiteral("second offer");

// For that step, if it still takes a second input when the person has chosen.
void askForSecond(Document& document, FileController& files, int step) {
    files.askForImage(tr("Open as second image"), [&document, &files, step](const QString& path) {
        const auto& steps = document.pipeline().steps;
        if (step < int(steps.size()) && secondInputOf(steps[std::size_t(step)]))
            for (const ParamSpec& spec :
                 findOperation(steps[std::size_t(step)].operation)->description().parameters)
                if (spec.kind == ParamKind::Image)
                    document.setParameter(step, spec.id, std::string("second"), EditPhase::Single);
        files.openSecond(path);
    });
}

}  // namespace

void connectSecondOffer(Document& document, FileController& files, MessageBar& messages) {
    QObject::connect(
        &document, &Document::secondTaken, &messages, [&document, &files, &messages](int step) {
            if (document.second())
                return messages.show(
                    {.text = tr("Half of each: what comes in, and the second image, %1.")
                                 .arg(document.secondTitle())});
            messages.show(
                {.text = tr("Half of each: what comes in, and the source. Another "
                            "second input can be chosen in the controls of the step."),
                 .actionText = tr("Open second image…"),
                 .act = [&document, &files, step] { askForSecond(document, files, step); },
                 .cause = kSecondOffer});
        });
    const auto withdraw = [&messages] { messages.withdrawCause(kSecondOffer); };
    QObject::connect(&document, &Document::pipelineChanged, &messages, withdraw);
    QObject::connect(&document, &Document::secondChanged, &messages, withdraw);
}

}  // namespace warpscope::gui
