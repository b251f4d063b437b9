// The npm-shrinkwrap.json of the packed command: the exact versions and checksums that the repository was tested with, for
// everything that the package depends on, on every platform. Made from package-lock.json, without the parts that only the
// repository needs and without download addresses: npm asks whatever registry the reader uses, and compares the checksums.

export interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

export interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

export interface PackedManifest extends LockedPackage {
  readonly name: string;
  readonly version: string;
}

/** What is kept of a package; the rest tells of this repository, or is not needed to install it. */
const keptFields = [
  "version",
  "integrity",
  "license",
  "hasInstallScript",
  "dependencies",
  "optionalDependencies",
  "peerDependencies",
  "peerDependenciesMeta",
  "bin",
  "engines",
  "os",
  "cpu",
  "libc",
] as const;

export function shrinkwrapOf({ packages }: Lock, manifest: PackedManifest): Record<string, unknown> {
  /** Places, and whether the package works without them. */
  const reached = new Map<string, boolean>();
  const reach = (from: string, wanted: LockedPackage, isOptional: boolean): void => {
    for (const { name, mayMiss } of needsOf(wanted)) {
      const place = placeOf(packages, from, name);
      if (place === undefined) {
        if (mayMiss) continue;
        throw new Error(`package-lock.json has no ${name}, which ${from || manifest.name} needs`);
      }
      const isMissable = isOptional || mayMiss;
      const known = reached.get(place);
      if (known === false || known === isMissable) continue;
      reached.set(place, isMissable);
      reach(place, packages[place] ?? {}, isMissable);
    }
  };
  reach("", manifest, false);
  const { name, version, dependencies, optionalDependencies } = manifest;
  const entries = [...reached]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([place, isOptional]) => {
      const entries = Object.entries(packages[place] ?? {});
      const kept = entries.filter(([field]) => keptFields.some((wanted) => wanted === field));
      return [place, { ...Object.fromEntries(kept), ...(isOptional ? { optional: true } : {}) }];
    });
  return {
    name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: { "": { name, version, dependencies, optionalDependencies }, ...Object.fromEntries(entries) },
  };
}

function needsOf(wanted: LockedPackage): { name: string; mayMiss: boolean }[] {
  const {
    dependencies = {},
    optionalDependencies = {},
    peerDependencies = {},
    peerDependenciesMeta = {},
  } = wanted;
  const named = (list: Readonly<Record<string, string>>, mayMiss: (name: string) => boolean) =>
    Object.keys(list).map((name) => ({ name, mayMiss: mayMiss(name) }));
  return [
    ...named(dependencies, (name) => name in optionalDependencies),
    ...named(optionalDependencies, () => true),
    ...named(peerDependencies, (name) => peerDependenciesMeta[name]?.optional === true),
  ];
}

/** Where Node finds a package: in the folder of the one that needs it, or in one above. */
function placeOf(packages: Lock["packages"], from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("node_modules/") - 1))) {
    const place = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (place in packages) return place;
    if (folder === "") return undefined;
  }
}
