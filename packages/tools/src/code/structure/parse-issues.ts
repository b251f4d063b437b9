// What could not be understood on the way, told once each and bounded: it may be why something was not found.

const maxTold = 20;

export class ParseIssues {
  readonly #issues = new Set<string>();

  add(about: string, problem: string): void {
    this.#issues.add(`${about}: ${problem}`);
  }

  /** For a pattern that found nothing. */
  addBroken(pattern: string, language: string): void {
    this.add("pattern", `${JSON.stringify(pattern)} is not whole ${language} code: it does not parse`);
  }

  get list(): string[] {
    return [...this.#issues];
  }

  told(): string {
    const list = this.list;
    const lines = list.slice(0, maxTold).map((issue) => `- ${issue}`);
    if (list.length > maxTold) lines.push(`- and ${list.length - maxTold} more`);
    return `Parse issues:\n${lines.join("\n")}`;
  }
}
