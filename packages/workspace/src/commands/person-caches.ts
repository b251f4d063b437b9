// Caches of package managers and compilers.
//
// The home folder of the sandbox is a folder of ours for each workspace (private-home.ts), so a tool that writes its cache
// where it always does writes it there, and the person's own is never written. The person's is shown beside it, to be read,
// below `~/.cache/person`. A tool that can read a second cache is told of it by a variable: then what the person has
// already downloaded is there without the network.

import type { Environment } from "./command-environment.ts";

export interface PersonCache {
  /** Below `~/.cache/person`. */
  readonly name: string;
  /** From the home folder. */
  readonly path: string;
  /** A variable that names the folder where it is not the usual one. */
  readonly variable?: string;
  /** Variables by which the tool reads the cache where it is shown. */
  readonly reads?: (shown: string, environment: Environment) => Record<string, string>;
}

const defaultGoProxy = "https://proxy.golang.org,direct";

export const personCaches: readonly PersonCache[] = [
  { name: "npm", path: ".npm/_cacache" },
  { name: "yarn", path: ".cache/yarn", variable: "YARN_CACHE_FOLDER" },
  { name: "yarn-berry", path: ".yarn/berry/cache" },
  { name: "pnpm", path: ".local/share/pnpm/store" },
  { name: "bun", path: ".bun/install/cache" },
  { name: "pip", path: ".cache/pip", variable: "PIP_CACHE_DIR" },
  { name: "uv", path: ".cache/uv", variable: "UV_CACHE_DIR" },
  { name: "cargo-registry", path: ".cargo/registry" },
  { name: "cargo-git", path: ".cargo/git" },
  {
    name: "go",
    path: "go/pkg/mod",
    variable: "GOMODCACHE",
    // Go's downloads are laid out as a module proxy.
    reads: (shown, { GOPROXY }) => ({
      GOPROXY: `file://${encodeURI(shown)}/cache/download,${GOPROXY || defaultGoProxy}`,
    }),
  },
  { name: "go-build", path: ".cache/go-build", variable: "GOCACHE" },
  { name: "gradle", path: ".gradle/caches", reads: (shown) => ({ GRADLE_RO_DEP_CACHE: shown }) },
  {
    name: "maven",
    path: ".m2/repository",
    reads: (shown) => ({ MAVEN_ARGS: `-Dmaven.repo.local.tail=${shown}` }),
  },
  { name: "nuget", path: ".nuget/packages", variable: "NUGET_PACKAGES" },
  { name: "ccache", path: ".cache/ccache", variable: "CCACHE_DIR" },
];

export const shownCaches = ".cache/person";
