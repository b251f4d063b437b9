// Ways out of the sandbox, each tried for real: one line for each. A probe prints `out` if it gets what it must not.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { release } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { noSandbox, openCommands } from "@stet/testkit/commands-fixture";
import { temporaryFolder } from "@stet/testkit/temporary";
import { findSandbox } from "./sandbox.ts";

const skip = noSandbox();

interface Probe {
  readonly name: string;
  readonly command: string;
  /** A program without which it cannot be tried. */
  readonly needs?: string;
}

/** A system call by its number (x64, arm64); the probe is out unless the kernel refuses with EPERM, ENOSYS or the like. */
const call = (name: string, x64: number, arm64: number, ...words: (number | string)[]): Probe => ({
  name: `the system call ${name}`,
  needs: "perl",
  command: `perl -e '$n = ${process.arch === "arm64" ? arm64 : x64}; $r = syscall($n${words.map((word) => `, ${word}`).join("")}); $e = $! + 0; print "out $r $e" unless $r == -1 && ($e == 1 || $e == 38 || $e == 97)'`,
});

const probes: readonly Probe[] = [
  // Files.
  { name: "a file of the disk's top", command: "touch /out-file 2>/dev/null && echo out" },
  { name: "a file in /etc", command: "echo x >> /etc/hosts && echo out" },
  { name: "a file in /usr", command: "touch /usr/out && echo out" },
  { name: "passwords of the machine", command: "test -s /etc/shadow && cat /etc/shadow && echo out" },
  { name: "other homes", command: "ls /home/*/ /root/.ssh /Users 2>/dev/null | grep . && echo out" },
  { name: "logs and mail", command: "ls /var/log /var/mail /var/spool 2>/dev/null | grep . && echo out" },
  { name: "mounted disks", command: "ls /mnt /media /srv /boot 2>/dev/null | grep . && echo out" },
  {
    name: "devices",
    command:
      "for d in sda vda nvme0n1 mem kmsg port kvm fuse loop0 dri; do test -e /dev/$d && echo out $d; done",
  },
  { name: "a device of one's own", command: "mknod disk b 8 0 && echo out" },
  { name: "settings of the kernel", command: "echo x > /proc/sys/kernel/hostname && echo out" },
  {
    name: "the pattern of core dumps",
    command: "echo '|/bin/x' > /proc/sys/kernel/core_pattern && echo out",
  },
  { name: "the magic key", command: "echo h > /proc/sysrq-trigger && echo out" },
  {
    name: "control groups",
    command:
      'd=$(find /sys/fs/cgroup -name cgroup.procs -writable | head -1); test -n "$d" && echo $$ > $d && echo out',
  },
  {
    name: "firmware",
    command: "find /sys/firmware /sys/kernel/debug -writable -type f 2>/dev/null | grep . && echo out",
  },
  // Rights.
  { name: "a remount", command: "mount -o remount,rw / && echo out" },
  { name: "a mount", command: "mount -t tmpfs none /mnt && echo out" },
  { name: "taking a mount away", command: "umount -l /proc/sys && echo out" },
  { name: "a namespace of users", command: "unshare -Ur true && echo out", needs: "unshare" },
  {
    name: "a namespace of mounts in one of users",
    command: "unshare -Urm true && echo out",
    needs: "unshare",
  },
  { name: "a sandbox in the sandbox", command: "bwrap --ro-bind / / true && echo out", needs: "bwrap" },
  {
    name: "the namespaces of another process",
    command: "nsenter -t 1 -a true && echo out",
    needs: "nsenter",
  },
  { name: "another root", command: "chroot / true && echo out" },
  { name: "capabilities", command: "grep -q 'CapEff:.*[1-9a-f]' /proc/self/status && echo out" },
  { name: "new privileges", command: "grep -q 'NoNewPrivs:.*0' /proc/self/status && echo out" },
  { name: "no filter", command: "grep -q 'Seccomp:.*0' /proc/self/status && echo out" },
  { name: "another user", command: "su nobody -s /bin/sh -c true 2>/dev/null </dev/null && echo out" },
  { name: "the priority", command: 'nice -n -5 sh -c "test $(nice) -lt $(nice) && echo out"' },
  // Processes.
  { name: "processes of the machine", command: "test $(ls /proc | grep -c '^[0-9]') -gt 30 && echo out" },
  {
    name: "the environment of the parent",
    command: "cat /proc/*/environ | tr '\\0' '\\n' | grep -q STET_PROBE_SECRET && echo out",
  },
  { name: "the memory of the first process", command: "head -c 1 /proc/1/mem && echo out" },
  {
    name: "shared memory of the machine",
    command: "ipcs -m 2>/dev/null | grep -q 0x && echo out",
    needs: "ipcs",
  },
  {
    name: "a signal to Stet",
    command: 'kill -0 $STET_PID 2>/dev/null && test "$(cat /proc/$STET_PID/comm)" = node && echo out',
  },
  {
    name: "descriptors of the one before",
    command:
      "ls -l /proc/self/fd > descriptors; grep -E ' ([3-9]|[0-9]{2,}) -> (socket|pipe|.*filter)' descriptors && echo out",
  },
  // Network and sockets.
  { name: "the network", command: "exec 3<>/dev/tcp/1.1.1.1/53 && echo out" },
  { name: "interfaces of the machine", command: "ls /sys/class/net | grep -v '^lo$' && echo out" },
  { name: "a socket of the machine in a folder that is there", command: "$CONNECT $ROOT_SOCKET" },
  { name: "a socket of the machine at home", command: "$CONNECT $HOME_SOCKET" },
  { name: "an abstract socket of the machine", command: "$CONNECT_ABSTRACT", needs: "perl" },
  {
    name: "the bus and the container engines",
    command:
      "ls /run/dbus /run/user /run/docker.sock /var/run/docker.sock /run/containerd 2>/dev/null | grep . && echo out",
  },
  // System calls.
  call("keyctl", 250, 219, 0, -3, 0, 0, 0),
  call("add_key", 248, 217, '"user"', '"a"', '"b"', 1, -3),
  call("request_key", 249, 218, '"user"', '"a"', 0, 0),
  call("bpf", 321, 280, 0, 0, 0),
  call("perf_event_open", 298, 241, 0, 0, -1, -1, 0),
  call("userfaultfd", 323, 282, 1),
  call("kexec_load", 246, 104, 0, 0, 0, 0),
  call("mount", 165, 40, '"a"', '"b"', '"c"', 0, 0),
  call("open_tree", 428, 428, -100, '"/"', 1),
  call("fsopen", 430, 430, '"tmpfs"', 0),
  call("move_mount", 429, 429, 0, 0, 0, 0, 0),
  call("pivot_root", 155, 41, '"."', '"."'),
  call("unshare for users", 272, 97, 0x10000000),
  call("unshare for the network", 272, 97, 0x40000000),
  call("setns", 308, 268, 0, 0),
  call("clone for users", 56, 220, 0x10000011, 0, 0, 0, 0),
  call("clone3", 435, 435, 0, 0),
  call("open_by_handle_at", 304, 265, 0, 0, 0),
  call("io_uring_setup", 425, 425, 1, 0),
  call("acct", 163, 89, 0),
  call("swapon", 167, 224, '"/x"', 0),
  call("reboot", 169, 142, 0, 0, 0, 0),
  call("init_module", 175, 105, 0, 0, 0),
  call("finit_module", 313, 273, 0, 0, 0),
  call("delete_module", 176, 106, 0, 0),
  call("syslog", 103, 116, 3, 0, 0),
  call("settimeofday", 164, 170, 0, 0),
  call("sethostname", 170, 161, '"x"', 1),
  call("quotactl", 179, 60, 0, 0, 0, 0),
  call("personality of another system", 135, 92, 0x0007),
  call("ioctl that types into a terminal", 16, 29, 0, 0x5412, '"x"'),
  call("ioctl that pastes into a console", 16, 29, 0, 0x541c, '"x"'),
  call("a socket of the hypervisor", 41, 198, 40, 1, 0),
  call("a socket of the kernel's cryptography", 41, 198, 38, 5, 0),
  call("a raw packet socket", 41, 198, 17, 3, 0),
  call("fanotify_init", 300, 262, 0, 0),
];

