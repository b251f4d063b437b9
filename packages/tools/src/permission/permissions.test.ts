import assert from "node:assert/strict";
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { ToolContext } from "@stet/agent/tool";
import { isFault } from "@stet/protocol/fault";
import type { PermissionMode } from "@stet/protocol/permission-mode";
import { optionTexts, questionText } from "@stet/protocol/question-text";
import { must, refused, TestWorkspace } from "@stet/testkit/workspace";
import type { PermissionRequest, PermissionRule } from "./permission-rule.ts";
import { Permissions } from "./permissions.ts";
import { listProjectRules, removeProjectRule } from "./project-rules.ts";
import { SessionRules } from "./session-rules.ts";

interface Asked {
  readonly question: string;
  readonly options: readonly string[];
}

interface Given {
  readonly mode?: PermissionMode;
  readonly rules?: readonly PermissionRule[];
  readonly hasSandbox?: boolean;
  readonly sandboxNetwork?: boolean;
  readonly isInteractive?: boolean;
  /** Picks an option by its number, or says something. */
  readonly answer?: (asked: Asked) => string | Promise<string>;
}

async function fixture(t: TestContext, given: Given = {}) {
  const place = new TestWorkspace(t, { "src/a.ts": "a\n", ".env": "X=1\n", ".git/HEAD": "ref\n" });
  const workspace = await place.open();
  const asked: Asked[] = [];
  const messages: string[] = [];
  const session = { id: "one", rules: new SessionRules() };
  const open = (id = "one") =>
    new Permissions({
      workspace,
      mode: () => given.mode ?? "ask",
      rules: given.rules ?? [],
      session: { ...session, id },
      ask: async (question) => {
        const one = { question: questionText(question), options: optionTexts(question) };
        asked.push(one);
        return (await given.answer?.(one)) ?? "deny";
      },
      isInteractive: given.isInteractive ?? true,
      hasSandbox: () => given.hasSandbox ?? false,
      sandboxNetwork: given.sandboxNetwork ?? false,
      isShown: (path) => path.startsWith("/usr/"),
      programs: { shell: () => "bash", isWritable: () => false },
      tell: (message) => messages.push(message),
    });
  const permissions = open();
  const run = (
    command: string,
    more: { network?: boolean; writes?: boolean; folder?: string; batch?: string } = {},
  ) =>
    permissions.permitCommand(callIn(more.batch ?? `${Math.random()}`), {
      command,
      folder: more.folder ?? ".",
      network: more.network ?? false,
      writes: more.writes,
    });
  return { place, workspace, asked, messages, permissions, open, run };
}

function callIn(batch: string, signal: AbortSignal = new AbortController().signal): ToolContext {
  return { callId: "call", given: () => ({}), batch, signal, progress() {}, subagents() {} };
}

function editOf(path: string): PermissionRequest {
  return { tool: "edit", targets: [{ kind: "path", path, access: "write" }] };
}

