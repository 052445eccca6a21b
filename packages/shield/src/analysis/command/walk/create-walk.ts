import { isLoopback } from '../../arguments/host-place.ts';
import type { Effect } from '../../effects/effect.ts';
import { isDatabaseFile } from '../../effects/is-database-file.ts';
import { hasLabel, LABEL, type Labels } from '../../effects/labels.ts';
import { displayText, hasHole, isKnown } from '../../effects/pattern-text.ts';
import type { Place } from '../../effects/place.ts';
import { type ShellState, subshell } from '../shell/shell-state.ts';
import { EMPTY, type Text, unknownText, withLabels } from '../shell/text.ts';
import type { Walk } from '../shell/walk.ts';
import type { Analysis } from './analysis.ts';
import { runProgram } from './run-program.ts';

const NETWORK_DEVICE = /^\/dev\/(?:tcp|udp)\//;

/** A walk over one shell's state. */
export function createWalk(state: ShellState, analysis: Analysis): Walk {
  const { effects, budget, places } = analysis;
  const emit = (effect: Effect): void => {
    const object = displayText(effect.object).slice(0, 200);
    effects.push(object === effect.object ? effect : { ...effect, object });
  };
  const place = (path: Text): Place => places.of(path.text, state.folder);
  const walk: Walk = {
    state,
    budget,
    hosts: analysis.hosts,
    emit,
    placeOf: place,
    read(path, kind = 'read') {
      if (NETWORK_DEVICE.test(path.text)) return connectDevice(path, EMPTY, emit);
      const where = place(path);
      const written = contentOf(state, where.path, path);
      if (where.zone === 'stream') return written ?? (/null$/.test(where.path) ? EMPTY : unknownText());
      return readFile(where, kind, written, emit);
    },
    write(path, content, kind = 'write') {
      if (NETWORK_DEVICE.test(path.text)) {
        connectDevice(path, content, emit);
        return;
      }
      if (analysis.runScriptSink(path.text, content, walk, analysis)) return;
      const where = place(path);
      if (where.zone === 'stream') return;
      emit({ verb: 'write', kind, place: where, labels: content.labels, object: where.path });
      if (isDisguised(where))
        emit({ verb: 'write', kind: 'disguised', place: where, labels: 0, object: where.path });
      const before = kind === 'append' ? state.files.get(where.path) : undefined;
      state.files.set(where.path, before === undefined ? content : appended(before, content));
    },
    remove(path, kind = 'single') {
      const where = place(path);
      emit({ verb: 'delete', kind, place: where, labels: path.labels, object: where.path });
    },
    change(path, kind) {
      const where = place(path);
      emit({ verb: 'change', kind, place: where, labels: path.labels, object: where.path });
    },
    run(words, stdin) {
      analysis.onCommand(words, true);
      if (/^(?:return|exit)$/.test(words[0]?.text ?? '')) analysis.calls.leave();
      return budget.deeper(
        () => analysis.runFunction(words, stdin, walk, analysis) ?? runProgram(words, stdin, walk),
      );
    },
    shell(code, options = {}) {
      if (hasLabel(code.labels, 'downloaded', 'decoded')) {
        emit({ verb: 'evaluate', labels: code.labels, object: code.text.slice(0, 80) });
      } else if (code.text.trim() !== '' && code.text.startsWith('\uE000') && isOpaque(code)) {
        emit({ verb: 'evaluate', kind: 'computed', labels: code.labels, object: code.text.slice(0, 80) });
      }
      return budget.deeper(() => analysis.runScript(code, walk, analysis, options));
    },
    administer(kind, object, labels = LABEL.none) {
      emit({ verb: 'administer', kind, labels, object });
    },
    apart: () => createWalk(subshell(state), analysis),
  };
  return walk;
}

const DOTS = /(?:^|\/)\.{3,}(?:\/|$)/;
/** Names that end in a blank, or have invisible characters. */
const ODD_NAME = /\s(?:\/|$)|[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\u00a0]/u;
const HIDDEN_NAME = /(?:^|\/)\.\w/;

/**
 * Names of blanks; names of dots, except in the working folder, whose changes are listed; hidden
 * names where programs keep no settings.
 */
function isDisguised({ path, zone }: Place): boolean {
  if (ODD_NAME.test(path) || (zone !== 'working' && DOTS.test(path))) return true;
  return zone === 'temporary' && HIDDEN_NAME.test(path);
}

/**
 * Reads an existing file, or one that this command wrote: its content, and the labels of its place.
 */
function readFile(
  place: Place,
  kind: string,
  written: Text | undefined,
  emit: (effect: Effect) => void,
): Text {
  const labels = labelsOf(place);
  if (kind !== 'run' || place.overlays.some((overlay) => overlay !== 'commands')) {
    emit({ verb: 'read', kind, place, labels, object: place.path });
  }
  const own = kind === 'copy' || kind === 'link' ? labels : labels & ~LABEL.program;
  return written === undefined ? unknownText(own | LABEL.opaque) : withLabels(written, own);
}

function isOpaque(code: Text): boolean {
  return hasHole(code.text.trim().split(/[\s;|&]/)[0] ?? '');
}

function appended(before: Text, content: Text): Text {
  return { text: `${before.text}\n${content.text}`.slice(0, 65_536), labels: before.labels | content.labels };
}

/** Returns the content that this command wrote there, or into its folder. */
function contentOf(state: ShellState, path: string, given: Text): Text | undefined {
  const substituted = state.files.get(given.text);
  if (substituted !== undefined) return substituted;
  const exact = state.files.get(path);
  if (exact !== undefined) return exact;
  const pattern = path.includes('*') && !isKnown(given.text) ? path.slice(0, path.indexOf('*')) : undefined;
  return state.files.around(path, pattern);
}

/** Returns the labels of data read from a place. */
function labelsOf({ overlays, zone, wide, path }: Place): Labels {
  let labels: Labels = LABEL.file;
  if (overlays.includes('credentials') || overlays.includes('possible-credentials')) labels |= LABEL.secret;
  if (overlays.includes('private') || overlays.includes('history') || overlays.includes('own'))
    labels |= LABEL.private;
  if (isDatabaseFile(path)) labels |= LABEL.store;
  if (overlays.includes('accounts')) labels |= LABEL.accounts;
  if (overlays.includes('commands')) labels |= LABEL.program;
  if (overlays.includes('logs') || /^\/(?:etc|proc|sys)\//.test(path)) labels |= LABEL.host;
  if (wide && (zone === 'home' || zone === 'root' || (zone === 'system' && path.startsWith('/etc'))))
    labels |= LABEL.private;
  return labels;
}

/** `/dev/tcp/HOST/PORT`: a connection by redirection. */
function connectDevice(path: Text, content: Text, emit: (effect: Effect) => void): Text {
  const host = /^\/dev\/\w+\/([^/]*)/.exec(path.text)?.[1] ?? '';
  const kind = isLoopback(host) ? 'loopback' : 'device';
  emit({ verb: 'send', kind, labels: content.labels | path.labels, object: path.text });
  return unknownText(LABEL.downloaded);
}
