// Files that mix line ends keep a "\r" as the last character of some lines (see package text, document.ts). It is shown as a
// sign. What is typed behind it belongs before it, and a line that is broken leaves the same end on both of its halves:
// otherwise a return would get lost, or end up in the middle of a line.

import { EditorSelection, EditorState, type Extension, Text, Transaction } from "@codemirror/state";
import { highlightSpecialChars } from "@codemirror/view";

interface Piece {
  readonly from: number;
  readonly to: number;
  readonly insert: Text;
}

const keepReturns = EditorState.transactionFilter.of((transaction) => {
  if (!transaction.docChanged || !transaction.isUserEvent("input")) return transaction;
  const { doc } = transaction.startState;
  const pieces: Piece[] = [];
  let isOther = false;
  transaction.changes.iterChanges((from, to, _fromB, _toB, insert) => {
    const piece = withReturn(doc, { from, to, insert });
    isOther ||= piece.from !== from || piece.to !== to || piece.insert !== insert;
    pieces.push(piece);
  });
  if (!isOther) return transaction;
  let shift = 0;
  const cursors = pieces.map(({ from, to, insert }) => {
    shift += insert.length - (to - from);
    return EditorSelection.cursor(to + shift);
  });
  const userEvent = transaction.annotation(Transaction.userEvent);
  return {
    changes: pieces,
    selection: EditorSelection.create(cursors),
    scrollIntoView: true,
    ...(userEvent === undefined ? {} : { userEvent }),
  };
});

/** What is typed into a line that ends in a return, so that the line and its parts still do. */
export function withReturn(doc: Text, piece: Piece): Piece {
  const line = doc.lineAt(piece.to);
  if (!line.text.endsWith("\r") || piece.insert.length === 0) return piece;
  const beforeReturn = line.to - 1;
  const isBreak = piece.insert.lines > 1;
  const takesReturn = piece.to === line.to && (isBreak || piece.from === piece.to);
  const to = takesReturn ? beforeReturn : piece.to;
  return { from: Math.min(piece.from, to), to, insert: isBreak ? ended(piece.insert) : piece.insert };
}

function ended(text: Text): Text {
  const lines = [...text.iterLines()];
  return Text.of(lines.map((line, index) => (index < lines.length - 1 ? `${line}\r` : line)));
}

/** Whether some line of a text has a return as its last character. */
export function mixesLineEnds(text: string): boolean {
  return text.includes("\r\n") || text.endsWith("\r");
}

/** What turns text around or takes no room, beside what the editor knows; the tags of a flag are seen as the flag. */
const otherSpecials =
  /[\u180e\u202a-\u202c\u2060-\u2065\u2068\u206a-\u206f\u3164]|(?<!\u{1f3f4}[\u{e0020}-\u{e007e}]*)[\u{e0000}-\u{e007f}]/u;

/** Signs for invisible characters; for texts with mixed line ends also their preservation. */
export function lineEnds(isMixed: boolean): Extension {
  const signs = highlightSpecialChars({
    addSpecialChars: otherSpecials,
    render: (code, description) => {
      const sign = document.createElement("span");
      sign.textContent = code === 13 ? "␍" : "•";
      sign.title =
        code === 13 ? "This line ends in CRLF, others do not" : (description ?? "special character");
      sign.setAttribute("aria-label", sign.title);
      sign.className = "cm-specialChar";
      return sign;
    },
  });
  return isMixed ? [signs, keepReturns] : signs;
}
