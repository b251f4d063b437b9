// Caches of package managers and compilers.
//
// In the sandbox the usual place of each leads to a folder of ours (private-caches.ts), so a tool writes where it always does,
// and the person's own is never written. The person's is shown below `/run/stet/caches`, to be read. A tool that can read a second
// cache gets its path by a variable: then what the person has already downloaded is there without the network.

import type { Environment } from "../command-environment.ts";

export interface PersonCache {
  /** Below `/run/stet/caches`. */
  readonly name: string;
  /** From the home folder. */
  readonly path: string;
  /** A variable that names the folder where it is not the usual one. */
  readonly variable?: string;
  /** Whether the tool reads one cache only, at this place, and can do so without writing to it. */
  readonly isReadInPlace?: boolean;
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
  { name: "cargo-registry", path: ".cargo/registry", isReadInPlace: true },
  { name: "cargo-git", path: ".cargo/git", isReadInPlace: true },
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

export const shownCaches = "/run/stet/caches";
