#include "gui/canvas/line_profile.h"

#include <QLocale>
#include <QPointF>
#include <QRectF>
#include <QStringList>
#include <algorithm>
#include <cmath>

namespace warpscope::gui {

LineProfile profileAlong(const Image& image, const QLineF& line, int most, bool onlyInside) {
    LineProfile profile;
    profile.length = line.length();
    if (image.isNull()) return profile;
    const int count = std::clamp(int(std::lround(profile.length)) + 1, 2, std::max(2, most));
    profile.values.reserve(std::size_t(count));
    visitSampleType(image.format(), [&]<class T>() {
        const auto view = image.view<T>();
        for (int i = 0; i < count; ++i) {
            const QPointF at = line.pointAt(i / double(count - 1));
            if (onlyInside && !QRectF(0, 0, view.width, view.height).contains(at)) {
                profile.values.push_back(std::nan(""));
                if (view.channels == 4)
                    for (auto& color : profile.colors) color.push_back(std::nan(""));
                continue;
            }
            const int x = std::clamp(int(std::floor(at.x())), 0, view.width - 1);
            const int y = std::clamp(int(std::floor(at.y())), 0, view.height - 1);
            const T* p = view.row(y) + std::ptrdiff_t(x) * view.channels;
            profile.values.push_back(view.channels == 1
                                         ? double(p[0])
                                         : 0.299 * double(p[0]) + 0.587 * double(p[1]) +
                                               0.114 * double(p[2]));
            if (view.channels == 4)
                for (std::size_t c = 0; c < 3; ++c) profile.colors[c].push_back(double(p[c]));
        }
    });
    return profile;
}

QString profileCsv(const LineProfile& first, const LineProfile& second, const QLineF& line) {
    const LineProfile& owner = first.values.empty() ? second : first;
    const std::size_t points = owner.values.size();
    if (points < 2) return {};
    const char* const names[] = {"luma", "red", "green", "blue"};
    QStringList heads{QStringLiteral("position"), QStringLiteral("x"), QStringLiteral("y")};
    std::vector<const std::vector<double>*> columns;
    for (const LineProfile* profile : {&first, &second})
        for (int i = 0; i < LineProfile::kCurves; ++i) {
            if (profile->curve(i).empty()) continue;
            columns.push_back(&profile->curve(i));
            heads << QStringLiteral("%1_%2").arg(
                profile == &first ? QStringLiteral("first") : QStringLiteral("second"),
                QLatin1String(names[i]));
        }
    QStringList lines{heads.join(QLatin1Char(','))};
    const auto number = [](double v) {
        return std::isnan(v) ? QString() : QString::number(v, 'g', QLocale::FloatingPointShortest);
    };
    for (std::size_t i = 0; i < points; ++i) {
        const double part = double(i) / double(points - 1);
        const QPointF at = line.pointAt(part);
        QStringList cells{number(part * owner.length), number(at.x()), number(at.y())};
        for (const auto* values : columns)
            cells << number((*values)[std::size_t(std::lround(part * double(values->size() - 1)))]);
        lines << cells.join(QLatin1Char(','));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

}  // namespace warpscope::gui
