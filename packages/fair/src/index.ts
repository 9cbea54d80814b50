export {
  type Claimant,
  FairLimiter,
  type LimiterOptions,
  type LimiterUse,
  type Slot,
  type WhenGone,
} from './limiter.js'
export { FairQueue, type Payer } from './queue.js'
export { Slices } from './slices.js'
