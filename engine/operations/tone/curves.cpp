#include "engine/operations/tone/curves.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace warpscope {
namespace {

constexpr int kMostPoints = 16;

OperationDescription describe() {
    return {
        .id = "curves",
        .label = "Curves",
        .category = "Tone",
        .summary = "Levels through a curve",
        .help =
            "Each level becomes what a curve through the given points says, the same one for red, "
            "green and blue. Raised in the middle it brightens, steeper it adds contrast. Levels "
            "left of the first point and right of the last one get the value of that point. Alpha "
            "passes unchanged.",
        .formula =
            "Levels of 8 bits on both axes, times 257 for 16 bits, over 255 for float. Integers: a "
            "table in double, rounded half up and clamped. Float: the curve itself, NaN stays; "
            "the two points 0:0 and 255:255 change nothing, also outside 0 to 1.\n"
            "Linear: y_k + (y_(k+1) - y_k) (x - x_k) / (x_(k+1) - x_k).\n"
            "Monotone: the cubic through both points with the slopes m, d_k the slopes of the "
            "straight lines: m_1 = d_1, m_n = d_(n-1), else the mean of both neighbours, 0 where "
            "their product is not above 0; where d_k = 0 both ends get 0; from left to right, with "
            "a = m_k / d_k and b = m_(k+1) / d_k, where a^2 + b^2 > 9 both slopes become 3 a d_k / "
            "sqrt(a^2 + b^2) and 3 b d_k / sqrt(a^2 + b^2).",
        .source = "Fritsch and Carlson 1980, Monotone piecewise cubic interpolation",
        .parameters = {pointsParameter(
                           "points", "Points", {{0, 0}, {255, 255}}, 2, kMostPoints,
                           {.unit = "grey levels", .hardMax = 255},
                           "Old and new level, x:y, x rising; 8-bit levels whatever the depth"),
                       choiceParameter(
                           "interpolation", "Between points",
                           {{"monotone", "Smooth",
                             "Rises and falls only where the points do, without overshoot"},
                            {"linear", "Straight", "Straight lines"}},
                           "How the curve goes from point to point")},
        .variants = {automaticVariant("A table that is made once; float: a cubic a sample")},
        .example = "points=0:0;96:140;255:255",
        .accepts = kFilterFormats,
        .mapsLevels = true};
}

// The slope of the straight line from each point to the next.
std::vector<double> secantsOf(const PointList& points) {
    std::vector<double> d;
    for (std::size_t k = 0; k + 1 < points.size(); ++k)
        d.push_back((points[k + 1].y - points[k].y) / (points[k + 1].x - points[k].x));
    return d;
}

// Fritsch and Carlson: slopes at the points between which no cubic overshoots.
std::vector<double> monotoneSlopes(const std::vector<double>& d) {
    std::vector<double> m(d.size() + 1);
    m.front() = d.front();
    m.back() = d.back();
    for (std::size_t k = 1; k < d.size(); ++k)
        m[k] = d[k - 1] * d[k] <= 0 ? 0 : (d[k - 1] + d[k]) / 2;
    for (std::size_t k = 0; k < d.size(); ++k) {
        if (d[k] == 0) {
            m[k] = m[k + 1] = 0;
            continue;
        }
        const double a = m[k] / d[k];
        const double b = m[k + 1] / d[k];
        if (a * a + b * b <= 9) continue;
        const double length = std::sqrt(a * a + b * b);
        if (!std::isfinite(length)) {
            // As good as level.
            m[k] = m[k + 1] = 0;
            continue;
        }
        m[k] = 3 * a * d[k] / length;
        m[k + 1] = 3 * b * d[k] / length;
    }
    return m;
}

// The curve from point to point; straight where the slopes at both ends are that of the line.
struct Curve {
    PointList points;
    std::vector<double> secants;
    // Two for each piece: at its begin and at its end.
    std::vector<double> begin, end;

    Curve(PointList given, bool monotone)
        : points(std::move(given)), secants(secantsOf(points)), begin(secants), end(secants) {
        if (!monotone) return;
        const std::vector<double> slopes = monotoneSlopes(secants);
        begin.assign(slopes.begin(), slopes.end() - 1);
        end.assign(slopes.begin() + 1, slopes.end());
    }