test("reading is not asked for, and what is asked for shows the command, its parts and where it runs", async (t) => {
  const { asked, run } = await fixture(t, { answer: () => "Allow once" });
  assert.deepEqual(must(await run("pwd && ls")), {
    isSandboxed: false,
    network: true,
    isReadOnly: true,
  });
  assert.equal(asked.length, 0);
  const permit = must(await run("ls && npm test\u001b[2K", { folder: "src" }));
  assert.equal(permit.isReadOnly, false);
  assert.match(asked[0]?.question ?? "", /bash wants to run in src:\n\n {4}ls && npm test⟨U\+001B⟩\[2K\n/);
  assert.match(asked[0]?.question ?? "", /cannot be understood: it contains the invisible/);
  must(await run("ls && npm test && rm -rf x"));
  const { question = "", options = [] } = asked[1] ?? {};
  assert.match(
    question,
    /- npm test: it is not known to only read\n- rm -rf x: it deletes without a way back/,
  );
  assert.match(question, /It would run without a sandbox, with the network\./);
  assert.deepEqual(options, [
    "Allow once",
    "Allow in this session: npm test *, and rm -rf x",
    "Allow in this project: npm test *, and rm -rf x",
    "Deny",
  ]);
});

test("what was allowed once is asked for again", async (t) => {
  const { asked, run } = await fixture(t, { answer: () => "Allow once" });
  must(await run("npm test"));
  must(await run("npm test"));
  assert.equal(asked.length, 2);
});

test("a rule of the session holds in the session only, and for what it says", async (t) => {
  const { asked, open, run } = await fixture(t, { answer: ({ options }) => options[1] ?? "" });
  must(await run("npm test"));
  must(await run("npm test -- --watch"));
  assert.equal(asked.length, 1);
  must(await run("npm run build"));
  assert.equal(asked.length, 2);
  must(await open("two").permitCommand(callIn("b"), { command: "npm test", folder: ".", network: false }));
  assert.equal(asked.length, 3);
});

test("a rule of the project is kept for the person alone, and can be listed and removed", async (t) => {
  const { asked, open, run, workspace } = await fixture(t, { answer: ({ options }) => options[2] ?? "" });
  must(await run("cargo test --all"));
  const rule: PermissionRule = { tool: "bash", target: "cargo test *", effect: "allow" };
  assert.deepEqual(listProjectRules(workspace.stateFolder), { rules: [rule], problem: undefined });
  assert.equal(statSync(join(workspace.stateFolder, "permissions.json")).mode & 0o777, 0o600);
  must(await open("two").permitCommand(callIn("b"), { command: "cargo test", folder: ".", network: false }));
  assert.equal(asked.length, 1);
  assert.equal(removeProjectRule(workspace.stateFolder, rule), true);
  assert.equal(removeProjectRule(workspace.stateFolder, rule), false);
  must(await run("cargo test"));
  assert.equal(asked.length, 2);
});

test("a file of rules that cannot be understood is said once, not used, and not lost", async (t) => {
  const { asked, messages, run, workspace } = await fixture(t, { answer: () => "Allow once" });
  const path = join(workspace.stateFolder, "permissions.json");
  writeFileSync(path, '{"rules": [{"tool": "bash", "target": "*", "effect": "always"}]}');
  must(await run("npm test"));
  must(await run("npm test"));
  assert.equal(asked.length, 2);
  assert.equal(messages.length, 1);
  assert.match(messages[0] ?? "", /cannot be understood, so none of them is used/);
  assert.match(readFileSync(path, "utf8"), /always/);
  const again = await fixture(t, { answer: ({ options }) => options[2] ?? "" });
  const other = join(again.workspace.stateFolder, "permissions.json");
  writeFileSync(other, "{");
  must(await again.run("npm test"));
  must(await again.run("npm test"));
  assert.equal(again.asked.length, 1);
  assert.equal(readFileSync(other, "utf8"), "{");
  assert.match(again.messages[1] ?? "", /holds for this session only/);
});

test("a rule that was remembered never allows what is dangerous", async (t) => {
  const { asked, run } = await fixture(t, { answer: ({ options }) => options[1] ?? "" });
  must(await run("git commit -m x"));
  assert.match(asked[0]?.options[1] ?? "", /git commit \*$/);
  must(await run("git commit --amend"));
  assert.equal(asked.length, 2);
});

test("nothing is remembered for code, for other commands' commands, and for what nobody can read", async (t) => {
  const { asked, run } = await fixture(t);
  const lines = ["node -e x", "python3 -c x", "sudo ls", "$X", "ls )", "curl x | sh", "sed -i s/a/b/ x"];
  for (const line of [
    ...lines,
    "PATH=. npm test",
    "awk 'BEGIN{system(\"x\")}'",
    "rm $X",
    "tar xf x",
    "npm test $(rm -r x)y",
  ]) {
    refused(await run(line));
    const options = asked.at(-1)?.options ?? [];
    const isExact = line === "npm test $(rm -r x)y";
    assert.equal(options.length, isExact ? 4 : 2, `${line}: ${options.join(" / ")}`);
  }
});

test("any other answer denies, and the model hears what the person said", async (t) => {
  for (const said of ["allow once", "yes", "Allow", "Allow in this session: *", "use pnpm instead"]) {
    const { run } = await fixture(t, { answer: () => said });
    const fault = refused(await run("npm test"));
    assert.equal(fault.error, "not_allowed");
    assert.ok(fault.message.includes(said));
  }
  const { run } = await fixture(t, { answer: () => "Deny" });
  assert.doesNotMatch(refused(await run("npm test")).message, /said/);
});

test("when nobody answers, it is told how it could be allowed", async (t) => {
  for (const given of [{ isInteractive: false }, { answer: () => "no_user_answer" }]) {
    const { run } = await fixture(t, given);
    const fault = refused(await run("npm test"));
    assert.equal(fault.error, "not_allowed");
    assert.match(
      fault.suggestion,
      /permission\.rules.*"target":"npm test \*".*permission\.mode.*--permission MODE/,
    );
  }
});

test("several questions are asked one after another, the same one once, and an answer settles those that wait", async (t) => {
  let open = 0;
  let most = 0;
  const { asked, permissions } = await fixture(t, {
    answer: async ({ options }) => {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setTimeout(resolve, 5));
      open -= 1;
      return options[1] ?? "";
    },
  });
  const paths = ["src/a.ts", "src/a.ts", "src/b.ts", "docs/x/c.md"];
  const answers = await Promise.all(paths.map((path) => permissions.permit(editOf(path), callIn("same"))));
  assert.deepEqual(answers, [undefined, undefined, undefined, undefined]);
  assert.equal(most, 1);
  assert.deepEqual(
    asked.map(({ options }) => options[1]),
    ["Allow in this session: change files in src/", "Allow in this session: change files in docs/x/"],
  );
});

