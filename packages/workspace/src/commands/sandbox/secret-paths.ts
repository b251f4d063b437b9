// Where programs are known to keep keys, tokens and passwords. The sandbox shows little of a home folder to begin with; this
// list hides what lies in what it does show: inside of a tool chain, in /etc, and where the root is the home folder itself.

import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** In the home folder; one entry for each name that stands in the line. */
const inHome: readonly string[] = [
  // Shells, files and mail.
  ".ssh .gnupg .netrc _netrc .authinfo .authinfo.gpg .env .pgpass .my.cnf .mylogin.cnf .cifscreds .smbcredentials .htpasswd",
  ".bash_history .zsh_history .sh_history .ash_history .local/share/fish/fish_history .python_history .node_repl_history",
  ".psql_history .mysql_history .sqlite_history .rediscli_history .mongosh .dbshell .irb_history .lesshst .viminfo",
  ".local/share/nvim .local/state/nvim .vim/undo .muttrc .mutt .msmtprc .config/msmtp .fetchmailrc .getmail .offlineimaprc",
  ".thunderbird .config/evolution .local/share/evolution .Xauthority .ICEauthority .xsession-errors .config/weechat .weechat .irssi",
  // Git and its hosts.
  ".git-credentials .gitconfig .config/git/credentials .config/git/config .config/gh .config/hub .config/glab-cli .config/tea",
  ".config/jj .config/lab.toml .config/git-credential-manager .gcm .config/sourcetree",
  // Package managers.
  ".npmrc .yarnrc .yarnrc.yml .bunfig.toml .config/bunfig.toml .pypirc .config/pip .pip .config/pypoetry .config/uv",
  ".local/share/uv/credentials .gem/credentials .local/share/gem/credentials .bundle/config .cargo/credentials .cargo/credentials.toml",
  ".m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties .sbt/.credentials .ivy2/.credentials .config/coursier",
  ".nuget/NuGet .config/NuGet .composer/auth.json .config/composer/auth.json .hex/hex.config .config/hex .pub-cache/credentials.json",
  ".config/dart .config/flutter .condarc .continuum .config/anaconda .julia/servers .config/conan .conan2/credentials.json .cpan",
  ".dotnet/corefx .jfrog .config/helm .config/cachix",
  // Clouds and what runs there.
  ".aws .azure .config/gcloud .boto .s3cfg .config/rclone .rclone.conf .mc .config/doctl .config/hcloud .config/linode-cli .linode-cli",
  ".config/scw .oci .bluemix .aliyun .tccli .config/openstack .config/civo .civo.json .config/exoscale .config/b2 .b2_account_info",
  ".config/heroku .local/share/heroku .config/netlify .netlify .vercel .local/share/com.vercel.cli .config/com.vercel.cli .fly",
  ".railway .render .config/render .wrangler .config/.wrangler .config/wrangler .cloudflared .config/firebase .config/configstore",
  ".supabase .config/supabase .config/stripe .config/doppler .doppler .config/infisical .infisical .config/turso .planetscale",
  ".config/planetscale .config/neonctl .ngrok2 .config/ngrok .config/tailscale .local/share/tailscale .config/databricks .databrickscfg",
  ".snowsql .snowflake .config/snowflake .dbt .config/sentry .sentryclirc .config/datadog .config/circleci .circleci .travis",
  ".config/buildkite-agent .buildkite .appveyor .jenkins .config/twilio-cli .twilio-cli .config/shopify .shopify",
  // Containers, clusters and infrastructure.
  ".kube .minikube .k3d .kind .docker .config/containers .local/share/containers .config/helm .helm .colima .lima .orbstack .rd",
  ".config/k9s .config/argocd .argocd .config/flux .terraform.d .terraformrc .tofurc .config/opentofu .pulumi .vault-token .vault",
  ".config/nomad .consul-token .ansible .ansible_vault_pass .vault_pass .vault_pass.txt .config/ansible .chef .puppetlabs .vagrant.d",
  ".config/packer .packer.d .config/sops .config/age .age .config/teleport .tsh .boundary .config/waypoint .saml2aws .okta .granted",
  // Models and agents.
  ".config/anthropic .anthropic .claude .claude.json .config/claude .config/openai .openai .codex .gemini .config/gemini .cursor",
  ".config/Cursor .config/github-copilot .config/Code .vscode .vscode-server .config/VSCodium .config/zed .local/share/zed .continue",
  ".config/opencode .local/share/opencode .config/goose .local/share/goose .aider.conf.yml .aider .config/crush .local/share/crush",
  ".pi .config/io.datasette.llm .cache/huggingface/token .cache/huggingface/stored_tokens .huggingface .config/replicate .kaggle",
  ".config/kaggle .config/wandb .config/cohere .groq .config/groq .ollama/id_ed25519 .together .config/mistral .modal.toml .runpod",
  ".config/stet .local/share/stet .config/JetBrains .local/share/JetBrains",
  // Browsers, chat and desktop.
  ".mozilla .librewolf .waterfox .zen .config/chromium .config/google-chrome .config/google-chrome-beta .config/BraveSoftware",
  ".config/microsoft-edge .config/vivaldi .config/opera .config/Slack .config/discord .config/Signal .config/Element",
  ".local/share/TelegramDesktop .config/Microsoft .config/teams-for-linux .config/skypeforlinux .config/zoomus.conf .zoom",
  ".config/Mattermost .config/WhatsApp .purple .config/obs-studio .config/spotify .config/Postman .config/Insomnia .config/Bruno",
  ".config/DBeaverData .local/share/DBeaverData .config/TablePlus .config/beekeeper-studio .config/libreoffice .config/filezilla",
  ".filezilla .config/remmina .local/share/remmina .config/dropbox .dropbox .config/Nextcloud .config/syncthing .local/state/syncthing",
  ".local/share/Trash .local/share/recently-used.xbel .cache/thumbnails snap .var/app",
  // Keys of people and money.
  ".password-store .local/share/keyrings .local/share/kwalletd .gnome2/keyrings .kde/share/apps/kwallet .keybase .config/keybase",
  ".local/share/keybase .config/op .op .config/1Password .config/Bitwarden .config/keepassxc .keepass .config/lastpass .lpass",
  ".local/share/lpass .config/Yubico .config/rbw .local/share/rbw .config/authenticator .bitcoin .litecoin .dogecoin .ethereum",
  ".electrum .config/solana .monero Monero .sui .aptos .near-credentials .foundry/keystores .brownie .config/Exodus .zcash .cardano",
  ".config/VeraCrypt .config/protonvpn .config/nordvpn .openvpn .wireguard .config/openvpn .cert .pki .android .config/certbot .step",
  ".acme.sh .config/gnome-boxes .config/libvirt .local/share/libvirt .local/share/flatpak .config/pulse .config/dconf",
  // macOS.
  "Library/Keychains Library/Cookies Library/Mail Library/Messages Library/Safari Library/Passes Library/Accounts",
  "Library/Preferences Library/Containers Library/HTTPStorages",
].flatMap((line) => line.split(" "));

