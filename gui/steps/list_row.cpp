#include "gui/steps/list_row.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QRegularExpression>
#include <QToolButton>
#include <QVBoxLayout>

#include "gui/widgets/engine_text.h"
#include "gui/widgets/value_edit.h"
#include "gui/widgets/wrap_label.h"

namespace warpscope::gui {

ListRow::ListRow(const ParamSpec& spec, ListEditor* editor, QWidget* parent)
    : QWidget(parent), m_spec(spec), m_value(spec.defaultValue), m_editor(editor) {
    const QString label = engineText(spec.label);
    const QString id = QString::fromStdString(spec.id);
    const QString help = tr("%1\nAllowed: %2.\nA double click here brings the default back.")
                             .arg(engineText(spec.help), engineText(allowedText(spec)));
    m_label = new WrapLabel(this);
    m_label->setObjectName(id + QStringLiteral(".label"));
    m_label->setText(label);
    m_label->setToolTip(help);
    m_label->installEventFilter(this);
    editor->setParent(this);
    editor->setObjectName(id + QStringLiteral(".editor"));
    editor->setAccessibleName(label);
    m_edit = new ValueEdit({}, this);
    m_edit->setObjectName(id + QStringLiteral(".value"));
    m_edit->setAccessibleName(tr("%1 as text").arg(label));
    m_edit->setAccessibleDescription(help);
    m_edit->setToolTip(help);
    m_edit->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_edit->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_edit->installEventFilter(this);
    m_error = new WrapLabel(this);
    m_error->setObjectName(id + QStringLiteral(".error"));
    m_error->hide();

    auto* top = new QHBoxLayout;
    top->setSpacing(8);
    top->addWidget(m_label, 1);
    if (!spec.presets.empty()) {
        auto* presets = new QToolButton(this);
        presets->setObjectName(id + QStringLiteral(".presets"));
        presets->setText(tr("Presets"));
        presets->setAccessibleName(tr("Presets of %1").arg(label));
        presets->setAutoRaise(true);
        presets->setFocusPolicy(Qt::StrongFocus);
        presets->setPopupMode(QToolButton::InstantPopup);
        addPresets(*presets);
        top->addWidget(presets, 0, Qt::AlignTop);
    }
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(4);
    all->addLayout(top);
    all->addWidget(editor);
    all->addWidget(m_edit);
    all->addWidget(m_error);

    connect(editor, &ListEditor::gestureStarted, this, &ListRow::gestureStarted);
    connect(editor, &ListEditor::gestureEnded, this, &ListRow::gestureEnded);
    connect(editor, &ListEditor::changed, this,
            [this](const ParamValue& value) { take(checkParameter(m_spec, value)); });
    connect(editor, &ListEditor::refused, this, &ListRow::showError);
    connect(m_edit, &QLineEdit::returnPressed, this, [this] { commit(true); });
    connect(m_edit, &ValueEdit::left, this, [this] { commit(false); });
    connect(m_edit, &QLineEdit::textEdited, this, [this] { m_edit->setFaulty(false); });
    connect(m_edit, &ValueEdit::escaped, this, [this] {
        discardTyped();
        m_editor->setFocus(Qt::OtherFocusReason);
    });
    editor->setValue(m_value);
    showText();
}

void ListRow::addPresets(QToolButton& button) {
    auto* menu = new QMenu(&button);
    menu->setObjectName(button.objectName() + QStringLiteral("Menu"));
    for (const PresetSpec& preset : m_spec.presets)
        connect(menu->addAction(engineText(preset.label)), &QAction::triggered, this,
                [this, value = preset.value] { take(checkParameter(m_spec, value)); });
    button.setMenu(menu);
}

void ListRow::take(const Result<ParamValue>& value) {
    showError(value ? QString() : engineText(value.error().message));
    if (value && *value != m_value)
        emit edited(*value, EditPhase::Drag);
    else if (!value)
        m_editor->setValue(m_value);
}

void ListRow::setValue(const ParamValue& value) {
    m_editor->setValue(value);
    if (value == m_value) return;
    m_value = value;
    discardTyped();
}

void ListRow::discardTyped() {
    showError(QString());
    showText();
}

void ListRow::showText() {
    m_edit->setText(QString::fromStdString(toText(m_value)));
    m_edit->setCursorPosition(0);
    m_edit->setFaulty(false);
    if (m_edit->hasFocus()) m_edit->selectAll();
}

void ListRow::showError(const QString& message) {
    m_error->setText(message, Tone::Error);
    m_error->setVisible(!message.isEmpty());
}

void ListRow::commit(bool keepWrongText) {
    if (!m_edit->isModified()) return;
    const auto parsed = parseParameter(m_spec, m_edit->text().trimmed().toStdString());
    if (parsed) {
        showError(QString());
        if (*parsed == m_value)
            showText();
        else
            emit edited(*parsed, EditPhase::Single);
        return;
    }
    if (keepWrongText)
        m_edit->selectAll();
    else
        showText();
    m_edit->setFaulty(keepWrongText);
    showError(engineText(parsed.error().message));
}

bool ListRow::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_label && event->type() == QEvent::MouseButtonDblClick) {
        take(m_spec.defaultValue);
        return true;
    }
    if (watched != m_edit || event->type() != QEvent::KeyPress) return false;
    // Rows from a sheet come in lines of their own, which a field of one line would run together.
    const QString text = QGuiApplication::clipboard()->text().trimmed();
    if (!static_cast<QKeyEvent*>(event)->matches(QKeySequence::Paste) ||
        !text.contains(QLatin1Char('\n')))
        return false;
    static const QRegularExpression lineEnd(QStringLiteral("\\s*[\\r\\n]+\\s*"));
    m_edit->insert(QString(text).replace(lineEnd, QStringLiteral(";")));
    return true;
}

}  // namespace warpscope::gui
