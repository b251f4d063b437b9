// The scores as a picture: a stacked bar for each rule set, readable on light and dark.

import type { Score } from "./score.ts";

const parts = [
  { key: "right", label: "landed right", colour: "#2f9e63" },
  { key: "refusedRight", label: "refused, rightly", colour: "#7fa7d6" },
  { key: "refusedNeedlessly", label: "refused needlessly", colour: "#d9a521" },
  { key: "wrong", label: "landed wrong", colour: "#d1453b" },
] as const;

const width = 880;
const labelWidth = 290;
const barWidth = 470;
const rowHeight = 26;
const top = 44;

export function integrityPlot(scores: readonly Score[]): string {
  const height = top + scores.length * rowHeight + 12;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">`,
    '<title id="title">What came of edits, for each rule set</title>',
    "<style>text{font:13px system-ui,sans-serif;fill:#24292f}.ours{font-weight:600}@media(prefers-color-scheme:dark){text{fill:#e6edf3}}</style>",
    ...legend(),
    ...scores.flatMap((score, index) => bar(score, top + index * rowHeight)),
    "</svg>\n",
  ].join("\n");
}

function legend(): string[] {
  return parts.map(({ label, colour }, index) => {
    const x = 12 + index * 170;
    return `<rect x="${x}" y="12" width="13" height="13" rx="2" fill="${colour}"/><text x="${x + 19}" y="23">${label}</text>`;
  });
}

function bar(score: Score, y: number): string[] {
  const total = Math.max(1, score.cases);
  const drawn = [
    `<text x="12" y="${y + 15}"${score.isOurs ? ' class="ours"' : ""}>${escaped(score.name)}</text>`,
  ];
  let x = labelWidth;
  for (const { key, colour } of parts) {
    const length = (score[key] / total) * barWidth;
    if (length > 0)
      drawn.push(
        `<rect x="${x.toFixed(1)}" y="${y + 2}" width="${Math.max(length, 1).toFixed(1)}" height="18" fill="${colour}"/>`,
      );
    x += length;
  }
  const wrong = score.wrong === 0 ? "none" : `${((score.wrong / total) * 100).toFixed(1)} %`;
  drawn.push(`<text x="${labelWidth + barWidth + 12}" y="${y + 15}">${wrong} wrong</text>`);
  return drawn;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
