import type { ActorMessage } from '@collab-spaces/client'
import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { decisionChanged } from '../query/decision'
import { readInbox } from '../query/inbox'
import { setProgress } from '../query/seen'
import { useSession } from '../session/session'
import type { Live } from './live'

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
      // What changed while there was no connection was not told.
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
      readAgain(cache, ['surroundings', space_id])
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
      for (const queryKey of KEPT) readAgain(cache, queryKey)
      if (live.isFirst) void readInbox()
  }
}

/** What of a page shows a part of a space. */
const SHOWN = {
  status: (spaceId) => [['spaces'], ['space', spaceId]],
  links: (spaceId) => [['links', spaceId]],
  claims: (spaceId) => [
    ['work-claims', spaceId],
    ['receipts', spaceId],
  ],
  receipts: (spaceId) => [['receipts', spaceId]],
} satisfies Record<Extract<ActorMessage, { kind: 'changed' }>['part'], (spaceId: string) => QueryKey[]>

/** Has what is shown read again, and the rest when it is shown: a tab that nobody sees asks for nothing. */
function readAgain(cache: QueryClient, queryKey: QueryKey): void {
  const refetchType = document.visibilityState === 'visible' ? 'active' : 'none'
  // What is being read has what has changed by now.
  void cache.invalidateQueries({ queryKey, refetchType }, { cancelRefetch: false })
}

/** Has the same read again at once, and then once in a while: where many work, much changes. */
const AT_MOST_EVERY_MS = 3_000

class Paced {
  /** Keys that were read a moment ago, and whether they are to be read again. */
  readonly #recent = new Map<string, { isAsked: boolean; readonly timer: ReturnType<typeof setTimeout> }>()

  constructor(private readonly readNow: (queryKey: QueryKey) => void) {}

  read(queryKey: QueryKey): void {
    const key = JSON.stringify(queryKey)
    const recent = this.#recent.get(key)
    if (recent) {
      recent.isAsked = true
      return
    }
    const timer = setTimeout(() => {
      const isAsked = this.#recent.get(key)?.isAsked
      this.#recent.delete(key)
      if (isAsked) this.read(queryKey)
    }, AT_MOST_EVERY_MS)
    this.#recent.set(key, { isAsked: false, timer })
    this.readNow(queryKey)
  }

  stop(): void {
    for (const { timer } of this.#recent.values()) clearTimeout(timer)
    this.#recent.clear()
  }
}
