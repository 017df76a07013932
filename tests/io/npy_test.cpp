// NumPy arrays: every type and byte order that is read, header by header what is refused.
#include <bit>
#include <random>

#include "support/test_case.h"
#include "tests/io/io_helpers.h"

using namespace warpscope;
using namespace io_test;

namespace {

ByteBuffer npyOf(std::string dictionary, const ByteBuffer& samples, int version = 1) {
    ByteBuffer file = fromText(std::string("\x93NUMPY") + char(version) + '\0');
    put16(file, std::uint32_t(dictionary.size()));
    if (version > 1) put16(file, std::uint32_t(dictionary.size() >> 16));
    putText(file, dictionary);
    file.insert(file.end(), samples.begin(), samples.end());
    return file;
}

std::string dictionaryOf(const std::string& type, const std::string& shape) {
    return "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }     \n";
}

struct Array {
    ByteBuffer bytes;
    std::vector<double> values;
};

// Fresh values with both ends of the range; doubles hold all of them exactly.
template <class T>
Array arrayOf(std::size_t count, bool bigEndian, std::mt19937& random) {
    Array array;
    for (std::size_t i = 0; i < count; ++i) {
        T value;
        if constexpr (std::is_floating_point_v<T>)
            value = i == 0 ? std::numeric_limits<T>::quiet_NaN()
                           : T(std::int32_t(random())) / T(1 << 7);
        else
            value = i == 0 ? std::numeric_limits<T>::max() : T(random() >> (i % 9));
        if constexpr (std::is_same_v<T, double>) value = double(float(value));
        array.values.push_back(double(value));
        ByteBuffer sample(sizeof value);
        std::memcpy(sample.data(), &value, sizeof value);
        if (bigEndian) std::reverse(sample.begin(), sample.end());
        array.bytes.insert(array.bytes.end(), sample.begin(), sample.end());
    }
    return array;
}

Array arrayOf(const std::string& type, std::size_t count, bool bigEndian, std::mt19937& random) {
    if (type == "u1") return arrayOf<std::uint8_t>(count, bigEndian, random);
    if (type == "u2") return arrayOf<std::uint16_t>(count, bigEndian, random);
    if (type == "u4") return arrayOf<std::uint32_t>(count, bigEndian, random);
    if (type == "u8") return arrayOf<std::uint64_t>(count, bigEndian, random);
    if (type == "f4") return arrayOf<float>(count, bigEndian, random);
    return arrayOf<double>(count, bigEndian, random);
}

}  // namespace

class NpyTest : public QObject {
    Q_OBJECT

    static void expectRefused(const std::string& dictionary, ErrorCode code, const char* part,
                              std::size_t bytes = 600) {
        REQUIRE_FAILS(decode(npyOf(dictionary, ByteBuffer(bytes, 1))), code, part);
    }

