// How long a backtracking engine may need for a pattern, from the pattern alone.
//
// For a text of n characters each part of a pattern has
//
//   ways      in how many ways it may match from one offset; what follows is tried once for each of them
//   cost      how many steps all of that takes at most
//   longest   how many characters it may match
//
// One after the other, ways multiply: `a*b*` has n × n. A repeated group with several ways has them to the power of
// its repetitions, which is no number to wait for: `(a+)+`, `(a|aa)*`. A look-around has one way, since engines do
// not go back into it. The estimate is an upper bound and pessimistic; patterns that the linear engine can run
// (see pattern.ts) never come here.

export interface PatternShape {
  readonly groupCount: number;
  /** The number of each named group, counted from 1. */
  readonly groupNames: Readonly<Record<string, number>>;
  /** Steps for a text of this many characters, tried from each of its offsets. */
  steps(length: number): number;
  /** The first repetition whose ways are out of all proportion for such a text, as it is written. */
  explosivePart(length: number): string | undefined;
}

interface Work {
  readonly ways: number;
  readonly cost: number;
  readonly longest: number;
}

type Node =
  | { readonly kind: "character" | "assertion" }
  | { readonly kind: "reference"; readonly group: string }
  | { readonly kind: "sequence" | "alternatives"; readonly nodes: readonly Node[] }
  | { readonly kind: "look"; readonly node: Node }
  | { readonly kind: "group"; readonly node: Node; readonly names: readonly string[] }
  | {
      readonly kind: "repeat";
      readonly node: Node;
      readonly min: number;
      readonly max: number;
      readonly source: string;
    };

/** More ways than this from one offset count as an explosion. */
const maxWays = 1e12;

/** The pattern must be valid with the flag "u". */
export function patternShape(pattern: string): PatternShape {
  const reader = new Reader(pattern);
  const root = reader.alternatives();
  const evaluate = (length: number) => {
    const exploded: string[] = [];
    const groups = new Map<string, number>();
    return { work: workOf(root, length, groups, exploded), exploded };
  };
  return {
    groupCount: reader.groupCount,
    groupNames: reader.groupNames,
    steps: (length) => length * evaluate(length).work.cost,
    explosivePart: (length) => evaluate(length).exploded[0],
  };
}

function workOf(node: Node, length: number, groups: Map<string, number>, exploded: string[]): Work {
  const inner = (child: Node) => workOf(child, length, groups, exploded);
  switch (node.kind) {
    case "character":
      return { ways: 1, cost: 1, longest: 1 };
    case "assertion":
      return { ways: 1, cost: 1, longest: 0 };
    case "reference": {
      const longest = groups.get(node.group) ?? length;
      return { ways: 1, cost: 1 + longest, longest };
    }
    case "sequence":
      return node.nodes.map(inner).reduce(
        (all, next) => ({
          ways: all.ways * next.ways,
          cost: all.cost + all.ways * next.cost,
          longest: Math.min(length, all.longest + next.longest),
        }),
        { ways: 1, cost: 0, longest: 0 },
      );
    case "alternatives":
      return node.nodes.map(inner).reduce((all, next) => ({
        ways: all.ways + next.ways,
        cost: all.cost + next.cost,
        longest: Math.max(all.longest, next.longest),
      }));
    case "look":
      return { ways: 1, cost: inner(node.node).cost, longest: 0 };
    case "group": {
      const work = inner(node.node);
      for (const name of node.names) groups.set(name, work.longest);
      return work;
    }
    case "repeat": {
      const once = inner(node.node);
      const most = Math.min(node.max, Math.max(node.min, length));
      const least = Math.min(node.min, most);
      const ways = once.ways === 1 ? most - least + 1 : once.ways ** most * 2;
      if (ways > maxWays) exploded.push(node.source);
      const cost = once.ways === 1 ? (most + 1) * once.cost : ways * once.cost;
      return { ways, cost, longest: Math.min(length, most * once.longest) };
    }
  }
}

/** Reads a valid pattern, as far as its cost goes. */
class Reader {
  readonly #pattern: string;
  #position = 0;
  groupCount = 0;
  readonly groupNames: Record<string, number> = {};

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  /** The rest of the pattern, up to its end or an unopened ")". */
  alternatives(): Node {
    const nodes: Node[] = [this.#sequence()];
    while (this.#read(/\|/y) !== undefined) nodes.push(this.#sequence());
    const [only] = nodes;
    return only !== undefined && nodes.length === 1 ? only : { kind: "alternatives", nodes };
  }

  #sequence(): Node {
    const nodes: Node[] = [];
    while (this.#position < this.#pattern.length && !/[|)]/.test(this.#pattern[this.#position] ?? "")) {
      nodes.push(this.#repeated());
    }
    return { kind: "sequence", nodes };
  }

  #repeated(): Node {
    const start = this.#position;
    const node = this.#single();
    const quantifier = this.#read(/(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/y);
    if (quantifier === undefined) return node;
    const [written = "", count, comma, most] = quantifier;
    const source = this.#pattern.slice(start, this.#position);
    if (written.startsWith("?")) return { kind: "repeat", node, min: 0, max: 1, source };
    if (count === undefined) {
      return {
        kind: "repeat",
        node,
        min: written.startsWith("+") ? 1 : 0,
        max: Number.POSITIVE_INFINITY,
        source,
      };
    }
    const min = Number(count);
    const max = comma === "" ? min : most === "" ? Number.POSITIVE_INFINITY : Number(most);
    return { kind: "repeat", node, min, max, source };
  }

  #single(): Node {
    if (this.#read(/\[(?:\\.|[^\]\\])*\]/suy) !== undefined) return { kind: "character" };
    if (this.#read(/[$^]|\\[bB]/y) !== undefined) return { kind: "assertion" };
    const reference = this.#read(/\\([1-9]\d*)|\\k<([^>]*)>/y);
    if (reference !== undefined) return { kind: "reference", group: reference[1] ?? reference[2] ?? "" };
    if (this.#read(/\\[pPu]\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\c[a-z]|\\./isuy) !== undefined) {
      return { kind: "character" };
    }
    if (this.#read(/\(\?<?[=!]/y) !== undefined) return { kind: "look", node: this.#body() };
    if (this.#read(/\(\?[a-z-]*:/y) !== undefined) return { kind: "group", node: this.#body(), names: [] };
    const capture = this.#read(/\((?:\?<([^>]*)>)?/y);
    if (capture !== undefined) {
      this.groupCount += 1;
      const names = [String(this.groupCount)];
      if (capture[1] !== undefined) {
        names.push(capture[1]);
        this.groupNames[capture[1]] = this.groupCount;
      }
      return { kind: "group", node: this.#body(), names };
    }
    this.#read(/./suy);
    return { kind: "character" };
  }

  #body(): Node {
    const node = this.alternatives();
    this.#read(/\)/y);
    return node;
  }

  #read(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#position;
    const found = expression.exec(this.#pattern) ?? undefined;
    if (found !== undefined) this.#position += found[0].length;
    return found;
  }
}
