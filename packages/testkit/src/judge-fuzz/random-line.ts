// Command lines at random: put together from the forms of the shell's language, or a known line with pieces changed.
//
// Wherever a form could run something, it may hold a payload: `pwn`, a program that leaves a mark, or a write to a file. A line
// in which no payload can be reached is as good: it has to be judged by what it really does.

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a shell's

import type { Random } from "../random.ts";
import { atoms, glue, oddCommands, payloads, readers } from "./line-pieces.ts";

export class LineMaker {
  readonly #random: Random;
  readonly #known: readonly string[];
  #depth = 0;

  constructor(random: Random, known: readonly string[]) {
    this.#random = random;
    this.#known = known;
  }

  line(): string {
    this.#depth = 0;
    return this.#random.chance(0.55) ? this.#list() : this.#mutated();
  }

  /** A known line, or one made here, with a few pieces put in, left out, doubled or exchanged. */
  #mutated(): string {
    const random = this.#random;
    let line = random.chance(0.7) ? random.pick(this.#known) : this.#list();
    for (let count = random.between(1, 4); count > 0; count -= 1) {
      const at = random.below(line.length + 1);
      const length = random.between(1, 3);
      const piece = random.chance(0.6) ? random.pick(glue) : this.#piece();
      switch (random.below(4)) {
        case 0:
          line = line.slice(0, at) + line.slice(at + length);
          break;
        case 1:
          line = line.slice(0, at) + piece + line.slice(at + length);
          break;
        case 2:
          line = `${line.slice(0, at)}${line.slice(at, at + 8)}${line.slice(at)}`;
          break;
        default:
          line = line.slice(0, at) + piece + line.slice(at);
      }
    }
    return line;
  }

  #list(): string {
    const random = this.#random;
    this.#depth += 1;
    let line = this.#command();
    const marks = ["; ", "\n", " && ", " || ", " | ", " & ", ";", " |& ", " # c\n", " && \\\n", "&", "|"];
    while (random.chance(this.#depth > 2 ? 0.1 : 0.4)) line += random.pick(marks) + this.#command();
    this.#depth -= 1;
    return line;
  }

  #command(): string {
    const random = this.#random;
    if (this.#depth > 3) return this.#simple();
    switch (random.below(25)) {
      case 0:
        return `(${this.#list()}\n)`;
      case 1:
        return `{ ${this.#list()}; }`;
      case 2:
        return `if ${this.#list()}; then ${this.#list()}; fi`;
      case 3:
        return `for x in ${this.#words()}; do ${this.#list()}; done`;
      case 4:
        return `while ${this.#list()}; do break; ${this.#list()}; done`;
      case 5:
        return `case ${this.#word()} in ${this.#word()}) ${this.#list()};; esac`;
      case 6:
        return `[[ ${random.pick(["-n", "-v", "-f", "!", "-z"])} ${this.#word()} ]]`;
      case 7:
        return `[[ ${this.#test()} ${random.pick(["&&", "||"])} ${this.#test()} ]]`;
      case 8:
        return `((${random.pick(["x", "1", "y[$(pwn)]", this.#word()])}))`;
      case 9:
        return `${random.pick(["f()", "function ls", "function g()"])} { ${this.#list()}; }`;
      case 10:
        return `${random.pick(["coproc", "time", "!", "time -p", "! !"])} ${this.#simple()}`;
      case 11:
      case 12:
        return this.#assignment();
      case 13:
      case 14:
      case 15:
        return this.#nested();
      default:
        return this.#simple();
    }
  }

  /** A line within the words of another one, for this shell or for one that may read it differently. */
  #nested(): string {
    const random = this.#random;
    const inner = random.chance(0.3)
      ? `[[ ${this.#test()} ${random.pick(["&&", "||"])} ${this.#test()} ]]`
      : this.#list();
    const quote = random.chance(0.7) ? `'${inner.replaceAll("'", "'\\''")}'` : JSON.stringify(inner);
    const runner = random.pick([
      "sh -c",
      "bash -c",
      "dash -c",
      "eval",
      "bash -lc",
      "sh -ec",
      "env sh -c",
      "trap",
      "exec sh -c",
    ]);
    return `${runner} ${quote}${runner === "trap" ? " EXIT" : ""}`;
  }

