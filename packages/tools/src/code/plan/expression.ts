// Arithmetic expressions.
//
//   sum      product (("+" | "-") product)*
//   product  unary (("*" | "/" | "%") unary)*
//   unary    ("+" | "-")* power
//   power    atom ("**" unary)?            right-associative: 2 ** 3 ** 2 is 2 ** 9
//   atom     number | "(" sum ")"
//   number   decimal with fraction and exponent, .5, 0x…, 0b…, 0o…
//
// A result that is not a finite number is refused.

import { Fault, isFault } from "@stet/protocol/fault";

type Token =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "mark"; readonly mark: string };

const maxLength = 10_000;
const maxDepth = 200;

export function evaluate(expression: string): number | Fault {
  if (expression.length > maxLength) return refuse(`More than ${maxLength} characters`);
  const tokens = tokensOf(expression);
  if (isFault(tokens)) return tokens;
  if (tokens.length === 0) return refuse("Expression is empty");
  const reader = new Reader(tokens);
  const value = reader.sum(0);
  if (isFault(value)) return value;
  if (!reader.isAtEnd) return refuse("Unexpected token in expression");
  if (!Number.isFinite(value)) return refuse("Expression result is not a finite number");
  return value === 0 ? 0 : value;
}

const numberPattern = /0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const markPattern = /\*\*|[-+*/%()]/y;

function tokensOf(expression: string): Token[] | Fault {
  const tokens: Token[] = [];
  for (let at = 0; at < expression.length; ) {
    if (/\s/.test(expression[at] ?? "")) {
      at += 1;
      continue;
    }
    const number = matchAt(numberPattern, expression, at);
    const text = number ?? matchAt(markPattern, expression, at);
    if (text === undefined)
      return refuse(`Invalid character ${JSON.stringify(expression[at])} in expression`);
    const next = expression[at + text.length] ?? "";
    // 0x, 1e, 12abc: a number that goes on as something else.
    if (number !== undefined && /[\w.]/.test(next))
      return refuse(`Invalid number at ${JSON.stringify(text + next)}`);
    tokens.push(
      number === undefined ? { kind: "mark", mark: text } : { kind: "number", value: Number(text) },
    );
    at += text.length;
  }
  return tokens;
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  #take(...marks: readonly string[]): string | undefined {
    const token = this.#tokens[this.#at];
    if (token?.kind !== "mark" || !marks.includes(token.mark)) return undefined;
    this.#at += 1;
    return token.mark;
  }

  sum(depth: number): number | Fault {
    let value = this.#product(depth);
    for (
      let mark = this.#take("+", "-");
      mark !== undefined && !isFault(value);
      mark = this.#take("+", "-")
    ) {
      const next = this.#product(depth);
      if (isFault(next)) return next;
      value = mark === "+" ? value + next : value - next;
    }
    return value;
  }

  #product(depth: number): number | Fault {
    let value = this.#unary(depth);
    for (
      let mark = this.#take("*", "/", "%");
      mark !== undefined && !isFault(value);
      mark = this.#take("*", "/", "%")
    ) {
      const next = this.#unary(depth);
      if (isFault(next)) return next;
      value = mark === "*" ? value * next : mark === "/" ? value / next : value % next;
    }
    return value;
  }

  #unary(depth: number): number | Fault {
    let isNegative = false;
    for (let sign = this.#take("+", "-"); sign !== undefined; sign = this.#take("+", "-")) {
      if (sign === "-") isNegative = !isNegative;
    }
    const value = this.#power(depth);
    return isFault(value) || !isNegative ? value : -value;
  }

  #power(depth: number): number | Fault {
    if (depth > maxDepth) return refuse("Nested too deeply");
    const base = this.#atom(depth);
    if (isFault(base) || this.#take("**") === undefined) return base;
    const exponent = this.#unary(depth + 1);
    return isFault(exponent) ? exponent : base ** exponent;
  }

  #atom(depth: number): number | Fault {
    const token = this.#tokens[this.#at];
    if (token === undefined) return refuse("Unexpected end of expression");
    this.#at += 1;
    if (token.kind === "number") return token.value;
    if (token.mark !== "(") return refuse("Unexpected token in expression");
    const value = this.sum(depth + 1);
    if (isFault(value)) return value;
    return this.#take(")") === undefined ? refuse("Missing closing parenthesis") : value;
  }
}

function refuse(message: string): Fault {
  return new Fault(
    "invalid_arguments",
    message,
    "Use numbers, + - * / % ** and parentheses only; no functions, names or units.",
  );
}
