/*
 * What the first frame is made of, each from its own file: the library's index brings Markdown, formulas and a second kind of screen
 * along, and a bundle can't leave them behind.
 */
export { Editor } from '@earendil-works/pi-tui/dist/components/editor.js';
export { matchesKey } from '@earendil-works/pi-tui/dist/keys.js';
export { ProcessTerminal } from '@earendil-works/pi-tui/dist/terminal.js';
export { setCapabilities } from '@earendil-works/pi-tui/dist/terminal-image.js';
export { TuiMainScreen } from '@earendil-works/pi-tui/dist/tui-main-screen.js';
export { truncateToWidth, visibleWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui/dist/utils.js';
