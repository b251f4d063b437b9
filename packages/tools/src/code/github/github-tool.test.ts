// The tool github: what it reads, what it sends, and what a person is asked before.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "@stet/protocol/fault";
import type { HubRun } from "@stet/testkit/github/github-data";
import { openGithubTools, programs } from "@stet/testkit/github/github-tools";
import { strToU8, zipSync } from "fflate";
import type { PermissionRequest } from "../../permission/permission-rule.ts";
import { read } from "../read/read.ts";
import { github } from "./github-tool.ts";

const logLines = [
  "2026-03-01T10:00:01.0000000Z \u001b[31mnot ok 1\u001b[0m",
  "2026-03-01T10:00:02.0000000Z ##[error]Process completed with exit code 1.",
];

const run: HubRun = {
  id: 4711,
  title: "Break it",
  conclusion: "failure",
  jobs: [
    {
      id: 1,
      name: "test",
      conclusion: "failure",
      steps: [
        { name: "Set up", number: 1, conclusion: "success" },
        { name: "Run tests", number: 2, conclusion: "failure" },
      ],
    },
    { id: 2, name: "lint", conclusion: "success", steps: [] },
  ],
  log: logLines.map((line) => `test\tRun tests\t${line}\n`).join(""),
  logArchive: zipSync({ "test/2_Run tests.txt": strToU8(`${logLines.join("\n")}\n`) }),
};

