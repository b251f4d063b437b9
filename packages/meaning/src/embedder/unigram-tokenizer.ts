// Splits a text into the pieces that the embedded model knows: the most likely segmentation by the scores of its
// vocabulary (a unigram model).
//
// The pieces are those of the model's own package, quirks included, because the model was trained with them: a piece whose
// score is missing counts as certain, the last of equally likely pieces wins, and a position where no piece ends is taken
// as reached for free. Unlike there, the time is linear in the length of the text.

export type Vocabulary = readonly (readonly [piece: string, score: number | null])[];

/** Control symbols stand first in the vocabulary; the first of them means "unknown". */
const reservedCount = 6;
const unknown = 0;
const separator = "\u2581";

interface Node {
  readonly next: Map<string, Node>;
  /** The piece that ends here, or -1. */
  piece: number;
  score: number;
}

export class UnigramTokenizer {
  readonly #root: Node = { next: new Map(), piece: -1, score: 0 };
  readonly #lengths: Uint16Array;

  constructor(vocabulary: Vocabulary) {
    this.#lengths = new Uint16Array(vocabulary.map(([piece]) => piece.length));
    for (const [index, [piece, score]] of vocabulary.entries()) {
      if (index >= reservedCount) this.#insert(piece, score ?? 0, index);
    }
  }

  encode(text: string): number[] {
    const normal = text.normalize("NFKC");
    if (normal === "") return [];
    const symbols = [...(separator + normal.replaceAll(" ", separator))];
    return this.#walkBack(this.#bestPieces(symbols));
  }

  #insert(piece: string, score: number, index: number): void {
    let node = this.#root;
    for (const symbol of piece) {
      let next = node.next.get(symbol);
      if (next === undefined) {
        next = { next: new Map(), piece: -1, score: 0 };
        node.next.set(symbol, next);
      }
      node = next;
    }
    node.piece = index;
    node.score = score;
  }

  /** For every position the piece that ends there in the best segmentation up to it. */
  #bestPieces(symbols: readonly string[]): Uint16Array {
    const best = new Float64Array(symbols.length + 1);
    const pieces = new Uint16Array(symbols.length + 1);
    const offer = (end: number, score: number, piece: number) => {
      const known = best[end] ?? 0;
      if (known !== 0 && score < known) return;
      best[end] = score;
      pieces[end] = piece;
    };
    for (let start = 0; start < symbols.length; start++) {
      const reached = best[start] ?? 0;
      let isKnown = false;
      let node: Node | undefined = this.#root;
      for (let end = start; end < symbols.length; end++) {
        node = node.next.get(symbols[end] ?? "");
        if (node === undefined) break;
        if (node.piece < 0) continue;
        isKnown = true;
        offer(end + 1, reached + node.score, node.piece);
      }
      if (!isKnown) offer(start + 1, reached, unknown);
    }
    return pieces;
  }

  #walkBack(pieces: Uint16Array): number[] {
    const found: number[] = [];
    let position = pieces.length - 1;
    while (position > 0) {
      const piece = pieces[position] ?? unknown;
      // Neighbouring unknown symbols count as one.
      if (piece !== unknown || found.at(-1) !== unknown) found.push(piece);
      position -= Math.max(1, this.#lengths[piece] ?? 1);
    }
    return found.reverse();
  }
}
