#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>

#include "engine/pipeline/parameter_json.h"
#include "engine/pipeline/pipeline.h"
#include "engine/pipeline/strict_json.h"

namespace warpscope {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kSchemaName = "warpscope-pipeline/";
constexpr int kSchemaVersion = 1;

tl::unexpected<Error> wrong(std::string_view place, std::string_view what) {
    return fail(ErrorCode::InvalidArgument,
                place.empty() ? std::string(what) : fmt::format("{}: {}", place, what));
}

std::string inQuotes(std::string_view name) {
    return "'" + printable(name) + "'";
}

Result<void> requireObject(const Json& value, std::string_view place,
                           std::initializer_list<std::string_view> keys) {
    if (!value.is_object())
        return wrong(place, fmt::format("must be an object, is {}", value.type_name()));
    for (const auto& item : value.items()) {
        if (std::find(keys.begin(), keys.end(), item.key()) == keys.end()) {
            return wrong(place, fmt::format("unknown key {}; known are {}", inQuotes(item.key()),
                                            fmt::join(keys, ", ")));
        }
    }
    return {};
}

Result<void> checkSchema(const Json& root) {
    const auto schema = root.find("schema");
    if (schema == root.end()) return wrong("schema", "is missing");
    if (!schema->is_string()) return wrong("schema", "must be a string");
    const auto& text = schema->get_ref<const std::string&>();
    int version = 0;
    const char* end = text.data() + text.size();
    if (!text.starts_with(kSchemaName)) {
        return wrong("schema", fmt::format("{} is not a pipeline of this program; expected '{}{}'",
                                           inQuotes(text), kSchemaName, kSchemaVersion));
    }
    const auto read = std::from_chars(text.data() + kSchemaName.size(), end, version);
    if (read.ec == std::errc{} && read.ptr == end && version > kSchemaVersion) {
        return fail(ErrorCode::Unsupported,
                    fmt::format("schema: {} was written by a newer version of this program, which "
                                "reads '{}{}'",
                                inQuotes(text), kSchemaName, kSchemaVersion));
    }
    if (read.ec != std::errc{} || read.ptr != end || version != kSchemaVersion) {
        return wrong("schema", fmt::format("{} is not known; expected '{}{}'", inQuotes(text),
                                           kSchemaName, kSchemaVersion));
    }
    return {};
}

Result<ParamSet> readParameters(const Json& object, std::string_view place,
                                const OperationDescription& description) {
    if (!object.is_object())
        return wrong(place, fmt::format("must be an object, is {}", object.type_name()));
    ParamSet parameters;
    for (const auto& item : object.items()) {
        const ParamSpec* spec = description.findParameter(item.key());
        if (!spec) {
            std::string known;
            for (const ParamSpec& parameter : description.parameters)
                known += (known.empty() ? "" : ", ") + parameter.id;
            return wrong(place, fmt::format("{} has no parameter {}; {}", description.id,
                                            inQuotes(item.key()),
                                            known.empty() ? "it has none" : "there are " + known));
        }
        const std::string where = fmt::format("{}.{}", place, item.key());
        auto value = parameterFromJson(item.value());
        if (!value) return wrong(where, value.error().message);
        auto checked = checkParameter(*spec, *value);
        if (!checked) return wrong(where, checked.error().message);
        parameters.set(item.key(), std::move(*checked));
    }
    auto resolved = resolveParameters(description.parameters, parameters);
    if (!resolved) return wrong(place, resolved.error().message);
    return resolved;
}

Result<Step> readStep(const Json& object, const std::string& place) {
    const auto known =
        requireObject(object, place, {"operation", "variant", "enabled", "name", "parameters"});
    if (!known) return fail(known.error());

    const auto id = object.find("operation");
    if (id == object.end()) return wrong(place, "operation is missing");
    if (!id->is_string()) return wrong(place + ".operation", "must be a string");
    auto step = makeStep(printable(id->get_ref<const std::string&>()));
    if (!step) return wrong(place + ".operation", step.error().message);
    const OperationDescription& description = findOperation(step->operation)->description();

    if (const auto variant = object.find("variant"); variant != object.end()) {
        if (!variant->is_string()) return wrong(place + ".variant", "must be a string");
        step->variant = printable(variant->get_ref<const std::string&>());
        const auto checked = checkStep(*step);
        if (!checked) return wrong(place + ".variant", checked.error().message);
    }
    if (const auto enabled = object.find("enabled"); enabled != object.end()) {
        if (!enabled->is_boolean()) return wrong(place + ".enabled", "must be true or false");
        step->enabled = enabled->get<bool>();
    }
    if (const auto name = object.find("name"); name != object.end()) {
        if (!name->is_string()) return wrong(place + ".name", "must be a string");
        step->name = printable(name->get_ref<const std::string&>());
        if (const auto checked = checkStep(*step); step->name.empty() || !checked)
            return wrong(place + ".name",
                         step->name.empty() ? "is empty" : checked.error().message);
    }
    if (const auto given = object.find("parameters"); given != object.end()) {
        auto parameters = readParameters(*given, place + ".parameters", description);
        if (!parameters) return fail(parameters.error());
        step->parameters = std::move(*parameters);
    }
    return step;
}

}  // namespace

std::string toJson(const Pipeline& pipeline) {
    using Ordered = nlohmann::ordered_json;
    Ordered steps = Ordered::array();
    for (const Step& step : pipeline.steps) {
        Ordered object;
        object["operation"] = step.operation;
        object["variant"] = step.variant;
        object["enabled"] = step.enabled;
        if (!step.name.empty()) object["name"] = step.name;
        object["parameters"] = parametersToJson(step.parameters);
        steps.push_back(std::move(object));
    }
    Ordered root;
    root["schema"] = fmt::format("{}{}", kSchemaName, kSchemaVersion);
    root["steps"] = std::move(steps);
    return root.dump(2, ' ', false, Ordered::error_handler_t::replace) + "\n";
}

Result<Pipeline> pipelineFromJson(std::string_view text) {
    JsonLimits limits;
    limits.bytes = kMaxPipelineBytes;
    limits.arrayLength = kMaxSteps;
    auto root = parseStrictJson(text, limits);
    if (!root) return fail(root.error());
    if (!root->is_object())
        return wrong("", fmt::format("a pipeline is an object, not {}", root->type_name()));
    // Before the keys: a newer version may well have keys that this one does not know.
    if (const auto schema = checkSchema(*root); !schema) return fail(schema.error());
    if (const auto known = requireObject(*root, "", {"schema", "steps"}); !known)
        return fail(known.error());
    const auto steps = root->find("steps");
    if (steps == root->end()) return wrong("steps", "is missing");
    if (!steps->is_array())
        return wrong("steps", fmt::format("must be a list, is {}", steps->type_name()));
    Pipeline pipeline;
    for (std::size_t i = 0; i < steps->size(); ++i) {
        auto step = readStep((*steps)[i], fmt::format("steps[{}]", i));
        if (!step) return fail(step.error());
        pipeline.steps.push_back(std::move(*step));
    }
    // What no step can tell by itself: two of one name.
    return checkPipeline(pipeline);
}

}  // namespace warpscope
