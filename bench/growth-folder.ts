// A folder that was worked in for a long time, and the same folder in which nothing has happened yet.
//
// Both have the same files and the same few hunks to decide on. The history is written through the ledger and the stores,
// many turns in a transaction, because asking a model ten thousand times would take hours.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { newJob } from "@stet/host/jobs/job-queue";
import { SqliteStore } from "@stet/host/store/sqlite-store";
import { answered, said } from "@stet/testkit/sample-session";
import { newEvent } from "../packages/protocol/src/events/new-event.ts";
import { PromptHistory } from "../packages/session/src/prompt-history.ts";
import { SessionStore } from "../packages/session/src/session-store.ts";
import { environmentBelow } from "../packages/testkit/src/run-stet.ts";
import { must } from "../packages/testkit/src/workspace.ts";
import { Workspace } from "../packages/workspace/src/workspace.ts";

export const grown = { turns: 10_000, sessions: 5000, documents: 2000, changes: 100_000 } as const;

/** The last turn waits for review. */
const openTurns = 1;
const documentsOfTurn = 5;
const lines = 40;
const turnsOfTransaction = 200;

export interface WorkedFolder {
  readonly root: string;
  readonly dataFolder: string;
  readonly environment: NodeJS.ProcessEnv;
}

const nameOf = (number: number) => `part-${number % 50}/note-${number}.md`;

export async function makeFolder(home: string, isGrown: boolean): Promise<WorkedFolder> {
  const root = join(home, "root");
  for (let folder = 0; folder < 50; folder += 1) mkdirSync(join(root, `part-${folder}`), { recursive: true });
  const text = Array.from({ length: lines }, (_, index) => `Line ${index + 1} of a note.\n`).join("");
  for (let number = 0; number < grown.documents; number += 1) writeFileSync(join(root, nameOf(number)), text);
  const environment = environmentBelow(home);
  const dataFolder = join(home, "data");
  const workspace = must(await Workspace.open(root, { dataFolder }));
  const ids = isGrown ? await fillSessions(workspace, root, dataFolder) : ["new"];
  const turns = isGrown ? grown.turns : 0;
  for (let first = 0; first < turns; first += turnsOfTransaction) {
    must(workspace.ledger.write(() => makeTurns(workspace, first, turnsOfTransaction, ids, true)));
  }
  must(workspace.ledger.write(() => makeTurns(workspace, turns, openTurns, ids, false)));
  if (isGrown) must(await workspace.saving.save(workspace.documents.unsavedIds()));
  workspace.close();
  return { root, dataFolder, environment };
}

/** Each turn changes a line of some documents, and the person another one of each. */
function makeTurns(
  workspace: Workspace,
  first: number,
  count: number,
  sessions: readonly string[],
  isDecided: boolean,
): true {
  const policy = { kind: "rebase" } as const;
  for (let number = first; number < first + count; number += 1) {
    const session = sessions[number % sessions.length] ?? "";
    const turn = workspace.beginTurn({ session, summary: `Turn ${number}` });
    const documents = Array.from({ length: documentsOfTurn }, (_, index) => {
      const path = nameOf((number * documentsOfTurn + index) % grown.documents);
      return must(workspace.documents.open(path)).id;
    });
    const edit = (line: number, content: string) =>
      [{ op: "replace", from: line, to: line, content }] as const;
    for (const document of documents) {
      const { revision } = must(turn.read(document));
      must(turn.edit(document, { revision, policy, edits: edit(1 + (number % 30), `Turn ${number}.`) }));
    }
    must(turn.commit());
    if (!isDecided) continue;
    must(workspace.review.accept({ turn: turn.id }));
    for (const document of documents) {
      const { revision } = must(workspace.documents.state(document)).history;
      const edits = edit(lines - (number % 5), `Typed ${number}.`);
      must(workspace.documents.edit(document, { revision, policy, edits, origin: "user" }));
    }
  }
  return true;
}

/** Conversations of two turns each, their jobs with ten events each, and what was asked. Returns the sessions' ids. */
async function fillSessions(workspace: Workspace, root: string, dataFolder: string): Promise<string[]> {
  const files = new SessionStore({ dataFolder });
  const store = must(SqliteStore.open(workspace.stateFolder));
  const prompts = must(PromptHistory.open(join(dataFolder, "prompts.sqlite")));
  const model = files.create(workspace.root.path);
  for (const turn of [1, 2]) {
    must(model.appendMessage(said(`Question ${turn}`)));
    must(model.appendMessage(answered(`Answer ${turn}. ${"Some words of an answer. ".repeat(40)}`)));
  }
  const path = model.log.path ?? "";
  const content = readFileSync(path, "utf8");
  const began = Date.now() - 24 * 3_600_000;
  const ids: string[] = [];
  for (let number = 0; number < grown.sessions; number += 1) {
    const id = `${number.toString(16).padStart(8, "0")}${model.header.id.slice(8)}`;
    const at = began + number * 10_000;
    const timestamp = new Date(at).toISOString();
    const file = `${timestamp.replace(/[:.]/g, "-")}_${id}.jsonl`;
    const copied = content.replace(model.header.id, id).replace(model.header.timestamp, timestamp);
    writeFileSync(path.replace(basename(path), file), copied);
    const title = `Question ${number}`;
    const session = {
      id,
      status: "active",
      title,
      contextRows: [],
      createdAt: at,
      updatedAt: at,
      file,
    } as const;
    must((await store.putSession(session)) ?? true);
    for (const turn of [0, 1]) {
      const asked = `${title}, part ${turn}`;
      const request = {
        session: id,
        instruction: asked,
        toolset: "project",
        model: "m",
        maxToolCalls: null,
      } as const;
      const job = {
        ...newJob({ ...request, tab: null, context: "" }),
        status: "completed",
        createdAt: at + turn,
        finishedAt: at + turn + 1,
      } as const;
      must((await store.putJob(job)) ?? true);
      const events = Array.from({ length: 10 }, (_, index) => ({
        cursor: index + 1,
        ...newEvent("message.completed", { text: "A file was read." }),
      }));
      must((await store.keepEvents(`job:${job.id}`, events)) ?? true);
      prompts.add(asked, root);
    }
    ids.push(id);
  }
  await store.close();
  prompts.close();
  return ids;
}
