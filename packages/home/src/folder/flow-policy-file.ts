/** In the folder of policies, beside those of tier 0. */
export const FLOW_POLICY_FILE = 'ifc.yaml';

/** Its content in a new home. */
export const EMPTY_FLOW_POLICY = `# What you know better of tools, of where data comes from and of what may leave by which way. The product has its own rules;
# what stands here is added to them, or takes the place of what has the same name. See docs/information-flow.md.
version: 1
tools: []
`;
