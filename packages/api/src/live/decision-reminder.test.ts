import type { InboxOwner } from '@collab-spaces/db'
import { DEFAULT_TENANT } from '@collab-spaces/domain'
import { expect, it } from 'vitest'
import { DecisionReminder } from './decision-reminder.js'

const owner = (actorId: string): InboxOwner => ({ tenantId: DEFAULT_TENANT, actorId })

/** Creates a reminder whose due decisions are these batches, one per query. */
function reminderOf(batches: string[][], afterEach: () => void = () => {}) {
  const notified: string[] = []
  const decisions = {
    async raiseDueNotices() {
      const owners = await Promise.resolve(batches.shift() ?? [])
      afterEach()
      return { owners: owners.map(owner), expired: [], more: batches.length > 0 }
    },
  }
  const waits = { inboxGrew: ({ actorId }: InboxOwner) => void notified.push(actorId), decisionChanged: () => {} }
  const fail = (error: unknown) => {
    throw error
  }
  return { reminder: new DecisionReminder(decisions, waits, fail), notified }
}

it('the reminder continues immediately while a batch reports more', async () => {
  const { reminder, notified } = reminderOf([['ada'], [], ['bob', 'eve'], ['ada']])
  reminder.open()
  await expect.poll(() => notified).toEqual(['ada', 'bob', 'eve', 'ada'])
  await reminder.close()
})

it('the reminder notifies no further owner after it is closed', async () => {
  const batches = [['ada'], ['bob'], ['eve']]
  const { reminder, notified } = reminderOf(batches, () => void reminder.close())
  reminder.open()
  await expect.poll(() => notified).toEqual(['ada'])
  await reminder.close()
  expect([notified, batches]).toEqual([['ada'], [['bob'], ['eve']]])
})