const connect = (target: string) =>
  `require("net").connect(${target}).on("data", () => console.log("out")).on("error", () => {})`;

test("none of the ways out of the sandbox that were thought of leads out", { skip }, async (t) => {
  const folder = temporaryFolder(t, { "home/.keep": "", "shown/.keep": "" });
  const abstractName = `stet-probe-${process.pid}`;
  const sockets = [join(folder, "home/s.sock"), join(folder, "shown/s.sock"), `\0${abstractName}`];
  for (const path of sockets) {
    const server = createServer((connection) => connection.on("error", () => {}).end("reached")).listen(path);
    t.after(() => server.close());
    await new Promise((resolve) => server.once("listening", resolve));
  }
  const home = join(folder, "home");
  const fixture = openCommands(t, {
    environment: { HOME: home, STET_PROBE_SECRET: "x" },
    // A folder that the person lists, with somebody's socket in it.
    access: { readable: [join(folder, "shown")] },
  });
  writeFileSync(join(fixture.root, "connect.cjs"), connect("process.argv[2]"));
  const socketAddress = 'pack("S", 1) . "\\0" . shift';
  const connecting = `socket(S, 1, 1, 0); print "out\\n" if connect(S, ${socketAddress})`;
  writeFileSync(join(fixture.root, "abstract.pl"), connecting);
  const env = {
    STET_PID: String(process.pid),
    CONNECT: "node connect.cjs",
    CONNECT_ABSTRACT: `perl abstract.pl ${abstractName}`,
    HOME_SOCKET: sockets[0] ?? "",
    ROOT_SOCKET: sockets[1] ?? "",
  };
  const usable = probes.filter(
    ({ needs }) => needs === undefined || fixture.commands.hosts.hasProgram(needs),
  );
  const left = probes.length - usable.length;
  if (left > 0) t.diagnostic(`${left} of ${probes.length} probes were not tried: a program is missing`);
  // Outside the same probes do get out, or they would prove nothing.
  const hasPerl = fixture.commands.hosts.hasProgram("perl");
  const outside = await fixture.run('node connect.cjs "$HOME_SOCKET"; perl abstract.pl "$NAME"', {
    isSandboxed: false,
    env: { ...env, NAME: abstractName },
  });
  assert.equal(outside.output.text, hasPerl ? "out\nout\n" : "out\n");
  const lines = usable.map(({ command }, index) => `( ${command} ) > answer-${index} 2>/dev/null </dev/null`);
  await fixture.run(lines.join("\n"), { env, timeoutSeconds: 60 });
  const ways = usable.filter((_, index) =>
    readFileSync(join(fixture.root, `answer-${index}`), "utf8").includes("out"),
  );
  assert.deepEqual(
    ways.map(({ name }) => name),
    [],
  );
  assert.equal(existsSync("/out-file"), false);
  // The network of the machine is also that of its abstract sockets: only Landlock keeps commands from them.
  const online = await fixture.run("$CONNECT_ABSTRACT; $CONNECT $HOME_SOCKET; $CONNECT $ROOT_SOCKET", {
    env,
    network: true,
  });
  const [major = 0, minor = 0] = release().split(".").map(Number);
  const { perl } = findSandbox({ path: process.env.PATH ?? "", root: fixture.root });
  const isScoped = perl !== undefined && (major > 6 || (major === 6 && minor >= 12));
  if (isScoped) assert.equal(online.output.text, "");
  else
    t.diagnostic(
      "with the network abstract sockets can be reached here: no Landlock, or a kernel before 6.12",
    );
});

test("in the sandbox a debugger, sockets of one's own, threads and child processes work", {
  skip,
}, async (t) => {
  const fixture = openCommands(t);
  mkdirSync(join(fixture.root, "s"));
  const own =
    'const s = require("net").createServer((c) => c.end("served")).listen(process.argv[1], () => require("net").connect(process.argv[1]).on("data", (d) => { console.log(String(d)); s.close(); }))';
  for (const path of ["/tmp/own.sock", "s/own.sock", "$HOME/own.sock"]) {
    assert.equal((await fixture.run(`node -e '${own}' "${path}"`)).output.text, "served\n", path);
  }
  const worker =
    'new (require("worker_threads").Worker)("console.log(require(\\"child_process\\").execSync(\\"echo child\\") + \\"\\")", { eval: true })';
  assert.match((await fixture.run(`node -e '${worker}'`)).output.text, /child/);
  if (spawnSync("strace", ["-V"]).status === 0) {
    assert.match(
      (await fixture.run("strace -e trace=openat true 2>&1 | tail -1")).output.text,
      /exited with 0/,
    );
  }
});
