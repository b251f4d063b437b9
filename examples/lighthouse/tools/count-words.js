// Counts the words of each chapter: node tools/count-words.js novel.md

import { readFileSync } from "node:fs";

export function chaptersOf(markdown) {
  return markdown.split(/^## /m).slice(1).map((chapter) => {
    const [title, ...body] = chapter.split("\n");
    return { title, words: countWords(body.join("\n")) };
  });
}

export function countWords(text) {
  return text.split(/\s+/).filter(Boolean).length;
}

const [file] = process.argv.slice(2);
if (file) {
  for (const { title, words } of chaptersOf(readFileSync(file, "utf8"))) {
    console.log(`${String(words).padStart(5)}  ${title}`);
  }
}