  #assignment(): string {
    const random = this.#random;
    const value = random.chance(0.4) ? "'y[$(pwn)]'" : this.#word();
    const subscript = random.pick(["x", "0", "'y[$(pwn)]'", "$x", "$(pwn)", this.#word()]);
    switch (random.below(7)) {
      case 0:
        return `b=([${subscript}]=1)`;
      case 1:
        return `b+=([${subscript}]=${value})`;
      case 2:
        return `b[${subscript}]=${value}`;
      case 3:
        return `x=${value}; b=([x]=1)`;
      case 4:
        return `x+=${value}`;
      case 5:
        return `${random.pick(["declare", "export", "typeset -i", "readonly", "local"])} x=${value}`;
      default:
        return `x=${value}`;
    }
  }

  #test(): string {
    const left = this.#random.chance(0.3) ? this.#random.pick(["pwn", "touch"]) : this.#word();
    return `${left} ${this.#random.pick(["==", "-eq", "<", ">", "=~", "!="])} ${this.#word()}`;
  }

  #simple(): string {
    const random = this.#random;
    const before = random.chance(0.1)
      ? `${random.pick(["x", "LC_ALL", "PATH", "BASH_ENV", "IFS"])}=${this.#word()} `
      : "";
    const name = this.#name();
    const rest = random.chance(0.7) ? ` ${this.#words()}` : "";
    return `${before}${name}${rest}${random.chance(0.3) ? this.#redirection() : ""}`;
  }

  #name(): string {
    const random = this.#random;
    const kind = random.below(20);
    if (kind === 0) return random.pick(payloads);
    if (kind === 1) return this.#word();
    return kind < 5 ? random.pick(oddCommands) : random.pick(readers);
  }

  #words(): string {
    const words = [this.#word()];
    while (this.#random.chance(0.35)) words.push(this.#word());
    return words.join(this.#random.pick([" ", " ", " ", "  ", "\t", " \\\n"]));
  }

  #redirection(): string {
    const random = this.#random;
    const space = random.pick(["", " ", ""]);
    switch (random.below(7)) {
      case 0: {
        const end = random.pick(["E", "'E'", '"E"', "\\E", "E''"]);
        return ` <<${random.pick(["", "-"])}${end}\n${this.#piece()}\n${random.pick(["", "$(pwn)\n", "`pwn`\n", "\\\n"])}E\n`;
      }
      case 1:
        return ` <<<${space}${this.#word()}`;
      case 2:
        return ` ${random.pick(["", "3", "{fd}", "2", "a", "{x}"])}${random.pick(["<", ">"])}(${this.#inner()})`;
      case 3:
        return ` ${random.pick(["", "2", "3", "{fd}", "12"])}${random.pick([">", ">>", ">|", "&>", ">&", "<>"])}${space}${random.pick(["/dev/null", "pwned", "1", "&1", this.#word()])}`;
      case 4:
        return " 2>&1";
      case 5:
        return ` <${space}${random.pick(["a.txt", "/dev/null", this.#word()])}`;
      default:
        return ` ${random.pick(["2>/dev/null", ">/dev/null", "</dev/null", ">&-", "<&3", ">&9"])}`;
    }
  }

  #word(): string {
    let word = this.#piece();
    while (this.#random.chance(0.25)) word += this.#piece();
    return word;
  }

  #piece(): string {
    const random = this.#random;
    if (this.#depth > 4) return random.pick(atoms);
    switch (random.below(20)) {
      case 0:
        return `$(${this.#inner()})`;
      case 1:
        return `"$(${this.#inner()})"`;
      case 2:
        return `\`${this.#inner()}\``;
      case 3:
        return `${random.pick(["", "3", "x", "{fd}"])}${random.pick(["<", ">"])}(${this.#inner()})`;
      case 4:
        return `'${random.pick(payloads)}; $(pwn) \`pwn\`'`;
      case 5:
        return `"${random.pick(["$x", "a b", "; pwn", "\\$(pwn)", "!x", "${x:-$(pwn)}", "$((x))", "\\`pwn\\`"])}"`;
      case 6:
        return `\${${random.pick(["!x", "x@P", "b[$(pwn)]", "b[x]", "x:x", "x:=1", "x:-$(pwn)", "x/a/$(pwn)", "!b@", "x:-'}'"])}}`;
      case 7:
        return `$((${random.pick(["x", "1+x", "b[$(pwn)]", "1 + 2", "$(pwn)", "x=1"])}))`;
      default:
        return random.pick(atoms);
    }
  }

  #inner(): string {
    this.#depth += 1;
    const inner = this.#random.chance(0.5) ? this.#random.pick(payloads) : this.#list();
    this.#depth -= 1;
    return inner;
  }
}
