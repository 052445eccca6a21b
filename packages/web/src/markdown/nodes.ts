import type { SafeLink } from './safe-link.ts';

/** All inline nodes. */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'break' }
  | { readonly kind: 'strong' | 'em' | 'del'; readonly children: readonly Inline[] }
  /** `target` is undefined if the link's own text shows it. */
  | {
      readonly kind: 'link';
      readonly href: string;
      readonly target?: string;
      readonly children: readonly Inline[];
    }
  /** A forbidden link, with its original address. */
  | { readonly kind: 'no-link'; readonly address: string; readonly children: readonly Inline[] }
  /** Never loaded: shown as its description and address. */
  | {
      readonly kind: 'image';
      readonly about: string;
      readonly link: SafeLink | undefined;
      readonly address: string;
    };

export interface ListItem {
  /** For a task; undefined for other items. */
  readonly isDone?: boolean;
  readonly children: readonly Block[];
}

/** All Markdown nodes. None is markup: every text is drawn as a text node. */
export type Block =
  | { readonly kind: 'paragraph'; readonly children: readonly Inline[] }
  /** Text of a list item without its own paragraph. */
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
  /** Shown as source: HTML, and what is nested too deeply. */
  | { readonly kind: 'written'; readonly text: string };
