// Who opens a document wants to write in it, so it takes the focus. But loading takes a moment, and whoever has gone on to
// another field meanwhile stays there: what they type must not land in the text.

let asked: { readonly from: Element | null } | undefined;

/** Something is asked to be shown, from where the focus is now. */
export function noteAsked(): void {
  asked = { from: document.activeElement };
}

/** What was asked for is there. */
export function mayTakeFocus(): boolean {
  const answered = asked;
  asked = undefined;
  const now = document.activeElement;
  if (now === null || now === document.body || now.closest(".stage") !== null) return true;
  // Nobody asked: it came to the front because what was there is gone. The next key is not meant for it.
  if (answered === undefined) return false;
  return now === answered.from || !now.matches('input, textarea, [contenteditable="true"]');
}
