#include "gui/steps/step_search.h"

#include <QRegularExpression>
#include <QStringList>
#include <algorithm>

#include "engine/operations/registry.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {

namespace {

// Scores of one word, from the best way to be found to the weakest.
constexpr int kStart = 100, kWordStart = 80, kInside = 60, kCategory = 40, kSummary = 30,
              kLetters = 10;

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

int wordScore(const QString& word, const QString& label, const QString& id, const QString& category,
              const QString& summary) {
    if (label.startsWith(word) || id.startsWith(word)) return kStart;
    if (startsAWord(label, word) || startsAWord(QString(id).replace('_', ' '), word))
        return kWordStart;
    if (label.contains(word) || id.contains(word)) return kInside;
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
    int total = 0;
    for (const QString& word : query.toCaseFolded().split(space, Qt::SkipEmptyParts)) {
        const int score = wordScore(word, label, id, category, summary);
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
    if (bytesPerSample(format) > 2) return tr("takes no sums of an integral image");
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
