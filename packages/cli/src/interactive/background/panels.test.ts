// /agents and /jobs by key, and leaving: what each key asks of the host, and what it refuses.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Api } from "@stet/client/direct";
import type { AgentView } from "@stet/protocol/api/agents";
import type { Background, BackgroundJob } from "@stet/protocol/api/background";
import { keyOf, until } from "@stet/testkit/panel-fixture";
import type { InputComponent } from "@stet/tui/component";
import { stripAnsi } from "@stet/tui/text/ansi";
import type { Choices, Dialogs } from "../app.ts";
import { defaultKeyBindings } from "../keys/bindings.ts";
import { fixedTheme } from "../theme/fixed-theme.ts";
import { AgentsPanel } from "./agents-panel.ts";
import { JobsPanel } from "./jobs-panel.ts";
import { goesOn, leftRunning, mayEnd, workOfHost } from "./leaving.ts";
import { SessionBackground } from "./session-background.ts";

const at = "2026-01-01T00:00:00.000Z";

function agent(id: string, status: AgentView["status"], more: Partial<AgentView> = {}): AgentView {
  return {
    agent_id: id,
    parent: "main",
    agent: "task",
    source: "builtin",
    description: `about ${id}`,
    status,
    step: "reads",
    job_id: `job-${id}`,
    session_id: `s~${id}`,
    model: "m",
    isolation: "ledger",
    started_at: at,
    duration_ms: 1000,
    tool_calls: 1,
    tokens: 10,
    cost_usd: 0,
    cost_known: true,
    question: null,
    turn: null,
    documents: [],
    conflicts: 0,
    summary: "",
    ...more,
  };
}

const agents = [
  agent("0-A", "running"),
  agent("0-A.0-B", "running", { parent: "0-A" }),
  agent("1-C", "completed", { summary: "Found it.", documents: [1], conflicts: 2 }),
  agent("2-D", "pending", { job_id: null }),
];

const command: BackgroundJob = {
  job_id: "bash-1",
  type: "bash",
  agent: "main",
  status: "running",
  label: "npm test",
  duration_ms: 1000,
  output: "one\ntwo\n",
};

const background: Background = {
  jobs: [command, { ...command, job_id: "bash-2", status: "failed", label: "make" }],
  timers: [
    {
      timer_id: "timer-1",
      agent: "main",
      cron_expression: "*/5 * * * *",
      human: "every 5 minutes",
      recurring: true,
      prompt: "look again",
      next_at: at,
      expires_at: null,
    },
  ],
  waiting: ["one", "two"].map((name) => ({
    delivery_id: name,
    source: { kind: "timer", id: name, label: `timer ${name}` },
    text: `<timer id="${name}">\nlook at ${name}\n</timer>`,
    at,
  })),
  autonomy: { mode: "ask", turns: 0, cost_usd: 0, held: null },
};

interface Asked {
  readonly name: string;
  readonly given: unknown;
}

/** A host that knows these, and does whatever it is asked. */
function hostOf(state: { readonly agents: readonly AgentView[]; readonly background: Background }) {
  const asked: Asked[] = [];
  const replies: Readonly<Record<string, unknown>> = {
    listAgents: { agents: state.agents, tokens: 0, cost_usd: 0, cost_known: true },
    listBackground: state.background,
    listAllBackground: { sessions: [{ session_id: "s", title: "", ...state.background }] },
    listAgentDefinitions: { agents: [] },
    cancelBackground: { cancelled: ["0-A"] },
    deliver: { delivered: 1, job_id: "j" },
    dismissDeliveries: { dismissed: 1 },
    sendMessage: {},
    run: { job_id: "j" },
  };
  const call = async (name: string, given: unknown) => {
    if (!name.startsWith("list")) asked.push({ name, given });
    return replies[name];
  };
  return { api: { call } as unknown as Api<never>, asked };
}

