import { LABEL, type Labels } from '../../effects/labels.ts';
import { decodeBase64, decodeEscapes } from '../decode/decode-text.ts';
import { foldConstants } from '../decode/fold-constants.ts';
import { literal, type Text } from '../shell/text.ts';
import type { Walk } from '../shell/walk.ts';

/**
 * Code of another language is not parsed, only searched: for calls that run, connect, write or
 * delete, and for texts. It prefers a needless question to a missed effect.
 */
const RUNS =
  /\b(?:os\.(?:system|popen|exec\w*|spawn\w*|posix_spawn\w*)|subprocess(?:\.\w+)?|commands\.getoutput|pty\.spawn|popen\d?|system|exec|execv[pe]*|execl[pe]*|execFile|execSync|execFileSync|spawn|spawnSync|fork|shell_exec|passthru|proc_open|pcntl_exec|qx|Kernel\.exec|IO\.popen|Open3\.\w+|child_process|do shell script|Runtime\.getRuntime|ProcessBuilder|os\.execute|io\.popen|run-program|shell-command\w*|call-process|start-process|eval-shell|Process\.(?:run|spawn|start)|sh\.\w+|NSTask|launchPath|Command::new|startProcess|ShellExecute|WScript\.Shell|IEX|Invoke-Expression|Start-Process|term_start|jobstart|termopen)\b|`[^`]*`|%x[({[]/u;
const EVALUATES =
  /\b(?:eval|exec|compile|__import__|instance_eval|class_eval|pickle\.loads?|cPickle\.loads?|marshal\.loads?|dill\.loads?|yaml\.(?:unsafe_)?load|ctypes|dlopen|FFI|memfd_create|LoadLibrary|Function|assert|create_function|unserialize|Marshal\.load|run script|loadstring|vm\.runIn\w+|importlib|zipimport|runpy|DynaLoader|syscall|mmap|mprotect|ptrace)\s*[('"`.]/u;
const CONNECTS =
  /\b(?:socket|urllib\d?|requests|httpx|aiohttp|http\.client|httplib|ftplib|smtplib|telnetlib|paramiko|fabric|xmlrpc|TCPSocket|TCPServer|UDPSocket|Net::HTTP|Net::FTP|Net::SMTP|IO::Socket|LWP|HTTP::Tiny|open-uri|URI\.open|Faraday|fetch|XMLHttpRequest|axios|https?\.(?:get|request|createServer)|net\.(?:connect|createConnection|createServer|Socket)|dgram|WebSocket|fsockopen|stream_socket_client|curl_init|curl_exec|SimpleHTTPServer|http\.server|BaseHTTPServer|socketserver|LuaSocket|DownloadString|DownloadFile|WebClient|Invoke-WebRequest|iwr|http-request|url-retrieve|make-network-process|inet|ssl|boto3)\b|https?:\/\//u;
const WRITES =
  /\b(?:write\w*|writeFile\w*|appendFile\w*|file_put_contents|fwrite|fputs|copy\w*|rename|chmod|chown|symlink|link|truncate|dump|save\w*|putfile|mkdir|makedirs|extractall|add|duplicate|move|install)\b|['"](?:w|a|wb|ab|w\+|a\+|>|>>)['"]|>\s*\$?['"(]/u;
const DELETES =
  /\b(?:unlink\w*|remove\w*|rmtree|rmdir\w*|rm_rf|rm_r|rmSync|delete\w*|FileUtils\.rm\w*|shred|trash)\b/u;
const READS_ENVIRONMENT = /\b(?:os\.environ|process\.env|getenv|ENV|%ENV|System\.getenv|\$_ENV|\$ENV)\b/u;
const SHOWS =
  /\b(?:display dialog|with hidden answer|default answer|keystroke|key code|do JavaScript|set the clipboard|the clipboard|System Events|pyautogui|pynput|keylog\w*|CGEventTap\w*|ImageGrab|screencapture|screenshot|getpass)\b/iu;
const STRING = /"((?:[^"\\]|\\.){0,1000})"|'((?:[^'\\]|\\.){0,1000})'|`([^`]{0,1000})`/gsu;

/**
 * Longer code is not scanned, and is asked about: the patterns below take more than linear time on
 * some texts.
 */
export const MAX_SCANNED = 4096;

/**
 * Emits the effects of a piece of code, judged by its words.
 *
 * @param code with markers for unknown parts
 * @param language its name for people
 */
