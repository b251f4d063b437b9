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

if (import.meta.main ?? process.argv[1]?.endsWith("count-words.js")) {
  const [file = "novel.md"] = process.argv.slice(2);
  const chapters = chaptersOf(readFileSync(file, "utf8"));
  for (const { title, words } of chapters) console.log(`${String(words).padStart(5)}  ${title}`);
  const total = chapters.reduce((sum, { words }) => sum + words, 0);
  console.log(`${String(total).padStart(5)}  in all`);
}
