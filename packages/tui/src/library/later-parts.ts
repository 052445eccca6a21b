/* Code loaded after the first frame. */
export { Input } from '@earendil-works/pi-tui/dist/components/input.js';
export { Markdown } from '@earendil-works/pi-tui/dist/components/markdown.js';
export { fuzzyFilter } from '@earendil-works/pi-tui/dist/fuzzy.js';
