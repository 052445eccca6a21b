/**
 * The meaning of one clause of a request. An undefined path means "it": the file or folder
 * mentioned last.
 */
export type Intent =
  | { readonly kind: 'greet' }
  | { readonly kind: 'help' }
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'list'; readonly path: string | undefined }
  | { readonly kind: 'rank'; readonly order: 'largest' | 'smallest'; readonly path: string | undefined }
  | { readonly kind: 'count-files'; readonly path: string | undefined }
  | { readonly kind: 'read'; readonly path: string | undefined; readonly part: ReadPart }
  | {
      readonly kind: 'count';
      readonly path: string | undefined;
      readonly unit: 'lines' | 'words' | 'characters';
    }
  | { readonly kind: 'write'; readonly path: string; readonly content: string }
  | { readonly kind: 'append'; readonly path: string | undefined; readonly content: string }
  | {
      readonly kind: 'edit';
      readonly path: string | undefined;
      readonly oldText: string;
      readonly newText: string;
    }
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'find'; readonly pattern: string; readonly path: string | undefined }
  | { readonly kind: 'search'; readonly pattern: string; readonly path: string | undefined }
  | { readonly kind: 'unknown'; readonly text: string };

export type ReadPart =
  | { readonly kind: 'whole' }
  | { readonly kind: 'first'; readonly lines: number }
  | { readonly kind: 'last'; readonly lines: number };
