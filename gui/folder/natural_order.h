// The order in which people expect names: numbers by their value (img2 before img10), letters
// without regard to case and accents, the same on every machine and in every language.
#pragma once

#include <QString>
#include <QStringList>

namespace warpscope::gui {

// Of a file's name, made once for many comparisons. Names that differ are never equal.
class NaturalKey {
  public:
    explicit NaturalKey(const QString& name);
    const QString& name() const { return m_name; }
    friend bool operator<(const NaturalKey& a, const NaturalKey& b);

  private:
    QString m_name;
    QString m_order;
};

}  // namespace warpscope::gui
