// Which paths of the machine the sandbox shows, and which of those it hides again.

import { lstatSync, readlinkSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, parse, resolve, sep } from "node:path";
import type { Environment } from "../command-environment.ts";
import { isInside, realOf } from "../repositories/guard-path.ts";
import { hostSockets } from "./host-sockets.ts";
import { type PersonCache, personCaches, shownCaches } from "./person-caches.ts";
import type { PathLink, SandboxAccess, SandboxPolicy, VisiblePath } from "./sandbox-policy.ts";
import { secretPaths } from "./secret-paths.ts";
import { macFolders, systemFolders, toolChains } from "./tool-chains.ts";

export interface VisibleOptions {
  readonly root: string;
  /** The person's home folder. */
  readonly home: string;
  /** The person's, not that of commands. */
  readonly environment: Environment;
  readonly access: SandboxAccess;
  /** Folders of Stet, which no command sees. */
  readonly own: readonly string[];
}

export interface VisiblePaths extends Pick<SandboxPolicy, "shown" | "links" | "hidden" | "sockets"> {
  /** Variables by which tools find the person's caches, and the sockets that the person listed by a variable. */
  readonly variables: Readonly<Record<string, string>>;
  /** Which of some real paths have to be hidden, because they lie in something that is shown. */
  toHide(paths: readonly string[]): string[];
}

export function visiblePaths(options: VisibleOptions): VisiblePaths {
  const { root, home, environment, access } = options;
  const paths = new Collected();
  const variables: Record<string, string> = {};
  for (const path of process.platform === "darwin" ? macFolders : systemFolders) paths.show(path);
  if (!isInside(root, home)) {
    for (const { path, variable } of toolChains) {
      const named = variable === undefined ? undefined : environment[variable];
      paths.show(named && isAbsolute(named) ? named : resolve(home, path));
    }
    for (const cache of personCaches) {
      const source = realOf(cacheFolder(cache, home, environment));
      if (source === undefined) continue;
      const shown = join(shownCaches, cache.name);
      paths.showAs(shown, source);
      Object.assign(variables, cache.reads?.(shown, environment));
    }
    // The way to the home folder may lead over a link: /home to /var/home.
    paths.follow(home);
  }
  for (const folder of (environment.PATH ?? "").split(delimiter).filter(isAbsolute)) {
    for (const path of programFolders(folder, home)) paths.show(path);
  }
  const secrets = secretPaths(home, root);
  const isSecret = (path: string) => [...secrets, ...options.own].some((secret) => isInside(secret, path));
  // What holds secrets is not shown because a program lies in it.
  paths.shown = paths.shown.filter(({ source }) => !isSecret(source));
  const listed = (names: readonly string[] = []) => names.map((name) => expanded(name, home, environment));
  const readable = listed(access.readable);
  const writable = listed(access.writable);
  const sockets = listed(access.sockets).flatMap((path) => realOf(path) ?? []);
  for (const name of access.sockets ?? []) {
    const variable = variableIn(name);
    const value = variable === undefined ? undefined : environment[variable];
    if (variable !== undefined && value !== undefined) variables[variable] = value;
  }
  for (const path of readable) paths.show(path);
  for (const path of writable) paths.show(path, "write");
  const allowed = [...readable, ...writable].flatMap((path) => realOf(path) ?? []);
  const hidden = [
    ...secrets.filter((secret) => !allowed.includes(secret)),
    ...realPaths(options.own),
    ...hostSockets().flatMap((path) => realOf(path) ?? []),
  ].filter((path) => !sockets.includes(path));
  const { shown, links } = paths;
  const toHide = (found: readonly string[]) =>
    outermost(
      [...new Set(found)].filter((path) => path !== root && (isInside(root, path) || paths.has(path))),
    );
  return { shown, links, hidden: toHide(hidden), sockets, variables, toHide };
}

/** Folders that every sandbox has, as its own or as the machine's. */
const everywhere = ["/tmp", "/var/tmp", "/dev", "/proc", ...systemFolders];

/** Whether commands in the sandbox see a path outside of the root, as far as that is known without looking at the disk. */
export function isShownPath(
  path: string,
  { home, environment, access }: Pick<VisibleOptions, "home" | "environment" | "access">,
): boolean {
  const listed = [...(access.readable ?? []), ...(access.writable ?? [])];
  const shown = [...everywhere, ...listed.map((name) => expanded(name, home, environment))];
  return shown.some((folder) => isInside(folder, path));
}

/** Where the person's own cache is. */
function cacheFolder({ path, variable }: PersonCache, home: string, environment: Environment): string {
  const named = variable === undefined ? undefined : environment[variable];
  return named && isAbsolute(named) ? named : join(home, path);
}

/** What lies beside a folder `bin` and belongs to its programs. */
const besideBin = ["lib", "lib64", "libexec", "include", "share", "pyvenv.cfg"];

/** A folder in which programs are found, and what they need of the folders around it. */
function programFolders(folder: string, home: string): string[] {
  const prefix = dirname(folder);
  // Its programs are links to the packages.
  if (basename(folder) === ".bin") return [folder, prefix];
  const isPrefix = /^s?bin$/.test(basename(folder)) && prefix !== home && prefix !== join(home, ".local");
  return isPrefix ? [folder, ...besideBin.map((name) => join(prefix, name))] : [folder];
}

class Collected {
  shown: VisiblePath[] = [];
  readonly links: PathLink[] = [];

  has(path: string): boolean {
    return this.shown.some(({ source }) => isInside(source, path));
  }

  show(path: string, access: VisiblePath["access"] = "read"): void {
    // Everything, or nothing that exists.
    if (path === parse(path).root) return;
    const real = this.follow(path);
    if (real !== undefined) this.#add({ path: real, source: real, access });
  }

  showAs(path: string, source: string): void {
    this.#add({ path, source, access: "read" });
  }

  /** Notes the links that a path leads over, as far as they are not in something that is shown, and resolves it. */
  follow(path: string): string | undefined {
    const real = realOf(path);
    if (real === undefined || real === path) return real;
    let folder = parse(path).root;
    const names = path.split(sep).filter((name) => name !== "");
    for (let steps = 0; steps < 100; steps += 1) {
      const name = names.shift();
      if (name === undefined) break;
      const next = join(folder, name);
      const target = linkTarget(next);
      if (target === undefined) folder = next;
      else {
        if (!this.has(next) && !this.links.some((link) => link.path === next))
          this.links.push({ path: next, target });
        names.unshift(
          ...resolve(folder, target)
            .split(sep)
            .filter((each) => each !== ""),
        );
        folder = parse(path).root;
      }
    }
    return real;
  }

  #add(entry: VisiblePath): void {
    const isKnown = this.shown.some(
      ({ path, source, access }) =>
        isInside(path, entry.path) &&
        path === source &&
        entry.path === entry.source &&
        access === entry.access,
    );
    if (!isKnown) this.shown.push(entry);
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}

/** The name of a variable that stands for a path: `$SSH_AUTH_SOCK`. */
function variableIn(path: string): string | undefined {
  return /^\$(\w+)$/.exec(path)?.[1];
}

/** `~` is the home folder. */
export function expanded(path: string, home: string, environment: Environment): string {
  const named = variableIn(path);
  const value = named === undefined ? path : (environment[named] ?? "/nowhere");
  return value === "~" || value.startsWith("~/") ? join(home, value.slice(1)) : resolve("/", value);
}

export function realPaths(paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => realOf(path) ?? []))];
}

/** Without what lies in another one of them. */
function outermost(paths: readonly string[]): string[] {
  return paths.filter((path) => !paths.some((other) => other !== path && isInside(other, path)));
}
