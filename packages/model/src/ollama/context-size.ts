// How large a context Ollama is asked for (`options.num_ctx`), and whether it took all that was sent.
//
// - Without `num_ctx` a server loads a model with its own default, 4,096 tokens on most machines, and cuts what is longer
//   from the front without a word.
// - Another `num_ctx` than the loaded one makes the server load the model again. So a loaded size stays as long as the
//   conversation fits; then it grows at once to the most that the model may have, and never shrinks.
// - A size that the person configured is sent as it is.

export interface Window {
  /** In tokens: the most that may be asked for. */
  readonly most: number;
  /** Whether the person set it. */
  readonly isFixed: boolean;
}

/** What is known of one model on one server, through all turns of this process. */
interface Known {
  /** The last size that was asked for. */
  readonly size: number;
  /** Characters of the last prompt: a server may have them cached. */
  readonly characters: number;
}

const known = new Map<string, Known>();
const maxKnown = 100;

/** Few enough that a prompt is never thought to be shorter than it is. */
const charactersPerToken = 3;
/** Left free for the answer. */
const answerTokens = 2048;

export function contextSize(
  name: string,
  characters: number,
  window: Window,
  loaded: number | undefined,
): number {
  if (window.isFixed) return window.most;
  const current = loaded ?? known.get(name)?.size ?? window.most;
  const fits = characters / charactersPerToken + answerTokens <= current;
  return fits ? current : Math.max(current, window.most);
}

/** More characters than a token has in any language or code: what is counted below that was not read. */
const mostCharactersPerToken = 7;
const leastCharacters = 8000;

/**
 * Whether the server read evidently less than was sent. Some releases count only what they had not in their cache; such a
 * count is about as large as what is new.
 */
export function wasCut(name: string, characters: number, count: number | undefined): boolean {
  if (count === undefined || count === 0 || characters < leastCharacters) return false;
  if (count * mostCharactersPerToken >= characters) return false;
  const before = known.get(name)?.characters ?? 0;
  if (before === 0) return true;
  const added = Math.max(0, characters - before);
  return count > added / 2 + 200;
}

export function rememberRequest(name: string, size: number, characters: number): void {
  known.delete(name);
  known.set(name, { size, characters });
  const [oldest] = known.keys();
  if (known.size > maxKnown && oldest !== undefined) known.delete(oldest);
}
