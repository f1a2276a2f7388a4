"""Dates with the name of a month, in the languages of the phones and programs that write them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

# January to December, a language or a group of alike ones a line, its rest indented; / stands between forms of one
# month. A beginning of a name is enough: abbreviations are listed only where they are none, or could be two months.
_LANGUAGES = """
january february march april may june july august september october november december
januar/jänner februar/feber märz/maerz/mrz april mai juni juli august september oktober november dezember
janvier février/fevrier mars avril mai juin juillet août/aout septembre octobre novembre décembre/decembre
enero febrero marzo abril mayo junio julio agosto septiembre/setiembre octubre noviembre diciembre
gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
janeiro fevereiro março/marco abril maio junho julho agosto setembro outubro novembro dezembro
gener febrer març abril maig juny juliol agost/ag setembre octubre novembre desembre
januari februari maart/mrt april mei juni juli augustus september oktober november december
januari februari mars/marts april maj juni juli augusti september oktober november december/desember
tammikuu helmikuu maaliskuu huhtikuu toukokuu kesäkuu heinäkuu elokuu syyskuu lokakuu marraskuu joulukuu
jaanuar veebruar märts aprill mai juuni juuli august september oktoober november detsember
styczeń/stycznia luty/lutego marzec/marca kwiecień/kwietnia maj/maja czerwiec/czerwca lipiec/lipca
    sierpień/sierpnia wrzesień/września październik/października listopad/listopada grudzień/grudnia
leden/ledna únor/února březen/března duben/dubna květen/května červen/června/čvn červenec/července/čvc
    srpen/srpna září říjen/října listopad/listopadu prosinec/prosince
január február marec/marca apríl máj/mája jún/júna júl/júla august september október november december
január február március április május június július augusztus szeptember október november december
ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie
ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
januari februari maret april mei juni juli agustus/agt september oktober november desember
январь/января февраль/февраля март/марта апрель/апреля май/мая июнь/июня июль/июля август/августа
    сентябрь/сентября октябрь/октября ноябрь/ноября декабрь/декабря
січень/січня лютий/лютого березень/березня квітень/квітня травень/травня червень/червня липень/липня
    серпень/серпня вересень/вересня жовтень/жовтня листопад/листопада грудень/грудня
януари февруари март април май юни юли август септември октомври ноември декември
ιανουαρίου/ιανουάριος φεβρουαρίου/φεβρουάριος μαρτίου/μάρτιος απριλίου/απρίλιος μαΐου/μάιος/μαϊου
    ιουνίου/ιούνιος ιουλίου/ιούλιος αυγούστου/αύγουστος σεπτεμβρίου/σεπτέμβριος οκτωβρίου/οκτώβριος
    νοεμβρίου/νοέμβριος δεκεμβρίου/δεκέμβριος
يناير فبراير مارس أبريل/ابريل/إبريل مايو يونيو/يونيه يوليو/يوليه أغسطس/اغسطس سبتمبر أكتوبر/اكتوبر نوفمبر ديسمبر
ינואר פברואר מרץ/מרס אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר
जनवरी फ़रवरी/फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर/सितम्बर अक्टूबर/अक्तूबर नवंबर/नवम्बर दिसंबर/दिसम्बर
มกราคม/มค กุมภาพันธ์/กพ มีนาคม/มีค เมษายน/เมย พฤษภาคม/พค มิถุนายน/มิย กรกฎาคม/กค สิงหาคม/สค กันยายน/กย ตุลาคม/ตค
    พฤศจิกายน/พย ธันวาคม/ธค
"""
_USUAL = {"mar": 3}  # elsewhere than in Finnish, whose marraskuu is November

_WORD = r"[^\s\d,،、./\[\]:;<>()-][^\s\d,،、/\[\]:;<>()-]{1,19}"
_MONTH = rf"((?:thg|tháng|Th)\.? ?\d{{1,2}}|{_WORD})"
_DAY = r"(\d{1,2})(?:st|nd|rd|th|er|re|\.|º|ª)?"
_YEAR = r"(\d{4}|\d\d)(?:\.|[ \u00a0]?г\.?)?"
_OF = r"(?:de |del |di |d[’']|of |ב)?"
_BLANK = r"[ \u00a0\u2009\u202f]"
_BETWEEN = rf"(?:,?{_BLANK}|[-/.])"
# Groups: day, month, year; or month, day, year; or year, month, day. A weekday may stand before.
DATE = (
    r"(?:[^\W\d_]{2,15}[.,]{1,2} )?"
    rf"(?:{_DAY}{_BETWEEN}{_OF}{_MONTH}{_BETWEEN}{_OF}{_YEAR}"
    rf"|{_MONTH}{_BETWEEN}{_DAY},?{_BETWEEN}{_OF}{_YEAR}"
    rf"|(\d{{4}})\.?{_BETWEEN}{_MONTH}{_BETWEEN}{_DAY})"
)
GROUPS = 9


def _plain(word: str) -> str:
    return unicodedata.normalize("NFC", word).casefold().replace(".", "").replace("॰", "")


def _names() -> dict[str, int]:
    found: dict[str, int] = {}
    for language in re.sub(r"\n +", " ", _LANGUAGES).split("\n"):
        for number, forms in enumerate(language.split(), 1):
            for form in forms.split("/"):
                found.setdefault(_plain(form), number)
    return found


_NUMBERS = _names()


@lru_cache(maxsize=1000)
def month_named(word: str) -> int | None:
    """The number of a month by its name, inflected or cut short, or None if it is none or could be two."""
    plain = _plain(word)
    if known := _NUMBERS.get(plain) or _USUAL.get(plain):
        return known
    if numbered := re.fullmatch(r"(?:thg|tháng|th) ?(\d{1,2})", plain):
        return int(numbered[1]) if 1 <= int(numbered[1]) <= 12 else None
    if len(plain) < (3 if plain.isascii() else 2):
        return None
    begun = {number for name, number in _NUMBERS.items() if name.startswith(plain)}
    inflected = {number for name, number in _NUMBERS.items() if len(name) > 4 and plain.startswith(name)}
    fitting = begun or inflected
    return fitting.pop() if len(fitting) == 1 else None


def named_date(groups: Sequence[str | None]) -> tuple[str, str, str] | None:
    """(year, month, day) in digits of what DATE found, or None if the word in it is no month."""
    day, month, year = next((groups[at : at + 3] for at in (0, 3, 6) if groups[at]), ("", "", ""))
    if groups[3]:
        day, month = month, day
    elif groups[6]:
        day, year = year, day
    number = month_named(month or "")
    return (f"20{year}" if len(year or "") == 2 else year or "", str(number), day or "") if number else None
