export { type TrainedModel, trainShippedModel } from './train-shipped-model.ts';