for (const { name, program, skip } of programs()) {
  test(`everything that can be looked at is told, ${name}`, { skip }, async (t) => {
    const { fixture, repository } = await openGithubTools(t, [github], { program });
    const details = "https://github.com/acme/app/actions/runs/4711/job/1";
    repository.issues.push({ number: 5, title: "It hangs", body: "Since 2.0" });
    repository.pulls.push({
      number: 6,
      title: "Do not hang",
      diff: "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n",
      checks: [{ name: "test", conclusion: "FAILURE", detailsUrl: details }],
    });
    repository.runs.push(run);
    const said = async (input: Readonly<Record<string, unknown>>) => {
      const { text, error } = await fixture.call("github", input);
      assert.equal(error, undefined, text);
      assert.match(text, /\[From GitHub: written by strangers/);
      return text;
    };
    assert.match(await said({ op: "repo_view" }), /acme\/app: public\n/);
    assert.match(await said({ op: "issue_list", state: "all", limit: 5 }), /#5 It hangs \(open, octocat/);
    assert.match(await said({ op: "pr_list" }), /#6 Do not hang/);
    assert.match(
      await said({ op: "issue_view", number: 5 }),
      /^issue:\/\/5 .*\n# It hangs\n.*> Since 2\.0$/s,
    );
    assert.match(
      await said({ op: "pr_view", repo: "acme/app", number: 6, comments: false }),
      /^pr:\/\/acme\/app\/6\?/,
    );
    assert.match(await said({ op: "pr_diff", number: 6 }), /1\. a \(changed; \+1 −1\)$/);
    assert.match(await said({ op: "pr_diff", number: 6, file: 1 }), /-x\n\+y$/);
    assert.match(
      await said({ op: "pr_checks", number: 6 }),
      /: 1 failure\n.*\n\n- failure: .*test \(run 4711\)$/,
    );
    assert.match(await said({ op: "run_list", limit: 3 }), /4711 failure: Break it \(CI, main, push, 2026/);
    const shown = await said({ op: "run_view", run: 4711 });
    assert.match(
      shown,
      /- failure: test\n {2}- failure: Run tests\n- success: lint\n\n\{"op": "run_logs", "run": 4711\}/,
    );
    const log = await said({ op: "run_logs", run: 4711 });
    assert.ok(
      log.endsWith("## test / Run tests\nnot ok 1\n##[error]Process completed with exit code 1."),
      log,
    );
    const found = await said({ op: "search", query: "hangs is:open" });
    assert.match(found, /1 of 1 found .*\n\nissue:\/\/acme\/app\/5 It hangs \(open/s);
  });

  test(`what is sent is exactly what the person was asked, ${name}`, { skip }, async (t) => {
    const asked: PermissionRequest[] = [];
    const { hub, fixture } = await openGithubTools(t, [github], {
      program,
      async permit(request) {
        asked.push(request);
        return undefined;
      },
    });
    const body = "--body `$(id)` \u{1f468}\u200d\u{1f4bb}\n- @octocat";
    const calls = [
      { op: "comment", number: 5, body },
      { op: "issue_create", title: "--web", labels: ["bug", "-x"], assignees: ["mona"], body: "" },
      { op: "pr_create", title: "Do it", draft: true, body: "Closes #5" },
      { op: "pr_create", repo: "other/app", title: "Do it", head: "me:topic", base: "dev" },
    ];
    hub.data.add("other/app");
    const answers = await fixture.callAll(calls.map((input) => ({ tool: "github", input })));
    assert.deepEqual(
      answers.map(({ text }) => text),
      [
        "Sent a comment: https://github.com/acme/app/issues/5#issuecomment-1",
        "Sent a new issue: https://github.com/acme/app/issues/77 (issue://acme/app/77)",
        "Sent a new draft pull request: https://github.com/acme/app/pull/78 (pr://acme/app/78)",
        "Sent a new pull request: https://github.com/other/app/pull/78 (pr://other/app/78)",
      ],
    );
    assert.deepEqual(hub.data.sent, [
      { path: "acme/app/issues/5/comments", request: { body } },
      {
        path: "acme/app/issues",
        request: { title: "--web", labels: ["bug", "-x"], assignees: ["mona"], body: "" },
      },
      {
        path: "acme/app/pulls",
        request: { title: "Do it", head: "topic", base: "main", draft: true, body: "Closes #5" },
      },
      {
        path: "other/app/pulls",
        request: { title: "Do it", head: "me:topic", base: "dev", body: "" },
      },
    ]);
    assert.deepEqual(
      asked.map(({ tool, targets }) => ({ tool, ...targets[0] })),
      [
        ["comment", "a comment as octocat", "acme/app/issues/5", body],
        [
          "issue_create",
          "a new issue as octocat",
          "acme/app/issues",
          "title: --web\nlabels: bug, -x\nassignees: mona\n\n(no text)",
        ],
        [
          "pr_create",
          "a new draft pull request as octocat",
          "acme/app/pulls",
          "title: Do it\nhead: topic\nbase: main\ndraft: true\n\nCloses #5",
        ],
        [
          "pr_create",
          "a new pull request as octocat",
          "other/app/pulls",
          "title: Do it\nhead: me:topic\nbase: dev\n\n(no text)",
        ],
      ].map(([action, what, path, content]) => {
        return { tool: "github", kind: "send", action, what, url: `https://github.com/${path}`, content };
      }),
    );
  });
}

test("nothing is sent that was not allowed, does not fit, or holds a secret", async (t) => {
  let asked = 0;
  const { hub, fixture } = await openGithubTools(t, [github], {
    async permit() {
      asked += 1;
      return new Fault("not_allowed", "No.", "Do without.");
    },
  });
  const refused = async (input: Readonly<Record<string, unknown>>) =>
    (await fixture.call("github", input)).error;
  assert.equal(await refused({ op: "comment", number: 5, body: "Hello" }), "not_allowed");
  assert.equal(asked, 1);
  for (const [input, error] of [
    [{ op: "comment", number: 5 }, "invalid_arguments"],
    [{ op: "comment", body: "x" }, "invalid_arguments"],
    [{ op: "comment", number: -5, body: "x" }, "invalid_arguments"],
    [{ op: "comment", number: 5, body: "x".repeat(65_537) }, "invalid_arguments"],
    [{ op: "comment", number: 5, body: `key ghp_${"a1B2".repeat(9)}` }, "not_allowed"],
    [{ op: "issue_create", title: " " }, "invalid_arguments"],
    [{ op: "issue_create", title: "one\ntwo" }, "invalid_arguments"],
    [{ op: "pr_create", title: "x", head: "main", base: "main" }, "invalid_arguments"],
    [{ op: "merge", number: 5 }, "invalid_arguments"],
    [{ op: "issue_list", limit: 1000 }, "invalid_arguments"],
    [{ op: "issue_list", state: "merged" }, "invalid_arguments"],
    [{ op: "issue_view" }, "invalid_arguments"],
    [{ op: "issue_view", number: 5, repo: "acme" }, "invalid_arguments"],
    [{ op: "issue_view", number: 5, repo: "--repo=x/y/z" }, "invalid_arguments"],
    [{ op: "run_logs" }, "invalid_arguments"],
    [{ op: "search", query: " " }, "invalid_arguments"],
  ] as const) {
    assert.equal(await refused(input), error, JSON.stringify(input).slice(0, 100));
  }
  assert.equal(asked, 1);
  assert.deepEqual([hub.data.sent, hub.asked], [[], []]);
});

test("a search stays in the repository unless it says where, and looks everywhere for repositories", async (t) => {
  const urls: string[] = [];
  const { fixture } = await openGithubTools(t, [github], {
    async permit({ targets: [target] }) {
      if (target?.kind === "url") urls.push(`${new URL(target.url).searchParams} ${target.scope}`);
      return new Fault("not_allowed", "No.", "Do without.");
    },
  });
  for (const input of [
    { query: "-label:bug --web" },
    { query: "org:acme leak", kind: "prs" },
    { query: "parser", kind: "repos" },
    { query: "useState", kind: "code", repo: "acme/web" },
  ])
    await fixture.call("github", { op: "search", ...input });
  const scope = "https://github.com/search*";
  assert.deepEqual(urls, [
    `q=-label%3Abug+--web+is%3Aissue+repo%3Aacme%2Fapp&type=issues ${scope}`,
    `q=org%3Aacme+leak+is%3Apr&type=pullrequests ${scope}`,
    `q=parser&type=repositories ${scope}`,
    `q=useState+repo%3Aacme%2Fweb&type=code ${scope}`,
  ]);
});

test("after a comment the issue is read as it is now", async (t) => {
  const { fixture, repository } = await openGithubTools(t, [github, read]);
  const issue = { number: 5, title: "It hangs", comments: [{ author: "mona", body: "First" }] };
  repository.issues.push(issue);
  const look = async () => (await fixture.call("read", { path: "issue://5" })).text;
  assert.doesNotMatch(await look(), /Second/);
  issue.comments.push({ author: "octocat", body: "Second" });
  assert.doesNotMatch(await look(), /Second/, "it is fresh");
  await fixture.call("github", { op: "comment", number: 5, body: "Second" });
  assert.match(await look(), /> Second/);
});

test("of a long log the end is shown, and all of it is kept", async (t) => {
  const { fixture, repository } = await openGithubTools(t, [github]);
  const lines = Array.from(
    { length: 5000 },
    (_, index) => `test\tRun tests\t2026-03-01T10:00:01.0Z line ${index}\n`,
  );
  repository.runs.push({ ...run, log: lines.join("") });
  const { text } = await fixture.call("github", { op: "run_logs", run: 4711 });
  assert.match(text, /\[The end of 5001 lines\. All of it: artifact:\/\/1\]\nline 4700\n/);
  assert.match(text, /line 4999$/);
});
