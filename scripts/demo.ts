// `npm run demo`: a real turn in the terminal, on a copy of the sample project, with the practice model, which needs no account, key or network.

import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { main } from "../packages/cli/src/main.ts";
import { processTerminal } from "../packages/cli/src/terminal.ts";

const folder = join(mkdtempSync(join(tmpdir(), "stet-start-")), "lighthouse");
cpSync(join(import.meta.dirname, "../examples/lighthouse"), folder, { recursive: true });

const terminal = { ...processTerminal(), input: async () => "" };
const request = "Rename Tobias to Elias in all files";
const say = (text = "") => terminal.out(`${text}\n`);
const command = (words: string) => `    npm run stet -- -C ${folder} ${words}`;

say(terminal.style("bold", "Stet: an agent edits, you stay in control."));
say(terminal.style("dim", `A copy of examples/lighthouse, a short novel with notes, is in ${folder}.`));
say();
say(`${terminal.style("bold", "You:")} ${request}`);
say();
const code = await main(["-C", folder, "--model", "practice", "-p", request], {
  terminal,
  cwd: process.cwd(),
  environment: process.env,
  signal: new AbortController().signal,
  interrupt: () => process.exit(130),
  endsProcess: true,
});
say();
say(terminal.style("bold", "What to type next"));
say(command("review step"));
say(terminal.style("dim", "    one hunk after another: a accepts, r rejects, u undoes"));
say(command("review accept --all"));
say(command("checkpoints"));
say(terminal.style("dim", "    and rollback CHECKPOINT, which can itself be undone"));
say(command('-p "Where is Mara mentioned?"'));
say();
say(
  "With a real model: set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY and add --model provider/name.",
);
say("What happens below all this, crash included: npm run tour");
process.exitCode = code;
