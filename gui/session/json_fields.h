// Reads the members of a JSON object from strangers: what is there but wrong is named, and what is
// not there stays as it is.
#pragma once

#include <QStringList>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace warpscope::gui {

class JsonFields {
  public:
    // `object` may be null: there are no members then.
    JsonFields(const nlohmann::json* object, QString place, QStringList& problems);

    // Null where there is none.
    const nlohmann::json* find(const char* key) const;
    // Members of a member; none, and said, where it is no object.
    JsonFields inside(const char* key) const;
    bool has(const char* key) const { return find(key) != nullptr; }

    void flag(const char* key, bool& value) const;
    void number(const char* key, double& value, double least, double most) const;
    void number(const char* key, std::optional<double>& value, double least, double most) const;
    void integer(const char* key, int& value, int least, int most) const;
    void integer(const char* key, std::int64_t& value, std::int64_t least, std::int64_t most) const;
    // At most that many characters.
    void text(const char* key, QString& value, int most) const;
    // Exactly that many, all within these limits; else nothing.
    std::optional<std::vector<double>> numbers(const char* key, std::size_t count, double least,
                                               double most) const;
    std::optional<std::vector<int>> integers(const char* key, std::size_t count, int least,
                                             int most) const;
    // One of the names, in the order of the enumeration.
    template <class Enum, std::size_t N>
    void choice(const char* key, const char* const (&names)[N], Enum& value) const {
        QString name;
        text(key, name, 64);
        if (name.isEmpty()) return;
        for (std::size_t i = 0; i < N; ++i)
            if (name == QLatin1String(names[i])) {
                value = Enum(i);
                return;
            }
        wrong(key);
    }
    // Calls `use(const nlohmann::json&, place)` for the first `most` entries of a list.
    template <class Use>
    void each(const char* key, std::size_t most, const Use& use) const {
        const nlohmann::json* list = find(key);
        if (!list) return;
        if (!list->is_array() || list->size() > most) wrong(key);
        if (!list->is_array()) return;
        for (std::size_t i = 0; i < list->size() && i < most; ++i)
            use((*list)[i], QStringLiteral("%1[%2]").arg(placeOf(key)).arg(i));
    }

    void wrong(const char* key) const;
    QString placeOf(const char* key) const;

  private:
    const nlohmann::json* m_object = nullptr;
    QString m_place;
    QStringList& m_problems;
};

// What is said of a value that cannot be used.
QString damagedText(const QString& place);

}  // namespace warpscope::gui
