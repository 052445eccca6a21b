import type { SafeLink } from './safe-link.ts';

/** All that text within a block can become. */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'break' }
  | { readonly kind: 'strong' | 'em' | 'del'; readonly children: readonly Inline[] }
  /** `target` is undefined where the link's own text shows it. */
  | {
      readonly kind: 'link';
      readonly href: string;
      readonly target?: string;
      readonly children: readonly Inline[];
    }
  /** One that may not be followed, with its address as it was written. */
  | { readonly kind: 'no-link'; readonly address: string; readonly children: readonly Inline[] }
  /** Never loaded: what it says of itself, and where it is. */
  | {
      readonly kind: 'image';
      readonly about: string;
      readonly link: SafeLink | undefined;
      readonly address: string;
    };

export interface ListItem {
  /** Of a task; undefined for one that is none. */
  readonly isDone?: boolean;
  readonly children: readonly Block[];
}

/** All that a Markdown text can become. Nothing here is markup: every text is drawn as a text node. */
export type Block =
  | { readonly kind: 'paragraph'; readonly children: readonly Inline[] }
  /** Of a list's item that is no paragraph of its own. */
  | { readonly kind: 'inlines'; readonly children: readonly Inline[] }
  | { readonly kind: 'heading'; readonly level: number; readonly children: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string; readonly language: string }
  | { readonly kind: 'quote'; readonly children: readonly Block[] }
  | { readonly kind: 'list'; readonly start?: number; readonly items: readonly ListItem[] }
  | {
      readonly kind: 'table';
      readonly header: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    }
  | { readonly kind: 'rule' }
  /** Shown as it was written: HTML, and what is nested too deeply. */
  | { readonly kind: 'written'; readonly text: string };
