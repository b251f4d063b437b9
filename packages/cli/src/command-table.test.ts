import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { thinkingLevels } from "@stet/protocol/model-stream";
import { permissionModes } from "@stet/protocol/permission-mode";
import { StetProject } from "@stet/testkit/stet-project";
import { type CommandEntry, commandTable, turnEntry } from "./command-table.ts";

const commands = Object.entries<CommandEntry>(commandTable);

test("every command says what it does with --help, -h and stet help, and does nothing else", async (t) => {
  const project = new StetProject(t, {});
  for (const [name, { help, verbs = {}, options }] of commands) {
    const { code, out, note } = await project.stet([name, "--help"]);
    assert.deepEqual([code, note], [0, ""], name);
    assert.ok(out.toLowerCase().includes(help.toLowerCase()), `${name}: ${out}`);
    for (const word of Object.keys(verbs)) assert.match(out, new RegExp(`\\b${word}\\b`));
    for (const word of Object.keys(options)) assert.match(out, new RegExp(`--${word}\\b`));
    assert.equal((await project.stet(["help", name])).out, out);
    const [verb = "x"] = Object.keys(verbs);
    assert.equal((await project.stet(["-C", "missing", name, verb, "-h"])).out, out);
  }
  const { out } = await project.stet(["--help"]);
  for (const [name] of commands) assert.match(out, new RegExp(`^ {2}${name}\\b`, "m"));
});

test("a mistyped command is not sent to a model", async (t) => {
  const project = new StetProject(t, {});
  const cases: [string[], RegExp][] = [
    [["doctr"], /no command doctr\. Did you mean doctor\?/],
    [["sesions", "list"], /Did you mean sessions\?/],
    [["--model", "practice", "reveiw", "step"], /Did you mean review\?/],
    [["frobnicate"], /no command frobnicate\. To ask the agent: stet -p "frobnicate"/],
    [["help", "doctr"], /Did you mean doctor\?/],
    [["review", "acept"], /"review acept" is not known\. Did you mean accept\?/],
    [["review", "dance"], /There is list, show, accept, reject, undo, step or resolve\./],
  ];
  for (const [args, message] of cases) {
    const { code, note } = await project.stet(args);
    assert.equal(code, 2, note);
    assert.match(note, message);
  }
  assert.match((await project.stet(["sessions"])).out, /no sessions/);
});

test("a request has -p, several words, or a file", async (t) => {
  const project = new StetProject(t, { "request.md": "List the files" });
  for (const words of [["-p", "hello"], ["List the files"], ["List", "the", "files"], ["@request.md"]])
    assert.equal((await project.stet(["--no-session", ...words])).code, 0, words.join(" "));
});

test("a wrong option is told in our words, with the nearest one that there is", async (t) => {
  const project = new StetProject(t, {});
  const cases: [string[], RegExp][] = [
    [
      ["--modle", "x", "-p", "hi"],
      /^stet: There is no option --modle\. Did you mean --model\? See stet --help\.\n$/,
    ],
    [["review", "--al"], /no option --al\. Did you mean --all\? See stet review --help/],
    [["-p", "hi", "--model"], /--model needs a value: --model NAME\./],
    [["-p", "--model", "--mode", "json"], /--model needs a value.*--model=--mode/],
    [["-p", "hi", "--toolset", "cod"], /--toolset takes project, tabs, paper or code, not cod/],
    [["review", "--all=yes"], /--all takes no value/],
    [["checkpoints", "--limit", "abc"], /--limit takes a whole number from 1 on, not abc/],
    [["search", "x", "--limit", "0"], /--limit takes a whole number from 1 on, not 0/],
    [["trust", "me"], /"me" was not expected here/],
    [["review", "-C"], /-C needs a folder/],
    [["--folder=", "review"], /-C needs a folder/],
    [["completions"], /bash, zsh or fish/],
  ];
  for (const [args, message] of cases) {
    const { code, note } = await project.stet(args);
    assert.equal(code, 2, `${args.join(" ")}: ${note}`);
    assert.match(note, message);
  }
});

