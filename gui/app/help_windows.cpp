#include "gui/app/help_windows.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "engine/io/isolated_reader.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

// Translated in one context of its own.
struct Help {
    Q_DECLARE_TR_FUNCTIONS(Help)
};

QString escaped(const std::string& text) {
    return engineText(text).toHtmlEscaped();
}

QString row(const QString& left, const QString& right) {
    return QStringLiteral(
               "<tr><td width='176' style='padding:2px 16px 2px 0'>%1</td><td style='padding:2px "
               "0'>"
               "%2</td></tr>")
        .arg(left, right);
}

QString heading(const QString& text) {
    return QStringLiteral("<h3>%1</h3>").arg(text);
}

QString weak(const QString& text) {
    return QStringLiteral("<span style='color:%1'>%2</span>")
        .arg(Theme::instance().colors().weakText.name(), text);
}

// A line each: commas are within labels, too.
QString choicesText(const ParamSpec& spec) {
    QStringList lines;
    for (const ChoiceSpec& choice : spec.choices) {
        const bool isDefault = ParamValue(choice.id) == spec.defaultValue;
        const QString label =
            isDefault ? Help::tr("%1 (default)").arg(escaped(choice.label)) : escaped(choice.label);
        lines << QStringLiteral("<b>%1</b>: %2").arg(label, escaped(choice.help));
    }
    return lines.join(QStringLiteral("<br>"));
}

QString allowedHtml(const ParamSpec& spec) {
    if (spec.kind == ParamKind::Choice) return choicesText(spec);
    const QString byDefault = escaped(toText(spec.defaultValue));
    if (spec.kind != ParamKind::Integer && spec.kind != ParamKind::Real)
        return Help::tr("%1; default %2").arg(escaped(allowedText(spec)), byDefault);
    const QString unit = spec.unit.empty() ? QString() : QLatin1Char(' ') + escaped(spec.unit);
    return Help::tr("%1 to %2%3, default %4")
        .arg(escaped(toText(ParamValue(spec.hardMin))), escaped(toText(ParamValue(spec.hardMax))),
             unit, byDefault);
}

}  // namespace

