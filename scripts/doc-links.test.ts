// Every link and picture of the documentation that stays in the repository: its file is there, and so is the heading that it
// names.

import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..");
const pages = ["README.md", "CONTRIBUTING.md", ...globSync("docs/*.md", { cwd: root })];

/** Without code, in which brackets mean something else. */
function proseOf(page: string): string {
  return readFileSync(join(root, page), "utf8")
    .replaceAll(/^```[\s\S]*?^```/gm, "")
    .replaceAll(/`[^`\n]*`/g, "code");
}

function targetsIn(text: string): string[] {
  const links = [...text.matchAll(/\]\(([^()\s]+)\)/g)];
  const pictures = [...text.matchAll(/\b(?:src|srcset|href)="([^"\s]+)"/g)];
  return [...links, ...pictures].map(([, target = ""]) => target);
}

/** As a heading is addressed: small letters, no signs, a hyphen for each space. */
function anchorsOf(page: string): string[] {
  const text = readFileSync(join(root, page), "utf8").replaceAll(/^```[\s\S]*?^```/gm, "");
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(" ", "-"),
  );
}

function isThere(page: string, target: string): boolean {
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? page : join(dirname(page), path);
  if (!existsSync(join(root, file))) return false;
  return anchor === undefined || anchorsOf(file).includes(anchor);
}

for (const page of pages) {
  test(`no link or picture of ${page} leads nowhere`, () => {
    const own = targetsIn(proseOf(page)).filter((target) => !/^(?:[a-z]+:|\/\/)/i.test(target));
    assert.deepEqual(
      own.filter((target) => !isThere(page, target)),
      [],
    );
  });
}

test("every picture has words for those who do not see it", () => {
  for (const page of pages) {
    const text = proseOf(page);
    for (const [image] of text.matchAll(/<img\b[^>]*>/g)) assert.match(image, /\balt="[^"]{10,}"/, page);
    assert.doesNotMatch(text, /!\[\]\(/, page);
  }
});
