// Several requests in one file, through the API: each is decided, counted and told by itself.

import assert from "node:assert/strict";
import { test } from "node:test";
import { modelOf, type PlayedReply } from "@stet/testkit/model-of";
import { TestService } from "@stet/testkit/test-service";
import { TestWorkspace } from "@stet/testkit/workspace";

const read: PlayedReply = { calls: [{ name: "read_file", arguments: { file_path: "a.md" } }] };

const replace = (start_line: number, new_text: string, rationale = ""): PlayedReply => ({
  calls: [
    {
      name: "edit_file",
      arguments: {
        file_path: "a.md",
        operation: "replace",
        start_line,
        end_line: start_line,
        new_text,
        rationale,
      },
    },
  ],
});

interface Hunk {
  readonly hunk_id: string;
  readonly turns: readonly string[];
  readonly reasons: readonly { readonly turn: string; readonly rationales: readonly string[] }[];
}

async function open(t: Parameters<Parameters<typeof test>[0] & object>[0], text: string) {
  let replies: readonly PlayedReply[] = [];
  const heard: string[] = [];
  const api = await TestService.open(t, new TestWorkspace(t, { "a.md": text }), () =>
    modelOf((request, at) => {
      if (at === 0) heard.push(JSON.stringify(request.messages.at(-1)));
      return replies[at] ?? { text: "Done." };
    }),
  );
  const ask = async (session: string, ...answers: PlayedReply[]) => {
    replies = answers.length === 0 ? [] : [read, ...answers];
    const id = await api.run(session, "Do it.");
    const { job } = await api.until(id, answers.length === 0 ? "completed" : "awaiting_review");
    return { id, job };
  };
  const apply = (session_id: string, job_id: string, accepted_hunk_ids: readonly string[]) =>
    api.ok("POST", "/api/agent/apply", { session_id, job_id, accepted_hunk_ids });
  const hunks = async (): Promise<Hunk[]> => (await api.ok("GET", "/api/review")).files[0]?.hunks ?? [];
  return { api, ask, apply, hunks, heard };
}

test("a hunk of two requests names both with their own reasons, and each is accepted by itself", async (t) => {
  const { api, ask, hunks } = await open(t, "Elena met Marcus at the mill.\n");
  const session = await api.session();
  const first = await ask(session, replace(1, "Helena met Marcus at the mill.", "Elena becomes Helena"));
  const second = await ask(session, replace(1, "Helena met Markus at the mill.", "Marcus becomes Markus"));
  const [hunk] = await hunks();
  assert.deepEqual(
    hunk?.reasons.map(({ rationales }) => rationales),
    [["Elena becomes Helena"], ["Marcus becomes Markus"]],
  );
  const [elena, marcus] = hunk?.turns ?? [];
  await api.ok("POST", "/api/review/decide", { turn: marcus, verdict: "accept" });
  assert.deepEqual(
    (await hunks()).map(({ turns }) => turns),
    [[elena]],
  );
  assert.equal((await api.ok("GET", `/api/agent/jobs/${second.id}`)).status, "completed");
  assert.equal((await api.ok("GET", `/api/agent/jobs/${first.id}`)).status, "awaiting_review");
  await api.ok("POST", "/api/review/decide", { turn: elena, verdict: "reject" });
  const outcomes = await Promise.all(
    [first, second].map(async ({ id }) => {
      const { events } = await api.ok("GET", `/api/agent/jobs/${id}/events?cursor=0`);
      return events.at(-1).data;
    }),
  );
  assert.deepEqual(outcomes, [
    { outcome: "decided", accepted: 0, rejected: 1 },
    { outcome: "decided", accepted: 1, rejected: 0 },
  ]);
});

test("where two requests cannot be told apart, the refusal names the other, and naming it decides both", async (t) => {
  const { api, ask, hunks } = await open(t, "It rains.\n");
  const session = await api.session();
  await ask(session, replace(1, "It rains in the old town."));
  const second = await ask(session, replace(1, "It rains in the small town."));
  const [hunk] = await hunks();
  const [first, later] = hunk?.turns ?? [];
  const body = { turn: later, verdict: "accept" };
  const refusal = await api.call("POST", "/api/review/decide", body);
  assert.deepEqual([refusal.status, refusal.body.error], [409, "turns_overlap"]);
  assert.deepEqual(refusal.body.details.turns, [{ turn: first, summary: "Do it." }]);
  const apply = { session_id: session, job_id: second.id, accepted_hunk_ids: [hunk?.hunk_id] };
  assert.equal(await api.refusal("POST", "/api/agent/apply", apply), "turns_overlap");
  assert.equal((await api.ok("GET", `/api/agent/jobs/${second.id}`)).status, "awaiting_review");
  await api.ok("POST", "/api/agent/apply", { ...apply, also_turns: [first] });
  assert.deepEqual(await hunks(), []);
});

test("applying a job counts its own hunks, and so does its conversation", async (t) => {
  const { api, ask, apply } = await open(t, "one\ntwo\nthree\nfour\nfive\nsix\n");
  const [one, two] = [await api.session(), await api.session()];
  const a = await ask(one, replace(1, "ONE"));
  const b = await ask(two, replace(3, "THREE"), replace(5, "FIVE"));
  const ids = (job: { diff_bundle: { files: { hunks: Hunk[] }[] } }) =>
    job.diff_bundle.files.flatMap(({ hunks }) => hunks.map(({ hunk_id }) => hunk_id));
  const counts = ({ applied_files: [file] }: { applied_files: Record<string, unknown>[] }) => [
    file?.applied_hunks,
    file?.rejected_hunks,
  ];
  const bIds = ids(b.job);
  assert.deepEqual(counts(await apply(two, b.id, bIds.slice(0, 1))), [1, 1]);
  assert.deepEqual(counts(await apply(one, a.id, ids(a.job))), [1, 0]);
  const { messages: entries } = await api.ok("GET", `/api/agent/sessions/${one}/messages`);
  const decisions = entries.filter(({ kind }: { kind: string }) => kind === "decision");
  assert.deepEqual(
    decisions.map(({ verdict, hunks }: { verdict: string; hunks: number }) => [verdict, hunks]),
    [["accepted", 1]],
  );
});

test("what was rejected in one conversation is told to no other", async (t) => {
  const { api, ask, heard } = await open(t, "one\ntwo\nthree\n");
  const [one, other] = [await api.session(), await api.session()];
  await ask(other);
  await ask(one, replace(2, "a secret of the first"));
  await api.ok("POST", "/api/review/decide", { everything: true, verdict: "reject" });
  await ask(other);
  assert.doesNotMatch(heard.at(-1) ?? "", /rejected|secret/);
  await ask(one);
  assert.match(
    heard.at(-1) ?? "",
    /The person rejected 1 of your changes: a\.md: not \\"a secret of the first\\"/,
  );
});
