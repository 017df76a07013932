// A benchmark as one HTML file: charts, tables, conditions, how it was measured. It loads nothing
// from elsewhere, prints, and works without scripts.
#pragma once

#include <string>
#include <vector>

#include "engine/report/html_picture.h"
#include "engine/report/plot.h"
#include "engine/report/report_tables.h"

namespace warpscope {

// A table of ratios, of the first source against each other, or within it where it is alone.
struct HtmlComparison {
    bool wanted = false;
    RowChoice left;
    RowChoice right;
};

// The first source is what the report is of; others lie beside it in the charts.
std::string toHtml(const std::vector<PlotSource>& sources, const HtmlPicture& picture = {},
                   const HtmlComparison& comparison = {});

// Names and contents of files with charts in large type, a slide a panel of each plot, and an
// index.html that shows them one below the other. Empty where the plots are.
struct SlideFile {
    std::string name;
    std::string content;
};
std::vector<SlideFile> slidesOf(const std::vector<Plot>& plots, const std::string& title);

}  // namespace warpscope