async function opened(kind: "agents" | "jobs", state = { agents, background }) {
  const { api, asked } = hostOf(state);
  const work = new SessionBackground({ api, session: () => "s", now: () => 0 });
  work.look();
  let isClosed = false;
  const parts = {
    api,
    background: work,
    session: "s",
    theme: fixedTheme({ colours: "none", isPlain: true }),
    keys: defaultKeyBindings(),
    screen: { columns: 80, rows: 24 },
    requestRender: () => {},
    onEvent: () => () => {},
    follow: () => assert.fail("nothing is followed here"),
  };
  const close = () => {
    isClosed = true;
  };
  const panel: InputComponent & { readonly isBusy: boolean } =
    kind === "agents" ? new AgentsPanel(parts, close) : new JobsPanel(parts, close);
  const settled = () => until(() => !panel.isBusy, "the panel to be done");
  const screen = () =>
    panel
      .render(80)
      .map((row) => stripAnsi(row).trimEnd())
      .join("\n");
  await settled();
  return {
    asked,
    screen,
    isClosed: () => isClosed,
    async press(...keys: string[]) {
      for (const key of keys) {
        panel.handleInput(keyOf(key));
        await settled();
        screen();
      }
      return screen();
    },
  };
}

test("the tree has every agent below the one that sent it, with its state, its last step and what it changed", async () => {
  const { screen } = await opened("agents");
  assert.match(screen(), /^Agents {2}3 at work +4 agents, 30 tokens, \$0\.00\n/);
  assert.match(screen(), /❯ ▶ 0-A {2}task: about 0-A +works {2}10 tokens {2}1s \$0\.00\n {4}reads\n/);
  assert.match(screen(), /\n {4}▶ 0-A\.0-B {2}task/);
  assert.match(screen(), /✓ 1-C[^\n]*\n {4}Found it\. · 1 file changed · 2 conflicts\n/);
  assert.match(screen(), /○ 2-D[^\n]*waits/);
});

test("an agent at work is steered, one that has ended is asked again, one that has not begun hears nothing", async () => {
  const { press, asked } = await opened("agents");
  assert.match(await press("t", "N", "o", "w"), /To 0-A: Now/);
  assert.match(await press("enter"), /0-A hears this after the running tool\./);
  await press("down", "down", "t", "H", "m", "enter");
  assert.match(
    await press("down", "t", "x", "enter"),
    /2-D waits for its turn and has not begun\. Say it once it works/,
  );
  assert.match(await press("t", "y", "escape"), /enter read {2}t tell it/);
  assert.deepEqual(asked, [
    { name: "sendMessage", given: { params: { job_id: "job-0-A" }, body: { text: "Now", mode: "steer" } } },
    {
      name: "run",
      given: {
        body: { session_id: "s~1-C", instruction: "Hm", tool_config: { max_tool_calls: "setting" } },
      },
    },
  ]);
});

test("stopping an agent asks first, and says who ends with it; one that has ended is not stopped", async () => {
  const { press, asked } = await opened("agents");
  assert.match(await press("x"), /Stop 0-A and whoever works for it\?/);
  await press("n");
  assert.deepEqual(asked, []);
  assert.match(await press("x", "y"), /Stopped 0-A\./);
  assert.match(await press("down", "down", "x"), /1-C does not work any more\./);
  assert.deepEqual(asked, [
    { name: "cancelBackground", given: { params: { session_id: "s" }, body: { ids: ["0-A"] } } },
  ]);
});

test("without agents the list says how to send one, and keys of an agent do nothing", async () => {
  const { press, asked, screen, isClosed } = await opened("agents", { agents: [], background });
  assert.match(screen(), /No agent works or worked for this session\.\nName one in a message/);
  await press("x", "t", "enter", "up", "end");
  assert.deepEqual(asked, []);
  await press("escape");
  assert.ok(isClosed());
});

