// What could not be understood on the way, reported once each and bounded: it may be why something was not found.

const maxReported = 20;

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

  report(): string {
    const list = this.list;
    const lines = list.slice(0, maxReported).map((issue) => `- ${issue}`);
    if (list.length > maxReported) lines.push(`- and ${list.length - maxReported} more`);
    return `Parse issues:\n${lines.join("\n")}`;
  }
}
