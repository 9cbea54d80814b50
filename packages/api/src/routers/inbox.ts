import { type DeliveredRange, databaseClock, type InboxPage, type NoticeRecord } from '@collab-spaces/db'
import { dismissalRefusal, requireInstallation, requireSnoozed, type Stop } from '@collab-spaces/domain'
import type { z } from 'zod'
import { type InboxRecord, presentInbox } from '../presenters/inbox.js'
import type { Caller } from '../procedure/credential.js'
import { unlessItWaits } from '../procedure/meta.js'
import { procedure, router } from '../procedure/trpc.js'
import { requireSpace } from '../require-space.js'
import { AgentConnected, Done } from '../schemas/actor.js'
import { Inbox, MarkDone, ReadInbox, Snooze } from '../schemas/inbox.js'
import type { Services } from '../services.js'

const INSTALLATION = { 'X-Installation-Id': 'installation_id' }

export const inboxRouter = router({
  get: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: unlessItWaits('row'),
      route: 'GET /api/actors/me/inbox',
      tags: ['Inbox', 'Extensions'],
      summary: "Get the caller's inbox",
      description: 'Reading marks nothing as done, and with `peek` or `snoozed` nothing as [seen](#receipts).',
      returns: 'inbox',
      errors: [404, 409],
      headers: INSTALLATION,
      errorBodies: { 409: AgentConnected },
    })
    .input(ReadInbox)
    .output(Inbox)
    .query(async ({ ctx, input }) => {
      const { wait: seconds, space_id, peek, snoozed, installation_id } = input
      const { caller, services } = ctx
      if (space_id !== undefined) await requireSpace(services, caller, space_id)
      requireOwnInstallation(caller, installation_id)
      const inbox = await services.longPolls.answer(ctx, {
        spaceId: space_id,
        seconds,
        look: () => readInbox(services, caller, input),
        isEmpty: isEmptyFor(caller),
        enter: (wait) => services.longPolls.inboxes.enter(caller, wait),
      })
      // The agent may have been stopped or started during the wait.
      const stopped = seconds > 0 ? await stopOf(services, caller) : caller.stopped
      if (!peek && !snoozed && !ctx.isHead) noteGiven(services, caller, inbox)
      const claims = await services.database.workClaims.onEvents(
        caller,
        inbox.page.items.filter(({ wasClaimed }) => wasClaimed),
      )
      return presentInbox({ ...inbox, claims, stopped, snoozed }, caller)
    }),

  snooze: procedure
    .meta({
      caller: 'human',
      scope: 'write',
      cost: 'change',
      route: 'POST /api/actors/me/inbox/snooze',
      tags: ['Inbox', 'Extensions'],
      summary: 'Hide items, decisions or notices of the inbox for a while',
      description:
        '`items`, `decisions` that wait for the caller, and `notices`. They come back at the time `until`, and before when ' +
        'something new comes: to an item a later one of its space, to a decision a review, to a ' +
        'notice the next one of its kind and subject. If one is unknown, nothing is hidden: 404. A human hides a notice only with a ' +
        'credential that may dismiss it: otherwise 403. Beyond 100 snoozed decisions, or notices of one kind: 409.',
      errors: [404, 409],
      idempotent: true,
      example: {
        items: [{ space_id: 'plans', event_id: 'the event_id of an event' }],
        until: '2099-01-01T09:00:00Z',
      },
    })
    .input(Snooze)
    .output(Done)
    .mutation(async ({ ctx: { caller, services }, input }) => {
      const { items = [], decisions = [], notices = [], until = null } = input
      const { database } = services
      requireSnoozed(items, decisions, notices)
      await database.notices.requireDismissable(caller, notices)
      const named = {
        items: items.map(({ space_id, event_id }) => ({ spaceId: space_id, eventId: event_id })),
        decisions: decisions.map(({ space_id, decision_id }) => ({ spaceId: space_id, decisionId: decision_id })),
        notices,
      }
      await database.inbox.snooze(caller, named, until, databaseClock.now())
      database.bus.publish({ kind: 'inbox', tenantId: caller.tenantId, actorId: caller.actorId })
      return { ok: true as const }
    }),

  done: procedure
    .meta({
      caller: 'actor',
      scope: 'write',
      cost: 'change',
      route: 'POST /api/actors/me/inbox/done',
      tags: ['Inbox', 'Extensions'],
      summary: 'Mark items of the inbox as done',
      description:
        '`through` is `[{space_id, event_id}]`, all up to there unless snoozed; `notices` are ids; `outcome` is ' +
        "`declined`, with a `reason`. The caller's claims on these events end, and the `claim` sent if its event is " +
        'done. If an event is unknown, nothing is marked: 404. Repeats change nothing. A human dismisses a notice of no ' +
        'space only with a credential that has the scope `account` and opens every space: otherwise 403, and nothing ' +
        'is marked.',
      errors: [404, 409],
      idempotent: true,
      example: {
        through: [{ space_id: 'plans', event_id: 'the event_id of an event' }],
        notices: ['the notice_id of a notice'],
      },
      headers: INSTALLATION,
      errorBodies: { 409: AgentConnected },
    })
    .input(MarkDone)
    .output(Done)
    .mutation(async ({ ctx: { caller, services }, input }) => {
      const { through = [], notices = [], installation_id, outcome, reason, claim } = input
      requireOwnInstallation(caller, installation_id)
      const { database } = services
      await database.notices.requireDismissable(caller, notices)
      await database.inbox.done(
        caller,
        through.map(({ space_id, event_id }) => ({ spaceId: space_id, eventId: event_id })),
        { outcome, reason, claim },
      )
      for (const spaceId of new Set(through.map(({ space_id }) => space_id))) {
        services.longPolls.receiptsChanged({ tenantId: caller.tenantId, spaceId })
      }
      await database.notices.dismiss(caller, notices)
      // Wherever else the caller looks at its inbox, it is shorter now.
      database.bus.publish({ kind: 'inbox', tenantId: caller.tenantId, actorId: caller.actorId })
      return { ok: true }
    }),
})

