// Parameters of operations: declared once (ParamSpec), carried as values (ParamSet), checked in one
// place.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/result.h"

namespace warpscope {

enum class ParamKind {
    Integer,
    Real,
    Choice,
    // PointList, x rising.
    Points,
    // IntMatrix with odd sides.
    Matrix,
    // Text: which image is the second input. "source", "second" (the other image that is open) or
    // "step:NAME".
    Image
};

struct CurvePoint {
    double x = 0;
    double y = 0;
    friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};
using PointList = std::vector<CurvePoint>;

// Rows from above, each from the left.
struct IntMatrix {
    int columns = 0;
    std::vector<std::int32_t> values;

    int rows() const { return columns ? int(values.size()) / columns : 0; }
    friend bool operator==(const IntMatrix&, const IntMatrix&) = default;
};

struct ChoiceSpec {
    // In files and on the command line.
    std::string id;
    // In the window.
    std::string label;
    std::string help;
};

// Whole numbers are exact in a double up to 2^53, far beyond every range
// used here.
using ParamValue = std::variant<std::int64_t, double, std::string, PointList, IntMatrix>;

struct PresetSpec {
    // May stand for the value wherever text is read.
    std::string id;
    std::string label;
    ParamValue value;
};

// What holds for numbers. Written with designated initializers: all may be left out.
struct NumberSpec {
    // "px", "grey levels", ...
    std::string unit = {};
    // Outside is an error.
    double hardMin = 0;
    double hardMax = 1;
    // What a slider spans; typing may leave it within the hard range.
    double sliderMin = hardMin;
    double sliderMax = hardMax;
    // One wheel notch or arrow key.
    double step = 1;
    // The slider's position is the logarithm of the value.
    bool logarithmic = false;
    // Scaled with the image when a draft works on a reduced one: what is in pixels is.
    bool spatial = unit == "px";
    // 0 is no number of pixels: it lets the operation choose.
    bool zeroIsAutomatic = false;
    // Further rule on a value inside the hard range, "" if it is fine, else what is wrong ("must be
    // 0 or odd"). May be null.
    const char* (*rule)(double value) = nullptr;
};

// The hard range holds for both coordinates of a point and for every entry of a matrix.
struct ParamSpec : NumberSpec {
    std::string id;
    std::string label;
    ParamKind kind = ParamKind::Real;
    // Of that kind.
    ParamValue defaultValue;
    std::vector<ChoiceSpec> choices;
    std::string help;
    // Points: how many there may be. Matrix: how long its sides.
    int leastCount = 1;
    int mostCount = 1;
    // Points and Matrix: values with a name.
    std::vector<PresetSpec> presets = {};

    const ChoiceSpec* findChoice(std::string_view choiceId) const;
};

// A whole number if the default is one (1), else a real one (1.0).
ParamSpec numberParameter(std::string id, std::string label, ParamValue defaultValue,
                          NumberSpec number, std::string help);
// The first choice is the default.
ParamSpec choiceParameter(std::string id, std::string label, std::vector<ChoiceSpec> choices,
                          std::string help);

// 2 to 16 points, say. `number` gives range and unit of both axes.
ParamSpec pointsParameter(std::string id, std::string label, PointList defaultValue, int least,
                          int most, NumberSpec number, std::string help);
// Sides up to `most`; `number` gives the range of an entry.
ParamSpec matrixParameter(std::string id, std::string label, IntMatrix defaultValue, int most,
                          NumberSpec number, std::vector<PresetSpec> presets, std::string help);
// Which image is the second input; "source" is the default.
ParamSpec imageParameter(std::string id, std::string label, std::string help);

// Parameter id to value. A set that went through resolveParameters has every parameter of its
// operation and nothing else.
class ParamSet {
  public:
    bool contains(std::string_view id) const { return m_values.find(id) != m_values.end(); }
    void set(std::string id, ParamValue value) { m_values[std::move(id)] = std::move(value); }
    const ParamValue* find(std::string_view id) const;

    // For resolved sets: the parameter must be there with that kind.
    std::int64_t integer(std::string_view id) const;
    double real(std::string_view id) const;
    const std::string& choice(std::string_view id) const;  // Choice and Image
    const PointList& points(std::string_view id) const;
    const IntMatrix& matrix(std::string_view id) const;

    const std::map<std::string, ParamValue, std::less<>>& values() const { return m_values; }
    friend bool operator==(const ParamSet&, const ParamSet&) = default;

  private:
    std::map<std::string, ParamValue, std::less<>> m_values;
};

// The second input that an Image parameter names.
struct ImageReference {
    enum class Kind { Source, Second, Step };
    Kind kind = Kind::Source;
    // Name of an earlier step of the chain.
    std::string step;

    friend bool operator==(const ImageReference&, const ImageReference&) = default;
};
// Nothing for a text that names none.
std::optional<ImageReference> imageReference(std::string_view text);
// Letters, digits, '_' and '-', at most 64: a name that a step can have.
bool isStepName(std::string_view name);

// The shortest text that reads back as the same value: "1.5", "3", "weighted601",
// "0:0;128:140;255:255", "1 2 1;2 4 2;1 2 1".
std::string toText(const ParamValue& value);

// "integer", "real", "choice", "points", "matrix", "image".
std::string_view kindId(ParamKind kind);
// What values there are, for lists and help: "0.3 to 100 px", "classic, full", "2 to 16 points x:y
// between ;, both from 0 to 255".
std::string allowedText(const ParamSpec& spec);

// Checks one value against its spec. The id of a preset is taken for its value; a whole-number
// double is taken for Integer, an integer for
// Real. Errors (InvalidArgument): "sigma is 900, allowed are 0.3 to 100", with the parameter's id.
Result<ParamValue> checkParameter(const ParamSpec& spec, const ParamValue& value);

// Reads a value from text (command line, typed into the window). Errors as checkParameter, and
// "sigma: 'abc' is not a number".
Result<ParamValue> parseParameter(const ParamSpec& spec, std::string_view text);

// Fills in defaults, checks every value. Errors (InvalidArgument, NotFound for an unknown id,
// naming the known ones).
Result<ParamSet> resolveParameters(const std::vector<ParamSpec>& specs, const ParamSet& given);

}  // namespace warpscope
