// Names of files as text and back. Most systems allow names that are no UTF-8; a byte that is none
// stands in a QString as a lone surrogate (U+DC80 to U+DCFF), so that every file keeps its name.
#pragma once

#include <QByteArray>
#include <QString>
#include <filesystem>

namespace warpscope::gui {

QString nameFromBytes(const QByteArray& bytes);
QByteArray nameToBytes(const QString& name);

QString textOf(const std::filesystem::path& path);
std::filesystem::path pathOf(const QString& path);

// For people: what is no UTF-8 is replaced by U+FFFD.
QString shownName(const QString& name);
// The name alone, without folders, for people.
QString shownFileName(const QString& path);

}  // namespace warpscope::gui