  private slots:
    void everyTypeOrderAndShape_data() {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("order");
        QTest::addColumn<int>("channels");
        for (const char* type : {"u1", "u2", "u4", "u8", "f4", "f8"})
            for (const char* order : {"<", ">", "=", "|"})
                for (const int channels : {0, 1, 3, 4}) {
                    if (*order == '|' && qstrcmp(type, "u1") != 0) continue;
                    if (channels > 1 && (type[1] == '4' || type[1] == '8') && type[0] == 'u')
                        continue;
                    QTest::addRow("%s%s, %d", order, type, channels) << type << order << channels;
                }
    }
    void everyTypeOrderAndShape() {
        QFETCH(QString, type);
        QFETCH(QString, order);
        QFETCH(int, channels);
        std::mt19937 random{warpscope::test::freshSeed()};
        const int width = 1 + int(random() % 40), height = 1 + int(random() % 40);
        const int stored = std::max(channels, 1);
        const bool bigEndian =
            order == ">" || (order == "=" && std::endian::native == std::endian::big);
        const Array array =
            arrayOf(type.toStdString(), std::size_t(width * height * stored), bigEndian, random);
        std::string shape = std::to_string(height) + ", " + std::to_string(width);
        if (channels > 0) shape += ", " + std::to_string(channels);
        const auto image =
            decode(npyOf(dictionaryOf((order + type).toStdString(), shape), array.bytes));
        REQUIRE_OK(image);
        QCOMPARE(image->width(), width);
        QCOMPARE(image->height(), height);
        QCOMPARE(isColor(image->format()), channels > 1);
        QCOMPARE(image->info().hasAlpha, channels == 4);
        QCOMPARE(image->info().whiteLevel, fullScale(image->format()));
        QCOMPARE(isFloat(image->format()), type.startsWith('f'));
        if (type != "f8") QCOMPARE(bytesPerSample(image->format()), type.mid(1).toInt());
        REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int c) {
            if (c == 3 && channels == 3) return fullScale(image->format());
            return array.values[std::size_t((y * width + x) * stored + c)];
        }));
    }

    void bitsOfFloatsStay() {
        // A NaN with a payload, which arithmetic would lose.
        ByteBuffer samples;
        put32(samples, 0x7FA12345);
        put32(samples, 0x80000000);
        const auto image = decode(npyOf(dictionaryOf("<f4", "1, 2"), samples));
        REQUIRE_OK(image);
        const auto back = encodeImage(*image, "x.npy");
        REQUIRE_OK(back);
        QVERIFY(std::equal(samples.begin(), samples.end(), back->bytes.end() - 8));
    }

    void doublesAreExactOrRefused() {
        for (const auto& [value, exact] :
             {std::pair(0.5, true), std::pair(-0.0, true), std::pair(16777216.0, true),
              std::pair(0.1, false), std::pair(16777217.0, false), std::pair(1e300, false),
              std::pair(double(INFINITY), true)}) {
            ByteBuffer samples(16);
            std::memcpy(samples.data() + 8, &value, 8);
            const auto image = decode(npyOf(dictionaryOf("<f8", "2, 1"), samples));
            if (exact) {
                REQUIRE_OK(image);
                QCOMPARE(sampleAt(*image, 0, 1), value);
            } else {
                REQUIRE_FAILS(image, ErrorCode::Unsupported, "row 1 has float64 samples");
            }
        }
    }

    void headersThatPythonMayWrite() {
        for (const int version : {1, 2, 3})
            for (const char* dictionary :
                 {"{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }",
                  "{'shape': (2L, 3L), 'fortran_order': False, 'descr': '|u1'}\n",
                  "{\"descr\":\"|u1\",\"fortran_order\":False,\"shape\":(2,3)}",
                  "{ 'descr' : '|u1' , 'fortran_order' : False , 'shape' : ( 2 , 3 , ) , }  \n"}) {
                const auto image = decode(npyOf(dictionary, fromText("abcdef"), version));
                REQUIRE_OK(image);
                QCOMPARE(image->width(), 3);
                QCOMPARE(sampleAt(*image, 2, 1), double('f'));
            }
    }

    void refusedByName() {
        const auto unsupported = [](const std::string& type, const std::string& shape,
                                    const char* part) {
            expectRefused(dictionaryOf(type, shape), ErrorCode::Unsupported, part);
        };
        for (const char* type : {"<i2", "|i1", "<f2", "<c8", "|b1", "|S5", "<U3", "<M8[ns]", "|O",
                                 "<f16", "u1", "<", "|u2", "u2"})
            unsupported(type, "2, 2", type);
        for (const char* shape : {"", "4,", "2, 2, 2", "2, 2, 5", "1, 2, 2, 3"})
            unsupported("|u1", shape, "is no image");
        unsupported("<u4", "2, 2, 3", "NumPy colours of type uint32");
        expectRefused("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 2), }",
                      ErrorCode::Unsupported, "Fortran order");
        expectRefused("{'descr': [('r', '|u1')], 'fortran_order': False, 'shape': (2, 2), }",
                      ErrorCode::Unsupported, "records");
        REQUIRE_FAILS(decode(npyOf(dictionaryOf("|u1", "1, 1"), {1}, 4)), ErrorCode::Unsupported,
                      "version 4");
    }

    void damagedHeaders() {
        for (const char* dictionary :
             {"", "[]", "{", "{'descr': '|u1'", "{'descr': '|u1' 'shape': (1, 1)}", "{'descr}",
              "{'descr': '|u1', 'fortran_order': 0, 'shape': (1, 1)}",
              "{'descr': '|u1', 'fortran_order': False, 'shape': (-1, 1)}",
              "{'descr': '|u1', 'fortran_order': False, 'shape': (1 1)}",
              "{'descr': '|u1', 'fortran_order': False, 'shape': (99999999999999999999, 1)}",
              "{'descr': '|u1', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1,1)}",
              "{'descr': '|u1', 'fortran_order': False}",
              "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 1), 'eval': '1'}",
              "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 1)} 1"})
            expectRefused(dictionary, ErrorCode::Damaged, "damaged after row 0");
        expectRefused(dictionaryOf("|u1", "0, 3"), ErrorCode::Damaged, "a side of 0");
        expectRefused(dictionaryOf("<u2", "10, 31"), ErrorCode::Damaged, "damaged after row 9");
        const ByteBuffer whole = npyOf(dictionaryOf("<f4", "2, 3"), ByteBuffer(24, 0));
        for (std::size_t size = 6; size < whole.size(); ++size)
            QVERIFY(!decode(ByteBuffer(whole.begin(), whole.begin() + std::ptrdiff_t(size))));
    }

    // Refused by the header alone: nothing of the sort is there to be allocated.
    void hostileSizes() {
        for (const char* shape :
             {"1000000, 1000000", "1048576, 1048576, 4", "18446744073709551615, 3",
              "4294967296, 4294967296", "9223372036854775808, 2", "1048577, 1"})
            expectRefused(dictionaryOf("|u1", shape), ErrorCode::LimitExceeded, "");
        ByteBuffer file = fromText(std::string("\x93NUMPY\x02") + '\0');
        put32(file, 0xFFFFFFFF);
        REQUIRE_FAILS(decode(file), ErrorCode::LimitExceeded, "limit of 10000");
        ReadOptions options;
        options.limits.maxDecodedBytes = 1000;
        REQUIRE_FAILS(decode(npyOf(dictionaryOf("<f8", "20, 20"), ByteBuffer(3200)), options),
                      ErrorCode::LimitExceeded, "in memory");
    }

    void restIsSaid() {
        const auto image = decode(npyOf(dictionaryOf("|u1", "1, 2"), fromText("abcd")));
        REQUIRE_OK(image);
        QVERIFY(anyContains(image->info().notices, "2 bytes after the last sample"));
    }
};

WARPSCOPE_TEST(NpyTest)
#include "npy_test.moc"
