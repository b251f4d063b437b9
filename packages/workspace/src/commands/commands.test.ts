import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type CommandsFixture, noSandbox, openCommands } from "@stet/testkit/commands-fixture";

// The same in both places: where a command runs must not change what it does.
for (const inSandbox of [false, true]) {
  const where = inSandbox ? "in the sandbox" : "outside the sandbox";
  const skip = inSandbox && noSandbox();

  test(`${where}: folder, variables and functions stay from command to command`, { skip }, async (t) => {
    const fixture = openCommands(t, { inSandbox, files: { "root/sub/x": "" } });
    await fixture.run(
      "cd sub; x='a b'; f() { echo \"f $1\"; }; export y=2; declare -A map=([k]=v); shopt -s nullglob",
    );
    const { output, folder, exitCode } = await fixture.run(
      'pwd; echo "$x"; f 1; env | grep ^y=; echo *.none; declare -p map',
    );
    assert.equal(output.text, `${fixture.root}/sub\na b\nf 1\ny=2\n\ndeclare -A map=([k]="v" )\n`);
    assert.deepEqual([folder, exitCode], [join(fixture.root, "sub"), 0]);
  });

  test(`${where}: stdout and stderr come in order, and the exit code is the command's`, {
    skip,
  }, async (t) => {
    const fixture = openCommands(t, { inSandbox });
    const { output, exitCode } = await fixture.run(
      "echo 1; echo 2 >&2; echo 3 >/dev/stdout; echo 4 >/dev/stderr; exit_code() { return 42; }; exit_code",
    );
    assert.deepEqual([output.text, exitCode], ["1\n2\n3\n4\n", 42]);
  });

  test(`${where}: no command confuses the one after it`, { skip }, async (t) => {
    const fixture = openCommands(t, { inSandbox });
    const cases: readonly [command: string, exitCode: number, shellEnds: boolean, output: RegExp][] = [
      ["exit 3", 3, true, /^$/],
      ["(exit 4)", 4, false, /^$/],
      ["exec true", 0, true, /^$/],
      ["exec sh -c 'echo new; exit 5'", 5, true, /^new\n$/],
      ["exec 1>&2 >/dev/null; echo lost", 0, false, /^$/],
      ["exec </dev/null >&- 2>&-", 0, false, /^$/],
      ["if true; then", 2, false, /unexpected end of file/],
      ["echo 'unbalanced", 2, false, /unexpected EOF/],
      ['echo "unbalanced', 2, false, /unexpected EOF/],
      ["echo $(unbalanced", 2, false, /unexpected EOF/],
      ["echo )", 2, false, /syntax error/],
      ["}", 2, false, /syntax error/],
      ["fi; echo x", 2, false, /syntax error/],
      ["cat <<END\nhere\nEND", 0, false, /^here\n$/],
      ["cat <<END\nno end", 0, false, /no end/],
      ["cat <<'A' - <<B\n$x\nA\nsecond\nB", 0, false, /second/],
      ["break; echo not reached", 0, false, /^$/],
      ["continue; echo not reached", 0, false, /^$/],
      ["continue 2; echo not reached", 0, false, /^$/],
      ["break 99; echo not reached", 0, true, /^$/],
      ["return; true", 0, false, /can only/],
      ["TMOUT=1; true", 0, false, /^$/],
      ["set -e; true", 0, false, /^$/],
      ["set -e; false; echo not reached", 1, true, /^$/],
      ["set -u; echo $no_such_variable", 127, true, /unbound/],
      ["set -x; true", 0, false, /\+ true/],
      ["set -v; true", 0, false, /^$/],
      ["set -o posix; true", 0, false, /^$/],
      ["trap 'echo bye' EXIT; trap 'echo debug' DEBUG; trap 'echo err' ERR; false", 1, false, /debug/],
      ["exit 0", 0, true, /bye/],
      ["trap '' TERM INT HUP; true", 0, false, /^$/],
      ['for fd in {3..255}; do eval "exec $fd>&-"; done 2>/dev/null', 97, true, /^$/],
      ["IFS=abc; PATH=/nowhere; unset PWD HOME; PS1=x; true", 0, false, /^$/],
      ["exit 0", 0, true, /^$/],
      [
        "read() { :; }; printf() { :; }; cd() { :; }; eval() { :; }; set() { :; }; exit() { :; }; true",
        0,
        false,
        /^$/,
      ],
      ["unset -f read printf cd eval set exit; true", 0, false, /^$/],
      ["kill 0", 143, true, /^$/],
      ["kill -9 $$", 137, true, /^$/],
      ["sleep 0.01 & disown; true", 0, false, /^$/],
      ["cat", 0, false, /^$/],
      ['read line; echo "<$line>"', 0, false, /^<>\n$/],
      ["echo a # comment", 0, false, /^a\n$/],
      ["echo line \\", 0, false, /^line/],
      ["alias ll='echo aliased'; shopt -s expand_aliases; true", 0, false, /^$/],
      ["ulimit -n 64; true", 0, false, /^$/],
    ];
    for (const [command, exitCode, shellEnds, output] of cases) {
      const end = await fixture.run(command, { timeoutSeconds: 10 });
      assert.deepEqual(
        [end.exitCode, end.shellEnded],
        [exitCode, shellEnds],
        `${command}: ${end.output.text}`,
      );
      assert.match(end.output.text, output, command);
      const next = await fixture.run("echo fine");
      assert.deepEqual([next.output.text, next.exitCode], ["fine\n", 0], `after ${command}`);
    }
  });

  test(`${where}: a folder given for one command is for that command`, { skip }, async (t) => {
    const fixture = openCommands(t, { inSandbox, files: { "root/sub/x": "", "root/other/x": "" } });
    await fixture.run("cd other");
    const inside = await fixture.run("pwd; cd /usr", { cwd: "sub" });
    assert.equal(inside.output.text, `${fixture.root}/sub\n`);
    assert.equal((await fixture.run("pwd")).output.text, `${fixture.root}/other\n`);
    for (const cwd of ["..", "/etc", "missing", "sub/x", ".git", ""]) {
      const { error } = await fixture.refused("pwd", { cwd });
      assert.match(error, /^(path_outside|file_not_found|invalid_path|protected_path)$/, cwd);
    }
  });

  test(`${where}: variables given for one command are for that command`, { skip }, async (t) => {
    const fixture = openCommands(t, { inSandbox });
    await fixture.run("export kept=1");
    const env = { one: "a 'b'\n$HOME", kept: "2" };
    const { output } = await fixture.run('echo "$one"; bash -c \'echo "$one $kept"\'', { env });
    assert.equal(output.text, "a 'b'\n$HOME\na 'b'\n$HOME 2\n");
    assert.equal((await fixture.run('echo "[$one]$kept"')).output.text, "[]1\n");
    assert.equal((await fixture.refused("true", { env: { "a=b; id": "x" } })).error, "invalid_arguments");
  });

  test(`${where}: a folder that was removed is left for the root`, { skip }, async (t) => {
    const fixture = openCommands(t, { inSandbox, files: { "root/gone/x": "" } });
    await fixture.run("cd gone");
    rmSync(join(fixture.root, "gone"), { recursive: true });
    const { folderWasGone, folder, output } = await fixture.run("pwd");
    assert.deepEqual([folderWasGone, folder, output.text], [true, fixture.root, `${fixture.root}\n`]);
  });

  test(`${where}: two commands at once do not mix`, { skip }, async (t) => {
    const fixture = openCommands(t, { inSandbox });
    await fixture.run("x=1");
    const [first, second] = await Promise.all([
      fixture.run("sleep 0.2; echo first $x"),
      fixture.run("echo second $x"),
    ]);
    assert.equal(first.output.text, "first 1\n");
    assert.equal(second.output.text, "second\n", "in a shell of its own");
    assert.equal((await fixture.run("echo $x")).output.text, "1\n");
  });

  test(`${where}: a command that is left to itself takes its shell along`, { skip }, async (t) => {
    const fixture = openCommands(t, { inSandbox, files: { "root/sub/x": "" } });
    await fixture.run("x=1; cd sub");
    const request = {
      command: "sleep 0.3; echo $x; cd /",
      timeoutSeconds: 9,
      isSandboxed: inSandbox,
      network: false,
    };
    const running = fixture.commands.start(request);
    await fixture.run("true", { hasOwnShell: true });
    running.leave();
    assert.equal((await fixture.run("echo [$x]; pwd")).output.text, `[]\n${fixture.root}/sub\n`);
    const end = await running.ended;
    assert.ok("output" in end && end.output.text === "1\n");
    assert.equal(fixture.commands.folder, join(fixture.root, "sub"));
  });

  test(`${where}: a program that wants a terminal gets one of a known size`, { skip }, async (t) => {
    const fixture = openCommands(t, { inSandbox, files: { "root/sub/x": "" } });
    const terminal = { columns: 100, rows: 30 };
    const { output, exitCode } = await fixture.run(
      "tty >/dev/null && stty size; echo $a; pwd; printf '\\033[31mred\\n'; exit 7",
      {
        terminal,
        cwd: "sub",
        env: { a: "b" },
      },
    );
    assert.deepEqual([output.text, exitCode], [`30 100\nb\n${fixture.root}/sub\nred\n`, 7]);
    const clamped = await fixture.run("stty size", { terminal: { columns: 9999, rows: 1 } });
    assert.equal(clamped.output.text, "5 400\n");
  });

  test(`${where}: a long output is told by its end, and is whole on disk`, { skip }, async (t) => {
    const fixture = openCommands(t, { inSandbox });
    const { output } = await fixture.run("seq 1 100000");
    assert.ok(output.text.endsWith("\n99999\n100000\n"));
    assert.equal(output.totalLines, 100_000);
    const whole = readFileSync(output.spill?.path ?? "", "utf8");
    assert.equal(whole.length, output.totalBytes);
    assert.ok(whole.startsWith("1\n2\n3\n"));
    await fixture.commands.close();
    assert.throws(() => readFileSync(output.spill?.path ?? ""), "and gone with the commands");
  });

  test(`${where}: a command of many kilobytes, with every character, arrives as it is`, {
    skip,
  }, async (t) => {
    const fixture = openCommands(t, { inSandbox });
    const text = `${"line with 'quotes', \"more\", $dollars, \\ and `ticks`\t🙂 é\n".repeat(2000)}`;
    const { output } = await fixture.run(`cat <<'END' | cksum\n${text}END`);
    const direct = await fixture.run("cksum", { env: { x: "" } });
    assert.notEqual(output.text, direct.output.text);
    assert.match(output.text, new RegExp(` ${Buffer.byteLength(text)}\n$`));
  });
}

test("what cannot be a command is refused before anything is started", async (t) => {
  const fixture = openCommands(t, { inSandbox: false });
  assert.equal((await fixture.refused("  \n")).error, "invalid_arguments");
  assert.equal((await fixture.refused("echo \0")).error, "invalid_arguments");
  assert.equal((await fixture.refused("x".repeat(300_000))).error, "too_large");
});

test("without bash commands run in sh, and state is kept all the same", async (t) => {
  const fixture: CommandsFixture = openCommands(t, { inSandbox: false, environment: { PATH: "/nowhere" } });
  mkdirSync(join(fixture.root, "sub"));
  assert.equal((await fixture.run("cd sub; x=1; echo $BASH_VERSION")).output.text, "\n");
  assert.equal((await fixture.run("echo $x; pwd; exit 3")).exitCode, 3);
  assert.equal((await fixture.run("echo [$x]; pwd")).output.text, `[]\n${fixture.root}/sub\n`);
  assert.equal((await fixture.run("echo 'x")).exitCode, 2);
  assert.equal((await fixture.run("echo fine $a", { env: { a: "b" } })).output.text, "fine b\n");
});
