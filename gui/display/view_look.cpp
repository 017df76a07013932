#include "gui/display/view_look.h"

#include <QStringList>

#include "gui/widgets/translate.h"

namespace warpscope::gui {

QString nameOf(ViewChannel channel) {
    switch (channel) {
        case ViewChannel::All:
            return tr("All channels");
        case ViewChannel::Red:
            return tr("Red alone");
        case ViewChannel::Green:
            return tr("Green alone");
        case ViewChannel::Blue:
            return tr("Blue alone");
        case ViewChannel::Alpha:
            return tr("Alpha alone");
    }
    return {};
}

QString lookText(const ViewLook& look, bool color) {
    QStringList said;
    if (color && look.channel != ViewChannel::All) said << nameOf(look.channel);
    if (look.stops != 0)
        said << tr("exposure %1%2")
                    .arg(look.stops > 0 ? QStringLiteral("+") : QString(),
                         QString::number(look.stops, 'g', 4));
    if (look.gamma != 1) said << tr("gamma %1").arg(QString::number(look.gamma, 'g', 4));
    if (look.map != ColorMap::None) said << nameOf(look.map);
    if (look.zebra) said << tr("clipping marked");
    return said.join(QStringLiteral(", "));
}

}  // namespace warpscope::gui
