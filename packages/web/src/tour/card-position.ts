// Where the tour's card stands: beside what it talks about, never over it where that can be helped; and where there is more
// to be seen, such as the text around it, beside that.

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface CardPosition {
  readonly left: number;
  readonly top: number;
}

const gap = 14;
const margin = 12;
/** As wide as the styles take a window to be narrow. */
const narrow = 640;

export function cardPosition(
  target: Box | undefined,
  card: Size,
  view: Size,
  surroundings = target,
): CardPosition {
  const within = ({ left, top }: CardPosition): CardPosition => ({
    left: clamp(left, margin, view.width - card.width - margin),
    top: clamp(top, margin, view.height - card.height - margin),
  });
  /** Clear of the bars at the edges of the window; a narrow one has two at the bottom. */
  const bars = view.width <= narrow ? 92 : 44;
  const corner = within({ left: 56, top: view.height - card.height - bars });
  if (target === undefined) return corner;
  const middle = target.top + target.height / 2 - card.height / 2;
  const centre = target.left + target.width / 2 - card.width / 2;
  for (const box of [surroundings ?? target, target]) {
    const beside: readonly CardPosition[] = [
      { left: box.left - gap - card.width, top: middle },
      { left: box.left + box.width + gap, top: middle },
      { left: centre, top: box.top - gap - card.height },
      { left: centre, top: box.top + box.height + gap },
    ];
    const free = beside.map(within).find((place) => overlap({ ...place, ...card }, box) === 0);
    if (free !== undefined) return free;
  }
  const corners = [
    corner,
    within({ left: view.width, top: view.height }),
    within({ left: margin, top: margin }),
    within({ left: view.width, top: margin }),
  ];
  const covered = corners.map((place) => overlap({ ...place, ...card }, target));
  return corners[covered.indexOf(Math.min(...covered))] ?? corner;
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}

function overlap(one: Box, other: Box): number {
  const width = Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left);
  const height = Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top);
  return width > 0 && height > 0 ? width * height : 0;
}
