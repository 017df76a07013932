// A label that wraps anywhere when it must, so that no word, however long, is cut off in a narrow
// dock. Pieces of a text can have tones, which follow the theme.
#pragma once

#include <QColor>
#include <QString>
#include <QVector>
#include <QWidget>

namespace warpscope::gui {

enum class Tone { Text, Weak, Warning, Error, Fixed };

struct TextPiece {
    QString text;
    Tone tone = Tone::Text;
    QColor color;  // for Tone::Fixed

    friend bool operator==(const TextPiece&, const TextPiece&) = default;
};

class WrapLabel : public QWidget {
    Q_OBJECT
  public:
    explicit WrapLabel(QWidget* parent = nullptr);

    void setText(const QString& text, Tone tone = Tone::Text);
    void setPieces(const QVector<TextPiece>& pieces);
    QString text() const;  // all pieces
    void setAlignment(Qt::Alignment alignment);
    // Keeps the height of one line when there is no text, so that nothing below moves when one
    // comes.
    void setReservesLine(bool reserves);

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    QColor colorOf(const TextPiece& piece) const;

    QVector<TextPiece> m_pieces;
    Qt::Alignment m_alignment = Qt::AlignLeft;
    bool m_reservesLine = false;
};

}  // namespace warpscope::gui
