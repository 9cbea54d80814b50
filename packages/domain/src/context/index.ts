export { type ContextPlan, planContext } from './context.js'
export { ESTIMATOR, estimateTokens } from './estimate.js'
export {
  type Author,
  claimedName,
  type DecisionExcerpt,
  type EventExcerpt,
  type Excerpt,
  spokenAttributes,
  type WorkClaimExcerpt,
} from './excerpt.js'
export { fenced } from './fence.js'
export { longestExcerpt, mostEvents } from './fill.js'
export { CONTEXT_SECTIONS, type Context, type ContextMaterial } from './material.js'
