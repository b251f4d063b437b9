// The environment of commands. What is neither named here nor listed by the person is not passed on: a secret that nobody
// thought of stays here too.

import { delimiter, isAbsolute } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

const passed = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LANGUAGE",
  "TZ",
  "TMPDIR",
  "XDG_CACHE_HOME",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "XDG_STATE_HOME",
  "EDITOR",
  "NODE_ENV",
  // How the network is reached.
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "FTP_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "all_proxy",
  "ftp_proxy",
  "no_proxy",
  "NODE_USE_ENV_PROXY",
  // Where compilers, package managers and interpreters keep what they need.
  "CARGO_HOME",
  "RUSTUP_HOME",
  "RUSTUP_TOOLCHAIN",
  "GOPATH",
  "GOROOT",
  "GOCACHE",
  "GOMODCACHE",
  "GOPROXY",
  "GOTOOLCHAIN",
  "JAVA_HOME",
  "JDK_HOME",
  "GRADLE_USER_HOME",
  "MAVEN_HOME",
  "M2_HOME",
  "ANDROID_HOME",
  "ANDROID_SDK_ROOT",
  "VIRTUAL_ENV",
  "CONDA_PREFIX",
  "CONDA_DEFAULT_ENV",
  "PYENV_ROOT",
  "PYENV_VERSION",
  "PYTHONPATH",
  "PIPX_HOME",
  "POETRY_HOME",
  "UV_CACHE_DIR",
  "RBENV_ROOT",
  "GEM_HOME",
  "GEM_PATH",
  "NODE_PATH",
  "NODE_EXTRA_CA_CERTS",
  "COREPACK_HOME",
  "PNPM_HOME",
  "BUN_INSTALL",
  "DENO_DIR",
  "VOLTA_HOME",
  "FNM_DIR",
  "ASDF_DIR",
  "ASDF_DATA_DIR",
  "MISE_DATA_DIR",
  "npm_config_cache",
  "npm_config_prefix",
  "npm_config_userconfig",
  "PLAYWRIGHT_BROWSERS_PATH",
  "CC",
  "CXX",
  "CFLAGS",
  "CXXFLAGS",
  "LDFLAGS",
  "PKG_CONFIG_PATH",
  "LD_LIBRARY_PATH",
  "DYLD_LIBRARY_PATH",
  "NIX_PATH",
  "NIX_PROFILES",
  "NIX_SSL_CERT_FILE",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "CURL_CA_BUNDLE",
  "REQUESTS_CA_BUNDLE",
  "GIT_SSL_CAINFO",
  "GIT_AUTHOR_NAME",
  "GIT_AUTHOR_EMAIL",
  "GIT_COMMITTER_NAME",
  "GIT_COMMITTER_EMAIL",
]);

const passedPrefix = /^(?:LC_|NVM_|SDKMAN_)/;

/** Also what the lists above would let through. */
const secret =
  /(?:^|_)(?:KEY|KEYS|TOKEN|TOKENS|SECRET|SECRETS|PASS|PASSWD|PASSPHRASE|CREDENTIAL|CREDENTIALS|AUTH)(?:_|$)|PASSWORD|^AWS_|^SSH_/i;

/** Commands run without a person who could answer a prompt, close a pager or leave an editor. */
const unattended: Readonly<Record<string, string>> = {
  TERM: "dumb",
  CI: "1",
  NO_COLOR: "1",
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  EDITOR: "true",
  GIT_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  DEBIAN_FRONTEND: "noninteractive",
  PIP_NO_INPUT: "1",
  PIP_DISABLE_PIP_VERSION_CHECK: "1",
  npm_config_yes: "true",
  npm_config_fund: "false",
  npm_config_audit: "false",
  npm_config_update_notifier: "false",
  NEXT_TELEMETRY_DISABLED: "1",
  DOTNET_CLI_TELEMETRY_OPTOUT: "1",
  HOMEBREW_NO_AUTO_UPDATE: "1",
  PYTHONUNBUFFERED: "1",
};

const fallbackPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** `listed` names what the person wants commands to get beside the usual, secrets included. */
export function commandEnvironment(
  environment: Environment,
  listed: readonly string[] = [],
): Record<string, string> {
  const result: Record<string, string> = {};
  const wanted = new Set(listed);
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) continue;
    const isUsual = !secret.test(name) && (passed.has(name) || passedPrefix.test(name));
    if (wanted.has(name)) result[name] = value;
    else if (isUsual && !isOtherEncoding(name, value)) {
      result[name] = /_proxy$/i.test(name) ? withoutCredentials(value) : value;
    }
  }
  // A relative entry would mean another program in every folder.
  const path = (result.PATH ?? "").split(delimiter).filter(isAbsolute).join(delimiter);
  return { ...result, ...unattended, PATH: path === "" ? fallbackPath : path };
}

/** To a shell in such a locale a quote or a backslash may be half of a letter: it would read another line than was judged. */
function isOtherEncoding(name: string, value: string): boolean {
  return /^(?:LANG|LC_\w+)$/.test(name) && !/^(?:C|POSIX|)$|utf-?8/i.test(value);
}

/** The address of a proxy, without its password; a person who wants commands to have it lists the variable. */
function withoutCredentials(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/)?[^/@]*@/i, "$1");
}

/** Outside the sandbox commands may use the person's SSH agent, as they could ask for its socket anyway. */
export function openEnvironment(
  environment: Record<string, string>,
  { SSH_AUTH_SOCK }: Environment,
): Record<string, string> {
  return SSH_AUTH_SOCK ? { ...environment, SSH_AUTH_SOCK } : environment;
}

/** Variables that lead tools to the person's own caches and settings. Without them they use the home folder of the sandbox. */
const leadingAway = new Set([
  "XDG_CACHE_HOME",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "XDG_STATE_HOME",
  "CARGO_HOME",
  "GOPATH",
  "GOCACHE",
  "GOMODCACHE",
  "GRADLE_USER_HOME",
  "UV_CACHE_DIR",
  "DENO_DIR",
  "npm_config_cache",
  "npm_config_userconfig",
]);

/** `caches` are variables by which tools read the person's caches. */
export function sandboxEnvironment(
  environment: Record<string, string>,
  caches: Readonly<Record<string, string>>,
): Record<string, string> {
  const kept = Object.entries(environment).filter(([name]) => !leadingAway.has(name));
  // Go makes its module cache read-only, so that it could not be removed.
  return { ...Object.fromEntries(kept), ...caches, GOFLAGS: "-modcacherw" };
}

/** A terminal that understands what every terminal does. */
export function terminalEnvironment(environment: Record<string, string>): Record<string, string> {
  const { NO_COLOR: _, ...rest } = environment;
  return { ...rest, TERM: "xterm-256color" };
}
