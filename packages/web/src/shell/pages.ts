import type { Component } from 'svelte';
import type { IconName } from '../ui/icons.ts';

type Loaded<Props extends object> = Promise<{ readonly default: Component<Props> }>;

/** A place of the web UI. */
export interface Page {
  /** `:session` matches one part of a path. */
  readonly path: string;
  readonly title: string;
  /** Its navigation entry; undefined for a page reached another way. */
  readonly group?: string;
  /** Component that shows it: with `:session` in the path, it receives the session. */
  readonly load:
    | { readonly page: () => Loaded<Record<string, never>> }
    | { readonly ofSession: () => Loaded<SessionPageProps> };
}

interface SessionPageProps {
  readonly session: string;
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

/** Every page. A page's code is loaded when first shown. */
export const pages: readonly Page[] = [
  { path: '/', title: 'New chat', load: { page: () => import('../pages/home/Home.svelte') } },
  { path: '/chat/:session', title: 'Chat', load: { ofSession: () => import('../chat/Chat.svelte') } },
  {
    path: '/chat/:session/context',
    title: 'Context',
    load: { ofSession: () => import('../pages/context/Context.svelte') },
  },
  {
    path: '/sessions',
    title: 'Sessions',
    group: 'Sessions',
    load: { page: () => import('../pages/sessions/Sessions.svelte') },
  },
  {
    path: '/approvals',
    title: 'Approvals',
    group: 'Approvals',
    load: { page: () => import('../pages/approvals/Approvals.svelte') },
  },
  {
    path: '/memory',
    title: 'Memory',
    group: 'Memory',
    load: { page: () => import('../pages/memory/Memory.svelte') },
  },
  {
    path: '/memory/review',
    title: 'Review',
    group: 'Memory',
    load: { page: () => import('../pages/memory/Review.svelte') },
  },
  {
    path: '/skills',
    title: 'Skills',
    group: 'Skills',
    load: { page: () => import('../pages/skills/Skills.svelte') },
  },
  {
    path: '/templates',
    title: 'Templates',
    group: 'Skills',
    load: { page: () => import('../pages/skills/Templates.svelte') },
  },
  {
    path: '/tools',
    title: 'Tools',
    group: 'Skills',
    load: { page: () => import('../pages/tools/Tools.svelte') },
  },
  {
    path: '/console',
    title: 'Live',
    group: 'Console',
    load: { page: () => import('../pages/console/Live.svelte') },
  },
  {
    path: '/console/security',
    title: 'Security',
    group: 'Console',
    load: { page: () => import('../pages/console/Security.svelte') },
  },
  {
    path: '/console/audit',
    title: 'Audit',
    group: 'Console',
    load: { page: () => import('../pages/console/Audit.svelte') },
  },
  {
    path: '/console/changes',
    title: 'Changes',
    group: 'Console',
    load: { page: () => import('../pages/console/Changes.svelte') },
  },
  {
    path: '/console/usage',
    title: 'Usage',
    group: 'Console',
    load: { page: () => import('../pages/usage/Usage.svelte') },
  },
  {
    path: '/settings',
    title: 'Status',
    group: 'Settings',
    load: { page: () => import('../pages/settings/Status.svelte') },
  },
  {
    path: '/settings/models',
    title: 'Models',
    group: 'Settings',
    load: { page: () => import('../pages/models/Models.svelte') },
  },
  {
    path: '/settings/doctor',
    title: 'Doctor',
    group: 'Settings',
    load: { page: () => import('../pages/settings/Doctor.svelte') },
  },
  {
    path: '/settings/model',
    title: 'Set up a model',
    group: 'Settings',
    load: { page: () => import('../pages/settings/SetUpModel.svelte') },
  },
  {
    path: '/settings/all',
    title: 'All settings',
    group: 'Settings',
    load: { page: () => import('../pages/settings/AllSettings.svelte') },
  },
  {
    path: '/settings/folders',
    title: 'Trusted folders',
    group: 'Settings',
    load: { page: () => import('../pages/settings/Folders.svelte') },
  },
  {
    path: '/settings/appearance',
    title: 'Appearance',
    group: 'Settings',
    load: { page: () => import('../pages/settings/Appearance.svelte') },
  },
];

/** @returns the page of a path with its session; undefined for an unknown path */
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
