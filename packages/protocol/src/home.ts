/** Locations below `BULKHEAD_HOME`. Pure: joins names, touches no disk. */
export interface HomeLayout {
  readonly root: string;
  readonly config: string;
  readonly secrets: string;
  readonly policies: string;
  readonly state: string;
  /** Exists once the home was complete: missing parts are not created again after that. */
  readonly mark: string;
  /** Sessions and related data: labels, programs, approvals, totals, authors of memory. */
  readonly database: string;
  /** Copies of session databases with lost records, from before an engine wrote to them. */
  readonly damaged: string;
  readonly audit: string;
  /** Access over HTTP: hashes of the secrets of logins and programs. */
  readonly access: string;
  /** The owner's token for HTTP, 0600: it can be shown again. */
  readonly accessToken: string;
  /** The HTTP port of the last start, unless one is configured. */
  readonly port: string;
  /** Folder of records: the trusted folders, and their content at that time. */
  readonly trust: string;
  /** A folder for each profile: the texts, skills and memory of an agent. */
  readonly profiles: string;
  /** Snapshots from before each action. */
  readonly chronicle: string;
  readonly logs: string;
  /** Full outputs of commands whose result was shortened. */
  readonly outputs: string;
  /** Copies of the person's harmless git settings, which boxes show: a folder for each content. */
  readonly gitSettings: string;
  /** Changes of commands and their outcome, until the transaction is settled. */
  readonly scratch: string;
  /** Private homes and temporary folders of commands: a folder for each workspace. */
  readonly boxes: string;
  /**
   * Files that a client fetches for the engine to judge: a folder for each fetch, named after the
   * client's process.
   */
  readonly fetched: string;
  /** Known facts about time: see `ConfirmedTime`. */
  readonly clock: string;
  /** Sockets, pid and token files; mode 0700. */
  readonly run: string;
  readonly socket: string;
  readonly token: string;
  readonly lock: string;
}

/** @param root absolute path of the home, without a trailing slash */
export function homeLayout(root: string): HomeLayout {
  const state = `${root}/state`;
  const run = `${state}/run`;
  return {
    root,
    config: `${root}/config.yaml`,
    secrets: `${root}/secrets.json`,
    policies: `${root}/policies`,
    profiles: `${root}/profiles`,
    state,
    mark: `${state}/home.json`,
    database: `${state}/bulkhead.db`,
    damaged: `${state}/damaged`,
    audit: `${state}/audit`,
    access: `${state}/access.db`,
    accessToken: `${state}/access-token`,
    port: `${state}/port`,
    trust: `${state}/trust`,
    chronicle: `${state}/chronicle`,
    logs: `${state}/logs`,
    outputs: `${state}/outputs`,
    gitSettings: `${state}/git-settings`,
    scratch: `${state}/scratch`,
    boxes: `${state}/boxes`,
    fetched: `${state}/fetched`,
    clock: `${state}/clock.json`,
    run,
    socket: `${run}/engine.sock`,
    token: `${run}/token`,
    lock: `${run}/engine.lock`,
  };
}
