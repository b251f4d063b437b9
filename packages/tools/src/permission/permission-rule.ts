// What a rule and a request for permission are. Judging is in judge.ts.

export type PermissionEffect = "allow" | "ask" | "deny";

export interface PermissionRule {
  /** A tool's name, or `*`. */
  readonly tool: string;
  /** What the tool works on: a glob of paths, a command with `*` for any words, an address with `*`; `*` is everything. */
  readonly target: string;
  readonly effect: PermissionEffect;
}

/** What a call would do. */
export type PermissionTarget =
  | { readonly kind: "path"; readonly path: string; readonly access: "read" | "write" }
  | PageTarget
  | SendTarget
  | ({ readonly kind: "command" } & CommandTarget);

export interface PageTarget {
  readonly kind: "url";
  readonly url: string;
  /** The addresses that "always" would allow, with `*`. Default: all of its host. */
  readonly scope?: string | undefined;
  /** Why it needs permission, as the end of a sentence. */
  readonly why?: string | undefined;
}

/** Something that is written elsewhere, in the person's name. */
export interface SendTarget {
  readonly kind: "send";
  /** What a rule calls it: one word, such as comment. */
  readonly action: string;
  /** For people: "a comment". */
  readonly what: string;
  /** Where it would appear. */
  readonly url: string;
  /** Exactly what would be sent. */
  readonly content: string;
}

export interface CommandTarget {
  /** Everything that will be carried out, with the variables that were asked for. */
  readonly command: string;
  /** Where it would run, relative to the root; absolute where that is elsewhere. */
  readonly folder: string;
  /** Whether it asks for the network. */
  readonly network: boolean;
  /** Whether it says of itself that it writes, though it may look as if it only read. */
  readonly writes?: boolean | undefined;
}

/** How a command that is allowed has to run. */
export interface CommandPermit {
  readonly isSandboxed: boolean;
  readonly network: boolean;
  /** Whether nothing in it changes anything, as far as is known: in the sandbox it then cannot write in the root. */
  readonly isReadOnly: boolean;
}

export interface PermissionRequest {
  readonly tool: string;
  readonly targets: readonly PermissionTarget[];
}
