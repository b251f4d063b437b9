// Compares the chapters with the plan in book.yaml: node tools/check-chapters.js

import { readFileSync } from "node:fs";
import { chaptersOf } from "./count-words.js";

const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

/** The plan's lines are simple enough to be read without a library. */
export function planOf(yaml) {
  return [...yaml.matchAll(/- title: (.+)\n\s+words: (\d+)/g)].map(([, title, words]) => {
    return { title, words: Number(words) };
  });
}

const written = chaptersOf(read("novel.md"));
for (const [index, { title, words }] of planOf(read("book.yaml")).entries()) {
  const chapter = written[index];
  const isNamed = chapter?.title.endsWith(`: ${title}`) ?? false;
  const share = Math.round(((chapter?.words ?? 0) / words) * 100);
  console.log(`${String(share).padStart(4)} %  ${isNamed ? title : `${title} (the novel has ${chapter?.title})`}`);
}
