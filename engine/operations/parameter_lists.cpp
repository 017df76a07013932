#include "engine/operations/parameter_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warpscope {
namespace {

constexpr std::string_view kStepPrefix = "step:";
constexpr std::size_t kMaxNameLength = 64;

tl::unexpected<Error> wrongList(const ParamSpec& spec, const std::string& what) {
    return fail(ErrorCode::InvalidArgument, fmt::format("{}: {}", spec.id, what));
}

std::string allowedNumbers(const ParamSpec& spec) {
    return fmt::format("allowed are {} to {}", spec.hardMin, spec.hardMax);
}

bool inRange(const ParamSpec& spec, double value) {
    return value >= spec.hardMin && value <= spec.hardMax;
}

Result<ParamValue> checkPoints(const ParamSpec& spec, PointList points) {
    const auto count = int(std::min<std::size_t>(points.size(), 1'000'000));
    if (count < spec.leastCount || count > spec.mostCount)
        return wrongList(
            spec, fmt::format("{} point{}, allowed are {} to {}", points.size(),
                              points.size() == 1 ? "" : "s", spec.leastCount, spec.mostCount));
    for (std::size_t i = 0; i < points.size(); ++i) {
        CurvePoint& point = points[i];
        // Adding zero turns -0 into 0, which would otherwise be equal and yet another text.
        point = {point.x + 0.0, point.y + 0.0};
        const std::string text = fmt::format("point {}:{}", point.x, point.y);
        if (!inRange(spec, point.x) || !inRange(spec, point.y))
            return wrongList(spec, text + " is out of range, " + allowedNumbers(spec));
        if (i > 0 && point.x <= points[i - 1].x)
            return wrongList(spec, fmt::format("{} does not lie right of {}:{}; x must rise", text,
                                               points[i - 1].x, points[i - 1].y));
    }
    return points;
}

Result<ParamValue> checkMatrix(const ParamSpec& spec, const IntMatrix& matrix) {
    const int columns = matrix.columns;
    const int rows = matrix.rows();
    if (columns < 1 || rows < 1 || matrix.values.size() != std::size_t(columns) * std::size_t(rows))
        return wrongList(spec, "the rows of a matrix are equally long and not empty");
    const auto fits = [&](int side) {
        return side % 2 == 1 && side >= spec.leastCount && side <= spec.mostCount;
    };
    if (!fits(columns) || !fits(rows))
        return wrongList(spec, fmt::format("{} x {}, but sides are odd, from {} to {}", columns,
                                           rows, spec.leastCount, spec.mostCount));
    for (const std::int32_t value : matrix.values)
        if (!inRange(spec, value))
            return wrongList(spec,
                             fmt::format("{} is out of range, {}", value, allowedNumbers(spec)));
    return matrix;
}

// Pieces of a text between separators; empty ones are kept.
std::vector<std::string_view> pieces(std::string_view text, char separator) {
    std::vector<std::string_view> found;
    while (true) {
        const std::size_t at = text.find(separator);
        found.push_back(trimmed(text.substr(0, at)));
        if (at == std::string_view::npos) return found;
        text.remove_prefix(at + 1);
    }
}

Result<PointList> readPoints(const ParamSpec& spec, std::string_view text) {
    PointList points;
    for (const std::string_view piece : pieces(text, ';')) {
        CurvePoint point;
        const std::size_t colon = piece.find(':');
        if (colon == std::string_view::npos ||
            readNumber(trimmed(piece.substr(0, colon)), point.x) != std::errc{} ||
            readNumber(trimmed(piece.substr(colon + 1)), point.y) != std::errc{})
            return wrongList(
                spec,
                fmt::format("'{}' is not a point of the form x:y (points stand between ;)", piece));
        points.push_back(point);
    }
    return points;
}

Result<IntMatrix> readMatrix(const ParamSpec& spec, std::string_view text) {
    IntMatrix matrix;
    for (const std::string_view line : pieces(text, ';')) {
        int columns = 0;
        std::string_view rest = line;
        while (!rest.empty()) {
            const std::size_t space = std::min(rest.find_first_of(" \t"), rest.size());
            std::int32_t value = 0;
            if (readNumber(rest.substr(0, space), value) != std::errc{})
                return wrongList(spec, fmt::format("'{}' is not a whole number of 32 bits",
                                                   rest.substr(0, space)));
            matrix.values.push_back(value);
            ++columns;
            rest = trimmed(rest.substr(space));
        }
        if (columns == 0 || (matrix.columns != 0 && columns != matrix.columns))
            return wrongList(spec,
                             "the rows of a matrix are equally long and not empty (numbers "
                             "stand between spaces, rows between ;)");
        matrix.columns = columns;
    }
    return matrix;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kSpace = " \t\r\n\f\v";
    const std::size_t first = text.find_first_not_of(kSpace);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::string_view kindId(ParamKind kind) {
    switch (kind) {
        case ParamKind::Integer:
            return "integer";
        case ParamKind::Real:
            return "real";
        case ParamKind::Choice:
            return "choice";
        case ParamKind::Points:
            return "points";
        case ParamKind::Matrix:
            return "matrix";
        case ParamKind::Image:
            return "image";
    }
    return "";
}

std::string allowedText(const ParamSpec& spec) {
    std::string text;
    const auto append = [&](const std::string& id) { text += (text.empty() ? "" : ", ") + id; };
    switch (spec.kind) {
        case ParamKind::Choice:
            for (const ChoiceSpec& choice : spec.choices) append(choice.id);
            return text;
        case ParamKind::Image:
            return "source, second, step:NAME";
        case ParamKind::Points:
            text = fmt::format("{} to {} points x:y between ;, both from {} to {}", spec.leastCount,
                               spec.mostCount, spec.hardMin, spec.hardMax);
            break;
        case ParamKind::Matrix:
            text = fmt::format("rows between ; of whole numbers, both sides odd and at most {}",
                               spec.mostCount);
            break;
        case ParamKind::Integer:
        case ParamKind::Real:
            text = fmt::format("{} to {}", spec.hardMin, spec.hardMax);
            if (!spec.unit.empty()) text += " " + spec.unit;
            break;
    }
    for (const PresetSpec& preset : spec.presets) append(preset.id);
    return text;
}

bool isStepName(std::string_view name) {
    return !name.empty() && name.size() <= kMaxNameLength &&
           std::all_of(name.begin(), name.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '_' || c == '-';
           });
}

std::optional<ImageReference> imageReference(std::string_view text) {
    using Kind = ImageReference::Kind;
    if (text == "source") return ImageReference{Kind::Source, {}};
    if (text == "second") return ImageReference{Kind::Second, {}};
    if (!text.starts_with(kStepPrefix)) return std::nullopt;
    const std::string_view name = text.substr(kStepPrefix.size());
    if (!isStepName(name)) return std::nullopt;
    return ImageReference{Kind::Step, std::string(name)};
}

std::string listText(const ParamValue& value) {
    std::string text;
    if (const auto* points = std::get_if<PointList>(&value)) {
        for (const CurvePoint& point : *points)
            text += fmt::format("{}{}:{}", text.empty() ? "" : ";", point.x, point.y);
    } else if (const auto* matrix = std::get_if<IntMatrix>(&value)) {
        for (std::size_t i = 0; i < matrix->values.size(); ++i) {
            const char* separator = i % std::size_t(matrix->columns) == 0 ? ";" : " ";
            text += fmt::format("{}{}", i == 0 ? "" : separator, matrix->values[i]);
        }
    }
    return text;
}

Result<ParamValue> checkList(const ParamSpec& spec, const ParamValue& value) {
    if (spec.kind == ParamKind::Image) {
        const auto* text = std::get_if<std::string>(&value);
        if (text && imageReference(*text)) return value;
        return wrongList(spec,
                         fmt::format("'{}' names no image; there are source, second and step:NAME",
                                     toText(value)));
    }
    if (const auto* text = std::get_if<std::string>(&value)) return parseList(spec, *text);
    if (spec.kind == ParamKind::Points)
        if (const auto* points = std::get_if<PointList>(&value)) return checkPoints(spec, *points);
    if (spec.kind == ParamKind::Matrix)
        if (const auto* matrix = std::get_if<IntMatrix>(&value)) return checkMatrix(spec, *matrix);
    return wrongList(spec, fmt::format("'{}' is not a list of {}", toText(value),
                                       spec.kind == ParamKind::Points ? "points" : "rows"));
}

Result<ParamValue> parseList(const ParamSpec& spec, std::string_view word) {
    if (spec.kind == ParamKind::Image) return checkList(spec, std::string(word));
    for (const PresetSpec& preset : spec.presets)
        if (preset.id == word) return checkList(spec, preset.value);
    if (spec.kind == ParamKind::Points) {
        auto points = readPoints(spec, word);
        if (!points) return fail(points.error());
        return checkPoints(spec, std::move(*points));
    }
    const auto matrix = readMatrix(spec, word);
    if (!matrix) return fail(matrix.error());
    return checkMatrix(spec, *matrix);
}

ParamSpec specOf(ParamKind kind, NumberSpec number, std::string id, std::string label,
                 ParamValue defaultValue, std::string help) {
    ParamSpec spec;
    static_cast<NumberSpec&>(spec) = std::move(number);
    spec.id = std::move(id);
    spec.label = std::move(label);
    spec.kind = kind;
    spec.defaultValue = std::move(defaultValue);
    spec.help = std::move(help);
    return spec;
}

ParamSpec pointsParameter(std::string id, std::string label, PointList defaultValue, int least,
                          int most, NumberSpec number, std::string help) {
    ParamSpec spec = specOf(ParamKind::Points, std::move(number), std::move(id), std::move(label),
                            std::move(defaultValue), std::move(help));
    spec.leastCount = least;
    spec.mostCount = most;
    return spec;
}

ParamSpec matrixParameter(std::string id, std::string label, IntMatrix defaultValue, int most,
                          NumberSpec number, std::vector<PresetSpec> presets, std::string help) {
    ParamSpec spec = specOf(ParamKind::Matrix, std::move(number), std::move(id), std::move(label),
                            std::move(defaultValue), std::move(help));
    spec.mostCount = most;
    spec.presets = std::move(presets);
    return spec;
}

ParamSpec imageParameter(std::string id, std::string label, std::string help) {
    return specOf(ParamKind::Image, {}, std::move(id), std::move(label), std::string("source"),
                  std::move(help));
}

}  // namespace warpscope
