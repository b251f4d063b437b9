// What a variable's name tells about what setting or showing it does.

export type VariableRisk = "none" | "other" | "danger";

const harmless =
  /^(?:CI|COLOR|COLUMNS|DEBUG|FORCE_COLOR|LINES|LOG_LEVEL|NODE_ENV|NO_COLOR|RAILS_ENV|RUST_BACKTRACE|RUST_LOG|TERM|TZ|VERBOSE)$/;
// For one command they choose words and an order. For the shell itself they choose which bytes are a letter, so how it reads
// the lines that follow.
const locales = /^(?:LANG|LANGUAGE|LC_[A-Z]+)$/;
/** No path: a program would look for catalogues and time zones there. */
const plainValue = /^\w+=[\w.:,@+-]*$/;

// They name programs to run, code to load, files to read at start, or places to send things to.
const dangerous =
  /^(?:PATH|IFS|ENV|HOME|SHELL|SHELLOPTS|BASHOPTS|CDPATH|PROMPT_COMMAND|PS[0-4]|EDITOR|VISUAL|PAGER|BROWSER|FCEDIT|TMPDIR|CLASSPATH|EXECIGNORE|GLOBIGNORE|INPUTRC|HISTFILE|HISTCONTROL|HOSTALIASES|LOCPATH|GCONV_PATH|NLSPATH|RES_OPTIONS|CC|CXX|LD|AR|AS|CPP|MAKE|MAKEFLAGS|MFLAGS|GOFLAGS|KUBECONFIG|OPENSSL_CONF|OPENSSL_MODULES|RIPGREP_CONFIG_PATH|GREP_OPTIONS|PERLLIB|PYTHON\w*|PERL5\w*|RUBY\w*|NODE_OPTIONS|NODE_PATH|NODE_EXTRA_CA_CERTS|NODE_TLS\w*|JAVA_TOOL_OPTIONS|_?JAVA_OPTIONS|JDK_JAVA_OPTIONS|RUSTC\w*|RUSTFLAGS|RUSTDOC\w*|LESS\w*|MAN\w+|BASH_\w+|__\w*|LD_\w+|DYLD_\w+|GIT_?\w*|SSH_\w+|DOCKER_\w+|NPM_\w+|YARN_\w+|PNPM_\w+|PIP_\w+|UV_\w+|CARGO_\w+|XDG_\w+|\w*_PAGER|\w*_EDITOR|\w*_BROWSER|\w*_ASKPASS|\w*_PROXY|\w*_HOME|\w*PRELOAD\w*|\w*_COMMAND|\w*_WRAPPER)$/;
const dangerousInAnyCase = /^(?:npm_\w+|\w*_proxy|histchars|auto_resume|path|fpath|cdpath|module_path)$/i;

/** `source` is the assignment as written, `isLasting` whether later commands of the shell see it, too. */
export function assignmentRisk(name: string, source: string, isLasting: boolean): VariableRisk {
  if (harmless.test(name)) return plainValue.test(source) ? "none" : "other";
  if (locales.test(name)) return plainValue.test(source) && !isLasting ? "none" : "other";
  if (dangerous.test(name) || dangerousInAnyCase.test(name)) return "danger";
  // Names in lower case are the line's own: loops, counters, parts of a path.
  return /^[a-z_][a-z0-9_]*$/.test(name) ? "none" : "other";
}

const secret =
  /(?:^|_)(?:API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|SECRET(?:_?KEY)?|TOKEN|PASS(?:WD|WORD|PHRASE)?|PWD|CREDENTIALS?|AUTH|COOKIE|DSN|PAT|DATABASE_URL|CONNECTION_STRING)(?:_|$)|(?:APIKEY|TOKEN|SECRET|PASSWORD)$/i;
const notSecret = /^(?:PWD|OLDPWD|SSH_AUTH_SOCK|XAUTHORITY|\w*_TOKEN_(?:LIMIT|BUDGET|COUNT)|MAX_\w+)$/i;

export function isSecretVariable(name: string): boolean {
  return secret.test(name) && !notSecret.test(name);
}
