import type { Component } from 'svelte';
import type { IconName } from '../ui/icons.ts';

/** What a page is given: the parts of its path that vary. */
export interface PageProps {
  /** Of the session the page shows; empty for a page that shows none. */
  readonly session: string;
}

type PageComponent = Component<PageProps>;

/** A place of the web UI. */
export interface Page {
  /** `:session` stands for one part of a path. */
  readonly path: string;
  readonly title: string;
  /** Where of the navigation it lies; undefined for a page that is reached in another way. */
  readonly group?: string;
  readonly load: () => Promise<{ readonly default: PageComponent }>;
}

/** An entry of the navigation: its first page is shown, the others as tabs. */
export interface Group {
  readonly name: string;
  readonly icon: IconName;
}

export const groups: readonly Group[] = [
  { name: 'Sessions', icon: 'chats' },
  { name: 'Approvals', icon: 'shield' },
  { name: 'Memory', icon: 'book' },
  { name: 'Skills', icon: 'spark' },
  { name: 'Console', icon: 'pulse' },
  { name: 'Settings', icon: 'sliders' },
];

/** Every page. What a page needs is read when it is first shown. */
export const pages: readonly Page[] = [
  { path: '/', title: 'New chat', load: () => import('../pages/home/Home.svelte') },
  { path: '/chat/:session', title: 'Chat', load: () => import('../chat/Chat.svelte') },
  { path: '/sessions', title: 'Sessions', group: 'Sessions', load: () => import('../pages/sessions/Sessions.svelte') },
  { path: '/approvals', title: 'Approvals', group: 'Approvals', load: () => import('../pages/approvals/Approvals.svelte') },
];

/** @returns the page of a path and the session in it; undefined if there is no such page */
export function findPage(path: string): { readonly page: Page; readonly session: string } | undefined {
  const parts = path.split('/');
  for (const page of pages) {
    const wanted = page.path.split('/');
    if (wanted.length !== parts.length) continue;
    const fits = wanted.every((part, at) => part === ':session' || part === parts[at]);
    if (fits) return { page, session: sessionIn(wanted, parts) };
  }
  return undefined;
}

function sessionIn(wanted: readonly string[], parts: readonly string[]): string {
  const at = wanted.indexOf(':session');
  return at === -1 ? '' : decodeURIComponent(parts[at] ?? '');
}
