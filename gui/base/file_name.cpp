#include "gui/base/file_name.h"

#include <QUtf8StringView>
#include <algorithm>

namespace warpscope::gui {
namespace {

constexpr char16_t kFirstByte = 0xDC80, kLastByte = 0xDCFF;  // 0x80 and 0xFF

// A low surrogate that follows no high one.
bool isByte(const QString& name, qsizetype at) {
    const char16_t unit = name[at].unicode();
    return unit >= kFirstByte && unit <= kLastByte && (at == 0 || !name[at - 1].isHighSurrogate());
}

}  // namespace

QString nameFromBytes(const QByteArray& bytes) {
    if (QUtf8StringView(bytes).isValidUtf8()) return QString::fromUtf8(bytes);
    QString name;
    for (qsizetype at = 0; at < bytes.size();) {
        qsizetype length = std::min<qsizetype>(4, bytes.size() - at);
        while (length > 0 && !QUtf8StringView(bytes.constData() + at, length).isValidUtf8())
            --length;
        if (length > 0)
            name += QString::fromUtf8(bytes.constData() + at, length);
        else
            name += QChar(char16_t(0xDC00 + static_cast<unsigned char>(bytes[at])));
        at += std::max<qsizetype>(1, length);
    }
    return name;
}

QByteArray nameToBytes(const QString& name) {
    QByteArray bytes;
    qsizetype plain = 0;  // where what is not written yet begins
    for (qsizetype at = 0; at < name.size(); ++at) {
        if (!isByte(name, at)) continue;
        bytes += QStringView(name).sliced(plain, at - plain).toUtf8();
        bytes += char(name[at].unicode() - 0xDC00);
        plain = at + 1;
    }
    return bytes + QStringView(name).sliced(plain).toUtf8();
}

QString textOf(const std::filesystem::path& path) {
    return nameFromBytes(QByteArray::fromStdString(path.string()));
}

std::filesystem::path pathOf(const QString& path) {
    return {nameToBytes(path).toStdString()};
}

QString shownName(const QString& name) {
    QString shown = name;
    for (qsizetype at = 0; at < shown.size(); ++at)
        if (isByte(name, at)) shown[at] = QChar(QChar::ReplacementCharacter);
    return shown;
}

QString shownFileName(const QString& path) {
    return shownName(path.mid(path.lastIndexOf(QLatin1Char('/')) + 1));
}

}  // namespace warpscope::gui
