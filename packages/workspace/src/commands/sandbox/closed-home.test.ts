// What a command in the sandbox sees of the person's home folder, tried for real.

import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { noSandbox, openCommands } from "@stet/testkit/commands-fixture";
import { openRoot } from "../../files/containment.ts";
import { socketPath } from "../../files/server-socket.ts";
import { openPrivateCaches } from "./private-caches.ts";

const skip = noSandbox();

/** Where programs keep credentials, one line for each kind of program. */
const credentialPlaces = [
  ".ssh/id_ed25519 .ssh/config .gnupg/private-keys-v1.d/a.key .netrc _netrc .authinfo .pgpass .my.cnf .mylogin.cnf .smbcredentials",
  ".config/sops/age/keys.txt .age/key.txt .password-store/mail.gpg .local/share/keyrings/login.keyring .local/share/kwalletd/kdewallet.kwl",
  ".git-credentials .gitconfig .config/git/credentials .config/git/config .config/gh/hosts.yml .config/glab-cli/config.yml .config/hub",
  ".npmrc .yarnrc.yml .bunfig.toml .pypirc .config/pip/pip.conf .config/pypoetry/auth.toml .local/share/uv/credentials/credentials.toml",
  ".gem/credentials .bundle/config .cargo/credentials .cargo/credentials.toml .m2/settings.xml .gradle/gradle.properties .sbt/.credentials",
  ".nuget/NuGet/NuGet.Config .composer/auth.json .config/composer/auth.json .hex/hex.config .pub-cache/credentials.json .condarc",
  ".continuum/anaconda-client/tokens/a.token .julia/servers/pkg.julialang.org/auth.toml .jfrog/jfrog-cli.conf.v6",
  ".aws/credentials .aws/sso/cache/a.json .azure/msal_token_cache.json .config/gcloud/application_default_credentials.json .boto .s3cfg",
  ".config/rclone/rclone.conf .mc/config.json .config/doctl/config.yaml .config/hcloud/cli.toml .config/linode-cli .config/scw/config.yaml",
  ".oci/config .bluemix/config.json .aliyun/config.json .config/openstack/clouds.yaml .config/heroku/config.json .config/netlify/config.json",
  ".local/share/com.vercel.cli/auth.json .fly/config.yml .railway/config.json .wrangler/config/default.toml .config/.wrangler/config/default.toml",
  ".cloudflared/cert.pem .config/configstore/firebase-tools.json .supabase/access-token .config/stripe/config.toml .doppler/.doppler.yaml",
  ".infisical/infisical-config.json .config/turso/settings.json .config/planetscale/access-token .ngrok2/ngrok.yml .config/ngrok/ngrok.yml",
  ".databrickscfg .snowsql/config .dbt/profiles.yml .sentryclirc .circleci/cli.yml .twilio-cli/config.json .config/datadog/config.json",
  ".kube/config .minikube/client.key .docker/config.json .config/containers/auth.json .config/helm/registry/config.json .config/argocd/config",
  ".terraform.d/credentials.tfrc.json .terraformrc .pulumi/credentials.json .vault-token .ansible/vault_pass .vault_pass.txt .chef/client.pem",
  ".vagrant.d/insecure_private_key .tsh/keys/a.pem .saml2aws .okta/credentials .config/op/config .config/1Password/settings.json",
  ".config/anthropic/key .claude/.credentials.json .claude.json .codex/auth.json .gemini/oauth_creds.json .config/openai/key .cursor/mcp.json",
  ".config/github-copilot/apps.json .local/share/opencode/auth.json .config/opencode/config.json .config/goose/secrets.yaml .aider.conf.yml",
  ".cache/huggingface/token .huggingface/token .kaggle/kaggle.json .config/wandb/settings .modal.toml .ollama/id_ed25519",
  ".config/Code/User/globalStorage/state.vscdb .config/JetBrains/c.kdbx .config/stet/config.json .local/share/stet/token",
  ".mozilla/firefox/a.default/logins.json snap/firefox/common/.mozilla/firefox/a/key4.db .var/app/org.mozilla.firefox/.mozilla/firefox/a/key4.db",
  ".thunderbird/a.default/logins.json .config/google-chrome/Default/Cookies .config/chromium/Default/Cookies .config/BraveSoftware/Brave/Cookies",
  ".config/Slack/Cookies .config/discord/Cookies .config/Signal/config.json .local/share/TelegramDesktop/tdata/key_datas .config/Postman/a.json",
  ".config/filezilla/sitemanager.xml .config/remmina/a.remmina .local/share/DBeaverData/credentials-config.json",
  ".keybase/config.json .config/Bitwarden/data.json .config/keepassxc/keepassxc.ini passwords.kdbx .config/rbw/config.json .lpass/key",
  ".bitcoin/wallet.dat .ethereum/keystore/a .electrum/wallets/default .config/solana/id.json .sui/sui_config/sui.keystore .foundry/keystores/a",
  ".bash_history .zsh_history .local/share/fish/fish_history .python_history .node_repl_history .psql_history .mysql_history .rediscli_history",
  ".viminfo .env .muttrc .msmtprc .fetchmailrc .config/weechat/irc.conf .irssi/config .wireguard/wg0.conf .cert/client.pem .step/secrets/root",
  "Documents/letter.txt work/other/.env work/other/secrets.yml notes.txt .config/unheard-of/token.json .unheard-of",
].flatMap((line) => line.split(" "));

