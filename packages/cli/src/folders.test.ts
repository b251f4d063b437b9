// Where the workspace, the notes for the agent and the person's own data are found.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startScriptedModel } from "@stet/testkit/scripted-model";
import { StetProject } from "@stet/testkit/stet-project";

test("in a subfolder of a repository the repository's workspace is found", async (t) => {
  const project = new StetProject(t, {
    "a.md": "Tobias\n",
    "sub/b.md": "Tobias\n",
    ".git/HEAD": "ref: refs/heads/main\n",
  });
  const cwd = join(project.folder, "sub");
  await project.stet(["-p", "Rename Tobias to Elias in all files"]);
  assert.match((await project.stet(["review"], { cwd })).out, /a\.md {2}1 hunk.*\nsub\/b\.md {2}1 hunk/);
  assert.equal((await project.stet(["checkpoints"], { cwd })).out, (await project.stet(["checkpoints"])).out);
  assert.match((await project.stet(["sessions"], { cwd })).out, /Rename Tobias/);
  assert.match((await project.stet(["review", "show", "b.md"], { cwd })).out, /sub\/b\.md:1/);
  assert.match((await project.stet(["review", "accept", "--file", "b.md"], { cwd })).out, /saved sub\/b\.md/);
  assert.equal(project.read("sub/b.md"), "Elias\n");
  assert.match((await project.stet(["tabs", "open", "b.md"], { cwd })).out, /b\.md/);
  const turn = await project.stet(["-p", "List the files"], { cwd });
  assert.match(turn.note, /Working in .*project, the workspace that this folder is part of/);
  assert.match(turn.out, /a\.md/);
});

test("a subfolder that is a workspace already stays one, and outside of a repository each folder is its own", async (t) => {
  const project = new StetProject(t, { "a.md": "a\n", "sub/b.md": "Tobias\n" });
  const cwd = join(project.folder, "sub");
  await project.stet(["-p", "Rename Tobias to Elias in all files"], { cwd });
  assert.match((await project.stet(["review"], { cwd })).out, /^b\.md {2}1 hunk/);
  assert.match((await project.stet(["review"])).out, /Nothing is waiting/);
  mkdirSync(join(project.folder, ".git"));
  assert.match((await project.stet(["review"], { cwd })).out, /^b\.md {2}1 hunk/);
});

test("notes are read through a link, from the repository's root down, and what is cut is said", async (t) => {
  const project = new StetProject(t, {
    "CLAUDE.md": "of the root",
    ".git/HEAD": "",
    "sub/AGENTS.md": "x".repeat(32_401),
    "sub/deep/a.md": "",
  });
  symlinkSync("CLAUDE.md", join(project.folder, "AGENTS.md"));
  const { note } = await project.stet(["-p", "List the files"], { cwd: join(project.folder, "sub/deep") });
  assert.match(note, /notes in .*project\/AGENTS\.md \(11 bytes\)/);
  assert.match(note, /sub\/AGENTS\.md \(32,401 bytes, of which the first 16,384 are used\), not as yours/);
});

test("a link to what is not a Markdown file of the project is not followed; the other name is tried", async (t) => {
  const project = new StetProject(t, { "CLAUDE.md": "mine", ".env": "KEY=secret", ".git/HEAD": "" });
  symlinkSync(".env", join(project.folder, "AGENTS.md"));
  const { note } = await project.stet(["-p", "List the files"]);
  assert.match(note, /project\/CLAUDE\.md \(4 bytes\)/);
  assert.doesNotMatch(note, /AGENTS/);
});

test("with an empty HOME nothing is put into the folder", async (t) => {
  const project = new StetProject(t, { "a.md": "a\n" });
  const env = { HOME: "", XDG_CONFIG_HOME: "", XDG_DATA_HOME: "data" };
  const { code } = await project.stet(["review"], { env });
  assert.equal(code, 0);
  assert.deepEqual(readdirSync(project.folder), ["a.md"]);
  const { out } = await project.stet(["config"], { env: { ...env, STET_DATA_DIR: "" } });
  assert.match(out, /model/);
  const doctor = await project.stet(["doctor", "--json"], {
    env: { ...env, STET_DATA_DIR: "" },
    as: "process",
  });
  assert.match(doctor.out, /"data folder \//);
  assert.ok(!existsSync(join(project.folder, ".local")) && !existsSync(join(project.folder, "data")));
});

test("a turn in the home folder warns", async (t) => {
  const project = new StetProject(t, { "a.md": "a\n" });
  const { note } = await project.stet(["-p", "List the files"], { env: { HOME: project.folder } });
  assert.match(note, /Careful: the agent works in your home folder/);
});

test("the version is ours inside a script of another project", async (t) => {
  const project = new StetProject(t, {});
  const { out } = await project.stet(["--version"], { env: { npm_package_version: "9.9.9" }, as: "process" });
  assert.match(out, /^\d+\.\d+\.\d+\n$/);
  assert.doesNotMatch(out, /9\.9\.9/);
});

test("a file is no folder", async (t) => {
  const project = new StetProject(t, {});
  writeFileSync(join(project.folder, "a.md"), "");
  const { code, note } = await project.stet(["-C", "a.md", "review"]);
  assert.deepEqual([code, /no folder/.test(note)], [2, true]);
});

test("in every toolset notes of a folder reach the model as the person's only where they trust it", async (t) => {
  const project = new StetProject(t, { "AGENTS.md": "Write in rhymes.", "a.md": "one\n" });
  const model = await startScriptedModel(() => ({ text: "Done." }));
  t.after(() => model.close());
  const env = { OPENAI_COMPATIBLE_BASE_URL: `${model.url}/v1`, STET_MODEL: "openai-compatible/scripted" };
  for (const toolset of ["project", "tabs", "paper", "code"]) {
    const told = async (...words: string[]) => {
      const { note } = await project.stet(["-p", "go", "--toolset", toolset, "--tab", "a.md", ...words], {
        env,
      });
      return { note, system: model.requests.at(-1)?.system ?? "" };
    };
    const untrusted = await told();
    assert.match(
      untrusted.system,
      /has not said that they trust.*From .*AGENTS\.md:\s+Write in rhymes\.$/s,
      toolset,
    );
    assert.doesNotMatch(untrusted.system, /Notes that the person keeps/, toolset);
    assert.match(untrusted.note, /AGENTS\.md \(16 bytes\), not as yours: this folder is not trusted/);
    const trusted = await told("--trust");
    assert.match(
      trusted.system,
      /Notes that the person keeps for agents:\s+From .*Write in rhymes\.$/s,
      toolset,
    );
    assert.match(trusted.note, /AGENTS\.md \(16 bytes\)\.\n/);
  }
});
