// GitHub as a turn sees it: which repository is meant, what gh answers, and what is known from before.

import { join } from "node:path";
import { Owner } from "@stet/agent/owner";
import { type Fault, ignoreFault, isFault } from "@stet/protocol/fault";
import { redactionFor } from "@stet/protocol/redact";
import { tellCarriedFault } from "@stet/storage/notices";
import type { Environment } from "@stet/workspace/commands/command-environment";
import type { Workspace } from "@stet/workspace/workspace";
import { reasonOf } from "./gh-fault.ts";
import { GhProgram, type GhRequest } from "./gh-program.ts";
import { type CacheKey, GithubCache } from "./github-cache.ts";
import {
  branchesOf,
  defaultHost,
  namedRepository,
  type Repository,
  type RepositorySearch,
  repositoryOf,
} from "./repository.ts";

export interface GithubSettings {
  /** Seconds for which an answer is fresh; then it is answered, and fetched anew. */
  readonly softTtlSec: number;
  /** Seconds after which it is not answered any more. */
  readonly hardTtlSec: number;
  /** Which may be asked, beside the one that GH_HOST names. */
  readonly hosts: readonly string[];
}

export interface GithubParts {
  readonly workspace: Pick<Workspace, "root" | "stateFolder">;
  readonly environment: Environment;
  readonly settings: GithubSettings;
  /** What commands may write beside the root. */
  readonly writable?: readonly string[] | undefined;
  readonly now?: (() => number) | undefined;
  /** Milliseconds that gh may take for an answer; as long as what is asked for needs, unless given. */
  readonly milliseconds?: number | undefined;
}

/** What is kept: issues, pull requests and their diffs, by number. */
export interface Kept {
  readonly repository: Repository;
  readonly kind: "issue" | "pr" | "diff";
  readonly number: number;
  /** Asks GitHub. */
  fetch(signal: AbortSignal): Promise<string | Fault>;
}

export interface KeptAnswer {
  readonly text: string;
  readonly fetchedAt: number;
  /** Whether it is fetched anew meanwhile. */
  readonly isStale: boolean;
}

export class Github {
  readonly #parts: GithubParts;
  readonly #program: GhProgram;
  readonly #owner = new Owner();
  readonly #stop = new AbortController();
  /** What is being fetched, so that calls of one message fetch it once. */
  readonly #pending = new Map<string, Promise<KeptAnswer | Fault>>();
  #cache: GithubCache | undefined;

  constructor(parts: GithubParts) {
    const { workspace, environment, writable } = parts;
    const { root, stateFolder } = workspace;
    this.#parts = parts;
    this.#program = new GhProgram({ root: root.path, folder: stateFolder, environment, writable });
    this.#owner.own(() => this.#cache?.close());
    this.#owner.own(async () => {
      await Promise.allSettled(this.#pending.values());
    });
    this.#owner.own(() => this.#stop.abort());
  }

  /** The one that is named, or the folder's. */
  repository(named: string | undefined): Repository | Fault {
    return named === undefined ? repositoryOf(this.#search) : namedRepository(named, this.#search);
  }

  /** The one that names without a host are of. */
  get host(): string {
    return defaultHost(this.#search);
  }

  get branches(): ReturnType<typeof branchesOf> {
    return branchesOf(this.#search);
  }

  ask(request: GhRequest): Promise<string | Fault> {
    const { milliseconds = request.milliseconds } = this.#parts;
    return this.#program.ask({ ...request, milliseconds });
  }

  account(host: string, signal: AbortSignal): Promise<string | undefined> {
    return this.#program.account(host, signal);
  }

  /** The text without secrets of the environment, and keys of known kinds. */
  redacted(text: string): string {
    return redactionFor(this.#parts.environment)(text);
  }

  now(): number {
    return (this.#parts.now ?? Date.now)();
  }

  /** From the cache where it is there: a stale answer at once, and fetched anew in the background. */
  async kept(wanted: Kept, signal: AbortSignal): Promise<KeptAnswer | Fault> {
    const { host } = wanted.repository;
    const account = await this.account(host, signal);
    // Whose it would be is not known, so it is neither kept nor shown to anybody else.
    if (account === undefined) return this.#fetched(wanted, undefined, signal);
    const key: CacheKey = { ...wanted.repository, account, kind: wanted.kind, number: wanted.number };
    const known = this.#opened().get(key);
    if (known === undefined) return this.#once(key, wanted, signal);
    if (known.isStale) void this.#refresh(key, wanted);
    return known;
  }

  /** After it was changed: the next one who asks gets it as it is. */
  async forget(repository: Repository, number: number, signal: AbortSignal): Promise<void> {
    const account = await this.account(repository.host, signal);
    if (account === undefined) return;
    for (const kind of ["issue", "pr", "diff"] as const)
      this.#opened().remove({ ...repository, account, kind, number });
  }

  /** Ends what is fetched in the background. */
  close(): Promise<void> {
    return this.#owner.close();
  }

  async #refresh(key: CacheKey, wanted: Kept): Promise<void> {
    try {
      // The stale answer stays, and whoever asks next tries again.
      ignoreFault(await this.#once(key, wanted, this.#stop.signal));
    } catch (error) {
      tellCarriedFault(error);
    }
  }

  #once(key: CacheKey, wanted: Kept, signal: AbortSignal): Promise<KeptAnswer | Fault> {
    const name = JSON.stringify(key);
    const pending = this.#pending.get(name);
    if (pending !== undefined) return pending;
    const fetching = this.#fetched(wanted, key, AbortSignal.any([signal, this.#stop.signal])).finally(() => {
      this.#pending.delete(name);
    });
    this.#pending.set(name, fetching);
    return fetching;
  }

  async #fetched(wanted: Kept, key: CacheKey | undefined, signal: AbortSignal): Promise<KeptAnswer | Fault> {
    const text = await wanted.fetch(signal);
    if (isFault(text)) {
      // What the account may not see any more, or is gone, is not shown again.
      const isGone = ["not_found", "forbidden", "not_signed_in", "no_issues"].includes(
        String(reasonOf(text)),
      );
      if (key !== undefined && isGone) this.#opened().remove(key);
      return text;
    }
    // Whoever signed in meanwhile may be another account.
    if (key !== undefined && key.account === (await this.account(key.host, signal)))
      this.#opened().put(key, text);
    return { text, fetchedAt: this.now(), isStale: false };
  }

  #opened(): GithubCache {
    const { workspace, settings, now } = this.#parts;
    const times = { soft: settings.softTtlSec * 1000, hard: settings.hardTtlSec * 1000 };
    this.#cache ??= new GithubCache(join(workspace.stateFolder, "github.sqlite"), { times, now });
    return this.#cache;
  }

  get #search(): RepositorySearch {
    const { workspace, environment, settings } = this.#parts;
    return { root: workspace.root.path, environment, hosts: settings.hosts };
  }
}
