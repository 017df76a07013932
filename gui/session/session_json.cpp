#include "gui/session/session_json.h"

#include <QFileInfo>
#include <charconv>
#include <nlohmann/json.hpp>

#include "engine/pipeline/strict_json.h"
#include "gui/session/json_fields.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kSchemaName = "warpscope-session/";
constexpr int kSchemaVersion = 1;
constexpr int kLongestPath = 16384;
constexpr int kLongestId = 64;
constexpr int kLongestRegion = 1 << 21;  // of a polygon with all corners that one may have
constexpr double kFar = 1e9;             // of positions, in pixels
constexpr int kFarPixel = 1 << 30;
constexpr int kLargestScene = 16384;
constexpr std::int64_t kMostScenePixels = 1 << 26;
constexpr std::size_t kMostLeft = 16;

constexpr const char* kModes[] = {"source", "result",     "side-by-side",
                                  "wipe",   "difference", "blink"};
constexpr const char* kRanges[] = {"full", "extremes", "percentiles", "manual"};
constexpr const char* kChannels[] = {"all", "red", "green", "blue", "alpha"};
constexpr const char* kMaps[] = {"none", "grey", "viridis", "magma", "fire", "diverging"};
constexpr const char* kScopes[] = {"waveform", "parade", "vectorscope"};
constexpr const char* kKinds[kRangeKinds] = {"8-bit", "16-bit", "float", "32-bit", "64-bit"};

std::string bytesOf(const QString& text) {
    return text.toStdString();
}

// --- writing ---

Json imageJson(const SessionImage& image) {
    Json json{{"path", bytesOf(image.path)}};
    if (!image.relative.isEmpty()) json["relative"] = bytesOf(image.relative);
    if (image.bytes >= 0) json["bytes"] = image.bytes;
    if (image.changedMs >= 0) json["changedMs"] = image.changedMs;
    if (!image.sha256.isEmpty()) json["sha256"] = bytesOf(image.sha256);
    return json;
}

Json spotJson(const ViewSpot& spot) {
    if (!spot.zoom) return Json{{"fitted", true}};
    return Json{{"zoom", *spot.zoom}, {"middle", Json{spot.middle.x(), spot.middle.y()}}};
}

Json displayJson(const DisplayState& display) {
    const ViewLook& view = display.view;
    Json manual = Json::object();
    for (std::size_t kind = 0; kind < kRangeKinds; ++kind)
        if (const auto& range = display.manual[kind])
            manual[kKinds[kind]] = Json{range->low, range->high};
    return Json{{"range", kRanges[int(display.choice)]},
                {"manual", manual},
                {"logarithmic", display.logarithmic},
                {"channel", kChannels[int(view.channel)]},
                {"falseColors", kMaps[int(view.map)]},
                {"exposure", view.stops},
                {"gamma", view.gamma},
                {"zebra", view.zebra},
                {"colorManaged", display.profileShown}};
}

Json panelsJson(const Session& session) {
    const HistogramOptions& options = session.histogram;
    const ScopeSwitches& scopes = session.scopes;
    Json panels{{"histogram",
                 {{"luminance", options.channels.luma},
                  {"red", options.channels.red},
                  {"green", options.channels.green},
                  {"blue", options.channels.blue},
                  {"source", options.source},
                  {"cumulative", options.cumulative},
                  {"logarithmic", options.scale == CountScale::Logarithmic}}},
                {"scopes",
                 {{"kind", kScopes[int(scopes.kind)]},
                  {"ofResult", scopes.ofResult},
                  {"logarithmic", scopes.logarithmic},
                  {"brightness", scopes.brightness}}}};
    if (const auto& strip = session.strip)
        panels["testStrip"] = {
            {"across", bytesOf(strip->across)}, {"acrossValues", strip->acrossCount},
            {"down", bytesOf(strip->down)},     {"downValues", strip->downCount},
            {"wholeRange", strip->wholeRange},  {"laterSteps", strip->laterSteps}};
    return panels;
}

Json imagesJson(const Session& session) {
    Json images = Json::object();
    if (!session.shown.path.isEmpty()) {
        images["shown"] = imageJson(session.shown);
        images["page"] = session.page + 1;
    }
    if (session.scene)
        images["scene"] = {{"size", {session.scene->size.width, session.scene->size.height}},
                           {"color", session.scene->color}};
    for (const SessionImage& image : session.list) images["list"].push_back(imageJson(image));
    for (const SessionKept& kept : session.kept) {
        Json json = imageJson(kept.image);
        if (kept.view) json["view"] = spotJson(*kept.view);
        if (kept.region) json["region"] = regionText(*kept.region);
        images["kept"].push_back(json);
    }
    if (!session.second.path.isEmpty()) images["second"] = imageJson(session.second);
    if (!session.compared.path.isEmpty()) images["compared"] = imageJson(session.compared);
    for (const QString& title : session.left) images["notKept"].push_back(bytesOf(title));
    return images;
}

// --- reading ---

