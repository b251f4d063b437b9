// Pictures of the terminal for the README, in light and in dark: the real command in a pseudo terminal, with a scripted model
// and a small repository, its screen kept by a terminal emulator and written cell by cell. A part of `npm run screenshots`.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PtyScreen } from "../packages/testkit/src/pty-screen.ts";
import { environmentBelow } from "../packages/testkit/src/run-stet.ts";
import { type PictureColours, screenPicture } from "../packages/testkit/src/screen-picture.ts";
import { startScriptedModel } from "../packages/testkit/src/scripted-model.ts";
import type { ScriptedReply } from "../packages/testkit/src/scripted-model-reply.ts";

const images = join(import.meta.dirname, "../docs/images");
const command = join(import.meta.dirname, "../packages/cli/src/main.ts");

type Appearance = "dark" | "light";

const colours: Readonly<Record<Appearance, PictureColours>> = {
  dark: { text: "#e8dfdb", background: "#1a1413", frame: "#4a3733", palette: [] },
  light: { text: "#1d2a35", background: "#ffffff", frame: "#c3d3df", palette: [] },
};

const files = {
  "src/duration.ts": `// Durations as people write them: "90s", "5m", "2h".

const units = { s: 1, m: 60, h: 3600 };

/** Seconds. */
export function parseDuration(text: string): number {
  const unit = text.at(-1) as keyof typeof units;
  const amount = parseInt(text);
  return amount * units[unit];
}
`,
  "src/duration.test.ts": `import { test } from "node:test";
import assert from "node:assert/strict";
import { parseDuration } from "./duration.ts";

test("minutes are seconds", () => {
  assert.equal(parseDuration("5m"), 300);
});
`,
  "README.md": "# duration\n\nReads durations.\n",
};

const replies: readonly ScriptedReply[] = [
  {
    text: "I look at the parser and at its tests first.",
    toolCalls: [
      { name: "read", arguments: { path: "src/duration.ts" } },
      { name: "read", arguments: { path: "src/duration.test.ts" } },
    ],
  },
  {
    toolCalls: [
      {
        name: "edit",
        arguments: {
          path: "src/duration.ts",
          edits: [
            { old_text: '"90s", "5m", "2h".', new_text: '"90s", "5m", "1.5h", "2d".' },
            { old_text: "m: 60, h: 3600 };", new_text: "m: 60, h: 3600, d: 86400 };" },
            {
              old_text:
                "  const unit = text.at(-1) as keyof typeof units;\n  const amount = parseInt(text);\n  return amount * units[unit];",
              new_text:
                "  const [, amount, unit] = /^([\\d.]+)([smhd])$/.exec(text.trim()) ?? [];\n  if (unit === undefined) throw new RangeError('Not a duration: ' + text);\n  return Number(amount) * units[unit as keyof typeof units];",
            },
          ],
        },
      },
    ],
  },
  {
    text: "`parseDuration` takes **fractions and days** now, and refuses what it used to read as `NaN`:\n\n- `1.5h` is 5400 seconds, `2d` is 172800\n- `soon` throws a `RangeError` that names the text",
  },
  {
    toolCalls: [
      {
        name: "edit",
        arguments: {
          path: "src/duration.ts",
          edits: [{ old_text: "d: 86400 };", new_text: "d: 86400, w: 604800 };" }],
        },
      },
    ],
  },
  { text: "Weeks are in: `w` is 604800 seconds." },
  { text: "A year has 365 days here: `y` is 31536000 seconds." },
];

/** How one gets to a picture from the one before, and what it is called. */
interface Picture {
  readonly name: string;
  readonly about: string;
  show(screen: PtyScreen): Promise<void>;
}

const pictures: readonly Picture[] = [
  {
    name: "terminal-turn",
    about:
      "A turn in the terminal: a request, two files read, an edit as a diff, the answer, the status line",
    async show(screen) {
      await screen.until(/claude-sonnet/);
      screen.type("Let durations have fractions and days, and refuse nonsense");
      await screen.until(/refuse nonsense/);
      screen.type("\r");
      await screen.until(/names the text/);
    },
  },
  {
    name: "terminal-review",
    about:
      "The review in the terminal: one hunk of a file with its changed words marked, and the keys that decide",
    async show(screen) {
      screen.resize(100, 24);
      screen.type("/review");
      await screen.until(/❯ \/review/);
      screen.type("\r");
      await screen.until(/1 of 3/);
      screen.type("s");
      await screen.until(/2 of 3/);
      screen.type("s");
      await screen.until(/3 of 3/);
    },
  },
  {
    name: "terminal-tree",
    about:
      "The tree of a session in the terminal: two branches from one request, the leaf one stands on, and filters",
    async show(screen) {
      screen.type("q");
      await screen.until(/Ask for a change/);
      await send(screen, "Add weeks, too", /Weeks are in/);
      await send(screen, "/tree", /Session tree/);
      screen.type("weeks");
      await screen.until(/Search: weeks/);
      await screen.settle();
      screen.type("\u001b[A\u001b[A\r");
      await screen.until(/Take the files back, too/);
      screen.type("y");
      await screen.until(/❯ Add weeks, too/);
      screen.type("\u0015");
      await screen.until(/Ask for a change/);
      await send(screen, "And years?", /31536000/);
      await send(screen, "/tree", /Session tree/);
    },
  },
];

async function send(screen: PtyScreen, text: string, expected: RegExp): Promise<void> {
  screen.type(text);
  await screen.until(new RegExp(`❯ ${text.replaceAll("?", "\\?")}`));
  screen.type("\r");
  await screen.until(expected);
  await screen.settle();
}

for (const appearance of ["dark", "light"] as const) {
  const home = mkdtempSync(join(tmpdir(), "stet-pictures-"));
  const folder = join(home, "duration");
  for (const [name, content] of Object.entries(files)) write(join(folder, name), content);
  const configured = { "edit.mode": "replace", "permission.mode": "auto-edit", toolset: "code" };
  write(join(home, "config/stet/config.json"), JSON.stringify(configured));
  for (const words of [
    ["init", "-qb", "main"],
    ["add", "-A"],
    ["commit", "-qm", "first"],
  ]) {
    const who = ["-c", "user.name=you", "-c", "user.email=you@example.org"];
    execFileSync("git", [...who, ...words], { cwd: folder });
  }
  const model = await startScriptedModel(replies, { models: ["claude-sonnet-4-5"] });
  const screen = new PtyScreen([process.execPath, "--disable-warning=ExperimentalWarning", command], {
    cwd: folder,
    columns: 100,
    rows: 35,
    background: colours[appearance].background,
    environment: {
      ...environmentBelow(home),
      LANG: "C.UTF-8",
      ANTHROPIC_API_KEY: "none",
      ANTHROPIC_BASE_URL: `${model.url}/v1`,
      STET_MODEL: "anthropic/claude-sonnet-4-5",
    },
  });
  try {
    for (const { name, about, show } of pictures) {
      process.stderr.write(`${name} (${appearance}) …\n`);
      await show(screen);
      await screen.settle();
      const picture = screenPicture(screen.terminal, about, colours[appearance]);
      writeFileSync(join(images, `${name}-${appearance}.svg`), picture);
    }
  } finally {
    await screen.close();
    await model.close();
    rmSync(home, { recursive: true, force: true });
  }
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