/** Files that are nobody's secrets, and that are not hidden where a person's home is the workspace. */
const ordinary = /^(?:Documents|work|notes|passwords|\.config\/unheard-of|\.unheard-of)/;

function planted(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`home/${name}`, `planted in ${name}\n`]));
}

const readAll = (home: string, names: readonly string[]) =>
  `for name in ${names.map((name) => `'${name}'`).join(" ")}; do cat "${home}/$name" 2>/dev/null; done; true`;

test("none of the places where programs keep credentials can be read, nor a document at home", {
  skip,
}, async (t) => {
  assert.ok(credentialPlaces.length >= 92);
  const fixture = openCommands(t, { files: planted(credentialPlaces) });
  for (const network of [false, true]) {
    const { output } = await fixture.run(readAll(fixture.home, credentialPlaces), { network });
    assert.equal(output.text, "");
  }
  const found = await fixture.run(
    `grep -rls planted ${fixture.folder} /home /root /run /var /mnt /media /srv; true`,
  );
  assert.equal(found.output.text, "");
});

test("the socket of a server, in Stet's data folder, is out of the reach of a command", {
  skip,
}, async (t) => {
  const fixture = openCommands(t, { files: { "home/.local/share/stet/sockets/.keep": "" } });
  const path = socketPath(fixture.folder, join(fixture.home, ".local/share/stet"));
  assert.ok(path !== undefined);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  t.after(() => server.close());
  const look = `test -S ${path} && echo socket; test -d ${dirname(path)} && echo folder; true`;
  assert.equal((await fixture.run(look, { isSandboxed: false })).output.text, "socket\nfolder\n");
  for (const network of [false, true]) assert.equal((await fixture.run(look, { network })).output.text, "");
});

test("where the home folder is the workspace itself, the known places of credentials cannot be read", {
  skip,
}, async (t) => {
  const files = planted(credentialPlaces);
  const { folder, home } = openCommands(t, { files });
  const root = openRoot(home);
  assert.ok("path" in root);
  const fixture = openCommands(t, { root, environment: { HOME: home }, stateFolder: join(folder, "state") });
  const known = credentialPlaces.filter((name) => !ordinary.test(name));
  assert.ok(known.length >= 92);
  assert.equal((await fixture.run(readAll(home, known))).output.text, "");
  assert.equal((await fixture.run("cat notes.txt")).output.text, "planted in notes.txt\n");
});

