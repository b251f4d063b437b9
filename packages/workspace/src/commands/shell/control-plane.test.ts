// What commands are told through, and what starts them, cannot be reached by a command.

import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type CommandsFixture, noSandbox, openCommands } from "@stet/testkit/commands-fixture";
import { trustedPath, trustedProgram } from "../trusted-program.ts";

const skip = noSandbox();
const noPython = skip || (existsSync("/usr/bin/python3") ? false : "there is no Python here");

/** Goes on in the sandbox beside what follows, until the test ends. */
function begin(fixture: CommandsFixture, command: string): void {
  const request = { command, timeoutSeconds: 60, isSandboxed: true, network: false, hasOwnShell: true };
  fixture.commands.start(request);
}

test("a command in the sandbox cannot speak to a shell outside of it", { skip }, async (t) => {
  const fixture = openCommands(t);
  const order = `x\\0/\\0\\0touch ${fixture.folder}/escaped\\0\\0`;
  // Writes an order to every pipe that can be opened: below /tmp, and through the descriptors of every process.
  for (const places of ["/tmp/*/*/*", "/proc/[0-9]*/fd/*"]) {
    begin(
      fixture,
      `echo up > up; while :; do for p in ${places}; do [ -p "$p" ] && printf '${order}' 1<>"$p"; done; done >/dev/null 2>&1`,
    );
  }
  while (!existsSync(join(fixture.root, "up"))) await fixture.run("true");
  for (let round = 0; round < 15; round += 1) {
    const { exitCode } = await fixture.run("echo outside", {
      isSandboxed: false,
      hasOwnShell: round % 2 === 0,
    });
    assert.equal(exitCode, 0);
  }
  assert.equal(existsSync(join(fixture.folder, "escaped")), false);
});

const probes = `
import ctypes, os, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
found = []
for pid in filter(str.isdigit, os.listdir("/proc")):
    try: names = os.listdir(f"/proc/{pid}/fd")
    except OSError: continue
    for name in names:
        path = f"/proc/{pid}/fd/{name}"
        try: target = os.readlink(path)
        except OSError: continue
        if target.startswith("socket:"):
            for flags in (os.O_RDONLY, os.O_WRONLY, os.O_RDWR):
                try: os.close(os.open(path, flags)); found.append(f"opened {path}")
                except OSError: pass
    try: environment = open(f"/proc/{pid}/environ", "rb").read()
    except OSError: continue
    for word in sys.argv[1:]:
        if word.encode() in environment: found.append(f"environment of {pid}: {word}")
mine = [name for name in os.listdir("/proc/self/fd") if int(name) > 2 and os.path.exists(f"/proc/self/fd/{name}")]
if mine: found.append(f"inherited {mine}")
print(found)
`;

test("nothing that commands are controlled through is visible in the sandbox", {
  skip: noPython,
}, async (t) => {
  const fixture = openCommands(t, {
    files: { "root/probe.py": probes },
    environment: { STET_TOKEN: "a-token-of-the-server", OPENAI_API_KEY: "sk-planted-key" },
  });
  await fixture.run("true", { isSandboxed: false });
  await fixture.run("true", { network: true });
  for (const isReadOnly of [false, true]) {
    const words = `a-token-of-the-server sk-planted-key ${process.pid}`;
    const { output } = await fixture.run(`/usr/bin/python3 probe.py ${words}`, { isReadOnly });
    assert.equal(output.text, "[]\n");
    const names = await fixture.run("ls -a /tmp; find /tmp /var/tmp /run /dev -type p -o -type s", {
      isReadOnly,
    });
    assert.doesNotMatch(names.output.text, /stet-commands|pipes/);
    const fds = await fixture.run(
      "cat /proc/self/environ /proc/1/environ 2>/dev/null | tr '\\0' '\\n' | grep -a '^STET'",
      {
        isReadOnly,
      },
    );
    assert.match(fds.output.text, /^(?:STET_COMMAND=\S+\n)*$/, "only the mark by which it is ended");
  }
});

/** Takes the sockets of every process that it sees, and answers in the place of their shells. */
const thief = `
import ctypes, os, re, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
open("up", "w").close()
while True:
    for pid in [int(name) for name in os.listdir("/proc") if name.isdigit()]:
        if pid == os.getpid(): continue
        process = libc.syscall(434, pid, 0)
        if process < 0: continue
        for fd in range(0, 80):
            taken = libc.syscall(438, process, fd, 0)
            if taken < 0: continue
            try:
                with socket.socket(fileno=taken) as control:
                    try: seen = control.recv(65536, socket.MSG_PEEK | socket.MSG_DONTWAIT)
                    except OSError: seen = b""
                    for token in re.findall(rb"[0-9a-f-]{36}", seen): control.send(token + b" 0 /etc\\0", socket.MSG_DONTWAIT)
                    control.send(b"x 0 /etc\\0" + b"y" * 1000, socket.MSG_DONTWAIT)
                    open("took", "w").close()
            except OSError:
                try: os.close(taken)
                except OSError: pass
        os.close(process)
`;

