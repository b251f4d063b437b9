// Escapes of characters that act on a screen or cannot be seen on it.
//
//   steering   controls (C0, DEL, C1: escape sequences begin with them) and what reorders text. A terminal obeys them, so they
//              are visible in everything that is printed.
//   hidden     what takes no room: zero-width characters, soft hyphens, fillers, tags. A reader does not know that they are there.
//
// A line feed and a tab are themselves. A control becomes its picture (␛), everything else its number (⟨U+202E⟩).

/** How much is escaped. `reading` leaves hidden characters where writing needs them: in emoji, and in scripts that join. */
export type Visibility = "steering" | "reading" | "everything";

const steering = String.raw`\r\n|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]`;
const hidden = String.raw`[\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]`;

/** Scripts whose letters join. */
const joining =
  "Arab Syrc Mong Nkoo Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt Adlm Phag Mand Rohg";

/** Hidden characters that belong to the one before them. */
function needed(): string {
  const letters = joining.split(" ").map((script) => String.raw`\p{Script_Extensions=${script}}`);
  return [
    // Two letters that would join, or would not.
    String.raw`(?<=(?!\p{Default_Ignorable_Code_Point})[${letters.join("")}])[\u200c\u200d]`,
    // Emoji of several parts.
    String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d`,
    // The form of a character.
    String.raw`(?<=(?![#*0-9])[\p{Emoji}\p{Extended_Pictographic}])[\ufe0e\ufe0f]`,
    String.raw`(?<=[#*0-9])\ufe0f(?=\u20e3)`,
    String.raw`(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
    String.raw`(?<=\p{Script=Mong})[\u180b-\u180d\u180f]`,
    // The flag of a part of a country.
    String.raw`(?<=\u{1f3f4})[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6}\u{e007f}`,
  ].join("|");
}

const sources: Readonly<Record<Visibility, () => string>> = {
  steering: () => steering,
  reading: () => `(${needed()})|${steering}|${hidden}`,
  everything: () => `${steering}|${hidden}`,
};
/** Made when first needed: the properties of all characters are looked up for it, and most text is plain. */
const patterns = new Map<Visibility, RegExp>();

function patternFor(how: Visibility): RegExp {
  const pattern = patterns.get(how) ?? new RegExp(sources[how](), "gu");
  patterns.set(how, pattern);
  return pattern;
}

const plain = /^[\t\n -~]*$/;

export function visible(text: string, how: Visibility = "reading"): string {
  if (plain.test(text)) return text;
  return text.replace(patternFor(how), (found: string, allowed: unknown) =>
    typeof allowed === "string" ? allowed : pictureOf(found),
  );
}

/** A name on one line, with everything in it visible. */
export function visibleName(name: string): string {
  return visible(name, "everything").replace(/[\n\t]/g, pictureOf);
}

/** JSON of the same value in which every such character is escaped. */
export function visibleJson(json: string): string {
  return json.replace(patternFor("everything"), (found) =>
    Array.from({ length: found.length }, (_, at) => escaped(found.charCodeAt(at))).join(""),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}

function pictureOf(found: string): string {
  if (found === "\r\n") return "\n";
  const code = found.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
