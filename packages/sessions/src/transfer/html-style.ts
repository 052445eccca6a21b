/**
 * The one style of an exported page. Every colour is a variable: each of the writing ones has a contrast of at least
 * 4.5:1 (WCAG 2.2, 1.4.3) against both grounds, `--back` and `--soft`, in both schemes.
 */
export const PAGE_STYLE = `:root{color-scheme:light dark;--back:#ffffff;--soft:#f3f3f3;--line:#cccccc;
--text:#1a1a1a;--dim:#595959;--error:#b00020;--added:#116329;--removed:#a40e26}
@media (prefers-color-scheme:dark){:root{--back:#141414;--soft:#222222;--line:#444444;
--text:#e6e6e6;--dim:#b4b4b4;--error:#ff8a80;--added:#7ee787;--removed:#ffa198}}
body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:var(--text);background:var(--back)}
article{border-top:1px solid var(--line);padding:.75rem 0}
article.user{background:var(--soft);padding:.75rem}
article:target{outline:2px solid var(--dim)}
dl,h2,a,.note,.label{color:var(--dim);font-size:.85rem;font-weight:normal;margin:0}
dl{display:grid;grid-template-columns:max-content 1fr;gap:0 1rem}
dd{margin:0;overflow-wrap:anywhere}
.text,pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.25rem 0}
.error>summary{color:var(--error);font-weight:bold}
.error>pre{border-left:3px solid var(--error);padding-left:.5rem}
ins,del{text-decoration:none}
ins{color:var(--added)}
del{color:var(--removed)}
img{max-width:100%}`;