SessionImage imageFrom(const JsonFields& json) {
    SessionImage image;
    json.text("path", image.path, kLongestPath);
    json.text("relative", image.relative, kLongestPath);
    json.integer("bytes", image.bytes, 0, INT64_MAX);
    json.integer("changedMs", image.changedMs, 0, INT64_MAX);
    json.text("sha256", image.sha256, 64);
    // A path from nowhere would mean another file in every folder.
    if (!image.path.isEmpty() && QFileInfo(image.path).isAbsolute()) return image;
    if (json.has("path")) json.wrong("path");
    return {};
}

SessionImage imageFrom(const JsonFields& images, const char* key) {
    return images.has(key) ? imageFrom(images.inside(key)) : SessionImage{};
}

ViewSpot spotFrom(const JsonFields& json) {
    ViewSpot spot;
    json.number("zoom", spot.zoom, 1e-9, kMaxZoom);
    if (const auto middle = json.numbers("middle", 2, -kFar, kFar))
        spot.middle = {(*middle)[0], (*middle)[1]};
    else
        spot.zoom.reset();  // where to is not known
    return spot;
}

std::optional<RegionShape> regionFrom(const JsonFields& json, const char* key) {
    QString text;
    json.text(key, text, kLongestRegion);
    if (text.isEmpty()) return std::nullopt;
    const auto region = regionFromText(text.toStdString());
    if (region) return *region;
    json.wrong(key);
    return std::nullopt;
}

void readImages(const JsonFields& images, ReadSession& read) {
    Session& session = read.session;
    session.shown = imageFrom(images, "shown");
    int page = 1;
    images.integer("page", page, 1, kFarPixel);
    session.page = page - 1;
    if (images.has("scene")) {
        const JsonFields scene = images.inside("scene");
        SessionScene wanted;
        scene.flag("color", wanted.color);
        if (const auto size = scene.integers("size", 2, 1, kLargestScene)) {
            wanted.size = {(*size)[0], (*size)[1]};
            if (wanted.size.pixels() <= kMostScenePixels)
                session.scene = wanted;
            else
                scene.wrong("size");
        }
    }
    images.each("list", kMaxSessionImages, [&](const Json& entry, const QString& place) {
        const SessionImage image = imageFrom(JsonFields(&entry, place, read.problems));
        if (!image.path.isEmpty()) session.list.push_back(image);
    });
    images.each("kept", kMaxSessionImages, [&](const Json& entry, const QString& place) {
        const JsonFields fields(&entry, place, read.problems);
        SessionKept kept{imageFrom(fields), std::nullopt, regionFrom(fields, "region")};
        if (fields.has("view")) kept.view = spotFrom(fields.inside("view"));
        if (!kept.image.path.isEmpty()) session.kept.push_back(kept);
    });
    images.each("notKept", kMostLeft, [&](const Json& entry, const QString&) {
        if (!entry.is_string()) return images.wrong("notKept");
        session.left << QString::fromStdString(printable(entry.get_ref<const std::string&>()));
    });
    session.second = imageFrom(images, "second");
    session.compared = imageFrom(images, "compared");
}

void readPipeline(const JsonFields& root, ReadSession& read) {
    if (const Json* json = root.find("pipeline")) {
        const auto pipeline = pipelineFromJson(json->dump());
        if (pipeline)
            read.session.pipeline = *pipeline;
        else
            read.problems << tr("the steps are damaged, those in the window stay: %1")
                                 .arg(engineText(pipeline.error().message));
        read.chainDamaged = !pipeline;
    }
    int step = 0;
    root.integer("selectedStep", step, 0, int(kMaxSteps));
    read.session.step = std::min(step, int(read.session.pipeline.steps.size())) - 1;
}

void readView(const JsonFields& view, Session& session) {
    view.choice("mode", kModes, session.mode);
    session.view = spotFrom(view);
    bool turned = false, signedDifference = false;
    double at = 0.5;
    view.integer("differenceGain", session.difference.gain, 1, 1 << 24);
    view.flag("differenceSigned", signedDifference);
    if (signedDifference) session.difference.kind = DifferenceKind::Signed;
    view.number("wipe", at, 0, 1);
    view.flag("wipeTurned", turned);
    if (turned) session.wipe.turn();
    session.wipe.moveTo(at);
}

void readDisplay(const JsonFields& json, DisplayState& display) {
    json.choice("range", kRanges, display.choice);
    const JsonFields manual = json.inside("manual");
    for (std::size_t kind = 0; kind < kRangeKinds; ++kind) {
        const auto ends = manual.numbers(kKinds[kind], 2, -1e300, 1e300);
        if (!ends) continue;
        if ((*ends)[0] < (*ends)[1])
            display.manual[kind] = DisplayRange{(*ends)[0], (*ends)[1]};
        else
            manual.wrong(kKinds[kind]);
    }
    json.flag("logarithmic", display.logarithmic);
    json.choice("channel", kChannels, display.view.channel);
    json.choice("falseColors", kMaps, display.view.map);
    json.number("exposure", display.view.stops, -kMostStops, kMostStops);
    json.number("gamma", display.view.gamma, kLeastGamma, kMostGamma);
    json.flag("zebra", display.view.zebra);
    json.flag("colorManaged", display.profileShown);
}