/** The same, where a name has spaces. */
const inHomeSpaced: readonly string[] = [
  "Library/Application Support",
  "Library/Group Containers",
  ".config/Code - OSS",
  ".config/Microsoft Teams",
  ".config/Atomic",
];

/** Anywhere else. */
const elsewhere: readonly string[] = [
  "/etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/sudoers /etc/sudoers.d /etc/security/opasswd /etc/ssl/private",
  "/etc/pki/tls/private /etc/letsencrypt /etc/kubernetes /etc/rancher /etc/docker/key.json /etc/NetworkManager/system-connections",
  "/etc/wpa_supplicant /etc/wireguard /etc/openvpn /etc/ipsec.secrets /etc/ppp /etc/krb5.keytab /etc/mysql/debian.cnf",
  "/etc/postfix/sasl_passwd /etc/exim4/passwd.client /etc/ldap.secret /etc/redis /etc/boto.cfg /etc/vault.d /etc/consul.d",
  "/etc/nomad.d /etc/teleport.yaml /etc/cloudflared /etc/rclone.conf /etc/gitlab /etc/gitlab-runner /etc/ssh/ssh_host_rsa_key",
  "/etc/ssh/ssh_host_ecdsa_key /etc/ssh/ssh_host_ed25519_key /var/lib/docker /var/lib/kubelet",
].flatMap((line) => line.split(" "));

const settingsFiles = [".env", ".env.local", ".env.production"];

/** Real paths of what exists. */
export function secretPaths(home: string, root: string): string[] {
  const named = presentIn(home, [...inHome, ...inHomeSpaced]);
  named.push(...elsewhere, ...(process.getuid?.() === 0 ? closedSettings() : []));
  // Settings of what the root lies in; the root's own belong to the work.
  for (let folder = dirname(root); ; folder = dirname(folder)) {
    named.push(...settingsFiles.map((name) => join(folder, name)));
    if (folder === dirname(folder)) break;
  }
  const found = named.flatMap((path) => {
    try {
      return lstatSync(path, { throwIfNoEntry: false }) === undefined ? [] : [realpathSync.native(path)];
    } catch {
      // A link that leads nowhere, or a folder that is not ours to look into.
      return [];
    }
  });
  return [...new Set(found)];
}

/** Those that may exist, by one look at the folder: to look for each of hundreds takes longer than to start a process. */
function presentIn(folder: string, names: readonly string[]): string[] {
  const isPresent = (name: string) => present === undefined || present.has(name.split("/", 1)[0] ?? name);
  const present = namesIn(folder);
  return names.filter(isPresent).map((name) => join(folder, name));
}

/** Undefined where the names do not tell what exists, because their case does not matter. */
function namesIn(folder: string): Set<string> | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return new Set(readdirSync(folder));
  } catch {
    return undefined;
  }
}

let closed: readonly string[] | undefined;

/**
 * Settings of the machine that its ordinary users may not read. Root could, so they are found by their modes; looked for
 * once, because that is a walk through a thousand files.
 */
function closedSettings(): readonly string[] {
  closed ??= closedIn("/etc");
  return closed;
}

function closedIn(folder: string): string[] {
  try {
    return readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats === undefined || stats.isSymbolicLink()) return [];
      if (stats.isDirectory()) return (stats.mode & 0o005) === 0o005 ? closedIn(path) : [path];
      return (stats.mode & 0o004) === 0 ? [path] : [];
    });
  } catch {
    return [];
  }
}
