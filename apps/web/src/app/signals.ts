import type { ActorMessage } from '@collab-spaces/client'
import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Live } from '../shared/live/live'
import { Paced } from '../shared/live/paced'
import { decisionChanged } from '../shared/query/decision'
import { readInbox } from '../shared/query/inbox'
import { setProgress } from '../shared/query/seen'
import { surroundingsMayHaveGrown } from '../shared/query/surroundings'
import { useSession } from '../shared/session/session'

/** All that signals keep up to date. */
const KEPT = [
  ['spaces'],
  ['space'],
  ['decisions'],
  ['policy'],
  ['work-claims'],
  ['receipts'],
  ['links'],
  ['agents'],
  ['card'],
]

/** Brings what is shown up to date when it is told that something has changed. */
export function useSignals(): void {
  const cache = useQueryClient()
  const { client, live } = useSession()
  useEffect(() => {
    const again = new Paced((queryKey) => readAgain(cache, queryKey))
    const onSignal = (signal: ActorMessage) =>
      apply(signal, { cache, again, live, readInbox: () => readInbox(cache, client, live) })
    const stops = [
      live.onSignal(onSignal),
      live.onRead((queryKey, data) => cache.setQueryData(queryKey, data)),
      // Changes without a connection were not announced.
      live.connection.subscribe(() => live.connection.value === 'live' && onSignal({ kind: 'missed' })),
      () => again.stop(),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [cache, client, live])
}

interface Kept {
  readonly cache: QueryClient
  readonly again: Paced
  readonly live: Live
  readonly readInbox: () => Promise<void>
}

function apply(signal: ActorMessage, { cache, again, live, readInbox }: Kept): void {
  switch (signal.kind) {
    case 'space': {
      const { kind: _, space_id, ...progress } = signal
      setProgress(cache, space_id, progress)
      surroundingsMayHaveGrown(cache, space_id, (queryKey) => again.read(queryKey))
      return
    }
    case 'changed':
      for (const queryKey of SHOWN[signal.part](signal.space_id)) again.read(queryKey)
      return
    case 'act':
      decisionChanged(cache, signal.space_id, signal.decision_id)
      return
    case 'inbox':
      if (live.isFirst) void readInbox()
      return
    case 'stop':
      for (const queryKey of [['agents'], ['card'], ['members'], ['space']]) again.read(queryKey)
      return
    case 'missed':
      for (const queryKey of KEPT) void readAgain(cache, queryKey)
      if (live.isFirst) void readInbox()
  }
}

/** The queries that show a part of a space. */
const SHOWN = {
  // An agent that has come is among those who take part.
  status: (spaceId) => [['spaces'], ['space', spaceId], ['agents']],
  links: (spaceId) => [['links', spaceId]],
  claims: (spaceId) => [
    ['work-claims', spaceId],
    ['receipts', spaceId],
  ],
  receipts: (spaceId) => [['receipts', spaceId]],
} satisfies Record<Extract<ActorMessage, { kind: 'changed' }>['part'], (spaceId: string) => QueryKey[]>

/** Reads again the queries that are shown, and the rest once they are: a tab that nobody sees asks for nothing. */
async function readAgain(cache: QueryClient, queryKey: QueryKey): Promise<void> {
  const refetchType = document.visibilityState === 'visible' ? 'active' : 'none'
  const once = () => cache.invalidateQueries({ queryKey, refetchType }, { cancelRefetch: false })
  // A request that is under way may have been answered before the change.
  if (cache.isFetching({ queryKey }) > 0) await once()
  await once()
}
