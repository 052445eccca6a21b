import type { LabelledThing } from '@bulkhead/protocol/client';
import { EXIT } from '../exit-code.ts';
import { type IfcVerb, sessionOption } from './ifc-verb.ts';

/** `ifc list [--session ID]` */
export const listLabels: IfcVerb = async (call) => {
  const { client, args, stdout } = call;
  const { labels } = await client.call('listLabels', { sessionId: await sessionOption(call) });
  if (args.flag('json')) {
    stdout.own(`${JSON.stringify(labels.map(asJson))}\n`);
    return EXIT.completed;
  }
  if (labels.length === 0)
    stdout.line(
      'no labelled data was read yet; a label says who wrote data and how secret it is (docs/information-flow.md)',
    );
  for (const { kind, name, secrecy, trust, annotatedBy } of labels) {
    const by = annotatedBy === '' ? '' : `  (by ${stdout.safeLine(annotatedBy)})`;
    stdout.line(
      `${kind.padEnd(7)}  ${secrecy.padEnd(12)}  ${trust.padEnd(9)}  ${stdout.safeLine(name)}${by}`,
    );
  }
  return EXIT.completed;
};

function asJson({ $typeName: _, ...label }: LabelledThing) {
  return label;
}
