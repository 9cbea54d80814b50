/** What a summary needs of an event. All but the ids is text from other people and programs. */
export interface SummarizedEvent {
  readonly event_id: string
  readonly speaker_id: string
  readonly speaker_name: string
  readonly speaker_type: string
  readonly text: string
  readonly timestamp: string
  readonly parent_event_id: string | null
  readonly thread_id: string | null
  readonly references: readonly string[]
}