test("a tool that is installed at home works, and cannot be changed", { skip }, async (t) => {
  const tool = "#!/bin/sh\necho works\n";
  const fixture = openCommands(t, {
    files: {
      "home/.cargo/bin/tool": tool,
      "home/.cargo/credentials.toml": "planted",
      "home/.nvm/versions/node/v1/bin/other": tool,
      "home/.nvm/alias/default": "v1",
      "home/apps/thing/bin/thing": tool,
      "home/apps/thing/lib/data": "data\n",
      "home/apps/thing/private": "planted",
      "home/.ssh/bin/sneaky": tool,
    },
  });
  const names = [".cargo/bin", ".nvm/versions/node/v1/bin", "apps/thing/bin", ".ssh/bin"];
  const folders = names.map((name) => join(fixture.home, name));
  for (const [index, name] of ["tool", "other", "thing", "sneaky"].entries())
    chmodSync(join(folders[index] ?? "", name), 0o755);
  const PATH = [...folders, process.env.PATH].join(":");
  const again = openCommands(t, { environment: { PATH, HOME: fixture.home } });
  assert.equal(
    (await again.run("tool && other && thing && cat ~/apps/thing/lib/data")).output.text,
    "works\nworks\nworks\ndata\n",
  );
  assert.equal((await again.run("cat ~/.cargo/credentials.toml ~/apps/thing/private; sneaky")).exitCode, 127);
  assert.notEqual((await again.run("echo x >> ~/.cargo/bin/tool")).exitCode, 0);
  assert.notEqual((await again.run("rm -rf ~/.nvm/alias")).exitCode, 0);
  assert.equal(existsSync(join(fixture.home, ".nvm/alias/default")), true);
});

test("the home folder of commands can be written, its caches are there for the next turn, and are not the person's", {
  skip,
}, async (t) => {
  const fixture = openCommands(t, { files: { "home/.npm/_cacache/content": "theirs\n" } });
  assert.equal(
    (await fixture.run("mkdir -p ~/.npm/_cacache && echo mine > ~/.npm/_cacache/content && echo $HOME"))
      .output.text,
    `${fixture.home}\n`,
  );
  const next = openCommands(t, {
    root: { path: fixture.root, proof: "path" },
    stateFolder: join(fixture.folder, "state"),
    environment: { HOME: fixture.home },
  });
  const read = await next.run("cat ~/.npm/_cacache/content /run/stet/caches/npm/content");
  assert.equal(read.output.text, "mine\ntheirs\n", "the person's own cache can be read beside it");
  assert.equal(readFileSync(join(fixture.home, ".npm/_cacache/content"), "utf8"), "theirs\n");
  assert.deepEqual(readdirSync(fixture.home), [".keep", ".npm"]);
});

test("crates that the person has are found without the network, and with it others can be added", {
  skip,
}, async (t) => {
  const fixture = openCommands(t, {
    files: { "home/.cargo/registry/src/a/crate": "theirs\n", "home/.cargo/config.toml": "" },
  });
  assert.equal(
    (
      await fixture.run("cat ~/.cargo/registry/src/a/crate; echo x > ~/.cargo/registry/y || echo no")
    ).output.text.replace(/.*Read-only.*\n/, ""),
    "theirs\nno\n",
  );
  assert.equal(
    (await fixture.run("echo y > ~/.cargo/registry/y && cat ~/.cargo/registry/y", { network: true })).output
      .text,
    "y\n",
  );
});

test("private caches that have grown too large are begun anew, but not while they are in use", async (t) => {
  const { folder } = openCommands(t);
  const state = join(folder, "state");
  const first = openPrivateCaches(state, 1000);
  writeFileSync(join(first.folder, "large"), "x".repeat(2000));
  const second = openPrivateCaches(state, 1000);
  await second.counted;
  assert.equal(existsSync(join(second.folder, "large")), true);
  first.release();
  second.release();
  const third = openPrivateCaches(state, 1000);
  t.after(() => third.release());
  assert.deepEqual(readdirSync(third.folder), []);
});

test("the person can list what else is to be seen, written and connected to", { skip }, async (t) => {
  const fixture = openCommands(t, {
    files: {
      "home/data/set": "set\n",
      "home/out/.keep": "",
      "home/.ssh/config": "Host x\n",
      "home/.ssh/id_rsa": "planted",
    },
  });
  const socketPath = join(fixture.home, "listed.sock");
  const server = createServer((connection) => connection.end("reached")).listen(socketPath);
  t.after(() => server.close());
  const access = { readable: ["~/data", "~/.ssh/config"], writable: ["~/out"], sockets: ["$THE_SOCKET"] };
  const other = openCommands(t, { access, environment: { HOME: fixture.home, THE_SOCKET: socketPath } });
  const { output } = await other.run(
    "cat ~/data/set ~/.ssh/config; echo x > ~/out/file; ls ~/.ssh; echo y > ~/data/set",
  );
  assert.match(output.text, /^set\nHost x\nconfig\n.*Read-only/s);
  assert.equal(readFileSync(join(fixture.home, "out/file"), "utf8"), "x\n");
  const connect = `node -e 'require("net").connect("${socketPath}").pipe(process.stdout)'`;
  assert.match((await other.run(connect)).output.text, /reached/);
  assert.equal((await fixture.run(connect)).output.text.includes("reached"), false);
});

