// Reviews as the API tells them: hunks with the reasons that the agent gave, and the turns that they came from.
//
// A turn's job is looked up once for a reply, however many hunks it made.

import type { ReviewHunk as HunkView, OpenTurn } from "@stet/protocol/api/review";
import { hunkView } from "@stet/text/hunk-view";
import type { FileReview, ReviewHunk } from "@stet/workspace/review/review";
import type { Workspace } from "@stet/workspace/workspace";
import { rationalesByHunk } from "../jobs/diff-bundle.ts";
import type { JobRecord, Store } from "../store/store.ts";

/** What a review is read from. */
export interface ReviewParts {
  readonly workspace: Workspace;
  readonly store: Pick<Store, "jobByTurn">;
}

interface KnownTurn {
  readonly job: JobRecord | undefined;
  readonly rationales: ReadonlyMap<string, readonly string[]>;
}

export class ReviewView {
  readonly #workspace: Workspace;
  readonly #turns: ReadonlyMap<string, KnownTurn>;

  private constructor(workspace: Workspace, turns: ReadonlyMap<string, KnownTurn>) {
    this.#workspace = workspace;
    this.#turns = turns;
  }

  /** Knows all turns of the given hunks. */
  static async of({ workspace, store }: ReviewParts, files: readonly FileReview[]): Promise<ReviewView> {
    const names = new Set<string>();
    for (const { hunks } of files) for (const hunk of hunks) for (const turn of hunk.turns) names.add(turn);
    const known = [...names].map(async (name): Promise<[string, KnownTurn]> => {
      const job = await store.jobByTurn(name);
      return [name, { job, rationales: job === undefined ? new Map() : rationalesByHunk(job) }];
    });
    return new ReviewView(workspace, new Map(await Promise.all(known)));
  }

  file({ document, path, title, isOnDisk, hunks, node }: FileReview) {
    const views = hunks.map((hunk) => this.hunk(hunk));
    const told = node === undefined ? {} : { node };
    return { document, file_path: path, title, is_on_disk: isOnDisk, ...told, hunks: views };
  }

  hunk(hunk: ReviewHunk): HunkView {
    return hunkView(hunk.id, hunk, (turn) => this.#turns.get(turn)?.rationales.get(hunk.id) ?? []);
  }

  /** The turns of the given hunks, in the order in which they are met. */
  openTurns(files: readonly FileReview[]): OpenTurn[] {
    const open = new Map<string, OpenTurn>();
    for (const { hunks, isOnDisk } of files) {
      for (const { turns } of hunks) for (const turn of turns) this.#count(open, turn, isOnDisk);
    }
    return [...open.values()];
  }

  #count(open: Map<string, OpenTurn>, turn: string, isOnDisk: boolean): void {
    const counted = open.get(turn);
    if (counted !== undefined) {
      counted.hunks += 1;
      counted.is_on_disk &&= isOnDisk;
      return;
    }
    const job = this.#turns.get(turn)?.job;
    const origin = this.#workspace.review.turn(turn);
    open.set(turn, {
      turn,
      job_id: job?.id ?? null,
      session_id: origin?.session ?? job?.session ?? null,
      summary: origin?.summary ?? "",
      is_whole: origin?.isWhole ?? false,
      ...(origin?.isInDoubt ? { is_in_doubt: true } : {}),
      is_on_disk: isOnDisk,
      ...(origin?.agent === undefined ? {} : { agent: origin.agent }),
      hunks: 1,
    });
  }
}
