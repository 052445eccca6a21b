/** The policies that come with the product. They are written to the home as files, to be read and changed there. */
export type PresetName = 'default' | 'permissive' | 'strict';

const DEFAULT = `# Bulkhead policy "default": the working folder is the agent's to use, everything else asks you.
#
# Rules are asked in the order deny, verify, allow; the first that matches decides. If none matches, a
# person is asked. Reading this file top to bottom tells you all that is allowed without asking.
#
# What an allowed write or command changes in the working folder is kept first: \`bulkhead chronicle\` shows it and takes
# it back. A command that goes on in the background, or reaches the internet, is asked about: that can't be undone.
#
# The web is asked about: what a page's address carries leaves this machine. To read some hosts without being asked,
# add to "allow": { name: documentation, match: { tool: web_fetch, host: [docs.python.org] }, reason: documentation }
version: 1
name: default
rules:
  deny: []
  verify:
    - name: command-with-network
      match:
        tool: bash
        host: '*'
      by: human
      reason: the command can reach the internet, and with it send out what it reads
  allow:
    - name: read-in-working-folder
      match:
        tool: [read, ls, find, grep]
        path: '{workingFolder}/**'
        access: read
      reason: reads inside the working folder
    - name: write-in-working-folder
      match:
        tool: [write, edit]
        path: '{workingFolder}/**'
      reason: writes inside the working folder, and can be undone
    - name: boxed-command
      match:
        tool: bash
      reason: runs in a box without network that reaches only the working folder; what it changes there can be undone
`;

const PERMISSIVE = `# Bulkhead policy "permissive": as "default", and web pages are read without asking. A page's address carries data, too:
# what the model has read it could send to any host, and that can't be undone. What an allowed write or command changes in
# the working folder can: see \`bulkhead chronicle\`.
version: 1
name: permissive
rules:
  deny: []
  verify:
    - name: command-with-network
      match:
        tool: bash
        host: '*'
      by: human
      reason: the command can reach the internet, and with it send out what it reads
  allow:
    - name: read-in-working-folder
      match:
        tool: [read, ls, find, grep]
        path: '{workingFolder}/**'
        access: read
      reason: reads inside the working folder
    - name: write-in-working-folder
      match:
        tool: [write, edit]
        path: '{workingFolder}/**'
      reason: writes inside the working folder, and can be undone
    - name: boxed-command
      match:
        tool: bash
      reason: runs in a box without network that reaches only the working folder; what it changes there can be undone
    - name: read-the-web
      match:
        tool: web_fetch
      reason: reads public web pages
`;

const STRICT = `# Bulkhead policy "strict": reads inside the working folder are allowed, everything that may change
# something asks you first.
version: 1
name: strict
rules:
  deny: []
  verify:
    - name: ask-before-write
      match:
        tool: [write, edit]
      by: human
      reason: changes a file; it can be undone
    - name: ask-before-command
      match:
        tool: bash
      by: human
      reason: runs a command; what it changes in the working folder can be undone
  allow:
    - name: read-in-working-folder
      match:
        tool: [read, ls, find, grep]
        path: '{workingFolder}/**'
        access: read
      reason: reads inside the working folder
`;

export const presetPolicies: Readonly<Record<PresetName, string>> = {
  default: DEFAULT,
  permissive: PERMISSIVE,
  strict: STRICT,
};
