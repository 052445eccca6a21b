import { LABEL } from '../../effects/labels.ts';
import { parseArguments } from '../programs/parse-options.ts';
import { EMPTY, joinTexts, literal, type Text, unknownText } from '../text.ts';
import type { Call, Grammar } from './grammar.ts';
import { applyValues, hasFlag, runOption, optionValue, valuesFor } from './option-values.ts';

/** Container and cluster clients: what is inspected, what runs inside, what reaches out of it. */
const container: Grammar = (call) => {
  const words = call.args.map(({ text }) => text);
  const text = words.join(' ');
  const { walk, name } = call;
  const plain = words.filter((word) => !word.startsWith('-'));
  const verb = plain.find((word) => VERBS.has(word)) ?? plain[0] ?? '';
  const object = `${name} ${text}`;
  if (ESCAPES.test(text)) walk.administer('escape', object);
  if (/^(?:push|publish)$/.test(verb))
    walk.emit({ verb: 'send', kind: 'publish', labels: LABEL.none, object });
  if (/^(?:exec|rsh|attach|ssh|console|shell|enter)$/.test(verb))
    walk.administer(isCluster(name) ? 'cluster-shell' : 'container-shell', object);
  if (/^(?:cp)$/.test(verb)) copyOut(call, plain.slice(plain.indexOf('cp') + 1));
  if (isCluster(name) && CLUSTER_CHANGES.test(verb) && !(name === 'helm' && verb === 'create')) walk.administer('cluster', object);
  if (/^(?:get|describe)$/.test(verb) && /\bsecrets?\b/.test(text) && /-o|describe/.test(text))
    walk.administer('secrets', object);
  if (
    /^(?:prune|destroy|down-volumes)$/.test(verb) ||
    (verb === 'rm' && /-\w*f|--force/.test(text) && /\$\(|…|\uE000/.test(text))
  )
    walk.administer('container-removal', object);
  if (/^(?:port-forward|proxy|expose|tunnel)$/.test(verb))
    walk.emit({ verb: 'listen', kind: 'tunnel', labels: 0, object });
  inner(call, verb, plain);
  return { text: '\uE000', labels: LABEL.opaque };
};

const VERBS = new Set(
  `exec run rsh attach ssh console shell enter cp push publish get describe apply delete create edit patch replace scale drain cordon
   taint label annotate rollout install upgrade uninstall rollback prune destroy port-forward proxy expose set config build
   pull logs ps images inspect start stop rm rmi kill top events version login auth certificate debug tunnel`.split(
    /\s+/,
  ),
);
const ESCAPES =
  /--privileged|--pid[= ]host|--net(?:work)?[= ]host|--ipc[= ]host|--userns[= ]host|--cap-add|--security-opt[= ]\S*(?:unconfined|disable)|--device[= ]|(?:-v|--volume|--mount)[= ]\S*(?:docker\.sock|^\/:|[ =]\/:|source=\/,|src=\/,|\/etc|\/root|\/proc|\/var\/run)|-v ?\/:|hostPID|hostNetwork|"privileged":\s*true|--overrides/;
const CLUSTER_CHANGES =
  /^(?:apply|delete|create|edit|patch|replace|scale|drain|cordon|taint|rollout|install|upgrade|uninstall|rollback|set|label|annotate|run|debug|certificate)$/;

function isCluster(name: string): boolean {
  return /^(?:kubectl|oc|k3s|microk8s|helm|nomad|crictl|heroku|fly|flyctl|eb)$/.test(name);
}

function copyOut(call: Call, [from = '', to = '']: readonly string[]): void {
  if (/^[\w.-]+:/.test(from)) call.walk.write(literal(to), unknownText(), 'copy');
  else call.walk.read(literal(from), 'copy');
}

/** The command inside: judged as if it ran here, since what it reads and sends is the same. */
function inner(call: Call, verb: string, plain: readonly string[]): void {
  if (!/^(?:exec|run|rsh|debug)$/.test(verb)) return;
  const dashes = call.args.findIndex(({ text }) => text === '--');
  const shell = call.args.findIndex(({ text }) => /^(?:(?:\/usr)?\/bin\/)?(?:ba|da|z|a|k)?sh$/.test(text));
  const start = dashes >= 0 ? dashes + 1 : shell;
  if (start >= 0) call.walk.apart().run(call.args.slice(start), call.stdin);
  else if (verb === 'exec' && plain.length > 2)
    call.walk.apart().run(
      plain.slice(plain.indexOf('exec') + 2).map((word) => literal(word)),
      call.stdin,
    );
}

/** Database clients: statements that drop, run programs, or read and write files of the server. */
const database: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  const operands = /^(?:sqlite3?|duckdb|litecli|redis-cli|mongo|mongosh)$/.test(call.name)
    ? parsed.operands.slice(/redis/.test(call.name) ? 0 : 1)
    : [];
  for (const each of parsed.values) {
    if (each.use === 'program') runOption(call, each.name, each.value);
    if (each.use === 'write') call.walk.write(each.value, EMPTY);
  }
  const files = valuesFor(parsed, 'input').map((file) => call.walk.read(file, 'run'));
  const code = joinTexts(
    [
      EMPTY,
      ...valuesFor(parsed, 'code'),
      ...files,
      call.stdin,
      ...(operands.length > 0 ? [joinTexts(operands, ' ')] : []),
    ],
    '\n',
  );
  const object = `${call.name} ${code.text.trim().slice(0, 80)}`;
  if (
    /\b(?:drop\s+(?:table|database|schema|user|view|index|collection)|truncate\b|delete\s+from\s+[\w."]+\s*(?:;|$)|flushall|flushdb|dropDatabase|\.drop\(|shutdown)/i.test(
      code.text,
    )
  ) {
    call.walk.administer('data-destruction', object);
  }
  if (
    /(?:^|[\n;])\s*(?:\\!|!|\.shell|\.system|system|\\system)\s*\S|copy\s.*\b(?:from|to)\s+program|xp_cmdshell|load_extension|\.load\s|sys_exec|sys_eval|create\s+(?:or\s+replace\s+)?function.*language\s+'?(?:c|plpython|plperl)|config\s+set\s+(?:dir|dbfilename)|module\s+load|load_file|into\s+(?:out|dump)file|lo_import|lo_export|pg_read_file|\.output\s+\||\.once\s+\||\|/i.test(
      code.text,
    )
  ) {
    const shell = /(?:\\!|\.shell|\.system|system|^!)\s*(.+)/.exec(code.text)?.[1];
    call.walk.emit({ verb: 'evaluate', kind: 'option', labels: code.labels, object });
    if (shell !== undefined) call.walk.shell(literal(shell.replace(/[;"']+$/, '')));
  }
  if (/\b(?:grant\s+all|create\s+user|alter\s+user|set\s+password|create\s+role)\b/i.test(code.text))
    call.walk.administer('accounts', object);
  const remote = call.args.some(({ labels }) => (labels & LABEL.secret) !== 0);
  const labels = outgoing(code) | (remote ? LABEL.secret : 0);
  if (labels !== 0) call.walk.emit({ verb: 'send', kind: 'stream', labels, object });
  if (
    code.text.includes('\uE000') &&
    (call.stdin.labels & LABEL.opaque) !== 0 &&
    files.length === 0 &&
    /^(?:psql|mysql|mariadb)$/.test(call.name)
  ) {
    call.walk.emit({ verb: 'evaluate', kind: 'computed', labels: code.labels, object });
  }
  return { text: '\uE000', labels: LABEL.private | LABEL.opaque };
};

function outgoing({ labels }: Text): number {
  return labels & (LABEL.secret | LABEL.environment | LABEL.accounts);
}

/** Build tools run the project's own recipes: that is what the agent is for. What the command line adds is not. */
const build: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  const { walk, name } = call;
  for (const { text, labels } of call.args) {
    const [, variable = '', value = ''] = /^([A-Za-z_]\w*)\s*[:+?]?=(.*)$/s.exec(text) ?? [];
    if (
      /^(?:SHELL|MAKE|CC|CXX|LD|AR)$/.test(variable) &&
      !/^(?:gcc|g\+\+|clang|clang\+\+|cc|c\+\+|\/bin\/(?:ba|da)?sh|bash|sh|ld|ar|[\w-]+-(?:gcc|g\+\+|clang))$/.test(
        value,
      )
    ) {
      walk.emit({ verb: 'evaluate', kind: 'option', labels, object: `${name} ${text}` });
    }
  }
  for (const code of valuesFor(parsed, 'code')) {
    if (/^(?:make|gmake|bmake|remake)$/.test(name) || /\$\(shell|!|system|`|exec/.test(code.text)) {
      walk.emit({ verb: 'evaluate', kind: 'option', labels: code.labels, object: `${name} ${code.text}` });
    }
  }
  for (const each of parsed.values) if (each.use === 'program') runOption(call, each.name, each.value);
  for (const setting of valuesFor(parsed, 'config')) {
    if (
      /^(?:exec\.executable|CMAKE_\w+_(?:COMPILER_LAUNCHER|COMPILER)|CMAKE_PROJECT_\w*INCLUDE\w*)/i.test(
        setting.text,
      ) &&
      /\//.test(setting.text)
    ) {
      walk.emit({
        verb: 'evaluate',
        kind: 'option',
        labels: setting.labels,
        object: `${name} ${setting.text}`,
      });
    }
  }
  for (const file of valuesFor(parsed, 'input')) recipe(call, file);
  if (/^cmake$/.test(name) && call.args[0]?.text === '-E' && call.args[1]?.text === 'env')
    walk.run(call.args.slice(2), EMPTY);
  return unknownText();
};

/** A recipe from outside the project, or that this command wrote. */
function recipe(call: Call, file: Text): void {
  const content = file.text === '-' || file.text === '/dev/stdin' ? call.stdin : call.walk.read(file, 'run');
  const place = call.walk.placeOf(file);
  if (place.zone === 'stream' || file.text === '-') {
    call.walk.emit({
      verb: 'evaluate',
      kind: 'option',
      labels: content.labels,
      object: `${call.name} -f ${file.text}`,
    });
    for (const line of content.text.split('\n'))
      if (/^\t|^\s+\S/.test(line)) call.walk.shell(literal(line.trim().replace(/^[@-]/, '')));
  } else call.walk.emit({ verb: 'execute', place, labels: content.labels, object: place.path });
}

/** Programs that make documents: some of their languages run programs. */
const document: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  applyValues(call, { ...parsed, values: parsed.values.filter(({ use }) => use !== 'code') }, EMPTY);
  if (hasFlag(parsed, '--shell-escape', '-shell-escape', '--enable-write18', '-U', '-enable-write18')) {
    call.walk.emit({
      verb: 'evaluate',
      kind: 'option',
      labels: 0,
      object: `${call.name} with shell escapes`,
    });
  }
  const texts = [...valuesFor(parsed, 'code'), ...parsed.operands];
  if (
    texts.some(({ text }) =>
      /write18|\bsystem\s*\(|os\.execute|%pipe%|\(system |import os|subprocess|^\|/.test(text),
    )
  ) {
    call.walk.emit({
      verb: 'evaluate',
      kind: 'option',
      labels: 0,
      object: `${call.name} ${texts.map(({ text }) => text).join(' ')}`,
    });
  }
  const screens =
    call.args.some(({ text }) =>
      /^(?:x11grab|avfoundation|kmsgrab|alsa|pulse|v4l2|gdigrab|dshow)$/.test(text),
    ) || /^(?:default|screen)$/.test(optionValue(parsed, '-i')?.text ?? '');
  if (screens) call.walk.administer('capture', `${call.name} records this machine`);
  return unknownText();
};

const deno: Grammar = (call) => {
  const [verb = EMPTY, ...rest] = call.args;
  if (verb.text === 'eval')
    call.walk.run(
      [literal('node'), literal('-e'), ...rest.filter(({ text }) => !text.startsWith('-')).slice(0, 1)],
      EMPTY,
    );
  else if (verb.text === 'run') {
    const url = rest.find(({ text }) => /^https?:/.test(text));
    if (url !== undefined) call.walk.emit({ verb: 'evaluate', labels: LABEL.downloaded, object: url.text });
  }
  return unknownText();
};

/** Grammars of clients of other machines and of builders. */
export const MACHINE_GRAMMARS: Readonly<Record<string, Grammar>> = {
  container,
  database,
  build,
  document,
  deno,
};
