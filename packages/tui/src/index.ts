export { type OpenUi, openTerminalUi } from './app/open-terminal-ui.ts';
export type { UiCommand, UiEnd, UiNotice, UiOptions, UiSeat } from './app/ui-options.ts';
export { isThemeName, type ThemeName } from './look/style.ts';
