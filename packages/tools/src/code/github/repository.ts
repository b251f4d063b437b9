// A repository at GitHub: by its name, or the one that a folder belongs to.
//
// The folder's is read from `.git/config` without git, which would run what a repository names. It is the remote that
// `gh repo set-default` chose, else the first of upstream, github, origin and the others: the one that gh takes where it
// cannot ask. `GH_REPO` of the person comes before it. A host that is not listed is never asked, whoever names it: gh sends
// the token of `GH_ENTERPRISE_TOKEN` to any.

import { join } from "node:path";
import { Fault } from "@stet/protocol/fault";
import type { Environment } from "@stet/workspace/commands/command-environment";
import { type ConfigEntry, parseGitConfig } from "@stet/workspace/commands/repositories/git-config";
import { textOf } from "@stet/workspace/commands/repositories/guard-path";
import { type GitFolder, ownGitFolder } from "@stet/workspace/commands/repositories/own-git-folder";
import { repositoryRootOf } from "@stet/workspace/files/workspace-root";

export interface Repository {
  readonly host: string;
  readonly owner: string;
  readonly name: string;
}

export interface RepositorySearch {
  /** The workspace's root: a real path. */
  readonly root: string;
  readonly environment: Environment;
  /** Hosts that may be asked. */
  readonly hosts: readonly string[];
}

export const publicHost = "github.com";

const hostForm = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/i;
const ownerForm = /^[a-z0-9][a-z0-9_-]{0,99}$/i;
const nameForm = /^(?!\.{1,2}$)[a-z0-9._-]{1,100}$/i;

export function repositoryUrl({ host, owner, name }: Repository): string {
  return `https://${host}/${owner}/${name}`;
}

/** As gh takes it, and as people write it: the host only where it is another one. */
export function repositoryName({ host, owner, name }: Repository): string {
  return host === publicHost ? `${owner}/${name}` : `${host}/${owner}/${name}`;
}

/** For `--repo`, with its host, so that nothing of the environment chooses another one. */
export function repositoryArgument({ host, owner, name }: Repository): string {
  return `--repo=${host}/${owner}/${name}`;
}

/** The host that a name without one is of. */
export function defaultHost({ environment }: Pick<RepositorySearch, "environment">): string {
  const named = environment.GH_HOST?.trim().toLowerCase();
  return named !== undefined && hostForm.test(named) ? named : publicHost;
}

/** `owner/name` or `host/owner/name`. */
export function namedRepository(text: string, search: RepositorySearch): Repository | Fault {
  const parts = text.trim().split("/");
  const [host = "", owner = "", name = ""] = parts.length === 2 ? [defaultHost(search), ...parts] : parts;
  if (parts.length > 3 || !isName({ host, owner, name })) {
    return new Fault(
      "invalid_arguments",
      `${JSON.stringify(text.slice(0, 200))} is not a repository of GitHub.`,
      "Write it as owner/name, such as cli/cli.",
      { repository: text.slice(0, 200) },
    );
  }
  const repository = { host: host.toLowerCase(), owner, name };
  return mayAsk(repository.host, search) ? repository : unlistedHost(repository.host);
}

/** The one that a folder belongs to. */
export function repositoryOf(search: RepositorySearch): Repository | Fault {
  const { root, environment } = search;
  if (environment.GH_REPO?.trim()) return namedRepository(environment.GH_REPO, search);
  const git = gitFolderOf(search);
  const config = git && textOf(join(git.common, "config"));
  if (config === undefined) return noRepository(`There is no git repository at ${root}`);
  const entries = parseGitConfig(config);
  const chosen = resolvedByPerson(entries, search);
  if (chosen !== undefined) return chosen;
  const remotes = remotesOf(entries);
  const known = remotes.find(({ repository }) => mayAsk(repository.host, search));
  if (known !== undefined) return known.repository;
  const [other] = remotes;
  if (other === undefined) return noRepository("This repository has no remote at GitHub");
  return unlistedHost(other.repository.host);
}

