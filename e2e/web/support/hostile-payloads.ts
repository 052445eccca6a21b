/** A text that tries to make a page run something or ask another host for something. */
export interface HostilePayload {
  readonly attempt: string;
  readonly place: string;
  readonly text: string;
}

/**
 * The attacks. `JS` stands for a script that reports itself, `URL` for an address that no page may
 * request.
 */
const TRIES: Readonly<Record<string, string>> = {
  script: '<script>JS</script>',
  'script, from elsewhere': '<script src="URL"></script>',
  'script, split case': '<ScRiPt >JS</sCrIpT>',
  'script, unclosed': '<script>JS',
  'image that fails': '<img src=x onerror="JS">',
  'image, without quotes': '<img src=x onerror=JS>',
  image: '<img src="URL">',
  'image, set': '<img srcset="URL 2x" src="URL">',
  'svg onload': '<svg onload="JS"></svg>',
  'svg script': '<svg><script>JS</script></svg>',
  'svg use': '<svg><use href="URL#x"></use></svg>',
  'svg animate': '<svg><animate onbegin="JS" attributeName=x dur=1s></animate></svg>',
  'svg foreign object': '<svg><foreignObject><iframe src="URL"></iframe></foreignObject></svg>',
  'mathml link': '<math href="javascript:JS">x</math>',
  'mathml breakout':
    '<math><mtext><table><mglyph><style><img src=x onerror="JS"></style></mglyph></table></mtext></math>',
  iframe: '<iframe src="URL"></iframe>',
  'iframe srcdoc': '<iframe srcdoc="<script>JS</script>"></iframe>',
  'iframe javascript': '<iframe src="javascript:JS"></iframe>',
  object: '<object data="URL"></object>',
  embed: '<embed src="URL">',
  video: '<video src="URL" autoplay onerror="JS"></video>',
  audio: '<audio src="URL" autoplay></audio>',
  style: '<style>@import "URL"; body { background: url(URL) }</style>',
  'style attribute': '<p style="background: url(URL)">x</p>',
  'link stylesheet': '<link rel=stylesheet href="URL">',
  'link prefetch':
    '<link rel=prefetch href="URL"><link rel=dns-prefetch href="URL"><link rel=icon href="URL">',
  'meta refresh': '<meta http-equiv=refresh content="0;url=URL">',
  base: '<base href="URL">',
  'form that submits itself': '<form action="URL"><input autofocus onfocus="JS"></form>',
  details: '<details open ontoggle="JS">x</details>',
  'template breakout': '</code></pre></div></main><img src=x onerror="JS">',
  'comment breakout': '<!--><img src=x onerror="JS">-->',
  'markdown image': '![x](URL)',
  'markdown image, by reference': '![x][r]\n\n[r]: URL',
  'markdown image in a link': '[![x](URL)](javascript:JS)',
  'javascript link': '[click](javascript:JS)',
  'javascript link, entities': '[click](java&#x73;cript&colon;JS)',
  'javascript link, tab': '[click](<java\tscript:JS>)',
  'javascript link, spaces': '[click]( \u0001javascript:JS)',
  'data link': '[click](data:text/html,<script>JS</script>)',
  'vbscript link': '[click](vbscript:JS)',
  'javascript by reference': '[click][r]\n\n[r]: javascript:JS',
  'autolink javascript': '<javascript:JS>',
  'title breakout': '[x](https://example.org "\\"onmouseover=\\"JS")',
  'address breakout': '[x](https://example.org/"onmouseover="JS)',
  'code language': '```"><img/src=x/onerror=JS>\ncode\n```',
  mermaid: '```mermaid\ngraph TD; A["<img src=x onerror=JS>"] --> B; click A "javascript:JS"\n```',
  'math as latex': '$$\\href{javascript:JS}{x} \\includegraphics{URL}$$',
  'html entity': '&lt;img src=x onerror=&quot;JS&quot;&gt;&#60;script&#62;JS&#60;/script&#62;',
  'open in this page': '[x](/api/v1/status) [y](#login=x) <a href="/settings" ping="URL">z</a>',
};

/** Where it stands. `X` is the try. */
const WRAPS: Readonly<Record<string, string>> = {
  alone: 'X',
  'in a sentence': 'some words X and more *words*',
  'in a list': '- one\n- X\n- three',
  'in a quote': '> X',
  'in a table': '| a | b |\n| --- | --- |\n| X | y |',
  'in a heading, strong': '# **X**',
};

/**
 * Every try in every place.
 *
 * @param canary an address; every request to it is one too many
 */
export function hostilePayloads(canary: string): readonly HostilePayload[] {
  const texts: HostilePayload[] = [];
  for (const [attempt, code] of Object.entries(TRIES)) {
    for (const [place, wrap] of Object.entries(WRAPS)) {
      const number = texts.length;
      const js = `window.__ran=(window.__ran||0)+1;fetch('${canary}/js/${number}')`;
      // As functions: `$` in a try means nothing.
      const made = code.replaceAll('JS', () => js).replaceAll('URL', () => `${canary}/url/${number}`);
      texts.push({ attempt, place, text: wrap.replace('X', () => made) });
    }
  }
  return texts;
}

/** @returns every try in one place each, in turn, so that every place occurs too */
export function onePlaceEach(all: readonly HostilePayload[]): readonly HostilePayload[] {
  const places = Object.keys(WRAPS);
  const attempts = Object.keys(TRIES);
  return all.filter(
    ({ attempt, place }) => places.indexOf(place) === attempts.indexOf(attempt) % places.length,
  );
}
