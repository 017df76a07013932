// Cells that the tables of the benchmark window are made of.
#pragma once

#include "engine/image/format_words.h"
#include "gui/benchmark/benchmark_series.h"
#include "gui/benchmark/sheet_model.h"
#include "gui/widgets/engine_text.h"

namespace warpscope::gui::sheet_cells {

using CellTone = SheetCell::Tone;

inline SheetCell words(const QString& said, CellTone tone = CellTone::Normal) {
    SheetCell cell;
    cell.text = said;
    cell.tone = tone;
    return cell;
}

// A figure in the form in which it is read; nothing where there is none.
inline SheetCell figure(double value, const QString& said) {
    SheetCell cell;
    if (!(value > 0)) return cell;
    cell.text = said;
    cell.number = value;
    return cell;
}

inline SheetCell milliseconds(double ms) {
    return figure(ms, millisecondText(ms));
}

inline SheetCell sizeCell(const StepTiming& row) {
    SheetCell cell = words(sizeWords(row));
    cell.number = double(row.width) * double(row.height) + double(row.width) * 1e-6;
    return cell;
}

// "8-bit gray".
inline QString formatText(PixelFormat format) {
    return engineText(std::string(formatWords(format)));
}

// The speedups of a row among those of the same step, each with what it is against.
QString fasterText(const std::vector<const StepTiming*>& step, const StepTiming& row);

}  // namespace warpscope::gui::sheet_cells
