import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import fc from "fast-check";
import { shellCommands } from "./shell-commands.ts";
import { literalOf, type ShellStep, sourceOf } from "./shell-step.ts";
import { visible } from "./shell-text.ts";

function steps(line: string): readonly ShellStep[] {
  const parsed = shellCommands(line);
  assert.equal(parsed.kind, "parsed", `${line} is not understood`);
  return parsed.kind === "parsed" ? parsed.steps : [];
}

function commands(line: string): string[] {
  return steps(line).flatMap((step) => (step.kind === "command" ? [sourceOf(step.words)] : []));
}

function folders(line: string): unknown[] {
  return steps(line).flatMap((step) => (step.kind === "command" ? [step.folders] : []));
}

test("every command of a line is found, wherever it hides", () => {
  assert.deepEqual(commands("a; b && c || d | e & f"), ["a", "b", "c", "d", "e", "f"]);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's
  const hidden = "a $(b `c`) <(d) ${x:-$(e)} <<E\n$(f)\nE";
  assert.deepEqual(
    new Set(commands(hidden)),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's
    new Set(["a $(b `c`) <(d) ${x:-$(e)}", "b `c`", "c", "d", "e", "f"]),
  );
  assert.deepEqual(commands("if a; then b; elif c; then d; else e; fi"), ["a", "b", "c", "d", "e"]);
  assert.deepEqual(commands("while a; do b; done; until c; do d; done"), ["a", "b", "c", "d"]);
  assert.deepEqual(commands("case x in y) a;; *) b;& z) c; esac"), ["a", "b", "c"]);
  assert.deepEqual(commands("f() { a; }; function g { b; }; (c); { d; }; coproc e; time f; ! g"), [
    ..."abcdefg",
  ]);
});

test("a word is known only when no expansion is in it", () => {
  const words = (line: string) => {
    const found = steps(line).findLast((step) => step.kind === "command");
    return found?.kind === "command" ? found.words.map((word) => literalOf(word)) : [];
  };
  assert.deepEqual(words("r''m \\a $'a\\tb' \"b c\" d\\ e"), ["rm", "a", "a\tb", "b c", "d e"]);
  assert.deepEqual(words('x $a "$a" $(b) *.ts {1..3} $((1))'), ["x", ...Array(6).fill(undefined)]);
  assert.deepEqual(words("x {a,b}.ts {,c}"), ["x", "a.ts", "b.ts", "c"]);
});

test("the folder follows cd as it does in a shell", () => {
  assert.deepEqual(folders("a; cd x && b"), [["."], ["."], ["x"]]);
  assert.deepEqual(folders("cd x; a"), [["."], ["x", "."]]);
  assert.deepEqual(folders("(cd x && a); b"), [["."], ["x"], ["."]]);
  assert.deepEqual(folders("cd x || a"), [["."], ["."]]);
  assert.deepEqual(folders("cd x/y && cd .. && a"), [["."], ["x/y"], ["x"]]);
  assert.deepEqual(folders("cd /tmp && a; cd && b").slice(0, 2), [["."], ["/tmp"]]);
  assert.deepEqual(folders("while true; do cd ..; a; done; b").slice(1), [undefined, undefined, undefined]);
  assert.deepEqual(folders('cd "$x" && a; eval y && b').slice(1), [undefined, undefined, undefined]);
  assert.deepEqual(folders("cd x | a; b"), [["."], ["."], ["."]]);
});

test("what nobody can read for sure is not understood at all", () => {
  const lines = [
    "ls\u00a0x",
    "ls\u200b",
    "a\rb",
    "ls (",
    "echo 'a",
    "cat <<E\nx",
    "$(",
    "a ;; b",
    "e\\\ncho x",
    "x\ud800",
  ];
  for (const line of [
    ...lines,
    `${"( ".repeat(100)}ls${" )".repeat(100)}`,
    "a;".repeat(2000),
    `echo ${"x".repeat(70_000)}`,
  ]) {
    const parsed = shellCommands(line);
    const isUnsure = parsed.kind === "unparsed" || parsed.steps.some((step) => step.kind === "caution");
    assert.ok(isUnsure, visible(line).slice(0, 60));
  }
});

