#include "gui/app/command_line.h"

#include <QCommandLineParser>
#include <QCoreApplication>

#include "engine/backend/gpu_choice.h"
#include "engine/report/manual_page.h"
#include "gui/app/languages.h"

namespace warpscope::gui {
namespace {

QString text(const char* source) {
    return QCoreApplication::translate("CommandLine", source);
}

std::optional<QSize> sizeFrom(const QString& value) {
    const QStringList sides = value.split(QLatin1Char('x'));
    if (sides.size() != 2) return std::nullopt;
    bool okWidth = false, okHeight = false;
    const QSize size(sides[0].toInt(&okWidth), sides[1].toInt(&okHeight));
    if (!okWidth || !okHeight || size.width() < 320 || size.height() < 240 ||
        size.width() > 16384 || size.height() > 16384)
        return std::nullopt;
    return size;
}

CommandLine wrongUsage(const QString& why) {
    CommandLine line;
    line.message = QStringLiteral("warpscope: %1 (try --help)\n").arg(why);
    line.exitCode = 2;
    return line;
}

// In the words of --help.
QString manualText(const QCommandLineParser& parser, const QList<QCommandLineOption>& options,
                   const QString& files) {
    ManualPage page("warpscope", 1, "window for looking closely at images");
    page.heading("Synopsis");
    page.command("warpscope [OPTIONS] [FILE...]");
    page.heading("Description");
    page.paragraph(parser.applicationDescription().toStdString());
    page.heading("Arguments");
    page.entry("FILE", {}, files.toStdString());
    page.heading("Options");
    for (const QCommandLineOption& option : options) {
        if (option.flags() & QCommandLineOption::HiddenFromHelp) continue;
        QStringList names;
        for (const QString& name : option.names())
            names << (name.size() == 1 ? QStringLiteral("-") : QStringLiteral("--")) + name;
        page.entry(names.join(QStringLiteral(", ")).toStdString(), option.valueName().toStdString(),
                   option.description().toStdString());
    }
    page.alsoSee("warpscope-cli", 1);
    page.alsoSee("warpscope-operations", 7);
    return QString::fromStdString(page.text());
}

}  // namespace

CommandLine parseCommandLine(const QStringList& arguments) {
    QCommandLineParser parser;
    parser.setApplicationDescription(
        text("Looks closely at images and at what filters do to them, on CPU and GPU."));
    const QCommandLineOption help({QStringLiteral("h"), QStringLiteral("help")},
                                  text("Show this help."));
    const QCommandLineOption version({QStringLiteral("v"), QStringLiteral("version")},
                                     text("Show the version."));
    const QCommandLineOption reset(QStringLiteral("reset-settings"),
                                   text("Forget window, layout, theme and recent files."));
    const QCommandLineOption sample(QStringLiteral("sample"), text("Open the sample scene."));
    const QCommandLineOption theme(QStringLiteral("theme"), text("Colours: dark or light."),
                                   QStringLiteral("NAME"));
    const QCommandLineOption language(QStringLiteral("language"),
                                      text("Language of the window: en, zh_CN or system."),
                                      QStringLiteral("NAME"));
    const QCommandLineOption second(QStringLiteral("second"),
                                    text("Open this as the second image, for steps that take one."),
                                    QStringLiteral("FILE"));
    const QCommandLineOption pipeline(QStringLiteral("pipeline"),
                                      text("Open this pipeline with the image; preset:NAME is "
                                           "one that is shipped."),
                                      QStringLiteral("FILE"));
    const QCommandLineOption sideBySide(
        QStringLiteral("side-by-side"),
        text("Begin with the demo of CPU against GPU: an operation, a size, or both "
             "(nl_means,4k), or auto."),
        QStringLiteral("WHAT"));
    const QCommandLineOption gpu(QStringLiteral("gpu"),
                                 text("Compute on this GPU of several, also from the next start "
                                      "on: its UUID, or the beginning of it."),
                                 QStringLiteral("UUID"));
    const QCommandLineOption benchmark(
        QStringLiteral("benchmark"),
        text("Begin with the benchmark window; the files are then results to be shown in it."));
    QCommandLineOption screenshot(QStringLiteral("screenshot"), QString(), QStringLiteral("FILE"));
    QCommandLineOption size(QStringLiteral("size"), QString(), QStringLiteral("WxH"));
    QCommandLineOption demo(QStringLiteral("demo"), QString(), QStringLiteral("NAME"));
    QCommandLineOption page(QStringLiteral("benchmark-page"), QString(), QStringLiteral("NAME"));
    QCommandLineOption opponent(QStringLiteral("opponent"), QString(), QStringLiteral("FILE"));
    QCommandLineOption wipe(QStringLiteral("wipe"));
    QCommandLineOption manual(QStringLiteral("manual"));
    opponent.setFlags(QCommandLineOption::HiddenFromHelp);
    wipe.setFlags(QCommandLineOption::HiddenFromHelp);
    manual.setFlags(QCommandLineOption::HiddenFromHelp);
    page.setFlags(QCommandLineOption::HiddenFromHelp);
    demo.setFlags(QCommandLineOption::HiddenFromHelp);
    screenshot.setFlags(QCommandLineOption::HiddenFromHelp);
    size.setFlags(QCommandLineOption::HiddenFromHelp);
    const QList<QCommandLineOption> options{
        help,       version,   reset,      sample, theme, language, second,   pipeline, gpu,
        sideBySide, benchmark, screenshot, size,   demo,  page,     opponent, wipe,     manual};
    parser.addOptions(options);
    const QString files = text(
        "Images, or folders of images; the first is opened, Page Down "
        "goes to the next. Or a session.");
    parser.addPositionalArgument(QStringLiteral("FILE"), files, QStringLiteral("[FILE...]"));
    if (!parser.parse(arguments)) return wrongUsage(parser.errorText());

    CommandLine line;
    if (parser.isSet(manual)) {
        line.message = manualText(parser, options, files);
        line.exitCode = 0;
        return line;
    }
    if (parser.isSet(help) || parser.isSet(version)) {
        // Asked before there is an application, the parser does not know the program's name.
        line.message = parser.isSet(help)
                           ? parser.helpText().replace(QLatin1String("<executable_name>"),
                                                       QLatin1String("warpscope"))
                           : QStringLiteral("warpscope " WARPSCOPE_VERSION "\n");
        line.exitCode = 0;
        return line;
    }
    if (parser.isSet(theme)) {
        const QString name = parser.value(theme);
        if (name != QLatin1String("dark") && name != QLatin1String("light"))
            return wrongUsage(text("--theme is dark or light, not '%1'").arg(name));
        line.theme = name == QLatin1String("light") ? ThemeChoice::Light : ThemeChoice::Dark;
    }
    if (parser.isSet(language)) {
        const QString name = parser.value(language);
        if (name != kSystemLanguage && languageFor(name, {}) != name)
            return wrongUsage(text("--language is en, zh_CN or system, not '%1'").arg(name));
        line.language = name;
    }
    if (parser.isSet(gpu)) {
        const auto name = gpuNameFrom(parser.value(gpu).toStdString());
        if (!name)
            return wrongUsage(text("--gpu is a UUID as 'warpscope-cli devices' prints it, or its "
                                   "beginning (GPU-1234), not '%1'")
                                  .arg(parser.value(gpu)));
        line.gpu = QString::fromStdString(*name);
    }
    if (parser.isSet(size)) {
        const auto value = sizeFrom(parser.value(size));
        if (!value) return wrongUsage(text("--size is WxH from 320x240 to 16384x16384"));
        line.size = *value;
    }
    line.files = parser.positionalArguments();
    line.second = parser.value(second);
    line.resetSettings = parser.isSet(reset);
    line.sample = parser.isSet(sample);
    line.screenshot = parser.value(screenshot);
    line.pipeline = parser.value(pipeline);
    line.demo = parser.value(demo);
    line.benchmark = parser.isSet(benchmark);
    line.benchmarkPage = parser.value(page);
    line.opponent = parser.value(opponent);
    line.wipe = parser.isSet(wipe);
    if (parser.isSet(sideBySide)) {
        const QString what = parser.value(sideBySide);
        line.sideBySide = what == QLatin1String("auto") ? QString() : what;
    }
    return line;
}

}  // namespace warpscope::gui
