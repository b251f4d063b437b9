import assert from "node:assert/strict";
import { test } from "node:test";
import { commandEnvironment } from "./command-environment.ts";

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
    HTTP_PROXY: "http://user:password@proxy",
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
