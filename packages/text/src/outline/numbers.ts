// The number of a chapter: digits, a Roman numeral, or a word in one of a few languages.

export interface Numeral {
  /** Undefined for a word that has no number, as in "the last chapter". */
  readonly value: number | undefined;
  /** How many characters it takes, from the start. */
  readonly length: number;
}

const words = new Map<string, number>();
const ordinals = new Set<string>();

function add(list: string, isOrdinal = false): void {
  for (const entry of list.split(" ")) {
    const [names = "", value = ""] = entry.split("=");
    for (const name of names.split("|")) {
      words.set(name, Number(value));
      if (isOrdinal) ordinals.add(name);
    }
  }
}

add(
  "zero=0 one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 eleven=11 twelve=12 thirteen=13 " +
    "fourteen=14 fifteen=15 sixteen=16 seventeen=17 eighteen=18 nineteen=19 twenty=20 thirty=30 forty|fourty=40 " +
    "fifty=50 sixty=60 seventy=70 eighty=80 ninety=90 hundred=100",
);
add(
  "first=1 second=2 third=3 fourth=4 fifth=5 sixth=6 seventh=7 eighth=8 ninth=9 tenth=10 eleventh=11 twelfth=12 " +
    "thirteenth=13 fourteenth=14 fifteenth=15 sixteenth=16 seventeenth=17 eighteenth=18 nineteenth=19 twentieth=20 " +
    "thirtieth=30 fortieth=40 fiftieth=50 hundredth=100 last=NaN final=NaN",
  true,
);
add(
  "un|une=1 deux=2 trois=3 quatre=4 cinq=5 sept=7 huit=8 neuf=9 dix=10 onze=11 douze=12 treize=13 quatorze=14 " +
    "quinze=15 seize=16 vingt=20 eins=1 zwei=2 drei=3 vier=4 fünf=5 sechs=6 sieben=7 acht=8 neun=9 zehn=10 elf=11 " +
    "zwölf=12 uno|una=1 dos=2 tres=3 cuatro=4 cinco=5 seis=6 siete=7 ocho=8 nueve=9 diez=10 once=11 doce=12 " +
    "một=1 hai=2 ba=3 bốn=4 năm=5 sáu=6 bảy=7 tám=8 chín=9 mười=10",
);
add(
  "premier|première=1 deuxième|seconde=2 troisième=3 quatrième=4 cinquième=5 sixième=6 septième=7 huitième=8 " +
    "neuvième=9 dixième=10 dernier|dernière=NaN erster|erste|erstes=1 zweiter|zweite|zweites=2 dritter|dritte|drittes=3 " +
    "vierter|vierte|viertes=4 fünfter|fünfte|fünftes=5 sechster|sechste|sechstes=6 siebter|siebte|siebtes=7 " +
    "achter|achte|achtes=8 neunter|neunte|neuntes=9 zehnter|zehnte|zehntes=10 letzter|letzte|letztes=NaN " +
    "primero|primera|primer=1 segundo|segunda=2 tercero|tercera|tercer=3 cuarto|cuarta=4 quinto|quinta=5 sexto|sexta=6 " +
    "séptimo|séptima=7 octavo|octava=8 noveno|novena=9 décimo|décima=10",
  true,
);

export function isOrdinal(word: string): boolean {
  return ordinals.has(word);
}

const roman = /^M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,4})(?:IX|IV|V?I{0,4})$/;
const romanDigits: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 };

/** The value of a Roman numeral that is written as one; also of "IIII", which clocks and old books have. */
export function romanValue(numeral: string): number | undefined {
  const capitals = numeral.toUpperCase();
  if (capitals === "" || (numeral !== capitals && numeral !== numeral.toLowerCase())) return undefined;
  if (!roman.test(capitals)) return undefined;
  let value = 0;
  let before = 0;
  for (const digit of [...capitals].reverse()) {
    const worth = romanDigits[digit] ?? 0;
    value += worth < before ? -worth : worth;
    before = Math.max(before, worth);
  }
  return value;
}

const digits = /^(\d{1,4})(?:st|nd|rd|th)?(?![\p{L}\d])/u;
const word = /^\p{L}+/u;

/** The number at the start of `source`, if one stands there. */
export function numeralAt(source: string): Numeral | undefined {
  const figure = digits.exec(source);
  if (figure !== null) return { value: Number(figure[1]), length: figure[0].length };
  const first = word.exec(source)?.[0];
  if (first === undefined || /^[\p{N}'’]/u.test(source.slice(first.length))) return undefined;
  const value = romanValue(first);
  if (value !== undefined) return { value, length: first.length };
  const spelled = spelledAt(source);
  if (spelled !== undefined) return spelled;
  // "Part A", but not "Part A Good Day".
  const isLetter = /^[A-Z](?=$|[.:)—–-])/.test(source);
  return isLetter ? { value: source.charCodeAt(0) - 64, length: 1 } : undefined;
}

function spelledAt(source: string): Numeral | undefined {
  let value = 0;
  let length = 0;
  let before = Number.POSITIVE_INFINITY;
  for (let at = 0; ; ) {
    const part = word.exec(source.slice(at))?.[0];
    if (part === undefined) break;
    const next = words.get(part.toLowerCase());
    if (next === undefined) {
      if (part.toLowerCase() !== "and" || length === 0 || value % 100 !== 0) break;
    } else {
      // "twenty" takes "one" along, "one" takes "hundred" along, and nothing else goes together.
      const joins =
        length === 0 || next === 100 || (before >= 20 && next < before) || (before === 10 && next < 10);
      if (!joins) break;
      value = next === 100 ? Math.max(1, value) * 100 : value + next;
      before = next;
      length = at + part.length;
    }
    at += part.length;
    if (!/^[\s-]/.test(source.slice(at, at + 1))) break;
    at += 1;
  }
  if (length === 0) return undefined;
  return { value: Number.isNaN(value) ? undefined : value, length };
}
