import { type InboxDoneInput, SpacesError } from '@collab-spaces/client'
import { nextRetry, noteFailure } from '../session/connectivity'
import { accounts, callAs } from '../session/session'
import { toastError } from '../toast'
import { type DoneMarks, DoneQueue } from './done'

const PREFIX = 'spaces.done'

const queues = new Map<string, DoneQueue>()

/** Returns the queue of an account's done marks. It outlives the components that show it. */
export function doneQueueOf(actorId: string): DoneQueue {
  const known = queues.get(actorId)
  if (known) return known
  const prefix = `${PREFIX} ${actorId} `
  const queue = new DoneQueue(window.localStorage, prefix + crypto.getRandomValues(new Uint32Array(1))[0], prefix, {
    send: (marked) => sendAs(actorId, marked),
    sendLast: (marked) => sendLastAs(actorId, marked),
    onRefused: toastError,
  })
  window.addEventListener('pagehide', () => queue.leave())
  queues.set(actorId, queue)
  return queue
}

/** Sends and removes the marks of an account that signs out. */
export function forgetDone(actorId: string): void {
  queues.get(actorId)?.forget()
  queues.delete(actorId)
}

/** Retries until the server accepts or refuses the marks. */
async function sendAs(actorId: string, marked: DoneMarks): Promise<void> {
  for (;;) {
    try {
      await callAs(actorId, (client) => client.inbox.done.mutate(inputOf(marked)))
      return
    } catch (error) {
      if (!(error instanceof SpacesError && error.mayPass)) throw error
      noteFailure(error)
      await nextRetry()
    }
  }
}

/** Uses `fetch` with `keepalive`: the client starts requests asynchronously, too late for an unloading page. */
function sendLastAs(actorId: string, marked: DoneMarks): void {
  const token = accounts.find(actorId)?.token
  if (token === undefined) return
  void fetch('/api/actors/me/inbox/done', {
    method: 'POST',
    keepalive: true,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(inputOf(marked)),
  }).catch(() => undefined)
}

const inputOf = ({ through, notices }: DoneMarks): InboxDoneInput => ({ through: [...through], notices: [...notices] })
