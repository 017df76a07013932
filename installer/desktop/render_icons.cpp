// render_icons SVG FOLDER SIZE...: the icon as FOLDER/SIZExSIZE.png, for desktops that draw no SVG.
#include <QDir>
#include <QImage>
#include <QPainter>
#include <QSvgRenderer>
#include <cstdio>

int main(int argc, char** argv) {
    if (argc < 4) {
        std::fputs("render_icons: SVG FOLDER SIZE... is wanted\n", stderr);
        return 2;
    }
    QSvgRenderer icon(QString::fromLocal8Bit(argv[1]));
    const QDir folder(QString::fromLocal8Bit(argv[2]));
    if (!icon.isValid() || !folder.mkpath(QStringLiteral("."))) {
        std::fputs("render_icons: no icon, or no folder\n", stderr);
        return 1;
    }
    for (int i = 3; i < argc; ++i) {
        const int size = QString::fromLatin1(argv[i]).toInt();
        if (size < 1 || size > 1024) {
            std::fputs("render_icons: sizes are from 1 to 1024\n", stderr);
            return 2;
        }
        QImage picture(size, size, QImage::Format_ARGB32_Premultiplied);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        painter.setRenderHint(QPainter::Antialiasing);
        icon.render(&painter);
        painter.end();
        if (!picture.save(folder.filePath(QStringLiteral("%1x%1.png").arg(size)))) {
            std::fprintf(stderr, "render_icons: %s cannot be written\n", argv[2]);
            return 1;
        }
    }
    return 0;
}