test("a line is read in a time that grows with its length, whatever it is made of", () => {
  const begun = performance.now();
  for (const piece of [
    "$(",
    "`",
    "{",
    "((",
    "[[",
    "<<E\n",
    "'",
    '"$(',
    "a=(",
    "${x:-",
    "if ",
    "{a,",
    "a<<E;",
    "case x in ",
    "\\",
    "#",
  ]) {
    shellCommands(piece.repeat(Math.floor(20_000 / piece.length)));
  }
  assert.ok(performance.now() - begun < 10_000, "more than seconds");
});

test("control characters are shown, and text that looks right stays as it is", () => {
  assert.equal(visible("ls\u001b[2K\u202ex\r"), "ls⟨U+001B⟩[2K⟨U+202E⟩x⟨U+000D⟩");
  assert.equal(visible("grüße – 日本\n\tx"), "grüße – 日本\n\tx");
});

// A line that a real shell runs, made of commands that tell that they ran.
const { line: lineOf } = fc.letrec<{ line: string; part: string }>((tie) => ({
  line: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    tie("part"),
    fc
      .tuple(
        tie("line"),
        fc.constantFrom("; ", "\n", " && ", " || ", " | ", " & ", " # c\n", " |& ", " && \\\n"),
        tie("part"),
      )
      .map(([a, mark, b]) => a + mark + b),
  ),
  part: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(
      "m @",
      "\\m @",
      "'m' @",
      "m @ >/dev/null",
      "m '@'",
      "X=1 m @",
      "command -p true; m @",
      "eval 'm @'",
    ),
    tie("line").map((inner) => `(${inner}\n)`),
    tie("line").map((inner) => `{ ${inner}\n}`),
    tie("line").map((inner) => `echo "$(${inner}\n)"`),
    tie("line").map((inner) => `echo \${none:-$(${inner}\n)}`),
    tie("line").map((inner) => `cat <(${inner}\n)`),
    tie("line").map((inner) => `cat <<< "$(${inner}\n)"`),
    tie("line").map((inner) => `: $((1 + $(${inner}\n) 0))`),
    tie("line").map((inner) => `[[ -n $(${inner}\n) ]]`),
    tie("line").map((inner) => `! { ${inner}\n}`),
    // Each has a name of its own: one that calls another of its name in a subshell would never end.
    fc
      .tuple(tie("line"), fc.integer({ min: 1, max: 1e9 }))
      .map(([inner, number]) => `f${number}() {\n${inner}\n}\nf${number}`),
    tie("line").map((inner) => `for i in 1; do ${inner}\ndone`),
    tie("line").map((inner) => `while ${inner}\ndo break; done`),
    tie("line").map((inner) => `case x in x) ${inner}\n;; esac`),
    tie("line").map((inner) => `a=("$(${inner}\n)")`),
    fc.tuple(tie("line"), tie("line")).map(([a, b]) => `if ${a}\nthen ${b}\nelse ${b}\nfi`),
    fc.constant("echo `m @`"),
    fc.constant("echo `echo \\`m @\\``"),
    fc.constant("cat <<E\n$(m @)\nE"),
    fc.constant("cat <<'E'\n$(m @)\nE"),
    fc.constant("echo '$(m @)' \"; m @\""),
  ),
}));

test("no command that a real shell runs is missing from what was found", { timeout: 60_000 }, () => {
  let understood = 0;
  let total = 0;
  fc.assert(
    fc.property(lineOf, (pattern) => {
      let count = 0;
      const line = pattern.replace(/@/g, () => `M${++count}`);
      total += 1;
      const parsed = shellCommands(line);
      if (parsed.kind === "unparsed") return;
      understood += 1;
      const found = new Set<string>();
      for (const step of parsed.steps) {
        if (step.kind !== "command") continue;
        const words = step.words.map((word) => literalOf(word) ?? "");
        for (const name of words.join(" ").match(/M\d+/g) ?? []) {
          if (words[0] === "m" || words[0] === "eval") found.add(name);
        }
      }
      const script = `m() { echo "$1" >&2; }\n${line}\nwait`;
      const { stderr } = spawnSync("bash", ["--norc", "-c", script], {
        encoding: "utf8",
        timeout: 5000,
        input: "",
      });
      for (const name of stderr.match(/^M\d+$/gm) ?? []) assert.ok(found.has(name), `${name} of ${line}`);
    }),
    { numRuns: 250 },
  );
  assert.ok(understood > total * 0.8, `only ${understood} of ${total} lines were understood`);
});
