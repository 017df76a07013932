#include "gui/folder/natural_order.h"

#include <algorithm>
#include <utility>

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

struct Number {
    qsizetype begin = 0, end = 0;  // without leading zeros
};

Number numberAt(const QString& text, qsizetype at) {
    while (at < text.size() && text[at].digitValue() == 0) ++at;
    Number number{at, at};
    while (number.end < text.size() && text[number.end].digitValue() >= 0) ++number.end;
    return number;
}

// Negative, 0 or positive; of any length, so never as a machine's number.
int compareNumbers(const QString& a, Number x, const QString& b, Number y) {
    const qsizetype lengthA = x.end - x.begin, lengthB = y.end - y.begin;
    if (lengthA != lengthB) return lengthA < lengthB ? -1 : 1;
    for (qsizetype i = 0; i < lengthA; ++i)
        if (const int by = a[x.begin + i].digitValue() - b[y.begin + i].digitValue()) return by;
    return 0;
}

int compareFolded(const QString& a, const QString& b) {
    qsizetype i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (a[i].digitValue() >= 0 && b[j].digitValue() >= 0) {
            const Number x = numberAt(a, i), y = numberAt(b, j);
            if (const int by = compareNumbers(a, x, b, y)) return by;
            i = x.end;
            j = y.end;
        } else {
            if (a[i] != b[j]) return a[i] < b[j] ? -1 : 1;
            ++i;
            ++j;
        }
    }
    return i < a.size() ? 1 : j < b.size() ? -1 : 0;
}

}  // namespace

NaturalKey::NaturalKey(const QString& name) : m_name(name), m_folded(folded(name)) {}

bool operator<(const NaturalKey& a, const NaturalKey& b) {
    if (const int by = compareFolded(a.m_folded, b.m_folded)) return by < 0;
    return a.m_name < b.m_name;
}

}  // namespace warpscope::gui