test("what waits comes first, then what runs, timers, and what has ended; a text is looked at as a whole", async () => {
  const { press, screen } = await opened("jobs");
  assert.match(
    screen(),
    /^Background {2}1 command and 1 timer +3 agents at work: \/agents\nautonomy ask: 2 messages wait/,
  );
  assert.match(
    screen(),
    /not told {2}Timer: timer one[\s\S]*timer two[\s\S]*bash-1 {2}npm test[^\n]*runs[^\n]*\n {4}two\n[\s\S]*timer-1 {2}look again[\s\S]*bash-2 {2}make[^\n]*failed/,
  );
  assert.match(await press("down", "down", "enter"), /^bash-1 {2}npm test[\s\S]*\none\ntwo\n/);
  assert.match(await press("escape", "down", "enter"), /^timer-1[\s\S]*every 5 minutes/);
});

test("what waits is told now or dropped, one or all; dropping all asks first", async () => {
  const { press, asked } = await opened("jobs");
  assert.match(await press("t"), /The agent is told, in a turn of its own\./);
  assert.match(await press("down", "d"), /Dropped 1 message; the agent is not told\./);
  await press("T");
  assert.match(await press("D"), /Drop everything that waits\? The agent is not told\./);
  await press("n", "D", "y");
  assert.match(await press("x"), /There is nothing to stop: d drops it\./);
  assert.match(await press("down", "t"), /This is nothing that waits to be told\./);
  const params = { session_id: "s" };
  assert.deepEqual(asked, [
    { name: "deliver", given: { params, body: { delivery_ids: ["one"] } } },
    { name: "dismissDeliveries", given: { params, body: { delivery_ids: ["two"] } } },
    { name: "deliver", given: { params, body: {} } },
    { name: "dismissDeliveries", given: { params, body: {} } },
  ]);
});

test("a command is stopped and a timer removed after a question; what has ended is not", async () => {
  const { press, asked } = await opened("jobs");
  assert.match(await press("down", "down", "x"), /Stop bash-1: npm test\?/);
  await press("y");
  assert.match(await press("down", "x"), /Remove the timer timer-1\?/);
  await press("y");
  assert.match(await press("down", "x"), /It does not run any more\./);
  assert.deepEqual(
    asked.map(({ given }) => given),
    ["bash-1", "timer-1"].map((id) => ({ params: { session_id: "s" }, body: { ids: [id] } })),
  );
});

test("leaving asks about all that would end, and only where something would", async () => {
  const titles: string[] = [];
  const dialogsThat = (answer: boolean | undefined): Dialogs =>
    ({
      choose: async ({ title }: Choices & { title: string }) => {
        titles.push(title);
        return answer;
      },
    }) as unknown as Dialogs;
  const nothing = await workOfHost(
    hostOf({ agents: [], background: { ...background, jobs: [], timers: [] } }).api,
  );
  assert.equal(await mayEnd(nothing, dialogsThat(false)), true);
  assert.equal(leftRunning(nothing), undefined);
  const work = await workOfHost(hostOf({ agents, background }).api, 3);
  assert.equal(await mayEnd(work, dialogsThat(true)), true);
  assert.equal(await mayEnd(work, dialogsThat(undefined)), false);
  assert.match(titles.join("\n"), /^3 agents, 1 command and 1 timer would end with this terminal\./);
  assert.match(leftRunning(work) ?? "", /^3 agents, 1 command and 1 timer go on in the process/);
});

test("another session leaves work behind, and says how to come back to it", async () => {
  const { api } = hostOf({ agents: [], background: { ...background, timers: [] } });
  const work = new SessionBackground({ api, session: () => "s" });
  assert.equal(goesOn(work, false), undefined);
  work.look();
  await until(() => work.commands.length > 0, "what runs");
  assert.equal(goesOn(work, false), "1 command goes on in the session before: /resume leads back to it.");
  assert.match(goesOn(work, true) ?? "", /^1 command goes on in this session, whichever way it takes/);
});
