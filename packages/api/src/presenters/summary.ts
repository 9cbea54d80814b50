import type { SummaryRecord } from '@collab-spaces/db'
import type { TimeSpan } from '@collab-spaces/domain'
import type { z } from 'zod'
import type { Summary } from '../schemas/summary.js'

/** The window is the requested one, even if the text was written for another window with the same contents. */
export const presentSummary = (
  spaceId: string,
  { start, end }: TimeSpan,
  summary: SummaryRecord,
): z.infer<typeof Summary> => ({
  summary_id: summary.summaryId,
  space_id: spaceId,
  window_start: start.toISOString(),
  window_end: end.toISOString(),
  summary_text: summary.text,
  event_count: summary.eventCount,
  model: summary.model,
  created_at: summary.createdAt.toISOString(),
})
