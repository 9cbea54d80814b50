import type { Database } from '@collab-spaces/db'
import type { LongPolls } from './long-polls.js'
import { Scanner } from './scanner.js'

/** Raises notices for decisions that are due for review or have expired, each once. Tenants take turns. */
export class DecisionReminder extends Scanner {
  constructor(
    decisions: Pick<Database['decisions'], 'raiseDueNotices'>,
    waits: Pick<LongPolls, 'inboxGrew' | 'decisionChanged'>,
    onFault: (error: unknown) => void,
  ) {
    super(async () => {
      const { owners, expired, more } = await decisions.raiseDueNotices()
      for (const decision of expired) waits.decisionChanged(decision)
      for (const owner of owners) waits.inboxGrew(owner)
      return more
    }, onFault)
  }
}
