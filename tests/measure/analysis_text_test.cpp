// What analyses found, as table, CSV and JSON.
#include "engine/report/analysis_text.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "support/test_case.h"

using namespace warpscope;

namespace {

AnalysisTable objects() {
    return {{{"name", "Name", "", {std::string("a,b"), std::string("say \"hi\"\nthere")}},
             {"area", "Area", "px", {std::int64_t{12}, std::int64_t{9007199254740993}}},
             {"mean", "Mean", "grey levels", {1.0 / 3, std::numeric_limits<double>::quiet_NaN()}}}};
}

}  // namespace

class AnalysisTextTest : public QObject {
    Q_OBJECT

  private slots:
    void csvQuotesAndIsExact() {
        QCOMPARE(analysisText(objects(), "csv"),
                 std::string("name,area,mean\n\"a,b\",12,0.3333333333333333\n"
                             "\"say \"\"hi\"\"\nthere\",9007199254740993,nan\n"));
    }
    void jsonSaysUnitsAndIsExact() {
        const auto json = nlohmann::json::parse(analysisText(objects(), "json"));
        QCOMPARE(json["columns"].size(), std::size_t(3));
        QCOMPARE(json["columns"][1]["unit"].get<std::string>(), std::string("px"));
        QCOMPARE(json["columns"][2]["label"].get<std::string>(), std::string("Mean"));
        QCOMPARE(json["rows"][0]["mean"].get<double>(), 1.0 / 3);
        QCOMPARE(json["rows"][1]["area"].get<std::int64_t>(), std::int64_t(9007199254740993));
        QCOMPARE(json["rows"][1]["name"].get<std::string>(), std::string("say \"hi\"\nthere"));
        QVERIFY(json["rows"][1]["mean"].is_null());
    }
    void columnsAreAligned() {
        AnalysisTable table = objects();
        table.columns[0].cells = {std::string("a"), std::string("longer")};
        QCOMPARE(analysisText(table, "table"),
                 std::string("Name           Area (px)  Mean (grey levels)\n"
                             "a                     12            0.333333\n"
                             "longer  9007199254740993                   -\n"));
    }
    void wideTablesOfFewRowsAreTurned() {
        AnalysisTable wide = objects();
        for (int i = 0; i < 20; ++i)
            wide.columns.push_back({"c" + std::to_string(i),
                                    "Column " + std::to_string(i),
                                    "",
                                    {std::int64_t{i}, std::int64_t{100 * i}}});
        wide.columns[0].cells = {std::string("x"), std::string("y")};
        const std::string text = analysisText(wide, "table");
        QCOMPARE(std::count(text.begin(), text.end(), '\n'), std::ptrdiff_t(23));
        QVERIFY(text.starts_with("Name "));
        QVERIFY(text.find("\nColumn 19 ") != std::string::npos);
        // Many rows stay rows.
        for (TableColumn& column : wide.columns) column.cells.resize(30, column.cells.front());
        const std::string many = analysisText(wide, "table");
        QCOMPARE(std::count(many.begin(), many.end(), '\n'), std::ptrdiff_t(31));
    }
    void histogramsAreTables() {
        HistogramSet set;
        set.channels = {{HistogramChannel::Luma, std::vector<std::uint64_t>(256)},
                        {HistogramChannel::Red, std::vector<std::uint64_t>(256)}};
        set.channels[1].bins[255] = 7;
        const AnalysisTable table = tableFrom(set);
        QCOMPARE(table.rows(), std::size_t(256));
        QVERIFY(table.columns[0].cells[255] == TableCell(std::int64_t(255)));
        QCOMPARE(table.columns[2].id, std::string("red"));
        QVERIFY(table.columns[2].cells[255] == TableCell(std::int64_t(7)));
        const std::string csv = analysisText(set, "csv");
        QVERIFY(csv.starts_with("value,luma,red\n0,0,0\n"));
        QVERIFY(csv.ends_with("\n255,0,7\n"));
        set.format = PixelFormat::GrayF32;
        set.low = -1;
        set.high = 1;
        const AnalysisTable reals = tableFrom(set);
        QCOMPARE(reals.columns[0].id, std::string("from"));
        QVERIFY(reals.columns[0].cells[0] == TableCell(-1.0));
        QVERIFY(reals.columns[0].cells[128] == TableCell(0.0));
    }
    void nothingFoundIsAHeading() {
        AnalysisTable none = objects();
        for (TableColumn& column : none.columns) column.cells.clear();
        QCOMPARE(analysisText(none, "csv"), std::string("name,area,mean\n"));
        QCOMPARE(analysisText(none, "table"), std::string("Name  Area (px)  Mean (grey levels)\n"));
        const auto json = nlohmann::json::parse(analysisText(none, "json"));
        QVERIFY(json["rows"].is_array() && json["rows"].empty());
    }
};

WARPSCOPE_TEST(AnalysisTextTest)
#include "analysis_text_test.moc"
