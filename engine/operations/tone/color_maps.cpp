#include "engine/operations/tone/color_maps.h"

#include <algorithm>
#include <cstdlib>

namespace warpscope {
namespace {

// The entries of matplotlib's maps, rounded to bytes: the first one, and from each to the next what
// is added to R, G and B as a letter, 'e' for nothing. Made with matplotlib 3.11 by
//   from math import floor
//   from matplotlib import colormaps
//   rows = [[floor(255 * c + 0.5) for c in row[:3]] for row in colormaps[NAME].colors]
//   print(rows[0], "".join(chr(ord("e") + b - a)
//                          for one, next in zip(rows, rows[1:]) for a, b in zip(one, next)))
struct Steps {
    int red, green, blue;
    const char* letters;
};

constexpr Steps kViridis{
    68, 1, 84,
    "efgfgfefgfgfefgegfefffggeffeggeffegfffgegfeffeffeggeffeffeffegfeffefgegfeffeffeffegfeffdff"
    "egeeffeffeffdffegeeffeffdffegeeffdffefeeffdgeeffdfeeffefedffegedffefedfeeffdfeefeegfdfeefe"
    "dfeeffdfeefedfeeffdfeefedgeefedfeeffdfeefedfeefedfeefedfeefedffefedfeefeefedfeefedfeefedfe"
    "efeefedfeefedeeefeefedfeefedfeefeefedfeefeefedfeefedfeefeefedfeefeeeedfeefeefedfeefedfeefe"
    "efddfeefeefedfeefeefeefddfeeeeefedfeefdefeefeefeefdefedfeefdefeffeefdefeefeeedefeffdefeffd"
    "efeffeefdffdffeffdefeffdfeeffdffdffegfdffdffdffegfdffdgedffegfdffdgfdffdgfdgedffdgfdgfdgfd"
    "gfdgedgfdgfdgfdgfdgedgfdgfcgfdgedgfdgfchfdgedgfcgfdhedgfcgfdhfdgecgfdhecgfdhfcgedhfcgfched"
    "gfchedgfchecgfdhechfcgedhfcgechfdhecgfchechfdgechfchecgedhfchedgechfchedgfdhechedgfdhedhed"
    "gfehedgeehfehefgeehffgefhefgefhffgeggefhfggeg"};
constexpr Steps kInferno{
    0, 0, 4,
    "fefeffeegfegefgeegfegffgeegffhfegffgfegffgffhfegffgfehffggegffhfeggfgfehfeggfhfeggehfeggeg"
    "fehgeggegfehgeggdgfeggeggeggdggeffeggefgdggeffefgefgeffefgffgefgeefefgffgeefffgeefffgeegfe"
    "fefgfefeegffgeeffegfefeegfegeeffegfefeegfegeeffegfefeegfegeeffegeeffegfdfeegfegeeffegedffe"
    "gfegedffegeeffdgeegfdfeegfeffdgeeffdgeegfdfeegfdffdgeegfdfeegfdffdgedffegfdfedgfegfdfedgfd"
    "ffdgeeffdgfdffdgedffdgfdffdgfdffdfedgfdffdgfdffdffdgfdffdffdgfdffdffdgfdffdffdfgdgfcffdffd"
    "ffdfgdgfdffcffdfgdffdffdfgdffcfgdffdffdfgdffcfgdffdegdffcfgdffdfgdegcffdfgdegcffdfgdegcffd"
    "fgdegcffdegdfgdegcffdegdegcfgdefdegdfgdegdegefgdefeegeegeegffgeegfegfegfefgegfeggeggegfegg"
    "eggeggdggegheggeggeggdgheggeggeghdfgegheghdggeghdgheghdgheghdgheghdghegieghdgieghdfiegiegi"
    "dgiefiegiegiffiegjffiefifgiffiffigfiffhffiggh"};
constexpr Steps kMagma{
    0, 0, 4,
    "fefeffeegfefefgeegffgeehffgfegffgeegffgffgfegffgffgfegffhffggegffgffgfehffgfegffhgegffgfeh"
    "gegffhfeggegfehfeggfhfeggehgdgfeggehfeggeggeggdgfeggeggeffdggeggefgeffeggefgeffffgefgeefef"
    "gffgefffegefffegefgfefffgeeffegefffegfefefgfegfefeegfefffgeeffegeeffegfegeeffegfefeegfefef"
    "gfefeegfegfefedgfefeegfegeeffegfefeegfegeeffegedffegeegfefeegfdfeegfegeeffdgeegfefedgfegfe"
    "fedgfefedgfegeeffdgeegfdfeegfdgfefedgfefedgfdgfefedgfdffegedgfdffegedffdgfeffdgfdffdgeeffd"
    "gfdffdgfdffefgdgfdffdffdffeggdffdffefgdffdffefgdffdfgefgeffdfgeegdffefgeegefgeffeegefgeege"
    "fgeegefgfefeegefgfegeegffgeegfegffgeeffegfegfegffgfegfegfegfegfefffgfegfegfegfeggegfegfeff"
    "eggegfegfeggegfegfefgegfeggegfeggegfefgegfeggeggegfeggeffeggeggegfeggeggeffdggeggeggegfegg"
    "efgeggeggegfeggdfgeggeggeggeggeggeffeggeggegg"};
constexpr Steps kPlasma{
    13, 8, 135,
    "hdfhefhefhdggefgefhefgefgefgdegefgefgefgeffefgefgeegdfgeffefgeegefgeffeegefgdffeegefgeefef"
    "geffdegefgeefefgeegeffdegeefefgeefefgeegeefdfgeefeegeefefgeefeegeegeefeegeeffegeefeegeefee"
    "gfefeegfefeegfefedgfefeegfdffeffegfdffegfeffdffegfdffegfdffdfgegfdffdffegfdffdffegfdffdfgd"
    "ffegfdffdffdffdgfdffdfgeffdffdgfdffdffdffdfgdffdffdffdffdgfdffeffdfgdffdffdffdffdffdffdffd"
    "fgdffdffdffdffdffeffdffdegdffdffdffdffdffdffdfgeffdffdefdffdffdffdffdfgeefdffdffdffdffdegd"
    "ffdffeffdffdefdfgdffdffdefeffdfgdefdffdffdefdfgeffdefdffdfgdefdffdffeegdffdefdffdegdffdffe"
    "egdffdefdfgdefdffdegdffeefdegdffdefdfgdefdegeffdefdegdffdegdefdffeegdefdegdefdfgdefeegdefd"
    "egdefdegeefdfgdefdegeefdegdefeegddgeefdegdefeegeegdefedgdefeegeegedfdegeegedfeegedgeeffdge"
    "egedfeegedgfegedfeegfdgedfeegedgedgdefddgdegb"};
constexpr Steps kCividis{
    0, 34, 78,
    "effefgefgeefefgefgeffeegefgefgeegeffefgeegefgefgeegeffefgeefefeeefffeifehedifehfeheegfegfe"
    "gedgfegfegfegeeffdgfefeegfeffegfefedffegfefeeffegfefeeffeffdfeeffegfeffefeeffeffefeeffeffe"
    "feeffeffefeeffeffeffefeeffeffefeeffeffefeeffeffefeefffffeffefeeffeefefeeffeffefefffeffeffe"
    "feeffeefffeeffeffefeefffffeffeeeeffeffffeeffeffeffffeeefeffefefffeffeffffeeefeffffeeffefff"
    "ffeeefffeffeffffeeffeffefeeefeffeffefeefffffeffefeeffeffdffefeeffeffeffefeeffeffeffefeeffe"
    "efeffefedffeffeffeffefeeffdffeffefeeffeffdffeffefeeffdffeffefeeffdffeffeffefedffeffeffdffe"
    "ffefedgfeffdffeffefedffeffdffeffeffdfeeffdffeffdffeffdfeeffdffeffdffeffdffdgeeffdffdffeffd"
    "ffeffdffdfedffeffdffdffdgfeffdffdffdfedffeffdffdffdffdgfdffdffdffdffdffdfecffdgfdffdffdffc"
    "ffdffdffcgfdffcffdffcffcgfcffcffcffeeffeffegg"};
constexpr Steps kTurbo{
    48, 18, 59,
    "ghmfhlfhlfhlfhlfhlfhlfhkfhkfglfhkfhjfhkfhkehjfgkfhjehjfhjegifhjfhjehiegifhiehiegifhhehiegh"
    "ehheghfhhehheggehheggehgdggehgeggehgegfdhfegfdhfdgedhfdgedhecgddhecgddhdcgddhdchccgdcgcchd"
    "dgcchccgcchbdgccgcchbdgccgbdgcdgbcgcdhbdgbegcdfbdgbegcegbegbefcegbfgcefcffbggcffcggbffbgfc"
    "hfbggbhfbgfbhfbhfbhfahfbifbhfaifbhfbieaifbifbheaifbifaiebifbiebifaiebiebiebifbhebieciebheb"
    "iechecidbhechechddgechddhecgddhedhddgddhdehddgdehddgdehdegcehdegdehcegdehcegdfgcehcegdfgce"
    "gcfgdegcegcfgcegcfgcegcefcfgcefcegcefcegcefcefcefcefbdfcefcefcdecdfbdecefbdecdfbdecdebdebd"
    "ebdebcecdebdebdebddbcebddbdebcdbdebddbcdbdebddbddbcdbddbddbddbcdbddbddcddbdcbddcddbddcdcbd"
    "dceccddcdccedcdccdccedcdcceccdcceccdccecceccdccecdeccdbcecdeccdbcecdebcecdebcdcdebcebdebde"
    "ccebdebdebcebdebdebdebceadebdfbdebdeadebdeadf"};

std::uint32_t packed(int red, int green, int blue) {
    const auto byte = [](int v) { return std::uint32_t(std::clamp(v, 0, 255)); };
    return byte(red) | byte(green) << 8 | byte(blue) << 16;
}

ColorTable unpacked(const Steps& steps) {
    ColorTable table{};
    int color[3] = {steps.red, steps.green, steps.blue};
    const char* letter = steps.letters;
    for (std::uint32_t& entry : table) {
        entry = packed(color[0], color[1], color[2]);
        if (!*letter) break;
        for (int& part : color) part += *letter++ - 'e';
    }
    return table;
}

template <class At>
ColorTable tableOf(const At& at) {
    ColorTable table{};
    for (int i = 0; i < 256; ++i) table[std::size_t(i)] = at(i);
    return table;
}

std::uint32_t jet(int i) {
    const auto part = [&](int k) { return (766 - std::abs(8 * i - k)) >> 1; };
    return packed(part(1530), part(1020), part(510));
}

std::uint32_t hot(int i) {
    return packed((5 * i + 1) >> 1, (5 * i - 509) >> 1, 5 * i - 1020);
}

std::uint32_t signedColor(int i) {
    return packed(std::min(255, 2 * i), 255 - std::abs(2 * i - 255), std::min(255, 510 - 2 * i));
}

// Six edges of the cube of colours, 256 steps each: after 255 comes 0 again.
std::uint32_t cyclic(int i) {
    return packed(std::abs(6 * i - 768) - 256, 512 - std::abs(6 * i - 512),
                  512 - std::abs(6 * i - 1024));
}

// Neighbours lie far apart on the circle of colours, and one in three each is pure, dark and pale,
// so that no two of the 255 are alike.
std::uint32_t labelColor(int i) {
    if (i == 0) return 0;
    const std::uint32_t pure = cyclic(i * 157 % 256);
    const auto part = [&](int shift) {
        const int v = int((pure >> shift) & 255u);
        return i % 3 == 0 ? v : i % 3 == 1 ? (2 * v + 1) / 3 : (v + 255) / 2;
    };
    return packed(part(0), part(8), part(16));
}

}  // namespace

ColorTable colorTable(std::string_view id) {
    if (id == "inferno") return unpacked(kInferno);
    if (id == "magma") return unpacked(kMagma);
    if (id == "plasma") return unpacked(kPlasma);
    if (id == "cividis") return unpacked(kCividis);
    if (id == "turbo") return unpacked(kTurbo);
    if (id == "hot") return tableOf(hot);
    if (id == "jet") return tableOf(jet);
    if (id == "signed") return tableOf(signedColor);
    if (id == "cyclic") return tableOf(cyclic);
    if (id == "labels") return tableOf(labelColor);
    return unpacked(kViridis);
}

}  // namespace warpscope
