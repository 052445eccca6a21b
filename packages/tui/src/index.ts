export { openTerminalUi } from './app/open-terminal-ui.ts';
export type {
  UiCommand,
  UiDelivery,
  UiEnd,
  UiEntry,
  UiImage,
  UiModel,
  UiOptions,
  UiSeat,
} from './app/ui-options.ts';
export type { UiPlace } from './link/session-feed.ts';
export type { UiLink } from './link/ui-link.ts';
