#include "gui/canvas/compared_pair.h"

#include <algorithm>

#include "gui/display/display_settings.h"
#include "gui/widgets/engine_text.h"

namespace warpscope::gui {

void ComparedPair::setSource(PyramidPtr source) {
    m_source.setPyramid(std::move(source));
    m_part.reset();
    setResult(nullptr);
}

void ComparedPair::setResult(PyramidPtr result, const PixelMap& sourceFromResult) {
    m_result.setPyramid(std::move(result));
    m_result.dropDraft();
    m_resultPlace = m_result.isNull() ? placeOfSource(m_source.image().size())
                                      : ResultPlace{m_result.image().size(), sourceFromResult};
    updateLooks();
    updateDifference();
}

void ComparedPair::letGoOfResult(PyramidPtr copies) {
    // One that lies elsewhere than its drafts is gone already.
    if (!m_result.pyramid()) return;
    m_result.setPyramid(std::move(copies));
    updateDifference();
}

void ComparedPair::setDraft(const DraftReady& draft) {
    // A draft that says nothing lies over the source as it is.
    const ResultPlace place =
        draft.place.size.empty() ? placeOfSource(m_source.image().size()) : draft.place;
    if (place != m_resultPlace) m_result.setPyramid(nullptr);
    m_resultPlace = place;
    m_result.setDraft(draft);
    if (m_result.image().id() == 0) updateLooks();
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
    const DifferenceStyle wanted{style.kind, std::clamp(style.gain, 1, mostGain())};
    if (wanted == differenceStyle()) return false;
    m_style = wanted;
    updateLooks();
    return true;
}

int ComparedPair::mostGain() const {
    const Image image = first().image();
    return image.isNull() ? 1 << 24 : gui::mostGain(image.format());
}

DifferenceStyle ComparedPair::differenceStyle() const {
    return {m_style.kind, std::min(m_style.gain, mostGain())};
}

void ComparedPair::updateLooks() {
    const Image result = m_result.image();
    const auto lookOf = [&](const SideRenderer& side, bool highlighted) {
        Image image = side.image();
        if (image.id() == 0 && side.draft()) image = side.draft()->picture;
        DisplayLook look = m_display && image.id() != 0 ? m_display->lookFor(image) : DisplayLook{};
        // The range is in samples of the result: it means nothing for another depth.
        const bool alike = image.id() == 0 || result.id() == 0 ||
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
    subtracted.difference = differenceStyle();
    m_difference.setLook(subtracted);
}

// Two images subtract where they are alike; a draft does on its own, so that a slider shows its
// effect also while the last full result had another format.
void ComparedPair::updateDifference() {
    const PyramidPtr under = isCut()     ? m_given->commonFirst
                             : hasPart() ? m_part
                                         : first().pyramid();
    const PyramidPtr over = isCut() ? m_given->commonSecond : second().pyramid();
    const bool alike = isAsSource() || hasPart() || isCut();
    m_obstacle = alike ? differenceObstacle(under, over) : DifferenceObstacle::Size;
    const bool possible = m_obstacle == DifferenceObstacle::None;
    m_difference.setPyramid(!possible ? nullptr : m_given ? under : over);
    m_difference.setCompared(m_given ? over : under);
    // Reduced copies of the part are not parts of the source's reduced copies, of which drafts are
    // made.
    if (second().draft() && (isAsSource() || (alike && second().draft()->scale == 1)))
        m_difference.setComparedDraft(*second().draft());
    else
        m_difference.dropDraft();
}

std::optional<Image> ComparedPair::missingPart() const {
    const Image source = first().image(), result = second().image();
    const PixelMap& map = m_resultPlace.sourceFromResult;
    if (m_given || source.isNull() || result.isNull() || isAsSource() || hasPart()) return {};
    if (!map.isShift() || source.format() != result.format()) return {};
    const Rect part{int(map.dx), int(map.dy), result.width(), result.height()};
    if (!contains({0, 0, source.width(), source.height()}, part)) return {};
    return source.crop(part);
}

void ComparedPair::setPart(PyramidPtr part, const ResultPlace& place) {
    m_part = std::move(part);
    m_partPlace = place;
    updateDifference();
}

QString ComparedPair::placeText() const {
    const ResultPlace place = secondPlace();
    const PixelMap& map = place.sourceFromResult;
    if (map.isShift())
        return tr("is the part of %1 × %2 pixels at x %3, y %4")
            .arg(place.size.width)
            .arg(place.size.height)
            .arg(int(map.dx))
            .arg(int(map.dy));
    return map.keepsPixels() ? tr("is turned or mirrored") : tr("has pixels of another size");
}

QString ComparedPair::overlayObstacle() const {
    if (second().isNull() || secondPlace().sourceFromResult.keepsPixels()) return {};
    return tr("Source and result cannot be laid over each other.\nThe result %1; look at them side "
              "by side.")
        .arg(placeText());
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
    if (missingPart()) return tr("Subtracting …");
    if (!m_given && !isAsSource() && !hasPart())
        return tr("Difference cannot be shown: source and result are not the same pixels.\n"
                  "The result %1.")
            .arg(placeText());
    if (m_obstacle == DifferenceObstacle::NoResult)
        return tr("Difference cannot be shown yet: there is no result.");
    return tr("Difference cannot be shown: the samples cannot be subtracted.\n%1: %2\n%3: %4")
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

QString ComparedPair::caption(const SideRenderer& side, const QString& given) const {
    // Of images of two sizes, which lie over each other at the top left, both are named.
    const Image shown = side.image();
    const QString label =
        m_given && !isAsSource()
            ? QStringLiteral("%1, %2 × %3").arg(given).arg(shown.width()).arg(shown.height())
            : given;
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
    text += QStringLiteral(" × %1").arg(differenceStyle().gain);
    if (m_given && m_obstacle == DifferenceObstacle::None)
        text += QStringLiteral(" · ") + engineText(describe(m_given->agreement));
    if (isCut()) text += tr(" · where both are");
    return text;
}

}  // namespace warpscope::gui