QString shortcutsHtml(const Actions& actions) {
    QString html;
    QString menu;
    for (const Actions::Entry& entry : actions.entries()) {
        if (entry.action->shortcut().isEmpty()) continue;
        if (entry.menu != menu) {
            if (!menu.isEmpty()) html += QStringLiteral("</table>");
            menu = entry.menu;
            html += heading(menu) + QStringLiteral("<table>");
        }
        QStringList keys;
        for (const QKeySequence& key : entry.action->shortcuts())
            keys << key.toString(QKeySequence::NativeText).toHtmlEscaped();
        QString text = plainText(entry.action).toHtmlEscaped();
        if (entry.canvasOnly)
            text += QLatin1Char(' ') + weak(Help::tr("(while the image has the focus)"));
        html += row(keys.join(QStringLiteral(", ")), text);
    }
    if (!menu.isEmpty()) html += QStringLiteral("</table>");
    html += heading(Help::tr("Image")) + QStringLiteral("<table>");
    html += row(Help::tr("Wheel"), Help::tr("zoom at the cursor"));
    html += row(Help::tr("Drag, or Space and drag"),
                Help::tr("move the image; side by side both keep the same place in the middle"));
    html += row(Help::tr("Ctrl and Shift, drag or wheel"),
                Help::tr("side by side: moves one side alone; F links both again"));
    html += row(Help::tr("Shift and wheel"), Help::tr("move sideways"));
    html += row(Help::tr("Double click"), Help::tr("fit to window or 100%"));
    html += row(Help::tr("Click"),
                Help::tr("pins a pixel; a click on its row in the inspector goes there"));
    html += row(Help::tr("Click, with the table of objects open"),
                Help::tr("also selects the object's row; there Return or a double click zooms to "
                         "an object"));
    html += row(Help::tr("Hold Shift"), Help::tr("show the source"));
    html += row(Help::tr("F, +, -"), Help::tr("fit, zoom in, zoom out"));
    html += row(Help::tr("[ and ]"),
                Help::tr("in a difference: amplify less and more; in wipe: move the line"));
    html += row(Help::tr("X, then arrows"), Help::tr("a cursor from pixel to pixel, Return pins"));
    html += row(Help::tr("Shift and drag"),
                Help::tr("select a region, in source or result; its handles resize it"));
    html += row(Help::tr("O"), Help::tr("regions: rectangle, ellipse, freehand"));
    html += row(Help::tr("Arrows with a region"),
                Help::tr("move it by 1, with Shift by 10; with Ctrl move its far corner"));
    html += row(Help::tr("Handles of a crop or rotation"),
                Help::tr("drag, or arrows: by 1, with Shift by 10 (a rotation in a drag by 15 "
                         "degrees), with Ctrl the far corner, or tenths of a degree; Esc takes a "
                         "drag back, or shows the result, as Return does"));
    if (const QKeySequence line = actions.profileLine->shortcut(); !line.isEmpty())
        html += row(
            Help::tr("%1, then drag").arg(line.toString(QKeySequence::NativeText).toHtmlEscaped()),
            Help::tr("a line, and the profile along it"));
    html += row(Help::tr("Esc"),
                Help::tr("shows all steps again, then drops cursor, line, comparison, handles, "
                         "region, marked range of the histogram, in this order; elsewhere: back "
                         "to the image"));
    html += row(Help::tr("Mouse over the image"),
                Help::tr("these keys act on it, whatever was used last; a click that brings the "
                         "focus back pins, too, but takes no pin away"));
    html += QStringLiteral("</table>") + heading(Help::tr("Images")) + QStringLiteral("<table>");
    html += row(Help::tr("Click, or Return"), Help::tr("opens it"));
    html += row(Help::tr("Drag"), Help::tr("onto the picture: opens it; onto the row of a second "
                                           "image: takes it as that"));
    html += row(Help::tr("Ctrl and click, or Ctrl+Return"),
                Help::tr("compares it with the open one, both after the same steps"));
    html += row(Help::tr("Arrow keys, wheel"), Help::tr("along the strip"));
    html += row(Help::tr("Right click"), Help::tr("keep open, open as second image"));
    html +=
        QStringLiteral("</table>") + heading(Help::tr("Test strip")) + QStringLiteral("<table>");
    html +=
        row(Help::tr("Click, or Return"), Help::tr("takes the value, with Shift the window stays"));
    html += row(Help::tr("Arrow keys"), Help::tr("from picture to picture"));
    html += row(Help::tr("Mouse, or focus, at rest"), Help::tr("the image shows that value"));
    html += QStringLiteral("</table>") + heading(Help::tr("Histogram")) + QStringLiteral("<table>");
    html += row(Help::tr("Drag, or Shift and arrows"),
                Help::tr("pixels of that range stand out in the image"));
    html += row(Help::tr("Wheel, or Up and Down"),
                Help::tr("zoom the axis, down to single values; float is counted anew"));
    html += row(Help::tr("Shift and wheel, middle drag, Ctrl and arrows"),
                Help::tr("move along the axis"));
    html += row(Help::tr("Return"), Help::tr("zoom to the selected range"));
    html += row(Help::tr("Double click, or Backspace"), Help::tr("the whole axis again"));
    html += row(Help::tr("Drag a handle, or Alt and arrows"),
                Help::tr("black; with Shift, or the other handle, white"));
    html += row(Help::tr("Drag a round handle or its line, or Tab, then arrows"),
                Help::tr("levels of the selected step (threshold, levels, curves); with Shift by "
                         "ten"));
    html += row(Help::tr("Click, Insert; right click, Delete"),
                Help::tr("with curves selected: a new point; removes it"));
    html += QStringLiteral("</table>") + heading(Help::tr("Sliders")) + QStringLiteral("<table>");
    html += row(Help::tr("Click"), Help::tr("sets the value"));
    html += row(Help::tr("Wheel or arrow keys"),
                Help::tr("one step; with Shift ten, with Ctrl a tenth"));
    html += row(Help::tr("Double click"), Help::tr("back to the default"));
    html += row(Help::tr("Right click or typing"), Help::tr("an exact value"));
    html += row(Help::tr("Page Up, Page Down"),
                Help::tr("ten steps, where the mouse is not over the image"));
    html += QStringLiteral("</table>") + heading(Help::tr("Steps")) + QStringLiteral("<table>");
    html += row(Help::tr("F2, or double click"),
                Help::tr("names a step, so that later steps can take what it gives"));
    html += row(Help::tr("Drop a file at the lower edge"),
                Help::tr("opens it as second image, for steps that take one"));
    html += QStringLiteral("</table>") + heading(Help::tr("Curves")) + QStringLiteral("<table>");
    html += row(Help::tr("Click, drag"), Help::tr("a new point, move a point"));
    html += row(Help::tr("Drag out, right click, Delete"), Help::tr("removes a point"));
    html += row(Help::tr("Tab, Insert"), Help::tr("next point, a new one"));
    html += row(Help::tr("Arrow keys"), Help::tr("move the point by 1, with Shift by 10"));
    html += row(Help::tr("Double click on the label"), Help::tr("back to the default"));
    return html + QStringLiteral("</table>");
}

