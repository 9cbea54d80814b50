export { type ContextPlan, planContext } from './context.js'
export { ESTIMATOR, estimateTokens } from './estimate.js'
export type {
  Author,
  DecisionExcerpt,
  EventExcerpt,
  Excerpt,
  WorkClaimExcerpt,
} from './excerpt.js'
export { maxEventsWithin, maxExcerptLength } from './fill.js'
export { CONTEXT_SECTIONS, type Context, type ContextMaterial } from './material.js'
