// `npm start`: Stet in your browser, on a copy of the sample project, with the practice model, which needs no account, key or
// network. `npm start -- --root DIR` serves a folder of your own instead; every other option of `stet serve` works, too.

import { start } from "../packages/cli/src/main.ts";
import { preparePage } from "./prepare-page.ts";

const args = process.argv.slice(2);
const hasRoot = args.some((word) => word === "--root" || word.startsWith("--root="));
const isServed = hasRoot || args.includes("--sample");
// npm runs us in the repository; a folder is named as seen from where the person is.
const { INIT_CWD } = process.env;
const from = INIT_CWD === undefined || args.includes("-C") ? [] : ["-C", INIT_CWD];

process.stderr.write("Stet: an agent edits, you stay in control.\n\n");
preparePage();
await start([...from, "serve", ...(isServed ? [] : ["--sample"]), "--open", ...args]);
