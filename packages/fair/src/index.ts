export {
  FairLimiter,
  type LimiterOptions,
  type LimiterUse,
  type Slot,
  type SlotRequest,
  type WhenGone,
} from './limiter.js'
export { type FairKey, FairQueue } from './queue.js'
export { Slices } from './slices.js'