export function scanCode(code: Text, language: string, walk: Walk): void {
  if (code.text.length > MAX_SCANNED) {
    walk.emit({
      verb: 'evaluate',
      kind: 'computed',
      labels: code.labels,
      object: `${language}: ${code.text.length} characters`,
    });
  }
  const { text, hidden } = foldConstants(code.text.slice(0, MAX_SCANNED));
  const strings = stringsOf(text);
  const acts = { deletes: DELETES.test(text), writes: WRITES.test(text) };
  let labels: Labels = code.labels & ~LABEL.opaque;
  for (const each of strings) labels |= touchPath(said(each), acts, walk);
  if (READS_ENVIRONMENT.test(text)) labels |= LABEL.environment;
  const object = `${language}: ${text.slice(0, 80)}`;
  const runs = RUNS.test(text);
  const connects = CONNECTS.test(text);
  if (runs) runStrings(text, strings, walk);
  for (const kind of evaluations(text, strings, { runs, connects, hidden }))
    walk.emit({ verb: 'evaluate', kind, labels, object });
  if (connects) walk.emit({ verb: 'send', kind: 'code', labels, object });
  if (SHOWS.test(text)) walk.administer('capture', object);
  if (/\b(?:setuid|setgid|setreuid|setresuid)\b/.test(text)) walk.administer('privilege', object);
}

/** A bare connection, without a known protocol. */
const DIALS =
  /\.connect(?:_ex)?\s*\(|\bcreate_connection\b|\bTCPSocket\b|\bfsockopen\b|\bstream_socket_client\b|\bIO::Socket\b|\binet_aton\b|\bnet\.(?:connect|createConnection|Socket)\b|["'](?:node:)?net["']|\bsocket\.tcp\b|\/inet[46]?\//u;
const MAY_DECODE = /b64decode|base64|unhex|fromhex|decode\(|atob|unpack|rot13|zlib|fromCharCode|chr\(/i;

/** Kinds of code that the code itself creates from text, or has created. */
function evaluations(
  text: string,
  strings: readonly string[],
  acts: { readonly runs: boolean; readonly connects: boolean; readonly hidden: boolean },
): readonly string[] {
  const kinds: string[] = acts.runs && DIALS.test(text) ? ['network-shell'] : [];
  if (EVALUATES.test(text)) {
    const decodes =
      acts.hidden ||
      MAY_DECODE.test(text) ||
      strings.some((each) => each.length > 24 && decodeBase64(each) !== undefined);
    kinds.push(acts.connects ? 'foreign-code' : decodes ? 'hidden-code' : 'own-code');
  } else if (acts.runs && acts.connects && /https?:\/\//.test(text)) kinds.push('network-code');
  if (acts.runs && acts.hidden) kinds.push('hidden-code');
  return kinds;
}

function stringsOf(text: string): readonly string[] {
  const strings: string[] = [];
  for (const [, double, single, back] of text.matchAll(STRING)) {
    strings.push(double ?? single ?? back ?? '');
    if (strings.length > 64) break;
  }
  return strings;
}

/** Returns the text of a literal. */
function said(literal: string): string {
  return decodeEscapes(literal).replaceAll(/\\(["'])/g, '$1');
}

const PATH = /^(?:~|\.{0,2}\/|\$HOME)[^\s'"]*$|^[\w.-]+\/[\w./-]+$|^[\w-]*\.[\w.-]+$|^id_\w+$/;

/** `//cdn.example/x`: an address without its scheme. Other doubled slashes are only slashes. */
const ADDRESS = /^\/\/[\w-]+(?:\.[\w-]+)+(?:[:/]|$)/;

function touchPath(
  text: string,
  { deletes, writes }: { readonly deletes: boolean; readonly writes: boolean },
  walk: Walk,
): Labels {
  const name = text.includes(':') && !text.includes('/') ? text.replaceAll(':', '/') : text;
  if (!PATH.test(name) || ADDRESS.test(name)) return LABEL.none;
  const path = literal(name.replace(/^(?:~|\$HOME)(?=\/|$)/, walk.state.home));
  const { zone, overlays } = walk.placeOf(path);
  if (deletes) walk.remove(path, 'recursive');
  if (writes && (zone === 'system' || overlays.length > 0)) walk.write(path, { text: '', labels: 0 }, 'code');
  return walk.read(path).labels & ~LABEL.opaque;
}

/** Judges texts in code that runs programs as commands; a list of words is one command. */
function runStrings(text: string, strings: readonly string[], walk: Walk): void {
  if (strings.some((each) => /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|k|da)?sh(?: -i)?$/.test(each))) {
    walk.emit({ verb: 'evaluate', kind: 'own-code', labels: LABEL.none, object: 'a shell' });
  }
  for (const each of strings) {
    if (/\s|^\/|^\.{1,2}\//.test(each) || /^(?:env|sh|bash|zsh|dash|ksh|su|sudo|id)$/.test(each)) {
      walk.shell(literal(said(each)));
    }
  }
  for (const [, list = ''] of text.matchAll(
    /[[(]((?:\s*(?:"[^"]{0,400}"|'[^']{0,400}')\s*,?){2,40})[\])]/gu,
  )) {
    const words = stringsOf(list);
    if (words.length > 1)
      walk.apart().run(
        words.map((word) => literal(word)),
        { text: '', labels: 0 },
      );
  }
}