test("a turn that was stopped asks nothing more", async (t) => {
  const stop = new AbortController();
  const { asked, permissions } = await fixture(t, {
    answer: () => {
      stop.abort();
      return "no_user_answer";
    },
  });
  const both = ["src/a.ts", "x.md"].map((path) => permissions.permit(editOf(path), callIn("b", stop.signal)));
  assert.deepEqual(
    (await Promise.all(both)).map((fault) => fault?.error),
    ["aborted", "aborted"],
  );
  assert.equal(asked.length, 1);
});

test("files: inside and outside, secrets, and where links lead", async (t) => {
  const { asked, permissions, place } = await fixture(t, { mode: "auto-edit", answer: () => "Deny" });
  mkdirSync(join(place.folder, "elsewhere"));
  writeFileSync(join(place.folder, "elsewhere/x"), "");
  symlinkSync(join(place.folder, "elsewhere"), place.path("link"));
  symlinkSync(place.path(".env"), place.path("notes.txt"));
  symlinkSync(join(place.folder, "nothing-yet"), place.path("dangling"));
  const may = async (tool: string, path: string, access: "read" | "write") =>
    (await permissions.permit(
      { tool, targets: [{ kind: "path", path, access }] },
      callIn(`${Math.random()}`),
    )) === undefined;
  assert.equal(await may("read", "src/a.ts", "read"), true);
  assert.equal(await may("write", "src/new/deep.ts", "write"), true);
  for (const path of [
    ".env",
    "src/../.env",
    "notes.txt",
    "link/x",
    "../elsewhere/x",
    "/etc/passwd",
    "dangling",
  ]) {
    assert.equal(await may("read", path, "read"), false, path);
  }
  for (const path of ["link/x", "dangling", "../y", ".git/hooks/x", join(place.folder, "z")]) {
    assert.equal(await may("write", path, "write"), false, path);
  }
  assert.equal(asked.length, 12);
});

test("commands that go through a link are asked for", async (t) => {
  const { asked, place, run } = await fixture(t, { answer: () => "Deny" });
  mkdirSync(join(place.folder, "elsewhere/deep"), { recursive: true });
  symlinkSync(join(place.folder, "elsewhere/deep"), place.path("link"));
  for (const line of ["cat link/x", "cd link && cat x", "cat link/../y", "cat link/*", "ls link"]) {
    refused(await run(line));
  }
  assert.equal(asked.length, 5);
  must(await run("cat src/a.ts"));
});

test("a search through everything is asked for where a secret lies in its way", async (t) => {
  const { asked, run } = await fixture(t, { answer: ({ options }) => options[1] ?? "" });
  for (const line of ["rg foo", "grep -rn foo src", "grep -rn foo --include='*.ts' .", "grep foo src/a.ts"])
    must(await run(line));
  assert.equal(asked.length, 0);
  for (const line of ["grep -rn foo .", "rg -uu foo", "rg --hidden foo .", "grep -R foo"])
    must(await run(line));
  assert.equal(asked.length, 1);
  assert.equal(asked[0]?.options[1], "Allow in this session: read .env");
});

test("pages are asked for by their host", async (t) => {
  const { asked, permissions } = await fixture(t, { answer: ({ options }) => options[1] ?? "" });
  const fetch = (url: string) =>
    permissions.permit({ tool: "read", targets: [{ kind: "url", url }] }, callIn(url));
  assert.equal(await fetch("https://example.com/a?b"), undefined);
  assert.equal(asked[0]?.options[1], "Allow in this session: https://example.com/*");
  assert.equal(await fetch("https://example.com/other"), undefined);
  assert.equal(asked.length, 1);
  for (const url of [
    "http://example.com/",
    "https://example.com.evil.example/",
    "https://example.com@evil.example/",
    "https://example.com:8443/",
  ]) {
    await fetch(url);
  }
  assert.equal(asked.length, 5);
});

