// What the model has been shown of each document: the revision that its line numbers refer to.
//
// All calls of one message were written before any of them was answered, so they refer to what was shown before that
// message. An answer to an edit shows the new state, which the next message may refer to.

export class Shown {
  private newest = new Map<number, number>();
  private atBatch = new Map<number, number>();
  private batch = "";

  /** The document was shown at a revision. */
  show(document: number, revision: number): void {
    this.newest.set(document, revision);
  }

  /** The revision that a call of this batch refers to; undefined where the document was never shown. */
  seenBy(batch: string, document: number): number | undefined {
    if (batch !== this.batch) {
      this.batch = batch;
      this.atBatch = new Map(this.newest);
    }
    return this.atBatch.get(document) ?? this.newest.get(document);
  }
}