QString operationHtml(const OperationDescription& d, const QString& pictures) {
    QString html = QStringLiteral("<h2>%1</h2>").arg(escaped(d.label));
    html += QStringLiteral("<p>%1</p>").arg(escaped(d.summary)) + pictures;
    html += QStringLiteral("<p>%1</p>").arg(escaped(d.help));
    if (!d.formula.empty())
        html += QStringLiteral("<p><b>%1</b><br>%2</p>")
                    .arg(Help::tr("Computes:"),
                         escaped(d.formula).replace(QLatin1Char('\n'), QLatin1String("<br>")));
    if (!d.parameters.empty()) {
        html += QStringLiteral("<p><b>%1</b></p><table>").arg(Help::tr("Parameters"));
        for (const ParamSpec& spec : d.parameters)
            html += row(escaped(spec.label),
                        weak(escaped(spec.help)) + QStringLiteral("<br>") + allowedHtml(spec));
        html += QStringLiteral("</table>");
    }
    if (d.variants.size() > 1) {
        html += QStringLiteral("<p><b>%1</b></p><table>").arg(Help::tr("Variants"));
        for (const VariantSpec& variant : d.variants) {
            QString text = escaped(variant.help);
            if (!variant.source.empty())
                text += QStringLiteral("<br>") + weak(escaped(variant.source));
            html += row(escaped(variant.label), text);
        }
        html += QStringLiteral("</table>");
    }
    if (!d.wrongVariants.empty()) {
        html += QStringLiteral("<p><b>%1</b></p><table>")
                    .arg(Help::tr("Wrong on purpose, for teaching"));
        for (const VariantSpec& variant : d.wrongVariants)
            html += row(escaped(variant.label), escaped(variant.help) + QStringLiteral("<br>") +
                                                    weak(escaped(variant.source)));
        html += QStringLiteral("</table>");
    }
    if (!d.source.empty()) html += QStringLiteral("<p>%1</p>").arg(weak(escaped(d.source)));
    return html;
}

QString aboutHtml(const std::optional<BackendSet>& backends) {
    QString html =
        QStringLiteral("<h2>Warpscope " WARPSCOPE_VERSION "</h2><p>%1</p>")
            .arg(Help::tr("Looks closely at images and at what filters do to them, on CPU "
                          "and GPU."));
    html += QStringLiteral("<table>");
    html += row(Help::tr("Qt"), QLatin1String(qVersion()));
    if (backends) {
        for (const BackendPtr& backend : backends->available())
            html += row(escaped(backend->info().label), escaped(backend->info().detail));
        if (!backends->cuda)
            html +=
                row(Help::tr("GPU"), Help::tr("none: %1").arg(escaped(backends->cudaUnavailable)));
    }
    html += row(Help::tr("Files are decoded"), escaped(decodingProtection()));
    return html + QStringLiteral("</table><p>%1</p>")
                      .arg(Help::tr("MIT licence. Third-party licences: THIRD_PARTY.md."));
}

void showHelpWindow(QWidget* parent, const QString& title, const QString& html) {
    const QString name = QStringLiteral("help/") + title;
    auto* dialog = parent->findChild<QDialog*>(name, Qt::FindDirectChildrenOnly);
    if (!dialog) {
        dialog = new QDialog(parent);
        dialog->setObjectName(name);
        dialog->setWindowTitle(title);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        auto* text = new QTextBrowser(dialog);
        text->setFrameShape(QFrame::NoFrame);
        text->document()->setDocumentMargin(16);
        text->setAccessibleName(title);
        auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
        QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
        auto* layout = new QVBoxLayout(dialog);
        layout->setContentsMargins(8, 8, 8, 8);
        layout->addWidget(text);
        layout->addWidget(buttons);
        dialog->resize(640, 560);
    }
    dialog->findChild<QTextBrowser*>()->setHtml(html);
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
}

}  // namespace warpscope::gui
