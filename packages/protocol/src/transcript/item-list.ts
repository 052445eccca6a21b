/**
 * Items in the last page; a longer one is closed and never copied again unless one of its items
 * changes.
 */
const PAGE = 64;

/**
 * An immutable list: each new version shares all unchanged parts. Adding to its end, and replacing
 * one of the newest items, copies at most one page; an older item costs its page and the list of
 * pages.
 */
export interface ItemList<Item> {
  readonly length: number;
  /** Closed pages, all of one size. */
  readonly pages: readonly (readonly Item[])[];
  readonly tail: readonly Item[];
}

export function emptyList<Item>(): ItemList<Item> {
  return { length: 0, pages: [], tail: [] };
}

/** @returns undefined past either end */
export function itemAt<Item>({ pages, tail }: ItemList<Item>, index: number): Item | undefined {
  const closed = pages.length * PAGE;
  if (index >= closed) return tail[index - closed];
  return pages[Math.floor(index / PAGE)]?.[index % PAGE];
}

export function append<Item>({ length, pages, tail }: ItemList<Item>, item: Item): ItemList<Item> {
  if (tail.length < PAGE) return { length: length + 1, pages, tail: [...tail, item] };
  return { length: length + 1, pages: [...pages, tail], tail: [item] };
}

/** @param index of an existing item; else the list is returned unchanged */
export function replaceAt<Item>(list: ItemList<Item>, index: number, item: Item): ItemList<Item> {
  const { length, pages, tail } = list;
  if (index < 0 || index >= length) return list;
  const closed = pages.length * PAGE;
  if (index >= closed) return { length, pages, tail: tail.with(index - closed, item) };
  const place = Math.floor(index / PAGE);
  const page = pages[place];
  if (page === undefined) return list;
  return { length, pages: pages.with(place, page.with(index % PAGE, item)), tail };
}

/** All items, oldest first. */
export function* itemsOf<Item>(list: ItemList<Item>): Generator<Item> {
  for (let index = 0; index < list.length; index += 1) {
    const item = itemAt(list, index);
    if (item !== undefined) yield item;
  }
}