test("what is denied is not seen, though it lies in the workspace", { skip }, async (t) => {
  const files = { "root/private/a": "planted", "root/b": "b\n" };
  const { root, folder } = openCommands(t, { files });
  const fixture = openCommands(t, {
    root: { path: root, proof: "path" },
    stateFolder: join(folder, "state"),
    covered: () => [join(root, "private")],
  });
  assert.equal(
    (
      await fixture.run("cat private/a b; cat priv*/*; git grep --no-index planted; true")
    ).output.text.includes("planted"),
    false,
  );
});

test("git knows who the person is, and nothing else of their configuration", { skip }, async (t) => {
  const config =
    '[user]\n\tname = Ada \\"the\\" First\n\temail = ada@example.com\n\tsigningkey = planted\n[commit]\n\tgpgsign = true\n[credential]\n\thelper = store\n[core]\n\tfsmonitor = planted\n\texcludesfile = ~/ignored\n[url "https://planted@host/"]\n\tinsteadOf = x\n';
  const fixture = openCommands(t, {
    files: { "home/.gitconfig": config, "home/ignored": "*.bak\n", "root/a.bak": "", "root/b": "" },
  });
  const { output, exitCode } = await fixture.run(
    "git init -q sub && cd sub && touch a.bak b && git add -A && git commit -qm one && git log --format='%an <%ae>' && git ls-files && git config --list",
  );
  assert.equal(exitCode, 0, output.text);
  assert.match(output.text, /^Ada "the" First <ada@example.com>\nb\n/);
  assert.doesNotMatch(output.text, /planted|helper/);
});

test("a home folder that a link leads to is found under both names", { skip }, async (t) => {
  const fixture = openCommands(t, {
    files: { "home/.local/bin/tool": "#!/bin/sh\necho works\n", "real/.keep": "" },
  });
  chmodSync(join(fixture.home, ".local/bin/tool"), 0o755);
  const link = join(fixture.folder, "link");
  symlinkSync(fixture.home, link);
  mkdirSync(dirname(link), { recursive: true });
  const other = openCommands(t, {
    environment: { HOME: link, PATH: `${link}/.local/bin:${process.env.PATH}` },
  });
  assert.equal((await other.run(`tool && cd ~ && ${link}/.local/bin/tool`)).output.text, "works\nworks\n");
});

test("what a command leaves in its home or in /tmp leads no other sandbox astray", { skip }, async (t) => {
  const fixture = openCommands(t, {
    files: { "victim/.keep": "", "home/.nvm/x": "", "home/.npm/_cacache/x": "" },
  });
  const victim = join(fixture.folder, "victim");
  const names = [".cache", ".npm", ".cargo", "go", ".local", ".m2", ".gradle", ".yarn"];
  const links = names.map((name) => `rm -rf ~/${name}; ln -s /oldroot${victim} ~/${name}`);
  const inTemporary = `mv ${fixture.folder} /tmp/moved; rm -rf ${fixture.folder}; ln -s /oldroot${victim} ${fixture.folder}`;
  await fixture.run([...links, inTemporary].join("\n"));
  assert.equal((await fixture.run("echo on", { network: true })).output.text, "on\n");
  assert.equal((await fixture.run("echo on", { isReadOnly: true })).output.text, "on\n");
  const state = join(fixture.folder, "state");
  const next = openCommands(t, {
    root: { path: fixture.root, proof: "path" },
    stateFolder: state,
    environment: { HOME: fixture.home },
  });
  assert.equal((await next.run("echo on")).output.text, "on\n");
  assert.deepEqual(readdirSync(victim), [".keep"]);
});
