// What most analyses find: a table whose columns have names and units. The window shows it, the
// command line prints it, timings compare it.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace warpscope {

// Whole numbers (counts, positions, exact sums), measured numbers, names.
using TableCell = std::variant<std::int64_t, double, std::string>;

struct TableColumn {
    // "mean", "area"; the key in JSON and CSV.
    std::string id;
    // For people: "Mean".
    std::string label;
    // "px", "grey levels", "bits"; empty where there is none.
    std::string unit = {};
    // One for each row.
    std::vector<TableCell> cells = {};

    friend bool operator==(const TableColumn&, const TableColumn&) = default;
};

struct AnalysisTable {
    // At least one, all of the same length.
    std::vector<TableColumn> columns;

    std::size_t rows() const { return columns.empty() ? 0 : columns.front().cells.size(); }
    friend bool operator==(const AnalysisTable&, const AnalysisTable&) = default;
};

}  // namespace warpscope