test("the folder can be named in every way that options are written", async (t) => {
  const project = new StetProject(t, { "sub/a.md": "a\n" });
  for (const words of [["-C", "sub"], ["-Csub"], ["--folder", "sub"], ["--folder=sub"]]) {
    for (const args of [
      [...words, "trust"],
      ["trust", ...words],
    ])
      assert.match((await project.stet(args)).out, /project\/sub is trusted/, args.join(" "));
  }
});

test("the choices in the table are those that the program has", () => {
  const { thinking, permission } = turnEntry.options;
  assert.deepEqual([...thinking.choices], [...thinkingLevels]);
  assert.deepEqual([...permission.choices].sort(), [...permissionModes].sort());
});

test("bash completes commands, verbs, options, their values and files, each where it belongs", async (t) => {
  const project = new StetProject(t, { "notes.md": "", "story.md": "" });
  mkdirSync(join(project.folder, "scenes"));
  const script = join(project.folder, ".completion.sh");
  writeFileSync(script, (await project.stet(["completions", "bash"])).out);
  const complete = (...words: string[]) => {
    const code = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _stet; echo "\${COMPREPLY[@]}"`;
    const found = execFileSync("bash", ["-c", code, script, "stet", ...words], {
      cwd: project.folder,
      encoding: "utf8",
    });
    return found.trim();
  };
  assert.equal(complete("per"), "permissions");
  assert.equal(complete("-C", "scenes", "per"), "permissions");
  assert.equal(complete("--model", "openai/x", "rev"), "review");
  assert.equal(complete("--toolset", ""), "project tabs paper code");
  assert.equal(complete("review", "ac"), "accept");
  assert.equal(complete("review", "--t"), "--turn");
  assert.equal(complete("review", "--file", "n"), "notes.md");
  assert.equal(complete("tabs", "open", "st"), "story.md");
  assert.equal(complete("rollback", ""), "");
  assert.equal(complete("--folder", "s"), "scenes");
  assert.equal(complete("-p", "look", "@no"), "@notes.md");
  assert.equal(complete("completions", ""), "bash zsh fish");
});

test("fish and zsh get a script with every command and option", async (t) => {
  const project = new StetProject(t, {});
  const fish = (await project.stet(["completions", "fish"])).out;
  for (const [name, { options }] of commands) {
    assert.match(fish, new RegExp(` -a ${name} `));
    for (const option of Object.keys(options)) assert.match(fish, new RegExp(` -l ${option} `));
  }
  assert.match((await project.stet(["completions", "zsh"])).out, /^#compdef stet\n.*permissions/s);
});

test("doctor tells programs, too, and says that a broken configuration is one", async (t) => {
  const project = new StetProject(t, {});
  const config = join(project.environment.XDG_CONFIG_HOME ?? "", "stet");
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "config.json"), "{ nonsense");
  const env = { OPENAI_API_KEY: "key" };
  const { code, out } = await project.stet(["doctor", "--json"], { env });
  const checks: { name: string; ok: boolean; problem?: string }[] = JSON.parse(out);
  const named = (name: string) => checks.find((check) => check.name.startsWith(name));
  assert.equal(code, 1);
  assert.match(named("configuration")?.problem ?? "", /not valid JSON/);
  assert.equal(named("a model")?.ok, false);
  // Of a sandbox each of its boundaries is told, those that are missing among them.
  const told = checks.filter(({ name }) => name.startsWith("sandbox: ")).map(({ name }) => name);
  const words = [/home folder is closed/, /namespace/, /system calls/, /Landlock/, /processes are bounded/];
  const isBubblewrap = named("sandbox for commands")?.ok === true && process.platform === "linux";
  assert.deepEqual(isBubblewrap ? words.filter((word) => !told.some((line) => word.test(line))) : [], []);
});
