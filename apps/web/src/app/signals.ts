import type { ActorMessage, Client } from '@collab-spaces/client'
import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Live } from '../shared/live/live'
import { ThrottledRefetch } from '../shared/live/throttled-refetch'
import { refetchChanged } from '../shared/query/changed'
import { ALL_DECISIONS, decisionChanged } from '../shared/query/decision'
import { readInbox } from '../shared/query/inbox'
import { setPresences } from '../shared/query/presence'
import { reactionsChanged } from '../shared/query/reaction-cache'
import { setProgress } from '../shared/query/seen'
import { refetchSurroundings } from '../shared/query/surroundings'
import { useSession } from '../shared/session/session'

/** All queries that signals keep up to date. */
const SIGNALED_QUERIES: readonly QueryKey[] = [
  ['spaces'],
  ['space'],
  ['decisions'],
  ALL_DECISIONS,
  ['policy'],
  ['work-claims'],
  ['receipts'],
  ['links'],
  ['agents'],
  ['card'],
]

/** Refetches queries when a signal announces a change. */
export function useSignals(): void {
  const cache = useQueryClient()
  const { client, live } = useSession()
  useEffect(() => {
    const throttled = new ThrottledRefetch((queryKey) => refetch(cache, queryKey))
    const onSignal = (signal: ActorMessage) =>
      apply(signal, { cache, client, throttled, live, readInbox: () => readInbox(cache, client, live) })
    const stops = [
      live.onSignal(onSignal),
      live.onRead((queryKey, data) => cache.setQueryData(queryKey, data)),
      () => throttled.stop(),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [cache, client, live])
}

interface Targets {
  readonly cache: QueryClient
  readonly client: Client
  readonly throttled: ThrottledRefetch
  readonly live: Live
  readonly readInbox: () => Promise<void>
}

function apply(signal: ActorMessage, { cache, client, throttled, live, readInbox }: Targets): void {
  switch (signal.kind) {
    case 'space': {
      const { kind: _, space_id, ...progress } = signal
      setProgress(cache, space_id, progress)
      refetchSurroundings(cache, space_id, (queryKey) => throttled.request(queryKey))
      return
    }
    case 'changed':
      for (const queryKey of QUERIES_OF_PART[signal.part](signal.space_id)) throttled.request(queryKey)
      return
    case 'unfollowed':
      for (const queryKey of QUERIES_OF_PART.status(signal.space_id)) throttled.request(queryKey)
      return
    case 'act':
      decisionChanged(cache, signal.space_id, signal.decision_id)
      return
    case 'reaction':
      reactionsChanged(cache, client, signal.space_id, signal.event_id)
      return
    case 'inbox':
      if (live.ownsStream) void readInbox()
      return
    case 'stop':
      for (const queryKey of [['agents'], ['card'], ['members'], ['space']]) throttled.request(queryKey)
      return
    case 'presence':
      setPresences(cache, signal.actors)
      return
    case 'missed':
      for (const queryKey of SIGNALED_QUERIES) void refetch(cache, queryKey)
      reactionsChanged(cache, client)
      if (live.ownsStream) void readInbox()
  }
}

/** The queries that show each part of a space. */
const QUERIES_OF_PART = {
  // An agent that connects is a participant.
  status: (spaceId) => [['spaces'], ['space', spaceId], ['agents']],
  links: (spaceId) => [['links', spaceId]],
  claims: (spaceId) => [
    ['work-claims', spaceId],
    ['receipts', spaceId],
  ],
  receipts: (spaceId) => [['receipts', spaceId]],
} satisfies Record<Extract<ActorMessage, { kind: 'changed' }>['part'], (spaceId: string) => QueryKey[]>

/** Refetches the active queries and marks the others stale. In a hidden tab, all of them only become stale. */
const refetch = (cache: QueryClient, queryKey: QueryKey): Promise<void> =>
  refetchChanged(cache, { queryKey, refetchType: document.visibilityState === 'visible' ? 'active' : 'none' })
