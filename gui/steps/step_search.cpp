#include "gui/steps/step_search.h"

#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <map>

#include "engine/operations/registry.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {

namespace {

// Scores of one word, from the best way to be found to the weakest.
constexpr int kStart = 100, kWordStart = 80, kInside = 60, kCategory = 40, kSummary = 30,
              kEveryday = 50, kLetters = 10;

bool startsAWord(const QString& text, const QString& word) {
    for (qsizetype at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
        if (at == 0 || !text[at - 1].isLetterOrNumber()) return true;
    return false;
}

bool lettersInOrder(const QString& text, const QString& letters) {
    qsizetype next = 0;
    for (const QChar c : text)
        if (next < letters.size() && c == letters[next]) ++next;
    return next == letters.size();
}

}  // namespace

QString everydayWords(const std::string& id) {
    static const std::map<std::string, const char*> words = {
        {"grayscale", QT_TR_NOOP("black and white, gray, grey, monochrome, desaturate")},
        {"invert", QT_TR_NOOP("negative, opposite, reverse")},
        {"levels", QT_TR_NOOP("brightness, contrast, exposure, gamma, shadows, highlights, black "
                              "point, white point, brighten, darken, stretch, normalize")},
        {"curves",
         QT_TR_NOOP(
             "brightness, contrast, exposure, gamma, shadows, highlights, tone, brighten, darken")},
        {"saturation", QT_TR_NOOP("vibrance, colorfulness, chroma, colour, color")},
        {"equalize", QT_TR_NOOP("contrast, histogram, normalize")},
        {"clahe", QT_TR_NOOP("contrast, local contrast, shadows, adaptive, histogram")},
        {"threshold",
         QT_TR_NOOP("binary, binarize, segment, segmentation, mask, black and white, otsu")},
        {"adaptive_threshold",
         QT_TR_NOOP("binary, binarize, segment, segmentation, document, scan, text")},
        {"extract_channel", QT_TR_NOOP("split, separate, red, green, blue, alpha, plane")},
        {"false_colour",
         QT_TR_NOOP("pseudocolor, lookup table, lut, heat map, heatmap, colormap, viridis, jet")},
        {"gaussian_blur", QT_TR_NOOP("soften, smooth, denoise, noise reduction, blur")},
        {"box_mean", QT_TR_NOOP("average, blur, smooth, soften, mean filter")},
        {"median", QT_TR_NOOP("denoise, noise reduction, salt and pepper, smooth, blur")},
        {"nl_means", QT_TR_NOOP("denoise, noise reduction, grain, smooth")},
        {"bilateral",
         QT_TR_NOOP("denoise, noise reduction, edge preserving, smooth, surface blur, skin")},
        {"guided_filter", QT_TR_NOOP("denoise, noise reduction, edge preserving, smooth")},
        {"unsharp_mask", QT_TR_NOOP("sharpen, sharpness, clarity, detail, crisp")},
        {"difference_of_gaussians",
         QT_TR_NOOP("blobs, spots, band pass, bandpass, edges, details")},
        {"despeckle", QT_TR_NOOP("denoise, dust, scratches, hot pixels, outliers, remove spots")},
        {"gradient", QT_TR_NOOP("find edges, sobel, scharr, prewitt, outline, slope")},
        {"laplacian", QT_TR_NOOP("find edges, second derivative, focus")},
        {"canny", QT_TR_NOOP("find edges, contours, outline, lines")},
        {"convolve", QT_TR_NOOP("kernel, custom filter, matrix, sharpen, emboss")},
        {"morphology", QT_TR_NOOP("erode, dilate, open, close, grow, shrink, thicken, thin, fill "
                                  "holes, top hat, background")},
        {"local_statistics",
         QT_TR_NOOP("texture, variance, standard deviation, local contrast, entropy")},
        {"connected_components", QT_TR_NOOP("count, count objects, label, segment, segmentation, "
                                            "particles, cells, blobs, regions")},
        {"distance_transform", QT_TR_NOOP("distance map, thickness, skeleton, watershed")},
        {"integral_image", QT_TR_NOOP("summed-area table, sums")},
        {"add_noise", QT_TR_NOOP("grain, dirt, simulate")},
        {"blend",
         QT_TR_NOOP(
             "mix, combine, overlay, multiply, subtract, average, two images, calculator, mask")},
        {"crop", QT_TR_NOOP("cut, trim, region")},
        {"resize",
         QT_TR_NOOP("scale, size, enlarge, shrink, smaller, larger, resolution, resample, bin")},
        {"rotate", QT_TR_NOOP("straighten, turn, tilt, horizon, level")},
        {"flip_rotate", QT_TR_NOOP("mirror, flip, turn, rotate, transpose, 90")},
    };
    const auto found = words.find(id);
    return found == words.end() ? QString() : tr(found->second).toCaseFolded();
}

namespace {

int wordScore(const QString& word, const QString& label, const QString& id, const QString& category,
              const QString& summary, const QString& everyday) {
    if (label.startsWith(word) || id.startsWith(word)) return kStart;
    if (startsAWord(label, word) || startsAWord(QString(id).replace('_', ' '), word))
        return kWordStart;
    if (label.contains(word) || id.contains(word)) return kInside;
    if (startsAWord(everyday, word)) return kEveryday;
    if (category.contains(word)) return kCategory;
    if (summary.contains(word)) return kSummary;
    if (lettersInOrder(label, word)) return kLetters;
    return 0;
}

}  // namespace

std::optional<int> searchScore(const QString& query, const OperationDescription& description) {
    static const QRegularExpression space(QStringLiteral("\\s+"));
    const QString label = engineText(description.label).toCaseFolded();
    const QString id = QString::fromStdString(description.id);
    const QString category = engineText(description.category).toCaseFolded();
    const QString summary = engineText(description.summary).toCaseFolded();
    const QString everyday = everydayWords(description.id);
    int total = 0;
    for (const QString& word : query.toCaseFolded().split(space, Qt::SkipEmptyParts)) {
        const int score = wordScore(word, label, id, category, summary, everyday);
        if (score == 0) return std::nullopt;
        total += score;
    }
    return total;
}

QString refusal(const OperationDescription& description, PixelFormat format) {
    if (description.acceptsFormat(format)) return {};
    if (const auto twin = withChannels(format, !isColor(format));
        twin && description.acceptsFormat(*twin))
        return isColor(format) ? tr("takes no colour: a grayscale step before it helps")
                               : tr("takes colour only");
    if (isFloat(format)) return tr("takes no float samples");
    if (format == PixelFormat::Gray64) return tr("takes no sums of an integral image");
    if (format == PixelFormat::Gray32) return tr("takes no sums, labels or squared distances");
    return tr("takes no samples of %1 bits").arg(8 * bytesPerSample(format));
}

std::vector<const Operation*> searchFilters(const QString& query) {
    struct Hit {
        const Operation* operation;
        int score;
        std::size_t category;  // by first appearance
    };
    std::vector<Hit> hits;
    std::vector<std::string> categories;
    for (const Operation* operation : allOperations()) {
        const OperationDescription& description = operation->description();
        if (description.kind != OperationKind::Filter) continue;
        auto category = std::find(categories.begin(), categories.end(), description.category);
        if (category == categories.end())
            category = categories.insert(categories.end(), description.category);
        if (const auto score = searchScore(query, description))
            hits.push_back({operation, *score, std::size_t(category - categories.begin())});
    }
    std::stable_sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) {
        return a.score != b.score ? a.score > b.score : a.category < b.category;
    });
    std::vector<const Operation*> found;
    for (const Hit& hit : hits) found.push_back(hit.operation);
    return found;
}

}  // namespace warpscope::gui
