// Words for people outside of classes that have a tr() of their own.
#pragma once

#include <QCoreApplication>

namespace warpscope::gui {

inline QString tr(const char* text, const char* comment = nullptr, int n = -1) {
    return QCoreApplication::translate("Warpscope", text, comment, n);
}

}  // namespace warpscope::gui