test("in the sandbox: without the network, unless that was allowed, too", async (t) => {
  const { asked, run } = await fixture(t, {
    mode: "auto-edit",
    hasSandbox: true,
    answer: ({ options }) => options[1] ?? "",
  });
  assert.deepEqual(must(await run("npm test")), { isSandboxed: true, network: false, isReadOnly: false });
  assert.equal(asked.length, 0);
  assert.deepEqual(must(await run("npm run fetch", { network: true })), {
    isSandboxed: true,
    network: true,
    isReadOnly: false,
  });
  assert.match(
    asked[0]?.question ?? "",
    /the network: it wants to use the network[\s\S]*in the sandbox, with the network/,
  );
  assert.match(asked[0]?.options[1] ?? "", /npm run fetch \* with the network$/);
  must(await run("npm run fetch", { network: true }));
  assert.equal(asked.length, 1);
  must(await run("npm run other", { network: true }));
  assert.equal(asked.length, 2);
  assert.deepEqual(must(await run("git push")), { isSandboxed: false, network: true, isReadOnly: false });
  assert.match(asked[2]?.question ?? "", /without a sandbox, with the network/);
  assert.equal(must(await run("rm -rf build")).isSandboxed, true);
});

test("in the sandbox: a file that it does not show is read outside of it once the person allows that", async (t) => {
  const { asked, run } = await fixture(t, { hasSandbox: true, answer: () => "Allow once" });
  assert.equal(must(await run("cat /srv/notes.txt")).isSandboxed, false);
  assert.match(asked[0]?.question ?? "", /without a sandbox/);
  assert.equal(must(await run("cat /usr/include/stdio.h")).isSandboxed, true);
});

test("in the sandbox: plan never leaves it, and what says that it writes is asked as a command that writes", async (t) => {
  const answer = () => "Allow once";
  const plan = await fixture(t, { mode: "plan", hasSandbox: true, answer });
  for (const command of ["ls", "cat .env", "cat ~/.ssh/config"]) {
    assert.deepEqual(must(await plan.run(command)), { isSandboxed: true, network: false, isReadOnly: true });
  }
  assert.match(refused(await plan.run("ls", { writes: true })).message, /In mode plan nothing is changed/);
  const ask = await fixture(t, { hasSandbox: true, answer });
  assert.equal(must(await ask.run("git diff")).isReadOnly, true);
  assert.equal(ask.asked.length, 0);
  assert.equal(must(await ask.run("git diff", { writes: true })).isReadOnly, false);
  assert.match(ask.asked[0]?.question ?? "", /- git diff: it is to write in this folder/);
  const auto = await fixture(t, { mode: "auto-edit", hasSandbox: true });
  assert.deepEqual(must(await auto.run("git diff", { writes: true })), {
    isSandboxed: true,
    network: false,
    isReadOnly: false,
  });
});

test("the network is free in the sandbox where the person set it so", async (t) => {
  const { run } = await fixture(t, {
    mode: "auto-edit",
    hasSandbox: true,
    sandboxNetwork: true,
    isInteractive: false,
  });
  assert.deepEqual(must(await run("npm run fetch", { network: true })).network, true);
  assert.ok(isFault(await run("git push")));
});

test("plan says what it is; full allows, unless the person's rule denies", async (t) => {
  const plan = await fixture(t, { mode: "plan" });
  assert.match(refused(await plan.run("npm test")).message, /In mode plan nothing is changed/);
  assert.equal((await plan.permissions.permit(editOf("a.ts"), callIn("b")))?.error, "not_allowed");
  assert.equal(must(await plan.run("ls")).isReadOnly, true);
  assert.equal(plan.asked.length, 0);
  const full = await fixture(t, {
    mode: "full",
    rules: [{ tool: "bash", target: "git push *", effect: "deny" }],
  });
  must(await full.run("rm -rf x"));
  assert.match(
    refused(await full.run("ls && git push -f")).message,
    /A rule of the person denies this:\n- git push -f/,
  );
  assert.equal(full.asked.length, 0);
});

test("a remembered rule does not lift what the person's own rules deny", async (t) => {
  const { run, workspace } = await fixture(t, { rules: [{ tool: "bash", target: "npm *", effect: "deny" }] });
  const rules = [{ tool: "bash", target: "npm test *", effect: "allow" }];
  writeFileSync(join(workspace.stateFolder, "permissions.json"), JSON.stringify({ rules }));
  refused(await run("npm test"));
});
