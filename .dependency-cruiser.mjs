/*
 * The walls of the house. Each rule's comment is what a person reads who ran into it: it says why.
 * scripts/walls.test.ts plants a violation of every rule and sees it fail.
 */

/** Tests, what they share (`testing/`, `testing.ts`, `*.conformance.ts`) and what they start (`*.child.ts`). */
const TEST = '(\\.test\\.ts$|\\.child\\.ts$|\\.conformance\\.ts$|/testing/|/testing\\.ts$)';
const CAPABILITIES =
  '^packages/(sandbox|shield|audit|chronicle|memory|skills|tools|models|agent|sessions|extensions|channels|wire|http)/';
/** The rooms of the engine, from the ground up: each knows those before it. */
const ROOMS = ['home', 'log', 'processes', 'actions', 'mind', 'runtime', 'engine'];
/** Built-in modules that compute and touch nothing outside. */
const PURE = '^(node:)?(util|path|path/posix|buffer|events|string_decoder|assert)$';
/** What a process needs beside them that speaks over one inherited socket. */
const ONE_SOCKET =
  '^(node:)?(net|http2|stream|crypto|process|timers|timers/promises|async_hooks|perf_hooks|v8)$';

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const ROOM_RULES = ROOMS.slice(0, -1).map((room, at) => ({
  name: `${room}-below`,
  severity: 'error',
  comment: `Rooms stand on each other in one order (${ROOMS.join(', ')}): what ${room} imported from above, nobody could read or test without the whole engine.`,
  from: { path: `^packages/${room}/` },
  to: { path: `^packages/(${ROOMS.slice(at + 1).join('|')})/` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
const configuration = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      comment:
        'Modules that need each other can be understood, tested and loaded only together. Move what both need below them.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      severity: 'error',
      comment: 'An import that leads nowhere hides what a module needs from every other wall.',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'front-door',
      severity: 'error',
      comment:
        'Other packages are imported by name (@bulkhead/…): a relative path goes round what they chose to show.',
      from: { path: '^packages/([^/]+)/' },
      to: {
        path: '^packages/',
        pathNot: '^packages/$1/',
        dependencyTypes: ['local'],
        dependencyTypesNot: ['aliased-workspace'],
      },
    },
    {
      name: 'front-door-from-outside',
      severity: 'error',
      comment:
        'e2e, bench, test and scripts import packages by name (@bulkhead/…), or they would rest on what may change any day.',
      from: { path: '^(e2e|bench|test|scripts|regressions)/' },
      to: { path: '^packages/', dependencyTypes: ['local'], dependencyTypesNot: ['aliased-workspace'] },
    },
    {
      name: 'ground-floor',
      severity: 'error',
      comment: 'protocol is what all others stand on; what it imported of ours, every process would carry.',
      from: { path: '^packages/protocol/' },
      to: { path: '^packages/(?!protocol/)' },
    },
    {
      name: 'ground-floor-without-io',
      severity: 'error',
      comment:
        'protocol says what is true, and touches no file, clock, network or process: it also runs inside the box.',
      from: { path: '^packages/protocol/src/', pathNot: TEST },
      to: { dependencyTypes: ['core'], pathNot: PURE },
    },
    {
      name: 'capabilities-apart',
      severity: 'error',
      comment:
        'Capabilities know protocol (wire, if they speak over a stream; files, if they touch any) and never one another: only engine and cli put them together, so each can be read, tested and replaced alone. wire itself knows protocol only.',
      from: { path: CAPABILITIES },
      to: { path: '^packages/', pathNot: '^packages/($1|protocol|wire|files|testkit)/' },
    },
    {
      name: 'files-below-capabilities',
      severity: 'error',
      comment:
        'files is what every hand on a disk is made of (FR5): it knows protocol only, or tools and chronicle would carry each other through it.',
      from: { path: '^packages/files/' },
      to: { path: '^packages/', pathNot: '^packages/(files|protocol|testkit)/' },
    },
    {
      name: 'pure-without-files',
      severity: 'error',
      comment: 'shield judges and agent thinks: neither has a hand on a disk, nor a way to get one.',
      from: { path: '^packages/(shield|agent|wire)/' },
      to: { path: '^packages/files/' },
    },
    ...ROOM_RULES,
    {
      name: 'engine-below-clients',
      severity: 'error',
      comment:
        'The engine serves clients and knows none of them: otherwise one of them could not be left out.',
      from: { path: `^packages/(${ROOMS.join('|')})/` },
      to: { path: '^packages/(cli|tui|sdk|web)/' },
    },
    {
      name: 'client-knows-no-engine',
      severity: 'error',
      comment:
        'A client finds the engine by its home and speaks to it over a socket: what it reached past that, no approval or token would guard.',
      from: { path: '^packages/client/' },
      to: { path: '^packages/', pathNot: '^packages/(client|protocol|wire|home|testkit)/' },
    },
    {
      name: 'client-core-alone',
      severity: 'error',
      comment:
        'Editors and programs use the link and its calls, which know neither: a command must not load the protocol of editors.',
      from: { path: '^packages/client/', pathNot: '^packages/client/src/(acp|sdk)/' },
      to: { path: '^packages/client/src/(acp|sdk)/' },
    },
    {
      name: 'rooms-know-no-client',
      severity: 'error',
      comment: 'A room that called the engine as a client does would wait for itself. Tests of the door may.',
      from: { path: `^packages/(${ROOMS.join('|')})/`, pathNot: TEST },
      to: { path: '^packages/client/' },
    },
    {
      name: 'clients-outside',
      severity: 'error',
      comment:
        'A client speaks to the engine as any other would (@bulkhead/client): what it reached past that, no approval or token would guard.',
      from: { path: '^packages/(tui|sdk|web)/' },
      to: { path: '^packages/', pathNot: '^packages/($1|protocol|testkit|client)/' },
    },
    {
      name: 'command-line-outside',
      severity: 'error',
      comment:
        'The command line is a client as any other, starts those that live in the same program (the terminal UI and the editors’ door), and works on a home while no engine runs (@bulkhead/engine/offline).',
      from: { path: '^packages/cli/' },
      to: {
        path: '^packages/',
        pathNot: '^packages/(cli|tui|protocol|testkit|client|engine/src/offline)/',
      },
    },
    {
      name: 'agent-thinks-only',
      severity: 'error',
      comment:
        'Loop and prompt of the agent are pure: what they need comes in, what they want goes out, so a test needs neither process nor network.',
      from: { path: '^packages/agent/src/(loop|prompt)/', pathNot: TEST },
      to: { dependencyTypes: ['core'], pathNot: PURE },
    },
    {
      name: 'agent-has-one-socket',
      severity: 'error',
      comment:
        'The agent, and wire within it, speaks over fd 3 and has no other hand: no file system, no process, no thread, no name lookup. In its box it would fail anyway, which is what self-probe tries.',
      from: { path: '^packages/(agent|wire)/src/', pathNot: [TEST, '^packages/wire/src/self-probe/'] },
      to: { dependencyTypes: ['core'], pathNot: [PURE, ONE_SOCKET] },
    },
    {
      name: 'testkit-stands-alone',
      severity: 'error',
      comment:
        'testkit stands for the outside world. If it knew what it tests, both could be wrong in the same way.',
      from: { path: '^packages/testkit/' },
      to: { path: '^packages/(?!testkit/|protocol/)' },
    },
    {
      name: 'testkit-only-in-tests',
      severity: 'error',
      comment: 'testkit is for tests, e2e and bench: what people run must not carry it.',
      from: { path: '^(packages|scripts)/', pathNot: [TEST, '^packages/testkit/'] },
      to: { path: '^packages/testkit/' },
    },
    {
      name: 'test-room-on-top',
      severity: 'error',
      comment:
        'The simulator, the attackers and the training know every room. What people run must not need them.',
      from: { path: '^(packages|scripts)/' },
      to: { path: '^test/' },
    },
    {
      name: 'tests-are-not-imported',
      severity: 'error',
      comment: 'Tests and what they share or start stay out of what people run.',
      from: { path: '^(packages|scripts)/', pathNot: [TEST, '^packages/testkit/'] },
      to: { path: TEST },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules'] },
    exclude: { path: ['/dist/'] },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.mjs', '.js', '.json'],
    },
  },
};

export default configuration;
