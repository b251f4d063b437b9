// The address of a page as a model writes it, with its selector:
//
//   https://example.org/page   http://…   www.example.org      :raw  :N  :A-B  :A+C   behind it
//
// `https://host:8080` names a port, not a line: what stands directly behind the host is a port.

import { Fault, isFault } from "@stet/protocol/fault";
import { type LineRange, parseSelector } from "../selector.ts";
import { isWebAddress } from "../sources.ts";

export interface WebTarget {
  readonly url: URL;
  readonly selector: LineRange | undefined;
  readonly isRaw: boolean;
}

/** Undefined: not the address of a page. */
export function parseWebAddress(path: string): WebTarget | Fault | undefined {
  const text = path.trim();
  if (!isWebAddress(text)) return undefined;
  const whole = /^www\./i.test(text) ? `https://${text}` : text;
  const selected = selectorOf(whole);
  if (isFault(selected)) return selected;
  const url = checkAddress(selected.path);
  return isFault(url) ? url : { ...selected, url };
}

function selectorOf(text: string): { path: string; selector: LineRange | undefined; isRaw: boolean } | Fault {
  const none = { path: text, selector: undefined, isRaw: false };
  const [, start = "", rest = ""] = /^(https?:\/\/[^/?#]*)(.*)$/is.exec(text) ?? [];
  if (rest !== "") {
    const selected = parseSelector(rest);
    return isFault(selected) ? selected : { ...selected, path: start + selected.path };
  }
  // Only `:raw`, or a selector behind a port, can follow a host.
  const [, host = "", selector] =
    /^(.*?:\/\/.*?(?::\d+)?)(:raw|(?<=:\d+):\d+(?:[-+]\d+)?)$/i.exec(text) ?? [];
  if (selector === undefined) return none;
  const selected = parseSelector(`x${selector}`);
  return isFault(selected) ? selected : { ...selected, path: host };
}

/** An address that may be asked at all, whoever named it. */
export function checkAddress(text: string): URL | Fault {
  if (!URL.canParse(text)) return invalid(text, "is not a valid address", "Correct it.");
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return invalid(text, `uses ${url.protocol}`, "Only http and https are read.");
  }
  if (url.username !== "" || url.password !== "") {
    return invalid(
      url.host,
      "contains a name or a password",
      "Leave them out; pages are read without signing in.",
    );
  }
  url.hash = "";
  return url;
}

function invalid(text: string, problem: string, suggestion: string): Fault {
  return new Fault(
    "invalid_path",
    `The address ${JSON.stringify(text.slice(0, 200))} ${problem}.`,
    suggestion,
  );
}
