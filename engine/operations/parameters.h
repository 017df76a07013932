// Parameters of operations: declared once (ParamSpec), carried as values (ParamSet), checked in one
// place.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/result.h"

namespace warpscope {

enum class ParamKind { Integer, Real, Choice };

struct ChoiceSpec {
    // In files and on the command line.
    std::string id;
    // In the window.
    std::string label;
    std::string help;
};

// Whole numbers are exact in a double up to 2^53, far beyond every range
// used here.
using ParamValue = std::variant<std::int64_t, double, std::string>;

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

struct ParamSpec : NumberSpec {
    std::string id;
    std::string label;
    ParamKind kind = ParamKind::Real;
    // Of that kind.
    ParamValue defaultValue;
    std::vector<ChoiceSpec> choices;
    std::string help;

    const ChoiceSpec* findChoice(std::string_view choiceId) const;
};

// A whole number if the default is one (1), else a real one (1.0).
ParamSpec numberParameter(std::string id, std::string label, ParamValue defaultValue,
                          NumberSpec number, std::string help);
// The first choice is the default.
ParamSpec choiceParameter(std::string id, std::string label, std::vector<ChoiceSpec> choices,
                          std::string help);

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
    const std::string& choice(std::string_view id) const;

    const std::map<std::string, ParamValue, std::less<>>& values() const { return m_values; }
    friend bool operator==(const ParamSet&, const ParamSet&) = default;

  private:
    std::map<std::string, ParamValue, std::less<>> m_values;
};

// The shortest text that reads back as the same value: "1.5", "3", "weighted601".
std::string toText(const ParamValue& value);

// Checks one value against its spec. A whole-number double is taken for Integer, an integer for
// Real. Errors (InvalidArgument): "sigma is 900, allowed are 0.3 to 100", with the parameter's id.
Result<ParamValue> checkParameter(const ParamSpec& spec, const ParamValue& value);

// Reads a value from text (command line, typed into the window). Errors as checkParameter, and
// "sigma: 'abc' is not a number".
Result<ParamValue> parseParameter(const ParamSpec& spec, std::string_view text);

// Fills in defaults, checks every value. Errors (InvalidArgument, NotFound for an unknown id,
// naming the known ones).
Result<ParamSet> resolveParameters(const std::vector<ParamSpec>& specs, const ParamSet& given);

}  // namespace warpscope
