// Reads the last lines of a large file as the tool read does, and prints how long it took and how far the memory grew.
// Arguments: the folder, where the state is kept, the file's name, the line.

import { must } from "../packages/testkit/src/workspace.ts";
import { readHuge } from "../packages/tools/src/code/read/huge-file.ts";
import { Workspace } from "../packages/workspace/src/workspace.ts";

const [root = "", dataFolder = "", name = "", line = ""] = process.argv.slice(2);
const workspace = must(await Workspace.open(root, { dataFolder }));
const location = must(workspace.documents.locate(name));
const request = { selector: { from: Number(line), to: undefined }, isRaw: false, limit: 3000 };
const { signal } = new AbortController();
let milliseconds = Number.POSITIVE_INFINITY;
let shown = 0;
const before = process.memoryUsage().rss;
for (let run = 0; run < 3; run += 1) {
  const started = performance.now();
  const { content } = must(await readHuge({ workspace }, location, request, { signal }));
  milliseconds = Math.min(milliseconds, performance.now() - started);
  shown = String(content)
    .split("\n")
    .filter((shownLine) => /^\d+\|/.test(shownLine)).length;
}
const grown = process.resourceUsage().maxRSS * 1024 - before;
workspace.close();
console.log(JSON.stringify({ milliseconds, grown, shown }));
