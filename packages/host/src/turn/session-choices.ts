// What a person chose for a session (a model, a thinking level, a toolset, a permission mode) is stored in it, and its next
// turn goes on with that, in whichever front end. A choice made for the next turn wins; what was never chosen follows the
// configuration. Stored as entries: `model_change`, `thinking_level_change`, and `mode_change` with the toolset in its data.

import { type Fault, isFault } from "@stet/protocol/fault";
import { thinkingLevels } from "@stet/protocol/model-stream";
import { permissionModes } from "@stet/protocol/permission-mode";
import { toolsetNames } from "@stet/protocol/toolset";
import type { EntryDraft, SessionEntry } from "@stet/session/entry";
import type { EntrySlot } from "@stet/session/entry-index";
import type { Session } from "@stet/session/session-tree";
import type { Settings } from "../settings/configuration.ts";
import { firstModel } from "./choose-model.ts";

export type SessionChoices = Partial<Pick<Settings, "model" | "thinking" | "toolset" | "permission.mode">>;

/** What was chosen in a session until now. */
export function keptChoices(session: Session): SessionChoices {
  const path = session.pathSlots();
  const model = session.log
    .read(path.filter(({ head }) => head.type === "model_change"))
    // One that took over for another was not chosen.
    .findLast((entry) => !isFault(entry) && entry.type === "model_change" && entry.role !== "temporary");
  const level = latest(session, path, ({ head }) => head.type === "thinking_level_change");
  const mode = latest(session, path, ({ head }) => head.type === "mode_change");
  const thinking =
    level?.type === "thinking_level_change"
      ? thinkingLevels.find((name) => name === level.thinkingLevel)
      : undefined;
  const permission =
    mode?.type === "mode_change" ? permissionModes.find((name) => name === mode.mode) : undefined;
  const named = mode?.type === "mode_change" ? toolsetIn(mode.data) : undefined;
  const toolset = toolsetNames.find((name) => name === named);
  return {
    ...(model !== undefined && !isFault(model) && model.type === "model_change"
      ? { model: model.model }
      : {}),
    ...(thinking === undefined ? {} : { thinking }),
    ...(toolset === undefined ? {} : { toolset }),
    ...(permission === undefined ? {} : { "permission.mode": permission }),
  };
}

/** Stores the current choices that differ from the stored ones. */
export function keepChoices(session: Session, choices: SessionChoices): Fault | undefined {
  const kept = keptChoices(session);
  const next = { ...kept, ...choices };
  const drafts: EntryDraft[] = [];
  if (next.model !== undefined && next.model !== kept.model)
    drafts.push({ type: "model_change", model: next.model, role: "default" });
  if (next.thinking !== undefined && next.thinking !== kept.thinking)
    drafts.push({ type: "thinking_level_change", thinkingLevel: next.thinking });
  const mode = next["permission.mode"];
  if (next.toolset !== kept.toolset || mode !== kept["permission.mode"]) {
    const data = next.toolset === undefined ? {} : { toolset: next.toolset };
    drafts.push({ type: "mode_change", mode: mode ?? "none", data });
  }
  const written = drafts.length === 0 ? undefined : session.appendAll(drafts);
  return isFault(written) ? written : undefined;
}

/** The configuration with the choices; the model is passed to choose-model.ts instead. */
export function withChoices(settings: Settings, { model: _, ...choices }: SessionChoices): Settings {
  return { ...settings, ...choices };
}

/**
 * The model that a turn of this session asks for; empty where the configuration decides. With none configured it is that
 * of the last answer: the practice model does not go on in another one's name.
 */
export function modelFor(session: Session, settings: Settings, { model = "" }: SessionChoices): string {
  if (model !== "" || settings.model !== "" || firstModel(settings) !== "practice") return model;
  const answer = latest(session, session.pathSlots(), ({ head }) => head.role === "assistant");
  if (answer?.type !== "message" || answer.message.role !== "assistant") return "";
  const { provider, model: name } = answer.message;
  return provider === "practice" ? "" : `${provider}/${name}`;
}

function latest(
  session: Session,
  path: readonly EntrySlot[],
  fits: (slot: EntrySlot) => boolean,
): SessionEntry | undefined {
  const slot = path.findLast(fits);
  const [entry] = slot === undefined ? [] : session.log.read([slot]);
  return entry === undefined || isFault(entry) ? undefined : entry;
}

function toolsetIn(data: unknown): unknown {
  return typeof data === "object" && data !== null && "toolset" in data ? data.toolset : undefined;
}
