/*
 * Parts of the first frame, each from its own file: the library's index also loads Markdown,
 * formulas and a second kind of screen, which a bundle can't leave out.
 */
export { Editor } from '@earendil-works/pi-tui/dist/components/editor.js';
export { matchesKey } from '@earendil-works/pi-tui/dist/keys.js';
export { ProcessTerminal } from '@earendil-works/pi-tui/dist/terminal.js';
export { setCapabilities } from '@earendil-works/pi-tui/dist/terminal-image.js';
export { TuiMainScreen } from '@earendil-works/pi-tui/dist/tui-main-screen.js';
export { truncateToWidth, visibleWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui/dist/utils.js';
