import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');

/** The targets of its links, without the part after `#`. */
function linksOf(text: string): readonly string[] {
  return [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target = '']) => target);
}

describe('docs/README.md', () => {
  const pages = readdirSync(`${root}docs`).filter(
    (name) => /\.(?:md|json)$/.test(name) && name !== 'README.md',
  );

  it('links every page, and nothing that is not there', () => {
    expect(linksOf(read('docs/README.md')).toSorted()).toEqual([...pages, 'decisions'].toSorted());
  });

  it('is reached from the README, and no link of a page leads nowhere', () => {
    expect(linksOf(read('README.md'))).toContain('docs/README.md');
    const listed = (folder: string): readonly string[] => readdirSync(`${root}${folder}`);
    for (const page of pages.filter((name) => name.endsWith('.md'))) {
      for (const link of linksOf(read(`docs/${page}`)).filter((target) =>
        /^[\w-]+\.(?:md|json)$/.test(target),
      ))
        expect(listed('docs'), `${page} links ${link}`).toContain(link);
    }
  });

  it('and every other page holds no mark of a merge that was not finished', () => {
    const all = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'requirements.yaml'];
    const decisions = readdirSync(`${root}docs/decisions`).map((name) => `docs/decisions/${name}`);
    for (const page of [...all, ...decisions, 'docs/README.md', ...pages.map((name) => `docs/${name}`)])
      expect(read(page), page).not.toMatch(/^(?:<{7}|>{7}|\|{7}|={7})(?: |$)/m);
  });
});
