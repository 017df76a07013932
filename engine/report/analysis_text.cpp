#include "engine/report/analysis_text.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/report/text_table.h"

namespace warpscope {
namespace {

// Wider than most terminals.
constexpr std::size_t kWidestTable = 120;

std::string exactText(const TableCell& cell) {
    return std::visit([](const auto& value) { return fmt::format("{}", value); }, cell);
}

std::string shortText(const TableCell& cell) {
    const auto* real = std::get_if<double>(&cell);
    if (!real) return exactText(cell);
    return std::isnan(*real) ? "-" : fmt::format("{:.6g}", *real);
}

std::string headOf(const TableColumn& column) {
    return column.unit.empty() ? column.label : fmt::format("{} ({})", column.label, column.unit);
}

bool isText(const TableColumn& column) {
    return !column.cells.empty() && std::holds_alternative<std::string>(column.cells.front());
}

std::string asAligned(const AnalysisTable& table) {
    TextTable upright{{{}}, table.columns.size(), 0};
    TextTable turned{{}, 1, table.rows()};
    upright.lines.resize(table.rows() + 1);
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        const TableColumn& column = table.columns[c];
        Cells& line = turned.lines.emplace_back(Cells{headOf(column)});
        upright.lines[0].push_back(headOf(column));
        for (std::size_t row = 0; row < table.rows(); ++row) {
            line.push_back(shortText(column.cells[row]));
            upright.lines[row + 1].push_back(line.back());
        }
        if (isText(column)) continue;
        upright.firstNumber = std::min(upright.firstNumber, c);
        upright.lastNumber = c;
    }
    std::string text = alignedText(upright);
    const bool fits = text.find('\n') <= kWidestTable;
    return fits || table.rows() >= table.columns.size() ? text : alignedText(turned);
}

std::string asCsv(const AnalysisTable& table) {
    Cells line;
    for (const TableColumn& column : table.columns) line.push_back(column.id);
    std::string text = csvLine(line);
    for (std::size_t row = 0; row < table.rows(); ++row) {
        line.clear();
        for (const TableColumn& column : table.columns)
            line.push_back(exactText(column.cells[row]));
        text += csvLine(line);
    }
    return text;
}

std::string asJson(const AnalysisTable& table) {
    using Json = nlohmann::ordered_json;
    Json json;
    json["columns"] = Json::array();
    for (const TableColumn& column : table.columns)
        json["columns"].push_back(
            {{"id", column.id}, {"label", column.label}, {"unit", column.unit}});
    json["rows"] = Json::array();
    for (std::size_t row = 0; row < table.rows(); ++row) {
        Json& line = json["rows"].emplace_back(Json::object());
        for (const TableColumn& column : table.columns)
            std::visit([&](const auto& value) { line[column.id] = value; }, column.cells[row]);
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

AnalysisTable tableFrom(const HistogramSet& set) {
    const bool values = bytesPerSample(set.format) <= 2;
    AnalysisTable table;
    TableColumn& level = table.columns.emplace_back(
        values ? TableColumn{"value", "Value", "grey levels"} : TableColumn{"from", "From"});
    const std::size_t bins = set.channels.front().bins.size();
    for (std::size_t bin = 0; bin < bins; ++bin) {
        if (values)
            level.cells.emplace_back(std::int64_t(bin));
        else
            level.cells.emplace_back(set.low + (set.high - set.low) * double(bin) / double(bins));
    }
    for (const Histogram& histogram : set.channels) {
        std::string name(channelName(histogram.channel));
        std::string label = name;
        label[0] = char(label[0] - 'a' + 'A');
        TableColumn& column =
            table.columns.emplace_back(TableColumn{std::move(name), std::move(label), "px"});
        for (const std::uint64_t count : histogram.bins)
            column.cells.emplace_back(std::int64_t(count));
    }
    return table;
}

std::string analysisText(const AnalysisResult& result, std::string_view format) {
    const auto* counts = std::get_if<HistogramSet>(&result);
    const AnalysisTable table = counts ? tableFrom(*counts) : std::get<AnalysisTable>(result);
    if (format == "csv") return asCsv(table);
    return format == "json" ? asJson(table) : asAligned(table);
}

}  // namespace warpscope
