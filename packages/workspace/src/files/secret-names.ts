// Which files may hold secrets, by their names. One list for everything that reads: tools, searches and commands.

import { posix } from "node:path";

const secretNames =
  /^(?:\.env(?:\..+)?|\.envrc|\.netrc|_netrc|\.pgpass|\.my\.cnf|\.npmrc|\.pypirc|\.git-credentials|\.htpasswd|\.vault-token|id_(?:rsa|dsa|ecdsa|ed25519)(?:_.*)?|.*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk)|credentials|credentials\.(?:json|toml|yaml|yml)|secrets?\.(?:json|toml|yaml|yml)|service-account.*\.json|\.(?:bash|zsh|python|node_repl|psql|mysql)_history)$/i;
const harmlessNames = /^\.env\.(?:example|sample|template|dist|defaults?)$/i;
const secretFolders =
  /(?:^|\/)(?:\.ssh|\.aws|\.azure|\.gnupg|\.kube|\.docker|\.password-store|\.config\/(?:gh|gcloud|stet|op|rclone|hub)|\.mozilla|\.local\/share\/keyrings|Library\/Keychains)(?:\/|$)/i;
const secretPlaces = /^\/(?:etc\/(?:shadow|gshadow|sudoers)|proc\/[^/]+\/environ|root)(?:[/.-]|$)/;

/** By name alone; a path from the root or an absolute one. */
export function isSecretPath(path: string): boolean {
  const name = posix.basename(path);
  if (secretFolders.test(path) || secretPlaces.test(path)) return true;
  return secretNames.test(name) && !harmlessNames.test(name);
}
