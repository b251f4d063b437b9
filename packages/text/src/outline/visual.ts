// Titles that only look like titles: short lines in capitals, lines with a rule below them, and scene breaks.

import type { Text } from "@codemirror/state";
import { lineAt, type OutlineScan, type TextBlock } from "./blocks.ts";
import { type FoundHeading, namedIn } from "./chapters.ts";
import { displayTitle, firstWords, isAllCaps, undecorated } from "./titles.ts";

const rule = /^([-=*_~])\1{2,}$/;
const sceneBreak = /^(?:(?:[*#~•·—–_-]\s*){3,80}|[#⁂❦§])$/u;
const longestInCapitals = 50;

/** Before gaps are closed: titles, titles with a lesser rule below them, scenes. */
const levels = { title: 1, minor: 2, scene: 3 } as const;

export function titlesIn(scan: OutlineScan): FoundHeading[] {
  const { text, blocks } = scan;
  const named = namedIn(scan);
  // One word like "Introduction" says little about a document; two of them are its structure.
  const names = new Map(named.length > 1 ? named.map((each) => [each.line, each.title]) : []);
  const found: FoundHeading[] = [];
  /** Where a scene break began whose scene has not begun yet. Several rows of stars are one break. */
  let pause: number | undefined;
  let hasTitle = false;
  for (const block of blocks) {
    const name = names.get(block.start);
    const title = name === undefined ? titleAt(text, block) : namedSection(block, name);
    if (title !== undefined) {
      found.push(title);
      hasTitle = true;
      pause = undefined;
    } else if (isSceneBreak(text, block)) {
      pause ??= block.start;
    } else if (pause !== undefined) {
      const first = blocks[0];
      if (!hasTitle && found.length === 0 && first !== undefined && first.start < pause) {
        found.push(sceneAt(text, first, first.start, "document_start"));
      }
      found.push(sceneAt(text, block, pause, "scene_break"));
      pause = undefined;
    }
  }
  const present = [...new Set(found.map(({ level }) => level))].sort((a, b) => a - b);
  return found.map((each) => ({ ...each, level: present.indexOf(each.level) + 1 }));
}

function namedSection({ start }: TextBlock, title: string): FoundHeading {
  return { line: start, level: levels.title, title, detectedBy: "named_section" };
}

function titleAt(text: Text, { start, end }: TextBlock): FoundHeading | undefined {
  const line = lineAt(text, start) ?? "";
  if (line.length >= 80 || sceneBreak.test(line)) return undefined;
  const below = end > start ? (lineAt(text, start + 1) ?? "") : "";
  if (rule.test(below) && /[\p{L}\p{N}]/u.test(line)) {
    if (/[.,;:]$/.test(line) && !isAllCaps(line)) return undefined;
    const level = below.startsWith("=") ? levels.title : levels.minor;
    return { line: start, level, title: displayTitle(undecorated(line)), detectedBy: "separator_title" };
  }
  if (end > start || line.length >= longestInCapitals || !isAllCaps(line)) return undefined;
  // Shouting is not a title.
  if (/^[“"‘'«]|[!?,;”"»]$/.test(line) || !/\p{L}.*\p{L}/u.test(line)) return undefined;
  return { line: start, level: levels.title, title: displayTitle(undecorated(line)), detectedBy: "all_caps" };
}

function isSceneBreak(text: Text, { start, end }: TextBlock): boolean {
  return start === end && sceneBreak.test(lineAt(text, start) ?? "");
}

/** A scene, called after the words with which its first paragraph begins. */
function sceneAt(text: Text, { start }: TextBlock, line: number, detectedBy: string): FoundHeading {
  const title = firstWords((offset) => lineAt(text, start + offset));
  return { line, level: levels.scene, title, detectedBy };
}
