// A valid request for every route of the API. A route without one does not compile, and fails the tests that go through
// all routes.

import type { RouteShape, Sent } from "@stet/protocol/api/route";
import { type RouteName, type Routes, routes } from "@stet/protocol/api/routes";

export const routeSamples: { readonly [Name in RouteName]: Sent<Routes[Name]> } = {
  createSession: { body: { title: "Chapter one" } },
  listSessions: {},
  getSession: { params: { session_id: "s1" } },
  archiveSession: { params: { session_id: "s1" }, body: { archived: true } },
  renameSession: { params: { session_id: "s1" }, body: { title: "Chapter two" } },
  sessionMessages: { params: { session_id: "s1" } },
  sessionTree: { params: { session_id: "s1" }, query: { query: "lighthouse" } },
  branchSession: { params: { session_id: "s1" }, body: { entry_id: "0a1b2c3d" } },
  labelEntry: { params: { session_id: "s1" }, body: { entry_id: "0a1b2c3d", label: "Before the rewrite" } },
  tellSession: { params: { session_id: "s1" }, body: { text: "I ran the tests: all pass." } },
  setChoices: { params: { session_id: "s1" }, body: { thinking: "high", permission: "plan" } },
  setContextRows: {
    params: { session_id: "s1" },
    body: { context_rows: [{ id: "r1", kind: "file", file_path: "notes.md" }] },
  },
  findSessions: { query: { folders: "all", query: "lighthouse" } },
  forkSession: { params: { session_id: "s1" }, body: {} },
  branchOff: { params: { session_id: "s1" }, body: { entry_id: "0a1b2c3d" } },
  compactSession: { params: { session_id: "s1" }, body: { instructions: "Keep the names." } },
  exportSession: { params: { session_id: "s1" }, query: { format: "html", page_colour: "#1d2125" } },
  sessionContext: { params: { session_id: "s1" } },
  sessionCost: { params: { session_id: "s1" } },
  listPermissions: { query: { session_id: "s1" } },
  removePermission: { body: { source: "project", tool: "bash", target: "npm test", effect: "allow" } },
  getTodo: { params: { session_id: "s1" } },
  setTodo: { params: { session_id: "s1" }, body: { markdown: "## Work\n- [ ] Read the notes\n" } },
  run: { body: { session_id: "s1", instruction: "Shorten the first paragraph." } },
  listJobs: {},
  getJob: { params: { job_id: "j1" } },
  getJobEvents: { params: { job_id: "j1" }, query: { cursor: 0 } },
  streamJobEvents: { params: { job_id: "j1" } },
  clarify: { params: { job_id: "j1" }, body: { question_id: "q1", answer: "The second one." } },
  sendMessage: { params: { job_id: "j1" }, body: { text: "Only the first part.", mode: "steer" } },
  withdrawMessage: { params: { job_id: "j1", message_id: "msg_1" } },
  cancelJob: { params: { job_id: "j1" }, body: {} },
  apply: { body: { session_id: "s1", job_id: "j1", accepted_hunk_ids: ["h_1_1"] } },
  listAgentDefinitions: {},
  listAgents: { params: { session_id: "s1" } },
  listBackground: { params: { session_id: "s1" } },
  listAllBackground: {},
  cancelBackground: { params: { session_id: "s1" }, body: { ids: ["bash-1"] } },
  putInBackground: { params: { session_id: "s1" }, body: {} },
  deliver: { params: { session_id: "s1" }, body: {} },
  dismissDeliveries: { params: { session_id: "s1" }, body: { delivery_ids: ["delivery-1"] } },
  listReview: {},
  listDecided: {},
  documentReview: { params: { document: 1 } },
  decide: { body: { hunk_ids: ["h_1_1"], verdict: "accept" } },
  undoDecision: { body: {} },
  saveDecided: { body: {} },
  listCheckpoints: {},
  getCheckpoint: { params: { checkpoint_id: "ckpt_1" } },
  diff3: { params: { checkpoint_id: "ckpt_1" }, query: { file_path: "notes.md" } },
  rollback: { params: { checkpoint_id: "ckpt_1" }, body: { mode: "hard_all" } },
  listTabs: {},
  openTab: { body: { path: "notes.md" } },
  activateTab: { params: { tab_id: "tab_1" }, body: {} },
  moveTab: { params: { tab_id: "tab_1" }, body: { position: 0 } },
  closeTab: { params: { tab_id: "tab_1" } },
  saveTab: { params: { tab_id: "tab_1" }, body: {} },
  reloadTab: { params: { tab_id: "tab_1" }, body: {} },
  readLines: { params: { tab_id: "tab_1" } },
  outline: { params: { tab_id: "tab_1" } },
  searchTab: { params: { tab_id: "tab_1" }, query: { query: "lighthouse" } },
  turnHistory: { params: { tab_id: "tab_1" } },
  restoreTurn: { params: { tab_id: "tab_1" }, body: { checkpoint_id: "ckpt_1" } },
  getDocument: { params: { document: 1 } },
  changeDocument: { params: { document: 1 }, body: { revision: 0, change: [5], client: "window" } },
  documentChanges: { params: { document: 1 }, query: { revision: 0 } },
  diskState: { params: { document: 1 } },
  resolveDisk: { params: { document: 1 }, body: { choice: "keep" } },
  getWorkspace: {},
  workspaceEvents: {},
  streamWorkspaceEvents: {},
  listFiles: {},
  createFile: { body: { path: "new.md", content: "neu\n" } },
  renameFile: { body: { from: "notes.md", to: "old/notes.md" } },
  deleteFile: { body: { path: "notes.md" } },
  listDeletions: {},
  restoreFile: { body: { deletion_id: "del_1" } },
  searchFiles: { query: { query: "lighthouse" } },
  getIndex: {},
  pauseIndex: { body: { paused: true } },
  listPrompts: {},
  connectProvider: { body: { provider: "gateway", values: { address: "http://127.0.0.1:1/v1" } } },
  disconnectProvider: { params: { provider: "gateway" } },
  startDeviceLogin: { body: { provider: "azure" } },
  finishDeviceLogin: { params: { login_id: "none" } },
  testModel: { body: { model: "gateway/none" } },
  listModels: {},
  getConfig: {},
  changeSetting: { body: { name: "symbolPreset", value: "ascii" } },
  health: {},
  createChat: { body: { message: "What is this about?" } },
  streamChat: { query: { sid: "s1" } },
};

export interface SampleRequest {
  readonly name: RouteName;
  readonly shape: RouteShape;
  readonly method: string;
  /** With its parameters and its query. */
  readonly path: string;
  readonly body: string | undefined;
}

export function sampleRequest(name: RouteName): SampleRequest {
  const shape: RouteShape = routes[name];
  const sample: Sent<RouteShape> | undefined = routeSamples[name];
  if (sample === undefined) throw new Error(`The route ${name} has no sample in route-samples.ts.`);
  const params: Readonly<Record<string, unknown>> = sample.params ?? {};
  const filled = shape.path.replace(/:(\w+)/g, (_, key) => encodeURIComponent(String(params[key])));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(sample.query ?? {})) search.set(key, String(value));
  const query = search.toString();
  return {
    name,
    shape,
    method: shape.method,
    path: query === "" ? filled : `${filled}?${query}`,
    body: shape.body === undefined ? undefined : JSON.stringify(sample.body ?? {}),
  };
}

export const routeNames = Object.keys(routes) as RouteName[];
