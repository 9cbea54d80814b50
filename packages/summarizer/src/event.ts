import type { Voiced } from './voice.js'

/** An event as a summary needs it. All but the ids is text from other people and programs. */
export interface SummarizedEvent extends Voiced {
  readonly event_id: string
  readonly text: string
  readonly timestamp: string
  readonly parent_event_id: string | null
  readonly thread_id: string | null
  readonly references: readonly string[]
}
