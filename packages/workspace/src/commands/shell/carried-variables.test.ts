import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { noSandbox, openCommands } from "@stet/testkit/commands-fixture";
import type { VariableRisk } from "./carried-variables.ts";
import { answerOf } from "./shell.ts";

const skip = noSandbox();

const variableRisk: VariableRisk = (name) => {
  if (/^(?:LD_\w+|PATH|GIT_\w+)$/.test(name)) return "danger";
  return /^[a-z_][a-z0-9_]*$/.test(name) ? "none" : "other";
};

const reading = { isReadOnly: true };
const online = { network: true };

test("folder and plain variables go on from a writing command to a reading one and back", {
  skip,
}, async (t) => {
  const fixture = openCommands(t, { variableRisk, files: { "root/sub/x": "" } });
  await fixture.run("cd sub; VERSION='1 2'; export SHOWN=3; list=(a b); f() { :; }");
  const seen = `pwd; echo "$VERSION $count"; env | grep ^SHOWN; echo "\${list[*]}"`;
  assert.equal((await fixture.run(seen, reading)).output.text, `${fixture.root}/sub\n1 2 \nSHOWN=3\n\n`);
  await fixture.run("count=4; cd ..", reading);
  assert.equal((await fixture.run(seen)).output.text, `${fixture.root}\n1 2 4\nSHOWN=3\na b\n`);
  assert.equal((await fixture.run(seen, online)).output.text, `${fixture.root}\n1 2 4\nSHOWN=3\n\n`);
  await fixture.run("unset VERSION count; export -n SHOWN", online);
  assert.equal(
    (await fixture.run('echo "[$VERSION$count$SHOWN]"; env | grep -c ^SHOWN')).output.text,
    "[3]\n0\n",
  );
});

test("every text arrives as it is", { skip }, async (t) => {
  const fixture = openCommands(t, { variableRisk });
  const texts = [
    "a 'b' \"c\"",
    "$(touch pwn) `touch pwn` $x",
    "line\n\ttab\x01\x1b[1m\\",
    "é 🙂",
    "\\n!*~",
    "",
  ];
  const names = texts.map((_, at) => `text_${at}`);
  const env = Object.fromEntries(texts.map((text, at) => [`given_${at}`, text]));
  await fixture.run(names.map((name, at) => `${name}=$given_${at}`).join("; "), { env });
  const { output } = await fixture.run(
    `for n in ${names.join(" ")}; do printf '%s' "\${!n}" | od -An -tx1; done`,
    reading,
  );
  const bytes = texts.map((text) => Buffer.from(text).toString("hex"));
  const lines = output.text.replaceAll(/\s/g, "");
  assert.equal(lines, bytes.join(""));
  assert.equal(existsSync(join(fixture.root, "pwn")), false);
});

test("what is carried is never evaluated, and never what programs obey", { skip }, async (t) => {
  const fixture = openCommands(t, { variableRisk });
  // In the one place a text that is code where it is evaluated, in the other a variable that would evaluate it.
  await fixture.run(
    "declare -i n=1; declare -n r=target; declare -a a=(1); readonly fixed=1; declare -u up=x",
  );
  const code = "'x[$(touch pwn)]'";
  await fixture.run(`n=${code}; r=${code}; a=${code}; fixed=${code}; up=${code}; kept=1`, reading);
  assert.equal((await fixture.run('echo "$kept $fixed $target"')).output.text, "1 1 \n");
  await fixture.run("LD_PRELOAD=/x GIT_DIR=/x", reading);
  await fixture.run("export LD_AUDIT=; GIT_EXTERNAL=x; UPPER=1; PATH=/evil:$PATH; lower=1", reading);
  const { output } = await fixture.run('echo "[$LD_AUDIT$GIT_EXTERNAL$UPPER][$lower]"; echo $PATH');
  assert.match(output.text, /^\[\]\[1\]\n(?!.*evil)/, "from a reading place only names of the line's own");
  await fixture.run("GIT_OTHER=x; UPPER_TOO=1");
  assert.equal((await fixture.run('echo "[$GIT_OTHER$UPPER_TOO]"', reading)).output.text, "[1]\n");
  await fixture.run("secret=from-the-sandbox");
  assert.equal((await fixture.run('echo "[$secret]"', { isSandboxed: false })).output.text, "[]\n");
  await fixture.run("outside=1", { isSandboxed: false });
  assert.equal((await fixture.run('echo "[$outside]"')).output.text, "[]\n");
  assert.equal(existsSync(join(fixture.root, "pwn")), false);
});

test("a shell that lies about its variables, or does not answer, concerns no other place", {
  skip,
}, async (t) => {
  const fixture = openCommands(t, { variableRisk });
  const lie = [
    'echo "declare -- good=\\"1\\""',
    'echo "declare -- bad;touch pwn=\\"1\\""',
    'echo "declare -- a[0]=\\"1\\""',
    'echo "declare -- LD_PRELOAD=\\"1\\""',
    "echo 'declare -- ok=\"$(touch pwn)\"'",
    "echo \"touch pwn\"; head -c 1000000 /dev/zero | tr '\\0' x",
  ];
  await fixture.run(`builtin() { if [ "$1" = declare ]; then ${lie.join("; ")}; else command "$@"; fi; }`);
  const { output } = await fixture.run('echo "[$good][$ok][$a][$LD_PRELOAD]"', reading);
  assert.equal(output.text, "[1][$(touch pwn)][][]\n");
  await fixture.run('builtin() { if [ "$1" = declare ]; then sleep 60; else command "$@"; fi; }');
  assert.equal((await fixture.run("echo fine", reading)).output.text, "fine\n");
  assert.equal((await fixture.run("echo fine")).output.text, "fine\n");
  assert.equal(existsSync(join(fixture.root, "pwn")), false);
});

test("an answer that a shell cannot have given is none", () => {
  const done = (folder: string | undefined, exitCode = 0, wasMoved = false) => ({
    kind: "done",
    exitCode,
    folder,
    wasMoved,
  });
  const cases: readonly [message: string, answer: ReturnType<typeof answerOf> | ReturnType<typeof done>][] = [
    ["t 0 /a b\nc", done("/a b\nc")],
    ["t 255 /", done("/", 255)],
    ["t moved 1 /x", done("/x", 1, true)],
    ["t gone 0 /", { kind: "gone" }],
    ["t 0 ", done(undefined)],
    ["t 0 relative", done(undefined)],
    [`t 0 /${"x".repeat(5000)}`, done(undefined)],
    ["t 256 /", undefined],
    ["t -1 /", undefined],
    ["t 0x1 /", undefined],
    ["t  /", undefined],
    ["u 0 /", undefined],
    ["", undefined],
  ];
  for (const [message, answer] of cases) assert.deepEqual(answerOf(message, "t"), answer, message);
  assert.equal(answerOf("undefined 0 /", undefined), undefined);
});
