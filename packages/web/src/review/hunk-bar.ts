// One bar: its buttons, and what is said where the pointer or the focus is on it.

import { visible } from "@stet/protocol/visible";
import type { Commands } from "../app/commands.ts";
import type { Decisions } from "./decisions.ts";
import type { HunkRange, MarkRange } from "./hunk-ranges.ts";
import type { Verdict } from "./selection.ts";

export interface Bar {
  readonly dom: HTMLElement;
  /** Where it stands in the text. */
  from: number;
  readonly named: readonly { readonly element: HTMLElement; readonly name: string }[];
}

const svgSpace = "http://www.w3.org/2000/svg";
const drawings = {
  accept: ["M20 6 9 17l-5-5"],
  reject: ["M18 6 6 18", "m6 6 12 12"],
  undo: ["M9 14 4 9l5-5", "M4 9h10.5a5.5 5.5 0 0 1 0 11H11"],
} as const;

/** Only for hunks that can be decided alone. */
export function hunkBar({ hunk }: HunkRange, decisions: Decisions, commands: Commands): Bar {
  const dom = element("div", "review-bar");
  dom.setAttribute("role", "group");
  const button = (verdict: Verdict) => {
    const title = verdict === "accept" ? "Accept" : "Reject";
    const keys = commands.keysOf(`review.${verdict}`);
    const made = iconButton(verdict, keys === undefined ? title : `${title} (${keys})`);
    made.addEventListener("click", () => void decisions.decide({ hunk_ids: [hunk.hunk_id] }, verdict));
    return { element: made, name: `${title} the change` };
  };
  const buttons = [button("accept"), button("reject")];
  dom.append(...buttons.map((each) => each.element));
  if (hunk.rationales.length > 0) dom.append(reasonsOf(dom, hunk.rationales));
  return { dom, from: 0, named: [{ element: dom, name: "Change" }, ...buttons] };
}

export function decidedBar({ id, verdict }: MarkRange, decisions: Decisions): Bar {
  const dom = element("div", "review-bar decided");
  dom.setAttribute("role", "group");
  const done = verdict === "accepted" ? "Accepted" : "Rejected";
  const said = element("span", "review-said");
  said.title = done;
  said.append(icon(verdict === "accepted" ? "accept" : "reject"), wordOf(done));
  const undo = iconButton("undo", "Undo");
  undo.addEventListener("click", () => void decisions.undo([id]));
  undo.append(wordOf("Undo"));
  dom.append(said, undo);
  return {
    dom,
    from: 0,
    named: [
      { element: dom, name: `${done} change` },
      { element: undo, name: `Undo: ${done.toLowerCase()} change` },
    ],
  };
}

/** Names say the line, which moves. */
export function tellBar(bar: Bar, { line, from }: { readonly line: number; readonly from: number }): void {
  bar.from = from;
  for (const { element: named, name } of bar.named) {
    const label = `${name} at line ${line}`;
    if (named.getAttribute("aria-label") !== label) named.setAttribute("aria-label", label);
  }
}

function reasonsOf(bar: HTMLElement, reasons: readonly string[]): HTMLElement {
  const place = element("div", "review-why");
  place.setAttribute("role", "note");
  for (const reason of reasons) {
    const line = element("p", "");
    line.textContent = visible(reason);
    place.append(line);
  }
  // Near the lower edge it opens upwards.
  const turn = () => {
    const scroller = bar.closest(".cm-scroller")?.getBoundingClientRect();
    const isLow = scroller !== undefined && scroller.bottom - bar.getBoundingClientRect().bottom < 120;
    place.classList.toggle("upwards", isLow);
  };
  bar.addEventListener("pointerenter", turn);
  bar.addEventListener("focusin", turn);
  return place;
}

function iconButton(drawing: keyof typeof drawings, title: string): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = `review-button chip soft card ${drawing}`;
  button.title = title;
  button.append(icon(drawing));
  return button;
}

function icon(drawing: keyof typeof drawings): SVGElement {
  const svg = document.createElementNS(svgSpace, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  for (const d of drawings[drawing]) {
    const path = document.createElementNS(svgSpace, "path");
    path.setAttribute("d", d);
    svg.append(path);
  }
  return svg;
}

/** Left out where there is little room. */
function wordOf(text: string): HTMLElement {
  const word = element("span", "review-word");
  word.textContent = text;
  return word;
}

function element(tag: string, className: string): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  return made;
}
