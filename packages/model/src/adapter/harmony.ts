// Routing text of OpenAI's Harmony protocol that leaked into the arguments of a tool call, or into an answer.
//
//   leak   = junk marker body leak?
//   marker = "to=functions." NAME
//   junk   = ( a glitch token | a channel word | a run of non-Latin script | "】【" )+   right before the marker
//   body   = " code "                                                                  right after it
//
// Models of the gpt-5 family do this about 150 times in a million calls. What comes after a marker is never part of the call,
// and often repeats an earlier edit, so it is dropped. What stands before it is, but where it ends cannot be seen in plain
// strings: an argument is cut only where its tool knows where a complete operation ends, and refused everywhere else. The
// marker alone proves nothing (a document may be about this very protocol): two signals must stand beside it, or a glitch
// token, which no text has on purpose.

export interface HarmonyLeak {
  /** Where the junk begins. */
  readonly offset: number;
  readonly marker: string;
  readonly signals: readonly ("glitch" | "channel" | "script" | "bracket" | "body")[];
}

/**
 * The end of the last complete operation at or before `offset`, or undefined where the format cannot tell.
 * `path` is the argument's path, as in `edits.0.text`.
 */
export type SafeBoundary = (
  toolName: string,
  path: string,
  text: string,
  offset: number,
) => number | undefined;

export type Inspected =
  | { readonly kind: "clean" }
  | { readonly kind: "cut"; readonly arguments: Readonly<Record<string, unknown>>; readonly removed: string }
  | { readonly kind: "refused"; readonly problem: string; readonly leak: HarmonyLeak };

export interface HarmonyCounts {
  readonly inspected: number;
  readonly cut: number;
  readonly refused: number;
}

export interface HarmonyGuard {
  inspect(toolName: string, callArguments: Readonly<Record<string, unknown>>): Inspected;
  counts(): HarmonyCounts;
}

const markerPattern = /to=functions\.[A-Za-z_]\w*/g;
const glitch = /(?:Japgolly|Jsii(?:_commentary)?|changedFiles|RTLU)[\s"'】【}]*$/;
const channel = /(?:^|[^A-Za-z])(?:analysis|assistant|commentary|final|user)[\s"'】【}]*$/;
const script =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Cyrillic}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Thai}\p{Script=Georgian}\p{Script=Armenian}\p{Script=Arabic}][\p{L}\p{M}\p{N}\s"'】【}]{0,40}$/u;
const bracket = /】【[\s"'】【}]*(?:[a-z]+\s)?$/;
const body = /^\s+code(?:\s|$)/;

/** Whether the model is of a family that leaks. */
export function mayLeakHarmony(model: string): boolean {
  return /gpt-(?:5|oss)/i.test(model);
}

export function findHarmonyLeak(text: string): HarmonyLeak | undefined {
  if (!text.includes("to=functions.")) return undefined;
  for (const match of text.matchAll(markerPattern)) {
    const before = text.slice(Math.max(0, match.index - 120), match.index);
    const after = text.slice(match.index + match[0].length, match.index + match[0].length + 20);
    const signals: HarmonyLeak["signals"][number][] = [];
    if (glitch.test(before)) signals.push("glitch");
    if (channel.test(before)) signals.push("channel");
    if (script.test(before)) signals.push("script");
    if (bracket.test(before)) signals.push("bracket");
    if (body.test(after)) signals.push("body");
    const isLeak = signals.length >= 2 || signals.includes("glitch");
    if (isLeak) return { offset: junkStart(text, match.index), marker: match[0], signals };
  }
  return undefined;
}

/** The text before a leak. What comes after it is not part of the answer. */
export function withoutHarmonyLeak(text: string): string {
  const leak = findHarmonyLeak(text);
  return leak === undefined ? text : text.slice(0, leak.offset);
}

const startOfPart = /^[§«»≔]/gm;

/**
 * Edits of the form `§PATH`, then operations that begin with `«`, `»` or `≔`: those before the one with the leak are whole.
 * A section that would be left without any goes with it.
 */
export const operationBoundary: SafeBoundary = (_tool, path, text, offset) => {
  if (path !== "input") return undefined;
  const starts = [...text.slice(0, offset).matchAll(startOfPart)];
  const operation = starts.pop();
  const before = starts.at(-1);
  if (operation === undefined || before === undefined) return undefined;
  const end = before[0] === "§" && operation[0] !== "§" ? before.index : operation.index;
  return /^[«»≔]/m.test(text.slice(0, end)) ? end : undefined;
};

export function harmonyGuard(boundary?: SafeBoundary): HarmonyGuard {
  let inspected = 0;
  let cut = 0;
  let refused = 0;
  return {
    counts: () => ({ inspected, cut, refused }),
    inspect(toolName, callArguments) {
      inspected++;
      let removed = "";
      let found: { leak: HarmonyLeak; path: string } | undefined;
      const clean = (value: unknown, path: string): unknown => {
        if (found !== undefined) return value;
        if (typeof value === "string") {
          const leak = findHarmonyLeak(value);
          if (leak === undefined) return value;
          const end = boundary?.(toolName, path, value, leak.offset);
          // Nothing left is not a smaller edit but another one.
          if (end === undefined || end <= 0 || end > leak.offset) {
            found = { leak, path };
            return value;
          }
          removed += value.slice(end);
          return value.slice(0, end);
        }
        if (Array.isArray(value)) return value.map((item, index) => clean(item, `${path}.${index}`));
        if (typeof value === "object" && value !== null) return cleanRecord(value, path);
        return value;
      };
      const cleanRecord = (value: object, path: string): Record<string, unknown> =>
        Object.fromEntries(
          Object.entries(value).map(([name, item]) => [
            name,
            clean(item, path === "" ? name : `${path}.${name}`),
          ]),
        );
      const cleaned = cleanRecord(callArguments, "");
      if (found !== undefined) {
        refused++;
        return {
          kind: "refused",
          leak: found.leak,
          problem: `"${found.path}" contains text of the call protocol ("${found.leak.marker}") that does not belong there`,
        };
      }
      if (removed === "") return { kind: "clean" };
      cut++;
      return { kind: "cut", arguments: cleaned, removed };
    },
  };
}

/** Back over everything that is junk and not the document's own text. */
function junkStart(text: string, marker: number): number {
  const before = text.slice(Math.max(0, marker - 120), marker);
  const junk =
    /(?:Japgolly|Jsii(?:_commentary)?|changedFiles|RTLU|analysis|assistant|commentary|final|user|[】【"'}\s]|[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}])+$/u.exec(
      before,
    );
  return marker - (junk?.[0].length ?? 0);
}
