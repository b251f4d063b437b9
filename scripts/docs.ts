// `npm run docs`: the parts of the documentation that are made from the code. Tests tell when they are old.

import { writeFileSync } from "node:fs";
import { terminalDocs } from "./terminal-docs.ts";
import { writtenDocs } from "./toolset-docs.ts";

for (const { path, text } of [...(await writtenDocs()), terminalDocs()]) writeFileSync(path, text);
