import { PROTOCOL_VERSION } from '@bulkhead/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveAgent } from './connection.ts';
import { type AgentBundle, bundleAgent } from './testing/agent-bundle.ts';
import { spawnAgent } from './testing/spawn-agent.ts';

const OTHERS = [PROTOCOL_VERSION - 1, PROTOCOL_VERSION + 1];
const options = { token: 't', timeoutMs: 10_000, initialTools: {} };

const bundles = new Map<number, AgentBundle>();
beforeAll(async () => {
  for (const version of [PROTOCOL_VERSION, ...OTHERS]) bundles.set(version, await bundleAgent(version));
});
afterAll(async () => {
  for (const bundle of bundles.values()) await bundle[Symbol.asyncDispose]();
});

/** An agent of version `own` whose engine claims version `told`. */
function agentOf(own: number, told: number) {
  return spawnAgent(bundles.get(own)?.path ?? '', '--token', 't', '--protocol', String(told));
}

function skew(agent: number, engine: number): string {
  return `the agent speaks protocol version ${agent}, the engine ${engine}`;
}

describe('an agent and an engine of different versions', () => {
  it.each(OTHERS)('the agent, of version %i, refuses this engine and says why [FT100]', async (version) => {
    await using agent = agentOf(version, PROTOCOL_VERSION);
    await expect(serveAgent(agent.duplex, options)).rejects.toMatchObject({ code: 'agent_failed' });
    expect(await agent.exit).toBe(70);
    expect(agent.stderr()).toBe(
      `bulkhead agent: ${skew(version, PROTOCOL_VERSION)}. Build both from the same sources\n`,
    );
  });

  it.each(OTHERS)(
    'this agent refuses an engine of version %i without a word to it [FT100]',
    async (version) => {
      await using agent = agentOf(PROTOCOL_VERSION, version);
      let heard = 0;
      agent.duplex.on('data', (chunk: Buffer) => {
        heard += chunk.length;
      });
      expect(await agent.exit).toBe(70);
      expect(agent.stderr()).toBe(
        `bulkhead agent: ${skew(PROTOCOL_VERSION, version)}. Build both from the same sources\n`,
      );
      expect(heard).toBe(0);
    },
  );

  it.each(OTHERS)('this engine refuses an agent of version %i that did not ask [FT100]', async (version) => {
    await using agent = agentOf(version, version);
    await expect(serveAgent(agent.duplex, options)).rejects.toMatchObject({
      code: 'protocol_violation',
      message: skew(version, PROTOCOL_VERSION),
      fix: 'Build both from the same sources',
    });
    expect(await agent.exit).toBe(70);
    expect(agent.duplex.destroyed).toBe(true);
  });

  it('meets no peer of its own version by mistake', async () => {
    await using agent = agentOf(PROTOCOL_VERSION, PROTOCOL_VERSION);
    const connection = await serveAgent(agent.duplex, options);
    await connection.close();
    expect(await agent.exit).toBe(0);
  });
});
