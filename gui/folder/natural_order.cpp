#include "gui/folder/natural_order.h"

#include <algorithm>

namespace warpscope::gui {
namespace {

// Without accents and case. The dot of the ending comes first, so that img.png stands before
// img 2.png.
QString folded(const QString& name) {
    QString text;
    const QString apart = name.normalized(QString::NormalizationForm_KD).toCaseFolded();
    for (const QChar c : apart)
        if (!c.isMark()) text += c;
    if (const qsizetype dot = text.lastIndexOf(QLatin1Char('.')); dot > 0) text[dot] = QChar(1);
    return text;
}

// With each number as a mark, the count of its digits without leading zeros, and those: of any
// length, so never as a machine's number. Comparing such texts character by character is the order.
QString withNumbers(const QString& text) {
    QString out;
    out.reserve(text.size() + 8);
    for (qsizetype i = 0; i < text.size();) {
        if (text[i].digitValue() < 0) {
            out += text[i++];
            continue;
        }
        while (i < text.size() && text[i].digitValue() == 0) ++i;
        qsizetype end = i;
        while (end < text.size() && text[end].digitValue() >= 0) ++end;
        out += QLatin1Char('0');
        out += QChar(char16_t(std::min<qsizetype>(end - i, 0xFFFF)));
        for (; i < end; ++i) out += QChar(char16_t(u'0' + text[i].digitValue()));
    }
    return out;
}

}  // namespace

NaturalKey::NaturalKey(const QString& name) : m_name(name), m_order(withNumbers(folded(name))) {}

bool operator<(const NaturalKey& a, const NaturalKey& b) {
    if (const int by = a.m_order.compare(b.m_order)) return by < 0;
    return a.m_name < b.m_name;
}

}  // namespace warpscope::gui
