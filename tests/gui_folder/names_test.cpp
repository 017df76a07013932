// Names: natural order, names that are no text, and what of a folder is an image.
#include <QRandomGenerator>
#include <filesystem>

#include "gui/base/file_name.h"
#include "gui/folder/folder_list.h"
#include "gui/folder/natural_order.h"
#include "support/test_case.h"

using namespace warpscope::gui;

class NamesTest : public QObject {
    Q_OBJECT

    static QStringList shuffledAndSorted(QStringList names) {
        std::shuffle(names.begin(), names.end(), *warpscope::test::freshRandom());
        std::vector<NaturalKey> keys;
        for (const QString& name : names) keys.emplace_back(name);
        std::ranges::sort(keys, [](const auto& a, const auto& b) { return a < b; });
        QStringList sorted;
        for (const NaturalKey& key : keys) sorted << key.name();
        return sorted;
    }
    static void touch(const std::filesystem::path& path) {
        QFile file;
        std::FILE* opened = std::fopen(path.c_str(), "wb");
        QVERIFY(opened);
        std::fclose(opened);
    }

  private slots:
    void numbersCountByTheirValue() {
        const QStringList expected{"img.png",
                                   "img1.png",
                                   "img2.png",
                                   "IMG3.png",
                                   "img9.png",
                                   "img010.png",
                                   "img11.png",
                                   "img100.png",
                                   "img99999999999999999999.png",
                                   "img100000000000000000000.png"};
        for (int i = 0; i < 8; ++i) QCOMPARE(shuffledAndSorted(expected), expected);
    }

    void accentsAndCaseDoNotTearNamesApart() {
        const QStringList expected{
            "eagle.png", QStringLiteral("\u00e9cole 2.png"), "Ecole 10.png",
            "edge.png",  QStringLiteral("\u56fe2.png"),      QStringLiteral("\u56fe10.png")};
        for (int i = 0; i < 8; ++i) QCOMPARE(shuffledAndSorted(expected), expected);
        // Digits of another script have the same values.
        const QStringList arabic{QStringLiteral("a\u0662.png"),
                                 QStringLiteral("a\u0661\u0660.png")};
        QCOMPARE(shuffledAndSorted(arabic), arabic);
    }

    void theOrderIsOne() {
        // Any three names: no circle, and names that differ are never equal.
        auto& random = *warpscope::test::freshRandom();
        const QString letters = QStringLiteral("aA\u00e9e0012.9 -z\u0663");
        const auto name = [&] {
            QString text;
            for (int i = random.bounded(6); i >= 0; --i)
                text += letters[random.bounded(letters.size())];
            return text;
        };
        for (int i = 0; i < 20000; ++i) {
            const NaturalKey a(name()), b(name()), c(name());
            if (a.name() != b.name())
                QVERIFY2((a < b) != (b < a), qPrintable(a.name() + "|" + b.name()));
            if (a < b && b < c)
                QVERIFY2(a < c, qPrintable(a.name() + "|" + b.name() + "|" + c.name()));
        }
    }

    void anyBytesAreAName() {
        auto& random = *warpscope::test::freshRandom();
        for (int i = 0; i < 5000; ++i) {
            QByteArray bytes;
            for (int n = random.bounded(12); n >= 0; --n)
                bytes += random.bounded(2) ? char('a' + random.bounded(26))
                                           : char(random.bounded(1, 256));
            QCOMPARE(nameToBytes(nameFromBytes(bytes)), bytes);
        }
        const QString text = QStringLiteral("\u00e9\u56fe\U0001F600.png");
        QCOMPARE(nameFromBytes(text.toUtf8()), text);
        QCOMPARE(shownName(text), text);
        QCOMPARE(shownFileName(nameFromBytes("/x/caf\xe9.png")), QStringLiteral("caf\ufffd.png"));
    }

    void aFolderGivesItsImagesAlone() {
        QTemporaryDir folder;
        const std::filesystem::path at = pathOf(folder.path());
        for (const char* name :
             {"b10.png", "b2.JPG", "notes.txt", ".hidden.png", "caf\xe9.png", "plain"})
            touch(at / name);
        std::filesystem::create_directory(at / "folder.png");
        std::filesystem::create_symlink("b2.JPG", at / "a.tif");
        std::filesystem::create_symlink("nothing", at / "broken.png");
        QStringList names;
        for (const QString& path : imagesOfFolder(folder.path())) {
            QVERIFY(path.startsWith(folder.path() + QLatin1Char('/')));
            names << path.mid(folder.path().size() + 1);
        }
        const QString odd = nameFromBytes("caf\xe9.png");
        QCOMPARE(names, (QStringList{"a.tif", "b2.JPG", "b10.png", odd}));
        QVERIFY(imagesAround(folder.filePath("plain")).contains(folder.filePath("plain")));
        QCOMPARE(imagesAround(folder.filePath("plain")).size(), 5);
        QCOMPARE(withFoldersOpened({folder.path(), folder.filePath("a.tif")}).size(), 4);
        QVERIFY(imagesOfFolder(folder.filePath("missing")).isEmpty());
        std::filesystem::remove(at / "caf\xe9.png");  // QTemporaryDir cannot
    }
};

WARPSCOPE_TEST(NamesTest)
#include "names_test.moc"