/** 409 for an agent that is connected to another installation than the one that asks. */
function requireOwnInstallation(caller: Caller, installationId: string | undefined): void {
  if (caller.actorType === 'agent') requireInstallation(caller, installationId)
}

/** Whether an inbox has nothing that the caller could mark as done: otherwise a waiting client would be answered for ever. */
const isEmptyFor =
  (caller: Caller) =>
  ({ page, notices }: Pick<InboxRecord, 'page' | 'notices'>) =>
    page.items.length === 0 && notices.every((notice) => dismissalRefusal(caller, notice) !== null)

/** The credential is looked up once more, as that is an answer shared with other requests. */
async function stopOf({ database }: Services, { actorType, credentialHash }: Caller): Promise<Stop | null> {
  return actorType === 'agent' ? ((await database.credentials.lookUp(credentialHash))?.stopped ?? null) : null
}

/** The parts of spaces that a page newly hands out. Nothing lies before them: a page begins with what is not done. */
function givenOf({ tenantId, actorId }: Caller, { items }: InboxPage): DeliveredRange[] {
  const given = new Map<string, DeliveredRange>()
  for (const { spaceId, newAt } of items) {
    if (newAt !== null) given.set(spaceId, { tenantId, actorId, spaceId, after: 0, through: newAt })
  }
  return [...given.values()]
}

function noteGiven(services: Services, caller: Caller, { page, notices }: Pick<InboxRecord, 'page' | 'notices'>): void {
  services.deliveries.note(givenOf(caller, page))
  noteNotices(services, caller, notices)
  if (caller.actorType === 'human' && page.items.length > 0) noteReturned(services, caller, page)
}

/** Not awaited: at worst, a push message tells of an item that has been seen. */
function noteReturned({ database, isDiskLow }: Services, caller: Caller, { items }: InboxPage): void {
  const spaceIds = [...new Set(items.map(({ spaceId }) => spaceId))]
  if (!isDiskLow()) void database.inbox.seenReturned(caller, spaceIds).catch(() => {})
}

/** Not awaited: at worst, a read notice is sent by e-mail. */
function noteNotices(
  { database, isDiskLow }: Services,
  { tenantId, actorId }: Caller,
  notices: readonly NoticeRecord[],
) {
  const unseen = notices.filter(({ seenAt }) => seenAt === null).map(({ noticeId }) => noticeId)
  if (unseen.length > 0 && !isDiskLow()) void database.notices.seen(tenantId, actorId, unseen).catch(() => {})
}

const NO_ITEMS: InboxPage = { items: [], more: false, unread: 0 }
const NO_DECISIONS = { decisions: [], decisionCount: 0 }

/** Everything that waits for the caller, or is snoozed, in a space or in all that it sees. */
async function readInbox(
  { database }: Services,
  caller: Caller,
  { limit, space_id: wanted, snoozed }: z.infer<typeof ReadInbox>,
): Promise<Omit<InboxRecord, 'stopped' | 'claims' | 'snoozed'>> {
  // Most inboxes are looked at in vain, by those that wait.
  const there = await database.inbox.contents(caller)
  if (there === null) return { page: NO_ITEMS, ...NO_DECISIONS, notices: [], nextSnooze: null }
  const [page, assigned, notices, nextSnooze] = await Promise.all([
    there.hasItems ? database.inbox.page(caller, limit, wanted ?? null, snoozed) : NO_ITEMS,
    there.hasDecisions ? database.decisions.assignedTo(caller, wanted ?? null, snoozed) : NO_DECISIONS,
    there.hasNotices ? database.notices.list(caller, snoozed) : [],
    (there.hasItems || there.hasNotices) && caller.actorType === 'human' ? database.inbox.nextSnooze(caller) : null,
  ])
  const isShown = ({ spaceId }: NoticeRecord) => wanted === undefined || spaceId === wanted
  return { page, ...assigned, notices: notices.filter(isShown), nextSnooze }
}
