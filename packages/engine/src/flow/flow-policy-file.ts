/** In the folder of policies, beside those of tier 0. */
export const FLOW_POLICY_FILE = 'ifc.yaml';
