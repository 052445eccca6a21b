export { answerControl, CONTROL_OPTION, readControl } from './answer-control.ts';
export { attackOwnBox, type ProbeFindings } from './attack-own-box.ts';
export { judgeControl, judgeFindings, type ProbedBox } from './judge-findings.ts';
export {
  abstractSocketOf,
  canaryOf,
  formatAims,
  type ProbeAims,
  parseAims,
  programOf,
  socketOf,
} from './probe-aims.ts';
