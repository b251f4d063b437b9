// Arithmetic expressions.
//
//   sum      product (("+" | "-") product)*
//   product  unary (("*" | "/" | "%") unary)*
//   unary    ("+" | "-")* power
//   power    atom ("**" unary)?            right-associative: 2 ** 3 ** 2 is 2 ** 9
//   atom     number | "(" sum ")"
//   number   decimal with fraction and exponent, .5, 0x…, 0b…, 0o…
//
// The first problem stands, whatever comes of the rest. A result that is not a finite number is refused.

import { Fault } from "@stet/protocol/fault";

const maxLength = 10_000;
const maxDepth = 200;
const token =
  /\s*(?:(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|\*\*|[-+*/%()])/y;

const operators: readonly Readonly<Record<string, (one: number, other: number) => number>>[] = [
  { "+": (one, other) => one + other, "-": (one, other) => one - other },
  {
    "*": (one, other) => one * other,
    "/": (one, other) => one / other,
    "%": (one, other) => one % other,
  },
];

export function evaluate(expression: string): number | Fault {
  if (expression.length > maxLength) return refuse(`More than ${maxLength} characters`);
  const tokens = tokensOf(expression);
  if (typeof tokens === "string") return refuse(tokens);
  if (tokens.length === 0) return refuse("Expression is empty");
  const reader = new Reader(tokens);
  const value = reader.operation(0, 0);
  const problem = reader.problem ?? (reader.isAtEnd ? undefined : "Unexpected token in expression");
  if (problem !== undefined) return refuse(problem);
  if (!Number.isFinite(value)) return refuse("Expression result is not a finite number");
  return value === 0 ? 0 : value;
}

/** Numbers and marks, or what is wrong. */
function tokensOf(expression: string): (string | number)[] | string {
  const tokens: (string | number)[] = [];
  const source = expression.trimEnd();
  for (let at = 0; at < source.length; at = token.lastIndex) {
    token.lastIndex = at;
    const [text, number] = token.exec(source) ?? [];
    if (text === undefined)
      return `Invalid character ${JSON.stringify(source.slice(at).trim()[0])} in expression`;
    const next = source[token.lastIndex] ?? "";
    // 0x, 1e, 12abc: a number that goes on as something else.
    if (number !== undefined && /[\w.]/.test(next))
      return `Invalid number at ${JSON.stringify(number + next)}`;
    tokens.push(number === undefined ? text.trim() : Number(number));
  }
  return tokens;
}

class Reader {
  problem: string | undefined;
  readonly #tokens: readonly (string | number)[];
  #at = 0;

  constructor(tokens: readonly (string | number)[]) {
    this.#tokens = tokens;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  #take(marks: readonly string[]): string | undefined {
    const next = this.#tokens[this.#at];
    if (typeof next !== "string" || !marks.includes(next) || this.problem !== undefined) return undefined;
    this.#at += 1;
    return next;
  }

  #fail(problem: string): number {
    this.problem ??= problem;
    return Number.NaN;
  }

  operation(level: number, depth: number): number {
    const known = operators[level];
    if (known === undefined) return this.#unary(depth);
    let value = this.operation(level + 1, depth);
    const marks = Object.keys(known);
    for (let mark = this.#take(marks); mark !== undefined; mark = this.#take(marks)) {
      value = known[mark]?.(value, this.operation(level + 1, depth)) ?? value;
    }
    return value;
  }

  #unary(depth: number): number {
    let isNegative = false;
    for (let sign = this.#take(["+", "-"]); sign !== undefined; sign = this.#take(["+", "-"])) {
      if (sign === "-") isNegative = !isNegative;
    }
    if (depth > maxDepth) return this.#fail("Nested too deeply");
    const base = this.#atom(depth);
    const value = this.#take(["**"]) === undefined ? base : base ** this.#unary(depth + 1);
    return isNegative ? -value : value;
  }

  #atom(depth: number): number {
    const next = this.#tokens[this.#at];
    if (next === undefined) return this.#fail("Unexpected end of expression");
    this.#at += 1;
    if (typeof next === "number") return next;
    if (next !== "(") return this.#fail("Unexpected token in expression");
    const value = this.operation(0, depth + 1);
    return this.#take([")"]) === undefined ? this.#fail("Missing closing parenthesis") : value;
  }
}

function refuse(message: string): Fault {
  return new Fault(
    "invalid_arguments",
    message,
    "Use numbers, + - * / % ** and parentheses only; no functions, names or units.",
  );
}
