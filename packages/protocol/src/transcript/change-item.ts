import type { EventEnvelope } from '../events.ts';
import { append, itemAt, replaceAt } from './item-list.ts';
import type { TranscriptItem } from './items.ts';
import type { TranscriptView } from './view.ts';

type Kind = TranscriptItem['kind'];
type ItemOf<K extends Kind> = Extract<TranscriptItem, { readonly kind: K }>;
type Place = Pick<TranscriptItem, 'index' | 'time' | 'run'>;

/** Adds an item to the end. @param make receives its index */
export function addItem(
  view: TranscriptView,
  { time, turn }: EventEnvelope,
  make: (place: Place) => TranscriptItem,
): TranscriptView {
  return { ...view, items: append(view.items, make({ index: view.items.length, time, run: turn })) };
}

/** Changes the item at a place, if it is of this kind; else returns the view unchanged. */
export function changeItem<K extends Kind>(
  view: TranscriptView,
  index: number | undefined,
  kind: K,
  change: (item: ItemOf<K>) => ItemOf<K>,
): TranscriptView {
  const item = index === undefined ? undefined : itemAt(view.items, index);
  if (index === undefined || item === undefined || !isOf(item, kind)) return view;
  return { ...view, items: replaceAt<TranscriptItem>(view.items, index, change(item)) };
}

function isOf<K extends Kind>(item: TranscriptItem, kind: K): item is ItemOf<K> {
  return item.kind === kind;
}
