// What the demo can be asked for: operations, pipelines and sizes, as lists to step through.
#pragma once

#include <QString>
#include <vector>

#include "engine/backend/backend.h"
#include "engine/image/image.h"
#include "engine/pipeline/pipeline.h"
#include "gui/display/display_settings.h"

namespace warpscope::gui {

struct ShowcaseOperation {
    QString id;  // of the operation; "pipeline" for the person's own steps
    QString label;
    QString details;  // parameters, or the steps
    Pipeline pipeline;
};

// "Radius 3 px · Variant": the values of a step, in words.
QString parametersText(const Step& step);

// The person's own pipeline first, if any of its steps is on; then every filter of one image with
// its defaults.
std::vector<ShowcaseOperation> showcaseOperations(const Pipeline& own);

struct ShowcaseSize {
    QString id;     // "512", "4k"; "image" for the image at hand
    QString label;  // "512", "4K", "photo.png"
    Size size;
    Image image;          // the image at hand; null: the program's own scene
    StillLook look = {};  // of `image`
    QString file = {};    // of `image`; empty: it is no file
};

// 256 x 256 to 8K and the image at hand, if there is one, by growing size.
std::vector<ShowcaseSize> showcaseSizes(const Image& atHand, const QString& title,
                                        const StillLook& look = {});

// The command line of warpscope-cli that measures the same on these backends. Empty where no words
// can say it: several steps, an image that is no file.
QString raceCommand(const ShowcaseOperation& operation, const ShowcaseSize& size, bool gray,
                    const std::vector<BackendKind>& backends);

// Where to begin: "OPERATION,SIZE" by id, either of which may be missing. An unknown id is an
// error, which names those there are.
struct ShowcaseStart {
    int operation = 0;
    int size = 0;
    QString error;
};
ShowcaseStart showcaseStart(const QString& text, const std::vector<ShowcaseOperation>& operations,
                            const std::vector<ShowcaseSize>& sizes);

}  // namespace warpscope::gui
