import assert from "node:assert/strict";
import { test } from "node:test";
import { commandEnvironment, openEnvironment } from "./command-environment.ts";

test("a command does not get keys, tokens and passwords from the environment", () => {
  const secrets = {
    OPENAI_API_KEY: "x",
    ANTHROPIC_API_KEY: "x",
    GITHUB_TOKEN: "x",
    NPM_TOKEN: "x",
    AWS_ACCESS_KEY_ID: "x",
    AWS_PROFILE: "x",
    MY_SECRET: "x",
    DB_PASSWORD: "x",
    PGPASSWORD: "x",
    SSH_AUTH_SOCK: "/tmp/agent",
    SSH_ASKPASS: "x",
    STET_DATA_DIR: "/x",
    LC_SECRET_KEY: "x",
    NVM_AUTH_TOKEN: "x",
    npm_config_auth: "x",
    LD_PRELOAD: "/x.so",
    BASH_ENV: "/x",
    ENV: "/x",
    PROMPT_COMMAND: "x",
    NODE_OPTIONS: "--require /x",
    GIT_SSH_COMMAND: "x",
  };
  const passed = commandEnvironment({ PATH: "/bin", ...secrets });
  for (const name of Object.keys(secrets)) assert.equal(passed[name], undefined, name);
});

test("a command gets what compilers and package managers need", () => {
  const needed = {
    HOME: "/h",
    LANG: "de_DE.UTF-8",
    LC_ALL: "C",
    CARGO_HOME: "/c",
    NVM_DIR: "/n",
    JAVA_HOME: "/j",
  };
  const passed = commandEnvironment({ PATH: "/usr/bin", ...needed, GIT_AUTHOR_NAME: "A" });
  for (const [name, value] of Object.entries(needed)) assert.equal(passed[name], value);
  assert.equal(passed.GIT_AUTHOR_NAME, "A");
  assert.equal(passed.TERM, "dumb");
  assert.equal(passed.GIT_TERMINAL_PROMPT, "0");
});

test("programs are not looked for in folders that are relative", () => {
  assert.equal(commandEnvironment({ PATH: ".:/usr/bin::node_modules/.bin:/bin" }).PATH, "/usr/bin:/bin");
  assert.match(commandEnvironment({}).PATH ?? "", /\/usr\/bin/);
});

test("proxies and NODE_ENV are passed, and what the person lists; the SSH agent only outside the sandbox", () => {
  const environment = {
    HTTPS_PROXY: "http://proxy:8080",
    HTTP_PROXY: "http://user:password@proxy:8080",
    no_proxy: "localhost",
    NODE_ENV: "production",
    DATABASE_URL: "postgres://x",
    MY_TOKEN: "t",
    SSH_AUTH_SOCK: "/run/agent",
  };
  const usual = commandEnvironment(environment);
  assert.deepEqual(
    [usual.HTTPS_PROXY, usual.no_proxy, usual.NODE_ENV],
    ["http://proxy:8080", "localhost", "production"],
  );
  assert.deepEqual(
    [usual.DATABASE_URL, usual.MY_TOKEN, usual.SSH_AUTH_SOCK],
    [undefined, undefined, undefined],
  );
  assert.equal(usual.HTTP_PROXY, "http://proxy:8080", "a password is not passed on unless it is listed");
  const listed = commandEnvironment(environment, ["DATABASE_URL", "MY_TOKEN", "HTTP_PROXY"]);
  assert.equal(listed.HTTP_PROXY, environment.HTTP_PROXY);
  assert.deepEqual(
    [listed.DATABASE_URL, listed.MY_TOKEN, listed.SSH_AUTH_SOCK],
    ["postgres://x", "t", undefined],
  );
  assert.equal(openEnvironment(usual, environment).SSH_AUTH_SOCK, "/run/agent");
});

test("a shell reads lines in the encoding in which they were judged", () => {
  const locales = {
    LANG: "ja_JP.SJIS",
    LC_ALL: "zh_CN.GBK",
    LC_TIME: "de_DE.UTF-8",
    LC_CTYPE: "C.utf8",
    LC_NUMERIC: "C",
  };
  const { LANG, LC_ALL, LC_TIME, LC_CTYPE, LC_NUMERIC } = commandEnvironment(locales);
  assert.deepEqual([LANG, LC_ALL], [undefined, undefined]);
  assert.deepEqual([LC_TIME, LC_CTYPE, LC_NUMERIC], ["de_DE.UTF-8", "C.utf8", "C"]);
});
