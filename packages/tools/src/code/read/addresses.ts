// Addresses of what Stet itself keeps in folders: `rule://`, `skill://`, `memory://`.
//
//   rule://name           rules/name.md           of the trusted project's .stet, else of the person's own configuration
//   skill://name[/file]   skills/name/SKILL.md    likewise; another file of the skill where one is named
//   memory://name         memory/name[.md]        of what is kept for this workspace
//
// Without a name, an address lists what there is. A name never leads out of its folder, by `..`, by a link or encoded.

import { readdirSync } from "node:fs";
import { join, sep } from "node:path";
import { Fault, isFault } from "@stet/protocol/fault";
import { openRoot, resolveInside } from "@stet/workspace/files/containment";
import { readBytes } from "@stet/workspace/files/files";

export interface Address {
  readonly text: string;
}

export interface Addresses {
  /** The schemes that it knows, without "://". */
  readonly schemes: readonly string[];
  /** Undefined: not mine. */
  resolve(url: string): Promise<Address | Fault | undefined>;
  /** Whether it names a part of what is kept, of which there are no lines to choose from. */
  isExtract?(url: string): boolean;
}

/** Several kinds as one. */
export function joinedAddresses(all: readonly Addresses[]): Addresses {
  return {
    schemes: all.flatMap(({ schemes }) => schemes),
    async resolve(url) {
      for (const one of all) {
        const found = await one.resolve(url);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    isExtract: (url) => all.some((one) => one.isExtract?.(url) === true),
  };
}

export interface AddressFolders {
  /** The `.stet` folder of the project, where the person trusts it. */
  readonly project: string | undefined;
  /** The person's own configuration. */
  readonly user: string | undefined;
  /** What Stet keeps for this workspace. */
  readonly state: string;
}

const maxBytes = 4 * 1024 ** 2;

interface Kind {
  readonly folder: string;
  readonly bases: readonly string[];
  /** The files that a name may stand for, the first that exists. */
  files(name: string): readonly string[];
  /** The names of what a folder holds. */
  names(entries: readonly { readonly name: string; readonly isFolder: boolean }[]): string[];
}

export function folderAddresses({ project, user, state }: AddressFolders): Addresses {
  const configured = [project, user].filter((base) => base !== undefined);
  const kinds: Readonly<Record<string, Kind>> = {
    rule: {
      folder: "rules",
      bases: configured,
      files: (name) => (name.endsWith(".md") ? [name] : [`${name}.md`]),
      names: (entries) => markdownNames(entries),
    },
    skill: {
      folder: "skills",
      bases: configured,
      files: (name) => (name.includes("/") ? [name] : [`${name}/SKILL.md`]),
      names: (entries) => entries.filter(({ isFolder }) => isFolder).map(({ name }) => name),
    },
    memory: {
      folder: "memory",
      bases: [state],
      files: (name) => [name, `${name}.md`],
      names: (entries) => markdownNames(entries),
    },
  };
  return {
    schemes: Object.keys(kinds),
    async resolve(url) {
      const [, scheme = "", rest = ""] = /^([a-z]+):\/\/(.*)$/is.exec(url) ?? [];
      const kind = kinds[scheme.toLowerCase()];
      return kind === undefined ? undefined : readNamed(scheme.toLowerCase(), kind, rest);
    },
  };
}

function markdownNames(entries: readonly { readonly name: string; readonly isFolder: boolean }[]): string[] {
  return entries.filter(({ isFolder }) => !isFolder).map(({ name }) => name.replace(/\.md$/, ""));
}

function readNamed(scheme: string, kind: Kind, rest: string): Address | Fault {
  const name = plainName(rest);
  if (isFault(name)) return name;
  const names = namesOf(kind);
  if (name === "")
    return { text: names.length === 0 ? `There is nothing at ${scheme}://.` : listed(scheme, names) };
  for (const base of kind.bases) {
    for (const file of kind.files(name)) {
      const text = readContained(base, kind.folder, file);
      if (isFault(text)) return text;
      if (text !== undefined) return { text };
    }
  }
  return unknownAddress(`${scheme}://${rest}`, scheme, names);
}

/** The name behind an address, decoded; refused where it leads elsewhere. */
function plainName(rest: string): string | Fault {
  let name: string;
  try {
    name = decodeURIComponent(rest);
  } catch {
    name = rest;
  }
  name = name.replace(/\/+$/, "");
  const isPlain = !/^[/\\~]|\\|\p{Cc}|:/u.test(name) && !name.split("/").some((part) => /^\.*$/.test(part));
  if (name === "" || isPlain) return name;
  return new Fault(
    "path_outside",
    `${JSON.stringify(rest.slice(0, 100))} is not a name: it would lead elsewhere.`,
    "Use a name that the address lists, such as rule://name.",
    { name: rest.slice(0, 200) },
  );
}

/** Undefined where there is no such file. */
function readContained(base: string, folder: string, file: string): string | Fault | undefined {
  const root = openRoot(join(base, folder));
  if (isFault(root)) return undefined;
  const owner = openRoot(base);
  // A folder that is a link may not lead out of the one it belongs to.
  if (isFault(owner) || !root.path.startsWith(owner.path + sep)) return undefined;
  const location = resolveInside(root, file);
  if (isFault(location)) return location.error === "not_a_file" ? undefined : location;
  if (!location.exists) return undefined;
  const content = readBytes(root, location, { maxBytes });
  return isFault(content) ? content : new TextDecoder().decode(content.bytes);
}

function namesOf({ bases, folder, names }: Kind): string[] {
  const found = bases.flatMap((base) => {
    try {
      const entries = readdirSync(join(base, folder), { withFileTypes: true });
      return names(entries.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() })));
    } catch {
      // Most folders have neither rules nor skills.
      return [];
    }
  });
  return [...new Set(found)].filter((name) => !name.startsWith(".")).sort();
}

const maxListed = 200;

function listed(scheme: string, names: readonly string[]): string {
  const shown = names.slice(0, maxListed).map((name) => `${scheme}://${name}`);
  return names.length > maxListed
    ? [...shown, `… ${names.length - maxListed} more`].join("\n")
    : shown.join("\n");
}

function unknownAddress(address: string, scheme: string, names: readonly string[]): Fault {
  const there = names.slice(0, 20).map((name) => `${scheme}://${name}`);
  return new Fault(
    "unknown_address",
    there.length === 0
      ? `There is no ${address}: nothing is kept at ${scheme}://.`
      : `There is no ${address}. There is: ${there.join(", ")}${names.length > there.length ? ", …" : ""}.`,
    there.length === 0 ? "Go on without it." : "Read one of these.",
    { address, known: names.slice(0, 50) },
  );
}