/** The branch that is checked out, and the one that the remote calls its own; undefined where there is none. */
export function branchesOf(search: RepositorySearch): {
  readonly current: string | undefined;
  readonly main: string | undefined;
} {
  const git = gitFolderOf(search);
  if (git === undefined) return { current: undefined, main: undefined };
  const reference = (path: string, prefix: string) => {
    const target = /^ref: (.+)$/.exec(textOf(path)?.trim() ?? "")?.[1];
    return target?.startsWith(prefix) === true ? target.slice(prefix.length) : undefined;
  };
  const remotes = join(git.common, "refs", "remotes");
  const main = ["upstream", "github", "origin"]
    .map((remote) => reference(join(remotes, remote, "HEAD"), `refs/remotes/${remote}/`))
    .find((branch) => branch !== undefined);
  return { current: reference(join(git.folder, "HEAD"), "refs/heads/"), main };
}

function gitFolderOf({ root, environment }: RepositorySearch): GitFolder | undefined {
  const top = repositoryRootOf(root, environment);
  return top === undefined ? undefined : ownGitFolder(top);
}

function isName({ host, owner, name }: Repository): boolean {
  return hostForm.test(host) && ownerForm.test(owner) && nameForm.test(name);
}

function mayAsk(host: string, search: RepositorySearch): boolean {
  const listed = search.hosts.map((each) => each.toLowerCase());
  return listed.includes(host) || host === defaultHost(search);
}

interface Remote {
  readonly name: string;
  readonly repository: Repository;
}

/** The first is the one that gh would take. */
function remotesOf(entries: readonly ConfigEntry[]): Remote[] {
  const found = entries.flatMap(({ key, value }): Remote[] => {
    const [, name] = /^remote\.(.+)\.url$/s.exec(key) ?? [];
    const repository = repositoryAt(value);
    return name === undefined || repository === undefined ? [] : [{ name, repository }];
  });
  const order = ["upstream", "github", "origin"];
  const rank = ({ name }: Remote) => (order.includes(name) ? order.indexOf(name) : order.length);
  return found.sort((one, other) => rank(one) - rank(other));
}

/** What `gh repo set-default` has written: `base` at a remote, or a name. */
function resolvedByPerson(
  entries: readonly ConfigEntry[],
  search: RepositorySearch,
): Repository | Fault | undefined {
  for (const { key, value } of entries) {
    const [, name] = /^remote\.(.+)\.gh-resolved$/s.exec(key) ?? [];
    if (name === undefined) continue;
    if (value !== "base") return namedRepository(value, search);
    const remote = remotesOf(entries).find((each) => each.name === name);
    if (remote === undefined) continue;
    return mayAsk(remote.repository.host, search) ? remote.repository : unlistedHost(remote.repository.host);
  }
  return undefined;
}

/** Hosts by which the same repositories are reached. */
const aliases: Readonly<Record<string, string>> = {
  "www.github.com": publicHost,
  "ssh.github.com": publicHost,
};

/** Of `https://host/owner/name.git`, `ssh://git@host/owner/name` and `git@host:owner/name.git`. */
export function repositoryAt(url: string): Repository | undefined {
  const short = /^(?:[^@/:]+@)?([^/:@]+):(?!\/\/)\/?(.+)$/.exec(url);
  const long = short === null && URL.canParse(url) ? new URL(url) : undefined;
  if (long !== undefined && !["https:", "http:", "ssh:", "git:", "git+ssh:"].includes(long.protocol))
    return undefined;
  const [host, path] = long === undefined ? [short?.[1], short?.[2]] : [long.hostname, long.pathname];
  if (host === undefined || path === undefined) return undefined;
  const [owner = "", name = "", ...rest] = path.replace(/^\/+|\/+$/g, "").split("/");
  const repository = { host: host.toLowerCase(), owner, name: name.replace(/\.git$/, "") };
  if (rest.length > 0 || !isName(repository)) return undefined;
  return { ...repository, host: aliases[repository.host] ?? repository.host };
}

function noRepository(what: string): Fault {
  return new Fault(
    "unknown_address",
    `${what}, so it is not known which repository is meant.`,
    "Name it: issue://owner/name/5, pr://owner/name, or the field repo of the tool github.",
  );
}

function unlistedHost(host: string): Fault {
  return new Fault(
    "not_allowed",
    `${host} is not among the hosts that gh may be asked about.`,
    `Where ${host} is a GitHub that the person uses, they can add it to the setting github.hosts.`,
    { host },
  );
}
