import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { temporaryFolder } from "@stet/testkit/temporary";
import {
  branchesOf,
  namedRepository,
  type RepositorySearch,
  repositoryAt,
  repositoryOf,
} from "./repository.ts";

const hosts = ["github.com"];

function remote(name: string, url: string, more = ""): string {
  return `[remote "${name}"]\n\turl = ${url}\n${more}`;
}

function folder(
  t: TestContext,
  config: string,
  files: Readonly<Record<string, string>> = {},
): RepositorySearch {
  return {
    root: temporaryFolder(t, { ".git/config": config, ...files }),
    environment: { HOME: "/nowhere" },
    hosts,
  };
}

/** `host/owner/name`, or the fault's code. */
function found(repository: ReturnType<typeof repositoryOf>): string {
  if (isFault(repository)) return repository.error;
  return `${repository.host}/${repository.owner}/${repository.name}`;
}

test("an address of a remote is the repository that it leads to, in every way of writing it", () => {
  for (const url of [
    "https://github.com/acme/app",
    "https://github.com/acme/app.git",
    "https://user:secret@github.com/acme/app.git/",
    "https://www.github.com/acme/app",
    "ssh://git@ssh.github.com:443/acme/app.git",
    "git@github.com:acme/app.git",
    "github.com:/acme/app",
    "git://GitHub.com/acme/app",
  ])
    assert.deepEqual(repositoryAt(url), { host: "github.com", owner: "acme", name: "app" }, url);
  for (const url of [
    "/srv/git/app.git",
    "../app",
    "file:///srv/app",
    "https://github.com/acme",
    "https://github.com/acme/app/tree/main",
    "https://github.com/-acme/app",
    "git@github.com:acme/..",
    "ext::sh -c id",
    "",
  ])
    assert.equal(repositoryAt(url), undefined, url);
});

test("of several remotes it is the one that gh takes where it cannot ask", (t) => {
  const origin = remote("origin", "git@github.com:me/app.git");
  const upstream = remote("upstream", "https://github.com/acme/app");
  const of = (config: string) => found(repositoryOf(folder(t, config)));
  assert.equal(of(origin), "github.com/me/app");
  assert.equal(of(origin + upstream), "github.com/acme/app");
  assert.equal(of(origin.replace("origin", "mine") + remote("other", "/srv/x")), "github.com/me/app");
  assert.equal(of(`${origin}\tgh-resolved = base\n${upstream}`), "github.com/me/app");
  assert.equal(of(`${origin}\tgh-resolved = acme/tool\n${upstream}`), "github.com/acme/tool");
  assert.equal(
    of(remote("origin", "https://git.example.com/a/b") + remote("hub", "git@github.com:a/b")),
    "github.com/a/b",
  );
});

test("a host that nobody has listed is not asked, whoever names it", (t) => {
  const own = remote("origin", "https://github.example.com/acme/app");
  const search = folder(t, own);
  assert.equal(found(repositoryOf(search)), "not_allowed");
  assert.equal(found(namedRepository("github.example.com/acme/app", search)), "not_allowed");
  const listed = { ...search, hosts: ["github.com", "GitHub.example.com"] };
  assert.equal(found(repositoryOf(listed)), "github.example.com/acme/app");
  const byPerson = { ...search, environment: { GH_HOST: "github.example.com" } };
  assert.equal(found(repositoryOf(byPerson)), "github.example.com/acme/app");
  assert.equal(found(namedRepository("acme/app", byPerson)), "github.example.com/acme/app");
});

test("a folder without a repository, or with none at GitHub, says how to name one", (t) => {
  const nowhere = temporaryFolder(t);
  assert.equal(found(repositoryOf({ root: nowhere, environment: {}, hosts })), "unknown_address");
  assert.equal(found(repositoryOf(folder(t, "[core]\n\tbare = false\n"))), "unknown_address");
  assert.equal(found(repositoryOf(folder(t, "\0\0[remote"))), "unknown_address");
  const answer = repositoryOf(folder(t, remote("origin", "/srv/git/app.git")));
  assert.ok(isFault(answer));
  assert.match(answer.suggestion, /issue:\/\/owner\/name\/5/);
  const byPerson = { root: nowhere, environment: { GH_REPO: "acme/app" }, hosts };
  assert.equal(found(repositoryOf(byPerson)), "github.com/acme/app");
});

test("a folder below the top of a repository is of that repository", (t) => {
  const search = folder(t, remote("origin", "git@github.com:acme/app.git"));
  const root = join(search.root, "packages", "one");
  mkdirSync(root, { recursive: true });
  assert.equal(found(repositoryOf({ ...search, root })), "github.com/acme/app");
});

test("the branches are the one that is checked out and the one that the remote calls its own", (t) => {
  const config = remote("origin", "git@github.com:acme/app.git");
  const head = { ".git/HEAD": "ref: refs/heads/fix/it\n" };
  const main = { ".git/refs/remotes/origin/HEAD": "ref: refs/remotes/origin/trunk\n" };
  assert.deepEqual(branchesOf(folder(t, config, { ...head, ...main })), { current: "fix/it", main: "trunk" });
  const detached = folder(t, config, { ".git/HEAD": `${"0".repeat(40)}\n` });
  assert.deepEqual(branchesOf(detached), { current: undefined, main: undefined });
});
