// The programs of the desktop are played by scripts on the path, so that the processes, pipes and limits are real.

import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { clipboardSequence, readClipboardPicture, readClipboardText, writeClipboard } from "./clipboard.ts";

const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

function desktop(
  t: TestContext,
  scripts: Readonly<Record<string, string>>,
  variables: Record<string, string>,
) {
  const folder = mkdtempSync(join(tmpdir(), "stet-clipboard-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  writeFileSync(join(folder, "picture.png"), png);
  const environment = { ...variables, PATH: `${folder}:/usr/bin:/bin`, FOLDER: folder };
  return { folder, options: { environment, platform: "linux" as const, timeoutMs: 3000 } };
}

test("copied text reaches the terminal and the desktop", async (t) => {
  const { folder, options } = desktop(
    t,
    { "wl-copy": 'cat > "$FOLDER/copied"; sleep 30 &' },
    { WAYLAND_DISPLAY: "w" },
  );
  const written: string[] = [];
  assert.equal(await writeClipboard("grüße", (sequence) => written.push(sequence), options), true);
  assert.deepEqual(written, [`\u001b]52;c;${Buffer.from("grüße").toString("base64")}\u0007`]);
  assert.equal(readFileSync(join(folder, "copied"), "utf8"), "grüße");
});

test("over SSH only the terminal is asked", async (t) => {
  const { folder, options } = desktop(
    t,
    { xclip: 'cat > "$FOLDER/copied"' },
    { DISPLAY: ":0", SSH_TTY: "/dev/pts/1" },
  );
  assert.equal(await writeClipboard("x", () => {}, options), true);
  assert.throws(() => readFileSync(join(folder, "copied")));
});

test("text that is too long for the terminal, with no program, is not copied", async (t) => {
  const { options } = desktop(t, {}, { DISPLAY: ":0" });
  assert.equal(clipboardSequence("x".repeat(200_000)), undefined);
  assert.equal(await writeClipboard("x".repeat(200_000), () => {}, options), false);
});

test("text is read by the program that is there", async (t) => {
  const { options } = desktop(t, { xclip: "printf 'from x11'" }, { WAYLAND_DISPLAY: "w", DISPLAY: ":0" });
  assert.equal(await readClipboardText(options), "from x11");
});

test("a picture is read in the first type that there is", async (t) => {
  const { options } = desktop(
    t,
    { "wl-paste": '[ "$2" = image/png ] && cat "$FOLDER/picture.png" || exit 1' },
    { WAYLAND_DISPLAY: "w" },
  );
  assert.deepEqual(await readClipboardPicture(options), { mediaType: "image/png", bytes: png });
});

test("an answer that is no picture is none", async (t) => {
  const { options } = desktop(t, { "wl-paste": "echo text" }, { WAYLAND_DISPLAY: "w" });
  assert.equal(await readClipboardPicture(options), undefined);
});

test("AppleScript's data becomes a picture", async (t) => {
  const { options } = desktop(t, { osascript: `echo '«data PNGf${png.toString("hex").toUpperCase()}»'` }, {});
  assert.deepEqual(await readClipboardPicture({ ...options, platform: "darwin" }), {
    mediaType: "image/png",
    bytes: png,
  });
});

test("a program that hangs is ended", async (t) => {
  const { options } = desktop(t, { "wl-paste": "exec sleep 30" }, { WAYLAND_DISPLAY: "w" });
  assert.equal(await readClipboardText({ ...options, timeoutMs: 50 }), undefined);
});
