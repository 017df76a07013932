// The languages of the window: English, which the sources are written in, and what stands in
// resources/translations. A language is chosen when the program starts.
#pragma once

#include <QString>
#include <QStringList>

namespace warpscope::gui {

class Actions;
class MessageBar;
class Settings;

struct Language {
    // In settings and on the command line: "zh_CN".
    QString id;
    // In itself: "简体中文".
    QString name;
};
const QList<Language>& languages();

inline const QString kSystemLanguage = QStringLiteral("system");

// Which of languages() `chosen` stands for, an id or "system"; `ofSystem` as QLocale's
// uiLanguages(). What nobody knows is English.
QString languageFor(const QString& chosen, const QStringList& ofSystem);

// From here on all texts are in this language, one of languages(). Windows that are open stay as
// they are.
void installLanguage(const QString& id);

// The commands of View > Language: the choice is kept, and what it takes is said in both languages.
void connectLanguages(const Actions& actions, Settings& settings, MessageBar& messages);

}  // namespace warpscope::gui
