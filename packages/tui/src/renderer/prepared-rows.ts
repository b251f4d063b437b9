// Rows that were prepared before are not read again: most rows of a frame are those of the frame before.

import { type PreparedRow, prepareRow } from "./prepare-row.ts";

/** More than two windows of any size; then everything is forgotten. */
const mostRows = 1024;

export class PreparedRows {
  readonly #rows = new Map<string, PreparedRow>();
  #width = 0;

  prepare(row: string, width: number): PreparedRow {
    if (width !== this.#width || this.#rows.size >= mostRows) {
      this.#rows.clear();
      this.#width = width;
    }
    const known = this.#rows.get(row);
    if (known !== undefined) return known;
    const prepared = prepareRow(row, width);
    this.#rows.set(row, prepared);
    return prepared;
  }
}
