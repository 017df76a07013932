#include "gui/display/display_settings.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "gui/base/task_runner.h"
#include "gui/display/screen_colors.h"

namespace warpscope::gui {
namespace {

constexpr std::int64_t kSampledPixels = 1 << 20;
constexpr double kLowShare = 0.001;
constexpr double kHighShare = 0.999;
// Of the full range: what lies within it, at either end, is hard to see.
constexpr double kPoorShare = 0.125;

int colorsOf(const Image& image) {
    return isColor(image.format()) ? 3 : 1;
}

template <class T, class Visit>
void visitSamples(const Image& image, int step, const Visit& visit) {
    const auto view = image.view<T>();
    const int colors = colorsOf(image);
    for (int y = 0; y < view.height; y += step) {
        const T* row = view.row(y);
        for (int x = 0; x < view.width; x += step)
            for (int c = 0; c < colors; ++c) {
                const double v = double(row[std::ptrdiff_t(x) * view.channels + c]);
                if (std::isfinite(v)) visit(v);
            }
    }
}

}  // namespace

std::optional<DisplayRange> extremesOf(const Image& image) {
    if (image.isNull()) return std::nullopt;
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    visitSampleType(image.format(), [&]<class T>() {
        visitSamples<T>(image, 1, [&](double v) {
            low = std::min(low, v);
            high = std::max(high, v);
        });
    });
    if (low > high) return std::nullopt;
    return DisplayRange{low, high};
}

std::optional<DisplayRange> beyondNatural(const Image& image) {
    if (image.isNull() || !isFloat(image.format())) return std::nullopt;
    const auto extremes = extremesOf(image);
    const DisplayRange natural = naturalRange(image);
    if (!extremes || (extremes->low >= natural.low && extremes->high <= natural.high))
        return std::nullopt;
    // One value alone needs no black and white of its own.
    return extremes->low < extremes->high ? extremes : std::nullopt;
}

std::optional<DisplayRange> percentilesOf(const Image& image) {
    if (image.isNull()) return std::nullopt;
    const double every = std::sqrt(double(image.size().pixels()) / double(kSampledPixels));
    const int step = std::max(1, int(std::ceil(every)));
    std::vector<double> samples;
    visitSampleType(image.format(), [&]<class T>() {
        visitSamples<T>(image, step, [&](double v) { samples.push_back(v); });
    });
    if (samples.empty()) return std::nullopt;
    const auto at = [&samples](double share) {
        const auto place =
            samples.begin() + std::ptrdiff_t(std::llround(share * double(samples.size() - 1)));
        std::nth_element(samples.begin(), place, samples.end());
        return *place;
    };
    const double low = at(kLowShare);
    return DisplayRange{low, at(kHighShare)};
}

DisplaySettings::DisplaySettings(QObject* parent) : QObject(parent) {}

DisplaySettings::~DisplaySettings() = default;

std::size_t DisplaySettings::kindOf(const Image& image) {
    switch (image.format()) {
        case PixelFormat::Gray8:
        case PixelFormat::Rgba8:
            return 0;
        case PixelFormat::Gray16:
        case PixelFormat::Rgba16:
            return 1;
        case PixelFormat::GrayF32:
        case PixelFormat::RgbaF32:
            return 2;
        case PixelFormat::Gray32:
            return 3;
        case PixelFormat::Gray64:
            break;
    }
    return 4;
}

void DisplaySettings::setChoice(RangeChoice choice) {
    setFor(choice, false);
}

void DisplaySettings::setFor(RangeChoice choice, bool byItself) {
    m_choseItself = byItself;
    if (choice == m_choice) return;
    m_choice = choice;
    measureAll();
    emit changed();
}

void DisplaySettings::setLogarithmic(bool on) {
    if (on == m_logarithmic) return;
    m_logarithmic = on;
    emit changed();
}

void DisplaySettings::setView(const ViewLook& view) {
    ViewLook wanted = view;
    wanted.stops = std::clamp(wanted.stops, -kMostStops, kMostStops);
    wanted.gamma = std::clamp(wanted.gamma, kLeastGamma, kMostGamma);
    if (wanted == m_view) return;
    m_view = wanted;
    emit changed();
}

void DisplaySettings::setProfileShown(bool shown) {
    if (shown == m_profileShown) return;
    m_profileShown = shown;
    emit changed();
}

void DisplaySettings::resetLook() {
    if (isNatural()) return;
    m_view = {};
    m_logarithmic = false;
    m_choseItself = false;
    m_choice = RangeChoice::Natural;
    measureAll();
    emit changed();
}

void DisplaySettings::setManual(const Image& like, DisplayRange range) {
    if (like.id() == 0 || !(range.low < range.high)) return;
    m_manual[kindOf(like)] = range;
    m_choice = RangeChoice::Manual;
    m_choseItself = false;
    emit changed();
}

DisplayState DisplaySettings::state() const {
    return {m_choseItself ? RangeChoice::Natural : m_choice, m_logarithmic, m_manual, m_view,
            m_profileShown};
}

void DisplaySettings::setState(const DisplayState& state) {
    m_manual = {};
    for (std::size_t kind = 0; kind < kRangeKinds; ++kind)
        if (state.manual[kind] && state.manual[kind]->low < state.manual[kind]->high)
            m_manual[kind] = state.manual[kind];
    m_choseItself = false;
    m_choice = state.choice;
    m_logarithmic = state.logarithmic;
    m_profileShown = state.profileShown;
    m_view = state.view;
    m_view.stops = std::clamp(m_view.stops, -kMostStops, kMostStops);
    m_view.gamma = std::clamp(m_view.gamma, kLeastGamma, kMostGamma);
    measureAll();
    emit changed();
}

void DisplaySettings::setImages(const Image& source, const Image& result) {
    // One whose samples were let go may come again, whole.
    if (source.id() == m_source.id() && result.id() == m_result.id() &&
        result.isNull() == m_result.isNull())
        return;
    const bool another = source.id() != m_source.id();
    m_source = source;
    m_result = result;
    if (another && std::exchange(m_choseItself, false)) m_choice = RangeChoice::Natural;
    measureAll();
    emit changed();
    if (another) judgeSource();
}

void DisplaySettings::judgeSource() {
    if (m_source.isNull() || bytesPerSample(m_source.format()) == 1 ||
        m_choice != RangeChoice::Natural || m_logarithmic)
        return;
    if (!m_tasks) m_tasks = std::make_unique<TaskRunner>();
    m_tasks->run([this, image = m_source]() -> TaskRunner::Finish {
        const auto most = percentilesOf(image);
        if (!most || !(most->low < most->high)) return {};
        DisplayRange full = naturalRange(image);
        if (const auto beyond = beyondNatural(image)) full = *beyond;
        const double width = full.high - full.low;
        const bool dark = most->high < full.low + kPoorShare * width;
        const bool bright = most->low > full.high - kPoorShare * width;
        if (width <= 0 || (!dark && !bright)) return {};
        return [this, bright, id = image.id()] {
            if (m_source.id() != id || m_choice != RangeChoice::Natural) return;
            if (m_byItself) setFor(RangeChoice::Percentiles, true);
            emit poorlyShown(m_byItself, bright);
        };
    });
}

bool DisplaySettings::hasChannels() const {
    const auto has = [](const Image& image) { return image.id() != 0 && isColor(image.format()); };
    return has(m_source) || has(m_result);
}

void DisplaySettings::setResultAlone(bool alone) {
    if (alone == m_resultAlone) return;
    m_resultAlone = alone;
    if (m_choice != RangeChoice::MinMax && m_choice != RangeChoice::Percentiles) return;
    measureAll();
    emit changed();
}

void DisplaySettings::setResultLabels(bool labels) {
    if (labels == m_resultLabels) return;
    m_resultLabels = labels;
    emit changed();
}

const Image& DisplaySettings::leading() const {
    const bool chosen = m_choice == RangeChoice::MinMax || m_choice == RangeChoice::Percentiles;
    const bool alike =
        !m_source.isNull() && m_result.id() != 0 && kindOf(m_source) == kindOf(m_result);
    return m_resultAlone && chosen && alike ? m_result : m_source;
}

void DisplaySettings::measureAll() {
    if (!m_source.isNull()) measure(leading());
    if (m_result.id() != 0 && (m_source.isNull() || kindOf(m_result) != kindOf(m_source)))
        measure(m_result);
}

void DisplaySettings::measure(const Image& image) {
    if (m_choice == RangeChoice::Manual) return;
    if (m_choice == RangeChoice::Natural && !isFloat(image.format())) return;
    Measured& known = m_measured[kindOf(image)];
    if (known.image == image.id() && known.choice == m_choice) return;
    // The old range stays in use until the new one is there, so that the picture does not flicker;
    // that of another choice does not.
    if (known.choice != m_choice) known.range.reset();
    known.image = image.id();
    known.choice = m_choice;
    for (const Measured& before : m_known)
        if (before.image == image.id() && before.choice == m_choice) {
            known = before;
            return;
        }
    // Whose samples were let go: whatever comes next is looked at.
    if (image.isNull()) {
        known.image = 0;
        return;
    }
    if (!m_tasks) m_tasks = std::make_unique<TaskRunner>();
    m_tasks->run([this, image, choice = m_choice]() -> TaskRunner::Finish {
        const auto range = choice == RangeChoice::Natural  ? beyondNatural(image)
                           : choice == RangeChoice::MinMax ? extremesOf(image)
                                                           : percentilesOf(image);
        return [this, id = image.id(), kind = kindOf(image), choice, range] {
            Measured& wanted = m_measured[kind];
            if (wanted.image != id || wanted.choice != choice) return;
            wanted.range = range;
            m_known[m_nextKnown++ % m_known.size()] = wanted;
            emit changed();
        };
    });
}

std::optional<DisplayRange> DisplaySettings::rangeFor(const Image& image) const {
    if (image.id() == 0) return std::nullopt;
    const std::size_t kind = kindOf(image);
    if (m_choice == RangeChoice::Manual) return m_manual[kind];
    return m_measured[kind].choice == m_choice ? m_measured[kind].range : std::nullopt;
}

DisplayLook DisplaySettings::lookFor(const Image& image) const {
    DisplayLook look;
    look.range = rangeFor(image);
    look.logarithmic = m_logarithmic;
    look.view = m_view;
    if (m_resultLabels && m_view.map == ColorMap::None && image.id() == m_result.id() &&
        image.format() == PixelFormat::Gray32)
        look.view.map = ColorMap::Labels;
    // A single channel, and false colours, are figures and no colours.
    if (m_profileShown && !look.view.isScalar()) look.profile = screenColorsOf(image);
    return look;
}

StillLook DisplaySettings::stillLookFor(const Image& image) const {
    if (image.isNull()) return {};
    DisplayLook look = lookFor(image);
    look.view.zebra = false;
    const bool plain = m_choice == RangeChoice::Natural && !m_logarithmic && m_view.stops == 0 &&
                       m_view.gamma == 1;
    const bool deep = bytesPerSample(image.format()) > 1;
    RangeChoice choice = plain && deep ? RangeChoice::Percentiles : m_choice;
    if (choice != m_choice || !look.range) {
        const auto range = choice == RangeChoice::Percentiles ? percentilesOf(image)
                           : choice == RangeChoice::MinMax    ? extremesOf(image)
                                                              : std::nullopt;
        // One value alone needs no black and white of its own.
        if (range && range->low < range->high)
            look.range = range;
        else
            choice = m_choice;
    }
    return {look, words(image, choice, look)};
}

QString DisplaySettings::describe(const Image& image) const {
    return words(image, m_choice, lookFor(image));
}

QString DisplaySettings::words(const Image& image, RangeChoice choice,
                               const DisplayLook& look) const {
    QString text;
    if (const auto& range = look.range) {
        const auto number = [](double v) { return QString::number(v, 'g', 5); };
        const QString how = choice == RangeChoice::Natural       ? tr("all values")
                            : choice == RangeChoice::MinMax      ? tr("minimum to maximum")
                            : choice == RangeChoice::Percentiles ? tr("percentiles 0.1 to 99.9")
                                                                 : tr("set by hand");
        text = tr("black %1, white %2 (%3)").arg(number(range->low), number(range->high), how);
    }
    if (look.logarithmic && image.id() != 0)
        text += (text.isEmpty() ? QString() : QStringLiteral(", ")) + tr("logarithmic");
    const QString view = image.id() == 0 ? QString() : lookText(look.view, isColor(image.format()));
    if (!view.isEmpty()) text += (text.isEmpty() ? QString() : QStringLiteral(", ")) + view;
    if (const auto profile = screenColorsOf(image); profile && !look.view.isScalar()) {
        QString name = QString::fromStdString(profile->name());
        if (name.isEmpty()) name = tr("the image's profile");
        text += (text.isEmpty() ? QString() : QStringLiteral(", ")) +
                (m_profileShown ? tr("colours of %1").arg(name)
                                : tr("colours as stored, not of %1").arg(name));
    }
    return text;
}

}  // namespace warpscope::gui
