// What no command in the sandbox may read: keys, tokens and passwords, where programs are known to keep them, and the
// sockets of services that would do for a command what the sandbox does not let it do.

import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** In the home folder. */
const inHome: readonly string[] = [
  ".ssh",
  ".aws",
  ".azure",
  ".gnupg",
  ".kube",
  ".netrc",
  "_netrc",
  ".npmrc",
  ".yarnrc",
  ".yarnrc.yml",
  ".pypirc",
  ".pgpass",
  ".my.cnf",
  ".env",
  ".git-credentials",
  ".gem/credentials",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".m2/settings.xml",
  ".m2/settings-security.xml",
  ".gradle/gradle.properties",
  ".docker/config.json",
  ".docker/run",
  ".colima",
  ".lima",
  ".orbstack",
  ".rd",
  ".password-store",
  ".local/share/keyrings",
  ".local/share/stet",
  ".mozilla",
  ".config/stet",
  ".config/gh",
  ".config/glab-cli",
  ".config/hub",
  ".config/gcloud",
  ".config/git/credentials",
  ".config/op",
  ".config/rclone",
  ".config/doctl",
  ".config/heroku",
  ".config/containers/auth.json",
  ".config/chromium",
  ".config/google-chrome",
  ".config/BraveSoftware",
  ".config/github-copilot",
  ".config/anthropic",
  ".config/openai",
  ".anthropic",
  ".openai",
  ".claude.json",
  ".claude",
  ".codex",
  ".gemini",
  ".terraform.d/credentials.tfrc.json",
  ".terraformrc",
  ".vault-token",
  ".bash_history",
  ".zsh_history",
  ".python_history",
  ".node_repl_history",
  ".psql_history",
  ".mysql_history",
  "Library/Keychains",
  "Library/Application Support/stet",
  "Library/Application Support/Google/Chrome",
  "Library/Application Support/Firefox",
];

/** Anywhere else. */
const elsewhere: readonly string[] = [
  "/etc/shadow",
  "/etc/gshadow",
  "/etc/sudoers",
  "/etc/sudoers.d",
  "/etc/ssl/private",
  "/etc/kubernetes",
  "/etc/docker/key.json",
  "/var/lib/docker",
  "/var/lib/kubelet",
];

const settingsFiles = [".env", ".env.local", ".env.production"];

/** Real paths of what exists. */
export function secretPaths(home: string, root: string): string[] {
  const named = [...inHome.map((name) => join(home, name)), ...elsewhere];
  // Settings of what the root lies in; the root's own belong to the work.
  for (let folder = dirname(root); ; folder = dirname(folder)) {
    named.push(...settingsFiles.map((name) => join(folder, name)));
    if (folder === dirname(folder)) break;
  }
  return realPaths(named);
}

export function realPaths(paths: readonly string[]): string[] {
  const found = paths.flatMap((path) => {
    try {
      return existsSync(path) ? [realpathSync.native(path)] : [];
    } catch {
      return [];
    }
  });
  return [...new Set(found)];
}
