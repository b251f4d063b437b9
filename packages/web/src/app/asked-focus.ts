// Who opens a document wants to write in it, so it takes the focus. But loading takes a moment, and whoever has gone on to
// another field meanwhile stays there: what they type must not land in the text.

let asked: Element | null = null;

/** Something is asked to be shown, from where the focus is now. */
export function noteAsked(): void {
  asked = document.activeElement;
}

/** What was asked for is there. */
export function mayTakeFocus(): boolean {
  const from = asked;
  asked = null;
  const now = document.activeElement;
  const isField = now?.matches('input, textarea, [contenteditable="true"]') === true;
  return now === from || !isField || now?.closest(".stage") !== null;
}