void readMarks(const JsonFields& marks, Session& session) {
    session.region = regionFrom(marks, "region");
    if (const auto line = marks.numbers("line", 4, -kFar, kFar))
        session.line = QLineF((*line)[0], (*line)[1], (*line)[2], (*line)[3]);
    const Json* pins = marks.find("pins");
    bool damaged = pins && (!pins->is_array() || pins->size() > 64);
    if (pins && !damaged)
        for (const Json& pin : *pins) {
            const bool pair = pin.is_array() && pin.size() == 2 && pin[0].is_number_integer() &&
                              pin[1].is_number_integer();
            const std::int64_t x = pair ? pin[0].get<std::int64_t>() : -1;
            const std::int64_t y = pair ? pin[1].get<std::int64_t>() : -1;
            if (x < 0 || y < 0 || x > kFarPixel || y > kFarPixel)
                damaged = true;
            else
                session.pins.emplace_back(int(x), int(y));
        }
    if (damaged) marks.wrong("pins");
}

void readPanels(const JsonFields& panels, Session& session) {
    const JsonFields histogram = panels.inside("histogram");
    HistogramOptions& options = session.histogram;
    histogram.flag("luminance", options.channels.luma);
    histogram.flag("red", options.channels.red);
    histogram.flag("green", options.channels.green);
    histogram.flag("blue", options.channels.blue);
    histogram.flag("source", options.source);
    histogram.flag("cumulative", options.cumulative);
    bool logarithmic = false;
    histogram.flag("logarithmic", logarithmic);
    options.scale = logarithmic ? CountScale::Logarithmic : CountScale::Linear;
    const JsonFields scopes = panels.inside("scopes");
    scopes.choice("kind", kScopes, session.scopes.kind);
    scopes.flag("ofResult", session.scopes.ofResult);
    scopes.flag("logarithmic", session.scopes.logarithmic);
    scopes.integer("brightness", session.scopes.brightness, -1000, 1000);
    if (!panels.has("testStrip")) return;
    const JsonFields json = panels.inside("testStrip");
    StripState& strip = session.strip.emplace();
    json.text("across", strip.across, kLongestId);
    json.integer("acrossValues", strip.acrossCount, 3, 9);
    json.text("down", strip.down, kLongestId);
    json.integer("downValues", strip.downCount, 3, 9);
    json.flag("wholeRange", strip.wholeRange);
    json.flag("laterSteps", strip.laterSteps);
}

Result<int> versionOf(const Json& root) {
    const auto schema = root.is_object() ? root.find("schema") : root.end();
    int version = 0;
    if (root.is_object() && schema != root.end() && schema->is_string()) {
        const auto& text = schema->get_ref<const std::string&>();
        const char* end = text.data() + text.size();
        if (text.starts_with(kSchemaName)) {
            const auto read = std::from_chars(text.data() + kSchemaName.size(), end, version);
            if (read.ec == std::errc{} && read.ptr == end && version > 0) return version;
        }
    }
    return fail(ErrorCode::InvalidArgument,
                tr("it is not a session of this program").toStdString());
}

}  // namespace

std::string toJson(const Session& session) {
    Json pins = Json::array();
    for (const QPoint& pin : session.pins) pins.push_back(Json{pin.x(), pin.y()});
    Json marks{{"pins", pins}};
    if (session.region) marks["region"] = regionText(*session.region);
    if (const auto& line = session.line)
        marks["line"] = Json{line->x1(), line->y1(), line->x2(), line->y2()};
    Json view = spotJson(session.view);
    view["mode"] = kModes[int(session.mode)];
    view["differenceGain"] = session.difference.gain;
    view["differenceSigned"] = session.difference.kind == DifferenceKind::Signed;
    view["wipe"] = session.wipe.at();
    view["wipeTurned"] = session.wipe.turned();
    const Json root{{"schema", std::string(kSchemaName) + std::to_string(kSchemaVersion)},
                    {"program", WARPSCOPE_VERSION},
                    {"images", imagesJson(session)},
                    {"pipeline", Json::parse(warpscope::toJson(session.pipeline))},
                    {"selectedStep", session.step + 1},
                    {"view", view},
                    {"display", displayJson(session.display)},
                    {"marks", marks},
                    {"panels", panelsJson(session)}};
    return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<ReadSession> sessionFromJson(std::string_view text) {
    const auto root = parseStrictJson(
        text, {.bytes = kMaxSessionBytes, .depth = 20, .arrayLength = kMaxSessionImages + 1});
    if (!root) return fail(root.error());
    const auto version = versionOf(*root);
    if (!version) return fail(version.error());
    ReadSession read;
    if (*version > kSchemaVersion)
        read.problems << tr("it was written by a newer version of Warpscope");
    const JsonFields fields(&*root, {}, read.problems);
    readImages(fields.inside("images"), read);
    readPipeline(fields, read);
    readView(fields.inside("view"), read.session);
    readDisplay(fields.inside("display"), read.session.display);
    readMarks(fields.inside("marks"), read.session);
    readPanels(fields.inside("panels"), read.session);
    return read;
}

}  // namespace warpscope::gui
