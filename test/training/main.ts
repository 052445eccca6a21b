/*
 * `npm run train`: trains the small classifier from the texts in the repository and
 * writes its model. Run it when a text, a feature or the training has changed; a test compares.
 */
import { writeFileSync } from 'node:fs';
import { trainShippedModel } from './train-shipped-model.ts';

const TARGET = `${import.meta.dirname}/../../packages/shield/src/gen/shipped-model.ts`;

const { model, heldOut, learnedFrom } = trainShippedModel();
const { weights, ...numbers } = model;
const members = Object.entries(numbers).map(([name, value]) => `  ${name}: ${value},\n`);
writeFileSync(
  TARGET,
  `/** Made by npm run train (test/training); not to be edited. */\nimport type { EncodedModel } from '../classifier/linear-model.ts';\n\n` +
    `export const SHIPPED_MODEL: EncodedModel = {\n${members.join('')}  weights:\n    '${weights}',\n};\n`,
);
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
process.stdout.write(
  `learned from ${learnedFrom} texts; held out ${heldOut.texts}: precision ${percent(heldOut.precision)}, ` +
    `recall ${percent(heldOut.recall)}, false alarms ${percent(heldOut.falseAlarms)}\n`,
);
