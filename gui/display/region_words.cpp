#include "gui/display/region_words.h"

#include <QLocale>

#include "gui/widgets/translate.h"

namespace warpscope::gui {

QString regionInWords(const RegionShape& shape, std::optional<std::uint64_t> pixels) {
    const bool ellipse = shape.kind() == RegionShape::Kind::Ellipse;
    QString text = pixels ? (ellipse ? tr("in the ellipse at %1, %2 of %3 × %4, %5 pixels")
                                     : tr("in the freehand region at %1, %2 of %3 × %4, %5 pixels"))
                          : (ellipse ? tr("in the ellipse at %1, %2 of %3 × %4")
                                     : tr("in the freehand region at %1, %2 of %3 × %4"));
    const Rect& box = shape.box();
    text = text.arg(box.x).arg(box.y).arg(box.width).arg(box.height);
    return pixels ? text.arg(groupedCount(*pixels)) : text;
}

QString groupedCount(std::uint64_t number) {
    QLocale locale;
    locale.setNumberOptions(QLocale::DefaultNumberOptions);  // the C locale leaves them out
    return locale.toString(qulonglong(number));
}

std::uint64_t pixelsIn(const HistogramSet& set) {
    return set.channels.empty() ? 0 : set.channels.front().total() + set.notFinite;
}

}  // namespace warpscope::gui
