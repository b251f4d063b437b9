// The end of a printed turn: what waits for review, whose it is, and what to type next; with --review none, everything is
// accepted and saved.

import type { Settings } from "@stet/host/settings/configuration";
import { type Fault, isFault } from "@stet/protocol/fault";
import { policyOf } from "@stet/tools/toolset-policies";
import type { JsonEvents } from "../json-events.ts";
import type { Terminal } from "../terminal.ts";
import type { CommandApi } from "../with-folder.ts";

/** A turn whose changes landed in the review: the session's own, or of an agent that it has sent. */
export interface LandedTurn {
  readonly turn: string;
  readonly documents: readonly number[];
}

interface Conclusion {
  readonly api: CommandApi;
  readonly settings: Settings;
  readonly terminal: Terminal;
  readonly json: JsonEvents | undefined;
}

const maxShownHunks = 20;

export async function concludeTurns(
  conclusion: Conclusion,
  landed: readonly LandedTurn[],
): Promise<undefined | Fault> {
  const { settings, json } = conclusion;
  if (settings.review === "none") return acceptAll(conclusion, landed);
  return json === undefined ? showReview(conclusion, landed) : undefined;
}

/** The turns that wait for review, by whomever. */
export async function openTurnsOf(api: CommandApi): Promise<ReadonlySet<string> | Fault> {
  const review = await api.call("listReview", { query: {} });
  return isFault(review) ? review : new Set(review.turns.map(({ turn }) => turn));
}

/** What commands of a session changed after the turn that began them: turns that were not open `before`. */
export async function lateTurns(
  api: CommandApi,
  session: string,
  before: ReadonlySet<string>,
): Promise<LandedTurn[] | Fault> {
  const review = await api.call("listReview", { query: {} });
  if (isFault(review)) return review;
  return review.turns.flatMap(({ turn, session_id }): LandedTurn[] => {
    if (session_id !== session || before.has(turn)) return [];
    const files = review.files.filter(({ hunks }) => hunks.some(({ turns }) => turns.includes(turn)));
    return [{ turn, documents: files.map(({ document }) => document) }];
  });
}

async function acceptAll(
  { api, json, terminal }: Conclusion,
  landed: readonly LandedTurn[],
): Promise<undefined | Fault> {
  const all = landed.map(({ turn }) => turn);
  for (const { turn } of landed) {
    // What cannot be told from an earlier one was accepted with it.
    const review = await api.call("listReview", { query: {} });
    if (isFault(review)) return review;
    if (!review.turns.some((open) => open.turn === turn)) continue;
    const also_turns = all.filter((other) => other !== turn);
    const accepted = await api.call("decide", { body: { verdict: "accept", turn, also_turns } });
    if (isFault(accepted)) return accepted;
  }
  const documents = [...new Set(landed.flatMap((one) => one.documents))];
  const reply = await api.call("saveDecided", { body: { documents } });
  if (isFault(reply)) return reply;
  const paths = reply.saved.map((file) => file.file_path);
  if (json !== undefined) json.saved(paths);
  else if (paths.length > 0) terminal.note(`Saved ${paths.join(", ")}.\n`);
  return undefined;
}

async function showReview(
  { api, settings, terminal }: Conclusion,
  landed: readonly LandedTurn[],
): Promise<undefined | Fault> {
  const { formatHunks, summariseHunks } = await import("../format-hunk.ts");
  const { agentsOf, hunksIn } = await import("../hunk-lines.ts");
  const review = await api.call("listReview", { query: {} });
  if (isFault(review)) return review;
  terminal.note("\n");
  const agents = agentsOf(review.turns);
  const files = review.files.filter(({ document }) => landed.some((one) => one.documents.includes(document)));
  // Edits that are on disk at once were shown when they were made.
  const { writes } = policyOf(settings.toolset);
  const isShown = writes === "immediate";
  for (const file of isShown ? files : []) terminal.note(`${summariseHunks(terminal, file, agents)}\n`);
  const hunks = isShown ? [] : hunksIn(files);
  const drawn = await formatHunks(terminal, api, hunks.slice(0, maxShownHunks), agents);
  for (const hunk of drawn) terminal.note(`${hunk}\n`);
  if (hunks.length > maxShownHunks) {
    terminal.note(`… and ${hunks.length - maxShownHunks} more hunks; stet review show has them all.\n`);
  }
  const [only] = landed;
  const turn = only?.turn ?? "";
  const isWhole = landed.length === 1 && (settings.review === "turn" || writes === "turn");
  const how = isWhole
    ? `on the whole turn: stet review accept --turn ${turn}, stet review reject --turn ${turn}`
    : "with: stet review step, stet review accept --all, stet review reject HUNK …";
  const where = writes === "immediate" ? "This is on disk already." : "Nothing is on disk yet.";
  terminal.note(`${where} Decide ${how}\n`);
  for (const { turn: id } of landed) {
    const agent = agents.get(id);
    if (agent !== undefined)
      terminal.note(`What ${agent} did: stet review accept --turn ${id}, stet review reject --turn ${id}\n`);
  }
  return undefined;
}