test("who answers in the place of a shell lies about the commands of its own place only", {
  skip: noPython,
}, async (t) => {
  const fixture = openCommands(t, { files: { "root/thief.py": thief } });
  await fixture.run("true");
  begin(fixture, "/usr/bin/python3 thief.py");
  while (!existsSync(join(fixture.root, "up"))) await fixture.run("true", { isSandboxed: false });
  for (const request of [{ isSandboxed: false }, { network: true }, { isReadOnly: true }]) {
    for (let round = 0; round < 8; round += 1) {
      const { output, exitCode } = await fixture.run("echo mine; (exit 7)", { ...request, cwd: "." });
      assert.deepEqual([output.text, exitCode], ["mine\n", 7]);
    }
    assert.equal((await fixture.run("pwd", request)).output.text, `${fixture.root}\n`);
  }
  // Of its own place it may say what it likes: an exit code and a folder, which is where the next command is judged to be.
  const own = await fixture.run("echo mine; (exit 7)", { timeoutSeconds: 2 });
  assert.ok([7, 0, undefined].includes(own.exitCode));
  assert.ok([fixture.root, "/etc"].includes(own.folder));
});

test("no named pipe is left or kept on disk", { skip }, async (t) => {
  const fixture = openCommands(t);
  await fixture.run("true");
  await fixture.run("true", { isSandboxed: false });
  const own = readdirSync(tmpdir()).filter((name) => name.startsWith(`stet-commands-${process.pid}-`));
  assert.equal(own.length > 0, true);
  for (const name of own) {
    const entries = readdirSync(join(tmpdir(), name), { withFileTypes: true, recursive: true });
    assert.deepEqual(
      entries.filter((entry) => entry.isFIFO() || entry.isSocket()),
      [],
    );
  }
});

test("more shells than one host has room for are all started", { skip }, async (t) => {
  const fixture = openCommands(t);
  const ends = await Promise.all(
    Array.from({ length: 60 }, (_, at) => fixture.run(`echo ${at}`, { hasOwnShell: true })),
  );
  assert.deepEqual(
    ends.map(({ output }) => output.text),
    ends.map((_, at) => `${at}\n`),
  );
});

const planted = [
  "mkfifo",
  "bwrap",
  "bash",
  "sh",
  "env",
  "git",
  "rg",
  "grep",
  "tr",
  "ps",
  "setpriv",
  "true",
  "prlimit",
];

test("programs of the workspace are not started by Stet, though PATH begins with them", {
  skip,
}, async (t) => {
  const folders = ["node_modules/.bin", ".venv/bin"];
  const fixture = openCommands(t);
  const path = folders.map((name) => join(fixture.root, name));
  for (const folder of path) mkdirSync(folder, { recursive: true });
  const tool = openCommands(t, {
    root: { path: fixture.root, proof: "path" },
    environment: { PATH: [...path, process.env.PATH].join(":") },
  });
  // As a command would plant them: what they do shows outside of the sandbox only.
  for (const name of planted) {
    const file = join(path[0] ?? "", name);
    writeFileSync(file, `#!/bin/bash\ntouch ${fixture.folder}/ran-${name}\n/usr/bin/${name} "$@"\n`);
    chmodSync(file, 0o755);
  }
  for (const request of [{}, { isReadOnly: true }, { network: true }, { isSandboxed: false }]) {
    assert.equal((await tool.run("echo fine; env | grep -c x; git --version", request)).exitCode, 0);
    const terminal = { columns: 80, rows: 24 };
    assert.equal((await tool.run("true", { ...request, terminal })).exitCode, 0);
  }
  await tool.commands.close();
  assert.deepEqual(
    readdirSync(fixture.folder).filter((name) => name.startsWith("ran-")),
    [],
  );
});

test("a program is taken from where nobody else can have put it", (t) => {
  const fixture = openCommands(t, {
    files: { "tools/bin/tool": "#!/bin/sh\n", "root/bin/tool": "#!/bin/sh\n" },
  });
  const good = join(fixture.folder, "tools/bin");
  const inside = join(fixture.root, "bin");
  for (const folder of [good, inside]) chmodSync(join(folder, "tool"), 0o755);
  const find = (...folders: string[]) =>
    trustedProgram("tool", { path: folders.join(":"), root: fixture.root });
  assert.equal(find(good), join(good, "tool"));
  assert.equal(find(inside), undefined);
  assert.equal(find("bin", ".", "", inside, good), join(good, "tool"));
  // As a folder that is closed to the person does, a file in the way makes the system refuse to look.
  assert.equal(find(join(good, "tool", "bin"), good), join(good, "tool"));
  const closed = trustedPath({ path: join(good, "tool", "bin"), root: fixture.root });
  assert.equal(closed, "/usr/bin:/bin");
  const listed = { path: good, root: fixture.root, writable: [join(fixture.folder, "tools")] };
  assert.equal(trustedProgram("tool", listed), undefined, "where the person lets commands write");
  for (const [path, mode] of [
    [join(good, "tool"), 0o757],
    [good, 0o757],
    [join(fixture.folder, "tools"), 0o777],
  ] as const) {
    chmodSync(path, mode);
    assert.equal(find(good), undefined, path);
    chmodSync(path, 0o755);
  }
  symlinkSync(join(inside, "tool"), join(good, "linked"));
  assert.equal(
    trustedProgram("linked", { path: good, root: fixture.root }),
    undefined,
    "a link into the root",
  );
  symlinkSync(good, join(fixture.root, "way"));
  assert.equal(find(join(fixture.root, "way")), undefined, "a link in the root");
  assert.equal(find(good), join(good, "tool"));
});
