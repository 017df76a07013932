#include "gui/session/json_fields.h"

#include <cmath>
#include <utility>

#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

std::optional<double> numberOf(const nlohmann::json& value, double least, double most) {
    if (!value.is_number()) return std::nullopt;
    const double number = value.get<double>();
    if (!std::isfinite(number) || number < least || number > most) return std::nullopt;
    return number;
}

// Beyond the range of the type no number is read as another one.
std::optional<std::int64_t> integerOf(const nlohmann::json& value, std::int64_t least,
                                      std::int64_t most) {
    if (!value.is_number_integer()) return std::nullopt;
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t(INT64_MAX))
        return std::nullopt;
    const auto number = value.get<std::int64_t>();
    if (number < least || number > most) return std::nullopt;
    return number;
}

}  // namespace

QString damagedText(const QString& place) {
    return tr("the value of %1 is damaged").arg(place);
}

JsonFields::JsonFields(const nlohmann::json* object, QString place, QStringList& problems)
    : m_object(object), m_place(std::move(place)), m_problems(problems) {
    if (!m_object || m_object->is_object()) return;
    m_problems << damagedText(m_place);
    m_object = nullptr;
}

const nlohmann::json* JsonFields::find(const char* key) const {
    if (!m_object) return nullptr;
    const auto at = m_object->find(key);
    return at == m_object->end() ? nullptr : &*at;
}

QString JsonFields::placeOf(const char* key) const {
    const QString name = QLatin1String(key);
    return m_place.isEmpty() ? name : m_place + QLatin1Char('.') + name;
}

void JsonFields::wrong(const char* key) const {
    m_problems << damagedText(placeOf(key));
}

JsonFields JsonFields::inside(const char* key) const {
    return {find(key), placeOf(key), m_problems};
}

void JsonFields::flag(const char* key, bool& value) const {
    const nlohmann::json* found = find(key);
    if (!found) return;
    if (!found->is_boolean()) return wrong(key);
    value = found->get<bool>();
}

void JsonFields::number(const char* key, double& value, double least, double most) const {
    const nlohmann::json* found = find(key);
    if (!found) return;
    const auto number = numberOf(*found, least, most);
    if (!number) return wrong(key);
    value = *number;
}

void JsonFields::number(const char* key, std::optional<double>& value, double least,
                        double most) const {
    double number = least;
    if (!has(key)) return;
    const auto before = m_problems.size();
    this->number(key, number, least, most);
    if (m_problems.size() == before) value = number;
}

void JsonFields::integer(const char* key, int& value, int least, int most) const {
    std::int64_t wide = value;
    integer(key, wide, least, most);
    value = int(wide);
}

void JsonFields::integer(const char* key, std::int64_t& value, std::int64_t least,
                         std::int64_t most) const {
    const nlohmann::json* found = find(key);
    if (!found) return;
    const auto number = integerOf(*found, least, most);
    if (!number) return wrong(key);
    value = *number;
}

void JsonFields::text(const char* key, QString& value, int most) const {
    const nlohmann::json* found = find(key);
    if (!found) return;
    if (!found->is_string()) return wrong(key);
    const QString text = QString::fromStdString(found->get_ref<const std::string&>());
    if (text.size() > most || text.contains(QChar(0))) return wrong(key);
    value = text;
}

std::optional<std::vector<double>> JsonFields::numbers(const char* key, std::size_t count,
                                                       double least, double most) const {
    const nlohmann::json* found = find(key);
    if (!found) return std::nullopt;
    std::vector<double> values;
    if (found->is_array() && found->size() == count)
        for (const nlohmann::json& entry : *found)
            if (const auto number = numberOf(entry, least, most)) values.push_back(*number);
    if (values.size() == count) return values;
    wrong(key);
    return std::nullopt;
}

std::optional<std::vector<int>> JsonFields::integers(const char* key, std::size_t count, int least,
                                                     int most) const {
    const nlohmann::json* found = find(key);
    if (!found) return std::nullopt;
    std::vector<int> values;
    if (found->is_array() && found->size() == count)
        for (const nlohmann::json& entry : *found)
            if (const auto number = integerOf(entry, least, most)) values.push_back(int(*number));
    if (values.size() == count) return values;
    wrong(key);
    return std::nullopt;
}

}  // namespace warpscope::gui
