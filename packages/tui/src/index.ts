export { openTerminalUi } from './app/open-terminal-ui.ts';
export type { UiCommand, UiOptions, UiSeat } from './app/ui-options.ts';
