// Menus that appear at a place and go away again: one at a time, for the whole window.

import { type Accessor, createSignal } from "solid-js";

export interface MenuItem {
  readonly label: string;
  /** Beside the label, in a softer colour: keys, a date. */
  readonly hint?: string | undefined;
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
  /** One of several of which exactly one is chosen. */
  readonly isChosen?: boolean;
  readonly run: () => unknown;
}

export type MenuEntry = MenuItem | "line";

export interface MenuRequest {
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  /** A point of the window, or the element below (or above) which it appears. */
  readonly at: { readonly x: number; readonly y: number } | Element;
}

const [openMenu, setOpenMenu] = createSignal<MenuRequest | undefined>();

export const shownMenu: Accessor<MenuRequest | undefined> = openMenu;

export function showMenu(request: MenuRequest): void {
  setOpenMenu(request.entries.length === 0 ? undefined : request);
}

export function closeMenu(): void {
  setOpenMenu(undefined);
}

/** The same element again closes what it opened. */
export function toggleMenu(request: MenuRequest): void {
  if (openMenu()?.at === request.at) closeMenu();
  else showMenu(request);
}

/** Where a box goes so that it stays in the window. */
export function placeOf(
  at: { readonly left: number; readonly top: number; readonly bottom: number },
  box: { readonly width: number; readonly height: number },
  room: { readonly width: number; readonly height: number },
): { readonly left: number; readonly top: number } {
  const edge = 8;
  const left = Math.max(edge, Math.min(at.left, room.width - box.width - edge));
  const fitsBelow = at.bottom + box.height + edge <= room.height;
  const above = at.top - box.height;
  const top = fitsBelow ? at.bottom : above >= edge ? above : Math.max(edge, room.height - box.height - edge);
  return { left, top };
}