    // A piece as its line and what bends away from it: exact on lines.
    double at(double x) const {
        if (x <= points.front().x) return points.front().y;
        if (x >= points.back().x) return points.back().y;
        std::size_t k = 0;
        while (x >= points[k + 1].x) ++k;
        const double width = points[k + 1].x - points[k].x;
        const double rise = points[k + 1].y - points[k].y;
        const double dx = x - points[k].x;
        const double t = dx / width;
        const double a = width * (begin[k] - secants[k]);
        const double b = width * (secants[k] - end[k]);
        return points[k].y + rise * dx / width + t * (1 - t) * ((1 - t) * a + t * b);
    }
};

template <class T>
std::vector<T> tableOf(PointList points, bool monotone) {
    constexpr double kWhite = double(std::numeric_limits<T>::max());
    for (CurvePoint& point : points) point = {point.x * (kWhite / 255), point.y * (kWhite / 255)};
    const Curve curve(std::move(points), monotone);
    std::vector<T> table(std::size_t(kWhite) + 1);
    for (std::size_t v = 0; v < table.size(); ++v)
        table[v] = T(std::clamp(std::floor(curve.at(double(v)) + 0.5), 0.0, kWhite));
    return table;
}

// The smallest sample that lies at `level` or above.
float firstSample(double level) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    auto v = float(level / 255.0);
    while (255.0 * double(v) < level) v = std::nextafter(v, kInfinity);
    for (float less = v; 255.0 * double(less) >= level; less = std::nextafter(less, -kInfinity))
        v = less;
    return v;
}

SampleCurve sampleCurve(const PointList& points, bool monotone) {
    const Curve curve(points, monotone);
    SampleCurve made;
    for (std::size_t k = 0; k < points.size(); ++k) {
        CurvePiece piece{points[k].x, points[k].y / 255, 0, 0, 0};
        if (k + 1 < points.size()) {
            const double width = points[k + 1].x - points[k].x;
            const double d = curve.secants[k];
            const double fromBegin = curve.begin[k] - d;
            const double fromEnd = curve.end[k] - d;
            piece.c1 = curve.begin[k] / 255;
            piece.c2 = -(2 * fromBegin + fromEnd) / width / 255;
            piece.c3 = (fromBegin + fromEnd) / (width * width) / 255;
        }
        made.pieces.push_back(piece);
        made.begins.push_back(firstSample(points[k].x));
    }
    return made;
}

template <class T>
bool isIdentity(const std::vector<T>& table) {
    for (std::size_t level = 0; level < table.size(); ++level)
        if (table[level] != level) return false;
    return true;
}

Result<void> completePlan(const PlanRequest& request, CurvesPlan& plan) {
    const PointList& points = request.parameters.points("points");
    const bool monotone = request.parameters.choice("interpolation") == "monotone";
    if (isFloat(plan.input)) {
        plan.curve = sampleCurve(points, monotone);
        plan.identity = points == PointList{{0, 0}, {255, 255}};
    } else if (bytesPerSample(plan.input) == 1) {
        plan.table = tableOf<std::uint8_t>(points, monotone);
        plan.identity = isIdentity(plan.table);
    } else {
        plan.table16 = tableOf<std::uint16_t>(points, monotone);
        plan.identity = isIdentity(plan.table16);
    }
    // The axes end at the white of the format, whatever white the file had.
    plan.fillsRange = !plan.identity;
    plan.guessedMsPerMegapixel = isFloat(plan.input) ? 8 : 0.5;
    // A look-up a sample. Float: a comparison a piece, its scale, its limits and its place in the
    // piece, and a polynomial of three products and sums.
    plan.work = plan.colorSamples() *
                (isFloat(plan.input) ? double(plan.curve.pieces.size()) - 1 + 4 + 6 : 1);
    return {};
}

std::vector<ToneCurve> toneCurves(const CurvesPlan& plan) {
    if (!plan.table.empty()) return {toneCurveOf(HistogramChannel::Luma, plan.table)};
    if (!plan.table16.empty()) return {toneCurveOf(HistogramChannel::Luma, plan.table16)};
    ToneCurve made{HistogramChannel::Luma, {}};
    for (int level = 0; level <= 255; ++level)
        made.outputs.push_back(double(plan.curve(float(level) / 255.0f)));
    return {made};
}

}  // namespace

const Operation& curves_operation() {
    static const OperationOf<CurvesPlan> operation(describe(), completePlan, runCurvesCpu,
                                                   toneCurves);
    return operation;
}

}  // namespace warpscope
