// The system's keychain: macOS Keychain, Windows Credential Manager, the Secret Service of a Linux desktop.
//
// It may be absent (a server without a desktop), locked, or waiting for a person at a prompt. Its calls block a thread that
// nothing can stop, and a process that ends would wait for that thread; so they are made in a small process of their own, which
// is killed when its time is over. The key passes through its pipes, never through its arguments.
// The kernel's key ring, which forgets everything at the next start, does not count as a keychain. `STET_KEYCHAIN=off` leaves the
// keychain alone.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { isRecord } from "@stet/protocol/json-record";

export interface Keychain {
  /** Undefined where it is kept; else why not, as the end of a sentence. */
  put(id: string, secret: string): Promise<string | undefined>;
  get(id: string): Promise<KeychainValue>;
  remove(id: string): Promise<void>;
}

export type KeychainValue =
  | { readonly kind: "secret"; readonly secret: string }
  | { readonly kind: "missing" }
  | { readonly kind: "locked"; readonly reason: string };

const service = "stet";
/** A key that cannot be kept here within this time goes to a file. */
const putMilliseconds = 800;
/** A person may have to unlock it first. */
const getMilliseconds = 20_000;

export function systemKeychain(environment: NodeJS.ProcessEnv): Keychain {
  const setting = environment.STET_KEYCHAIN ?? process.env.STET_KEYCHAIN;
  return setting === "off" ? absentKeychain : new SystemKeychain();
}

const off = "STET_KEYCHAIN is off";

const absentKeychain: Keychain = {
  put: async () => off,
  get: async () => ({ kind: "locked", reason: off }),
  remove: async () => undefined,
};

class SystemKeychain implements Keychain {
  async put(id: string, secret: string): Promise<string | undefined> {
    // Some services accept a secret and give back another one, or none: the call reads it again.
    const answer = await call("put", id, secret, putMilliseconds);
    if (answer.kind === "failed") return answer.reason;
    return answer.value === secret ? undefined : "the system's keychain did not keep it";
  }

  async get(id: string): Promise<KeychainValue> {
    const answer = await call("get", id, "", getMilliseconds);
    if (answer.kind === "failed") return { kind: "locked", reason: answer.reason };
    return answer.value === null ? { kind: "missing" } : { kind: "secret", secret: answer.value };
  }

  async remove(id: string): Promise<void> {
    await call("remove", id, "", putMilliseconds);
  }
}

type Answer =
  | { readonly kind: "value"; readonly value: string | null }
  | { readonly kind: "failed"; readonly reason: string };

/** What the small process runs. */
const program = `
const { createRequire } = process.getBuiltinModule("node:module");
const { readFileSync, writeSync } = process.getBuiltinModule("node:fs");
const [library, service, action, id] = process.argv.slice(1);
const say = (answer) => writeSync(1, JSON.stringify(answer));
try {
  const { Entry } = createRequire(library)(library);
  const entry = new Entry(service, id, { linux: { store: "secret-service" } });
  if (action === "put") entry.setPassword(readFileSync(0, "utf8"));
  if (action === "remove") entry.deleteCredential();
  say({ value: action === "remove" ? null : entry.getPassword() });
} catch (error) {
  say({ reason: String(error.message ?? error) });
}
`;

function call(action: "put" | "get" | "remove", id: string, input: string, limit: number): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const fail = (reason: string) => resolve({ kind: "failed", reason });
  let library: string;
  try {
    library = fileURLToPath(import.meta.resolve("@napi-rs/keyring"));
  } catch {
    fail("the package that opens the system's keychain is not installed");
    return promise;
  }
  const child = spawn(process.execPath, ["-e", program, "--", library, service, action, id], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const timer = setTimeout(() => {
    child.kill("SIGKILL");
    fail("the system's keychain does not answer; it may be locked");
  }, limit);
  const said: Buffer[] = [];
  child.stdout.on("data", (piece: Buffer) => said.push(piece));
  child.on("error", () => fail("the system's keychain could not be opened"));
  // A process that ended already has nobody who reads.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  child.on("close", () => {
    clearTimeout(timer);
    resolve(answerIn(Buffer.concat(said).toString("utf8")));
  });
  return promise;
}

function answerIn(text: string): Answer {
  try {
    const answer: unknown = JSON.parse(text);
    if (isRecord(answer) && (typeof answer.value === "string" || answer.value === null))
      return { kind: "value", value: answer.value };
    if (isRecord(answer) && typeof answer.reason === "string")
      return { kind: "failed", reason: reasonOf(answer.reason) };
  } catch {
    // It broke off.
  }
  return { kind: "failed", reason: "the system's keychain could not be opened" };
}

function reasonOf(text: string): string {
  if (/locked|dismissed|prompt|cancel/i.test(text)) return "the system's keychain is locked";
  return "this system has no keychain that can be used";
}
