#include "gui/canvas/compared_pair.h"

#include <algorithm>
#include <cstring>

#include "gui/canvas/display_settings.h"

namespace warpscope::gui {
namespace {

constexpr int kMostGain = 64;
constexpr int kMostDiffering = 4096;  // places that are marked and walked through

template <class T>
bool sameValue(T a, T b) {
    return a == b || (a != a && b != b);  // NaN is NaN
}

// Rows whose bytes are alike are the rule and cost little.
std::vector<QPoint> differingPixels(const Image& a, const Image& b) {
    std::vector<QPoint> found;
    if (a.size() != b.size() || a.format() != b.format()) return found;
    const auto rowBytes = std::size_t(a.width()) * std::size_t(bytesPerPixel(a.format()));
    visitSampleType(a.format(), [&]<class T>() {
        const auto first = a.view<T>();
        const auto second = b.view<T>();
        for (int y = 0; y < a.height() && int(found.size()) < kMostDiffering; ++y) {
            if (std::memcmp(a.rowBytes(y), b.rowBytes(y), rowBytes) == 0) continue;
            const T* p = first.row(y);
            const T* q = second.row(y);
            for (int x = 0; x < a.width() && int(found.size()) < kMostDiffering; ++x)
                for (int c = 0; c < first.channels; ++c)
                    if (!sameValue(p[x * first.channels + c], q[x * first.channels + c])) {
                        found.push_back({x, y});
                        break;
                    }
        }
    });
    return found;
}

}  // namespace

Result<Comparison> prepareComparison(const Image& a, const Image& b, const QString& labelA,
                                     const QString& labelB, const std::stop_token& stop) {
    const CpuContext context{Threading::AllCores, stop, {}};
    auto first = buildPyramid(a, context);
    if (!first) return fail(first.error());
    auto second = buildPyramid(b, context);
    if (!second) return fail(second.error());
    return Comparison{std::make_shared<const Pyramid>(std::move(*first)),
                      std::make_shared<const Pyramid>(std::move(*second)),
                      labelA,
                      labelB,
                      compareImages(a, b, AgreementRule{}),
                      differingPixels(a, b)};
}

void ComparedPair::setSource(PyramidPtr source) {
    m_source.setPyramid(std::move(source));
    setResult(nullptr);
}

void ComparedPair::setResult(PyramidPtr result) {
    m_result.setPyramid(std::move(result));
    m_result.dropDraft();
    updateLooks();
    updateDifference();
}

void ComparedPair::setDraft(const DraftReady& draft) {
    m_result.setDraft(draft);
    updateDifference();
}

void ComparedPair::begin(Comparison&& given) {
    m_given = std::move(given);
    m_nextDiffering = 0;
    m_givenFirst.setPyramid(m_given->first);
    m_givenSecond.setPyramid(m_given->second);
    updateLooks();
    updateDifference();
}

void ComparedPair::end() {
    m_given.reset();
    m_givenFirst.setPyramid(nullptr);
    m_givenSecond.setPyramid(nullptr);
    updateLooks();
    updateDifference();
}

bool ComparedPair::setHighlight(const std::optional<ValueHighlight>& highlight) {
    if (highlight == m_highlight) return false;
    m_highlight = highlight;
    updateLooks();
    return true;
}

bool ComparedPair::setDifferenceStyle(const DifferenceStyle& style) {
    const DifferenceStyle wanted{style.kind, std::clamp(style.gain, 1, kMostGain)};
    if (wanted == m_style) return false;
    m_style = wanted;
    updateLooks();
    return true;
}

void ComparedPair::updateLooks() {
    const Image result = m_result.image();
    const auto lookOf = [&](const SideRenderer& side, bool highlighted) {
        const Image image = side.image();
        DisplayLook look = m_display && !image.isNull() ? m_display->lookFor(image) : DisplayLook{};
        // The range is in samples of the result: it means nothing for another depth.
        const bool alike = image.isNull() || result.isNull() ||
                           (bytesPerSample(image.format()) == bytesPerSample(result.format()) &&
                            isFloat(image.format()) == isFloat(result.format()));
        if (highlighted && alike) look.highlight = m_highlight;
        return look;
    };
    m_source.setLook(lookOf(m_source, true));
    m_result.setLook(lookOf(m_result, true));
    m_givenFirst.setLook(lookOf(m_givenFirst, false));
    m_givenSecond.setLook(lookOf(m_givenSecond, false));
    DisplayLook subtracted = lookOf(first(), false);
    subtracted.logarithmic = false;
    subtracted.difference = m_style;
    m_difference.setLook(subtracted);
}

// Two images subtract where they are alike; a draft does on its own, so that a slider shows its
// effect also while the last full result had another format.
void ComparedPair::updateDifference() {
    m_obstacle = differenceObstacle(first().pyramid(), second().pyramid());
    const bool possible = m_obstacle == DifferenceObstacle::None;
    const SideRenderer& minuend = m_given ? first() : second();
    const SideRenderer& subtrahend = m_given ? second() : first();
    m_difference.setPyramid(possible ? minuend.pyramid() : nullptr);
    m_difference.setCompared(subtrahend.pyramid());
    if (second().draft())
        m_difference.setComparedDraft(*second().draft());
    else
        m_difference.dropDraft();
}

QString ComparedPair::obstacleText() const {
    const auto describe = [](const SideRenderer& side) {
        const Image image = side.image();
        const int bits = 8 * bytesPerSample(image.format());
        const QString kind = isFloat(image.format()) ? tr("float")
                             : bits > 16             ? tr("sums of %1 bits").arg(bits)
                                                     : tr("%1 bits").arg(bits);
        const QString color = isColor(image.format()) ? tr("in colour") : tr("in grey");
        return QStringLiteral("%1 × %2, %3, %4")
            .arg(image.width())
            .arg(image.height())
            .arg(kind, color);
    };
    if (m_difference.draft() || m_obstacle == DifferenceObstacle::None) return {};
    if (m_obstacle == DifferenceObstacle::NoResult)
        return tr("No difference yet: there is no result.");
    return tr("No difference: the samples cannot be subtracted.\n%1: %2\n%3: %4")
        .arg(firstLabel(), describe(first()), secondLabel(), describe(second()));
}

std::optional<QPoint> ComparedPair::nextDiffering() {
    if (!m_given || m_given->differing.empty()) return std::nullopt;
    return m_given->differing[m_nextDiffering++ % m_given->differing.size()];
}

QString ComparedPair::firstLabel() const {
    return m_given ? m_given->firstLabel : tr("Source");
}

QString ComparedPair::secondLabel() const {
    return m_given ? m_given->secondLabel : tr("Result");
}

QString ComparedPair::caption(const SideRenderer& side, const QString& label) const {
    const QString range = m_display ? m_display->describe(side.image()) : QString();
    return range.isEmpty() ? label : label + QStringLiteral(" · ") + range;
}

QString ComparedPair::secondCaption() const {
    return second().isNull() ? tr("Source, no result yet") : caption(second(), secondLabel());
}

QString ComparedPair::differenceCaption() const {
    const QString minuend = m_given ? firstLabel() : secondLabel();
    const QString subtrahend = m_given ? secondLabel() : tr("source");
    QString text = m_style.kind == DifferenceKind::Absolute
                       ? QStringLiteral("|%1 − %2|").arg(minuend, subtrahend)
                       : QStringLiteral("%1 − %2").arg(minuend, subtrahend);
    text += QStringLiteral(" × %1").arg(m_style.gain);
    if (m_given && m_obstacle == DifferenceObstacle::None)
        text += QStringLiteral(" · ") + QString::fromStdString(describe(m_given->agreement));
    return text;
}

}  // namespace warpscope::gui
