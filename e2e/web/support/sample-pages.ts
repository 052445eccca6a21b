import type { Page } from 'playwright-core';
import type { Stage } from '../../support/stage.ts';
import { ask } from './ask.ts';

/** Sessions that the pages are shown with. */
export interface Samples {
  /** With a diff and a long answer. */
  readonly done: string;
  /** With a question that waits. */
  readonly asking: string;
}

export interface PageToShow {
  readonly title: string;
  readonly path: string;
  /** Waits until the subject of the page is shown. */
  readonly ready: (page: Page) => Promise<unknown>;
}

/** Has the three talks of the sample world, the last of which still asks. */
export async function prepareSamples(page: Page, stage: Stage): Promise<Samples> {
  const done = await ask(page, stage.folder, 'Tidy the release notes');
  await page.getByText('More is in').waitFor();
  await ask(page, stage.folder, 'Clean the whole disk');
  await page.getByText('I was not allowed').waitFor();
  await page.goto(new URL('/memory', page.url()).href);
  await page
    .getByLabel('Remember something')
    .fill('The release notes are written for people, not for machines.');
  await page.getByRole('button', { name: 'Remember' }).click();
  await page.getByText('Remembered in').waitFor();
  const asking = await ask(page, stage.folder, 'Set up the editor');
  await page.getByRole('button', { name: 'Deny' }).waitFor();
  return { done, asking };
}

/** Every page of the web UI. */
export function pagesToShow({ done, asking }: Samples): readonly PageToShow[] {
  const heading = (name: string) => (page: Page) =>
    page.getByRole('heading', { name, exact: true }).first().waitFor();
  const text = (words: string) => (page: Page) => page.getByText(words).first().waitFor();
  return [
    { title: 'home', path: '/', ready: heading('Recent sessions') },
    { title: 'chat', path: `/chat/${done}`, ready: text('More is in') },
    { title: 'approval', path: `/chat/${asking}`, ready: text('needs approval') },
    { title: 'context', path: `/chat/${done}/context`, ready: text('Instructions') },
    { title: 'sessions', path: '/sessions', ready: text('messages ·') },
    {
      title: 'approvals',
      path: '/approvals',
      ready: (page) => page.getByRole('button', { name: 'Deny' }).waitFor(),
    },
    { title: 'memory', path: '/memory', ready: text('MEMORY.md') },
    { title: 'memory-review', path: '/memory/review', ready: text('take effect only') },
    { title: 'skills', path: '/skills', ready: text('built-in') },
    { title: 'templates', path: '/templates', ready: text('For folder') },
    { title: 'tools', path: '/tools', ready: text('Read a text file') },
    { title: 'console', path: '/console', ready: text('Working now') },
    { title: 'security', path: '/console/security', ready: text('actions judged') },
    {
      title: 'audit',
      path: '/console/audit',
      ready: (page) => page.getByRole('button', { name: 'Proof' }).first().waitFor(),
    },
    { title: 'changes', path: '/console/changes', ready: text('Changes that actions made') },
    { title: 'usage', path: '/console/usage', ready: text('model calls') },
    { title: 'status', path: '/settings', ready: text('Running since') },
    { title: 'models', path: '/settings/models', ready: heading('Providers') },
    { title: 'doctor', path: '/settings/doctor', ready: text('signed tree') },
    {
      title: 'model',
      path: '/settings/model',
      ready: (page) => page.getByRole('button', { name: 'Test the connection' }).waitFor(),
    },
    { title: 'all-settings', path: '/settings/all', ready: text('Model rounds for one message') },
    { title: 'folders', path: '/settings/folders', ready: text('used only after you trust it') },
    { title: 'appearance', path: '/settings/appearance', ready: text('Same as the system') },
  ];
}
