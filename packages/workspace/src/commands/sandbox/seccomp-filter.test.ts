// The filter of each architecture, run by an interpreter of the kernel's BPF: no machine has both.

import assert from "node:assert/strict";
import { test } from "node:test";
import { seccompFilter } from "./seccomp-filter.ts";

const actions: Readonly<Record<number, string>> = {
  2147418112: "allowed",
  2147483648: "killed",
  327681: "refused",
  327718: "missing",
  327777: "no such family",
};

/** What the kernel answers to a call: its architecture, its number, its arguments. */
function answer(filter: Buffer, architecture: number, number: number, ...words: number[]): string {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number, 0);
  data.writeUInt32LE(architecture, 4);
  for (const [index, word] of words.entries()) data.writeUInt32LE(word, 16 + 8 * index);
  let loaded = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const value = filter.readUInt32LE(at + 4);
    const code = filter.readUInt16LE(at);
    if (code === 0x06) return actions[value] ?? `unknown: ${value}`;
    if (code === 0x20) loaded = data.readUInt32LE(value);
    else {
      const tests: Readonly<Record<number, boolean>> = {
        21: loaded === value,
        53: loaded >= value,
        69: (loaded & value) !== 0,
      };
      assert.ok(code in tests, `an unknown instruction: ${code}`);
      at += 8 * filter.readUInt8(at + (tests[code] ? 2 : 3));
    }
  }
  return "ran over its end";
}

const numbers = {
  x64: {
    audit: 0xc000003e,
    mount: 165,
    clone: 56,
    unshare: 272,
    ioctl: 16,
    socket: 41,
    personality: 135,
    read: 0,
    ptrace: 101,
  },
  arm64: {
    audit: 0xc00000b7,
    mount: 40,
    clone: 220,
    unshare: 97,
    ioctl: 29,
    socket: 198,
    personality: 92,
    read: 63,
    ptrace: 117,
  },
};

for (const [name, call] of Object.entries(numbers)) {
  test(`on ${name} what only a system needs is refused, and the rest goes on`, () => {
    const filter = seccompFilter(name);
    assert.ok(filter);
    const ask = (number: number, ...words: number[]) => answer(filter, call.audit, number, ...words);
    assert.deepEqual([ask(call.read), ask(call.ptrace), ask(call.mount)], ["allowed", "allowed", "refused"]);
    assert.deepEqual([ask(435), ask(425)], ["missing", "missing"]);
    // A thread, a fork, a namespace of users.
    assert.deepEqual(
      [ask(call.clone, 0x3d0f00), ask(call.clone, 17), ask(call.clone, 0x10000011)],
      ["allowed", "allowed", "refused"],
    );
    assert.deepEqual(
      [ask(call.unshare, 0x400), ask(call.unshare, 0x10000000), ask(call.unshare, 0x80)],
      ["allowed", "refused", "refused"],
    );
    assert.deepEqual([ask(call.ioctl, 0, 0x5401), ask(call.ioctl, 0, 0x5412)], ["allowed", "refused"]);
    assert.deepEqual(
      [ask(call.socket, 1), ask(call.socket, 2), ask(call.socket, 40)],
      ["allowed", "allowed", "no such family"],
    );
    assert.deepEqual([ask(call.personality, 0), ask(call.personality, 7)], ["allowed", "refused"]);
    assert.equal(answer(filter, 0x40000003, call.read), "killed", "32 bits");
  });
}

test("calls of x32 are killed, and an architecture that is not known has no filter", () => {
  const filter = seccompFilter("x64");
  assert.ok(filter);
  assert.equal(answer(filter, numbers.x64.audit, 0x40000000), "killed");
  assert.equal(seccompFilter("riscv64"), undefined);
});
