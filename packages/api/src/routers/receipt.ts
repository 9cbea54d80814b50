import { unknown } from '@collab-spaces/domain'
import { z } from 'zod'
import type { Wait } from '../live/wait.js'
import { isAwaited, presentEventReceipts, presentReceipts, readableReceipts } from '../presenters/receipt.js'
import type { Caller } from '../procedure/credential.js'
import { unlessItWaits } from '../procedure/meta.js'
import { procedure, router } from '../procedure/trpc.js'
import { requireSpace } from '../require-space.js'
import { EventReceipts, ReadReceipts, ReadReceiptsOfEvents, Receipt } from '../schemas/receipt.js'
import type { Services } from '../services.js'

export const receiptRouter = router({
  list: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: unlessItWaits('page'),
      route: 'GET /api/spaces/{space_id}/events/{event_id}/receipts',
      tags: ['Inbox', 'Extensions'],
      summary: 'Get the receipts of an event',
      description: 'Those of humans are for its poster alone.',
      returns: 'receipts, by `actor_id`',
    })
    .input(ReadReceipts)
    .output(z.array(Receipt))
    .query(async ({ ctx, input: { space_id, event_id, wait: seconds } }) => {
      const { caller, services } = ctx
      const space = await requireSpace(services, caller, space_id)
      const receipts = await services.longPolls.answer(ctx, {
        spaceId: space_id,
        seconds,
        look: async () => {
          const [receipts] = await services.database.receipts.ofEvents(space, [event_id])
          if (!receipts) throw unknown('Event')
          return readableReceipts(receipts, caller)
        },
        isEmpty: isAwaited,
        enter: (wait) => wakeOnReceipts(services, caller, space_id, wait),
      })
      return presentReceipts(receipts, caller)
    }),

  ofEvents: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'page',
      route: 'GET /api/spaces/{space_id}/receipts',
      tags: ['Inbox', 'Extensions'],
      summary: 'Get the receipts of several events of a space',
      description: '`event_ids` are up to 50, separated by commas.',
      returns: '`[{event_id, receipts}]`, without unknown ones',
    })
    .input(ReadReceiptsOfEvents)
    .output(z.array(EventReceipts))
    .query(async ({ ctx: { caller, services }, input: { space_id, event_ids } }) => {
      const space = await requireSpace(services, caller, space_id)
      const found = await services.database.receipts.ofEvents(space, event_ids)
      return found.map((receipts) => presentEventReceipts(receipts, caller))
    }),
})

/** Wakes a request by replies to its caller and by done marks in the space. */
function wakeOnReceipts({ longPolls }: Services, caller: Caller, spaceId: string, wait: Wait): () => void {
  const leaves = [
    longPolls.inboxes.enter(caller, wait),
    longPolls.receipts.enter({ tenantId: caller.tenantId, spaceId }, wait),
  ]
  return () => {
    for (const leave of leaves) leave()
  }
}
