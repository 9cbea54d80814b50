import type { Actor, Client, Space } from '@collab-spaces/client'
import { useQueryClient } from '@tanstack/react-query'
import { randomKey } from '../browser/random-key'
import { hasStatus } from '../explain'
import { clientFor } from '../session/client'
import { texts } from '../texts'
import { AGENTS } from './agent'
import { refresh, useChange } from './call'
import { SPACES } from './space-cache'

const DAY_MS = 86_400_000
const SAMPLE_ID = /^sample-[0-9a-f]{12}$/

/** Returns whether an ID is that of a sample space. */
export const isSampleId = (spaceId: string): boolean => SAMPLE_ID.test(spaceId)

/** Returns whether a space is an active sample space. */
export const isOpenSample = ({ space_id, status }: Pick<Space, 'space_id' | 'status'>): boolean =>
  isSampleId(space_id) && status === 'active'

/** Returns the sample space that an agent guides; null for any other agent. */
export function guidedBy({ metadata }: Pick<Actor, 'metadata'>): string | null {
  const spaceId = metadata?.guide_of
  return typeof spaceId === 'string' && isSampleId(spaceId) ? spaceId : null
}

/** A guide's key can only post and propose in its space, for a day. Then its sponsor rotates it. */
const limitsOf = (spaceId: string) => ({
  scopes: ['write' as const],
  space_ids: [spaceId],
  expires_at: new Date(Date.now() + DAY_MS).toISOString(),
})

/** The keys of guides, in memory only: after a reload, their sponsor rotates them. */
const keys = new Map<string, string>()

/** Creates a sample space. Calls back with its ID before lists are refetched. */
export function useCreateSample(onMade: (spaceId: string) => void) {
  const cache = useQueryClient()
  return useChange(
    async (client) => {
      try {
        return await createSample(client)
      } catch (error) {
        // Lists fetched meanwhile contain the removed space.
        await refresh(SPACES, AGENTS)(cache)
        throw error
      }
    },
    (_, spaceId) => {
      onMade(spaceId)
      return refresh(SPACES, AGENTS)(cache)
    },
  )
}

/** Removes a sample space. Calls back before lists are refetched. */
export const useRemoveSample = (spaceId: string, onRemoved: () => void) =>
  useChange(
    (client) => removeSample(client, spaceId),
    (cache) => {
      onRemoved()
      return refresh(SPACES, AGENTS)(cache)
    },
  )

async function createSample(client: Client): Promise<string> {
  const { title, description, guide, profile } = texts.sample
  const space_id = `sample-${randomKey().slice(0, 12)}`
  await client.space.create.mutate({ space_id, title, description, visibility: 'private' })
  try {
    const { actor_id, api_key } = await client.actor.register.mutate({
      actor_type: 'agent',
      display_name: guide,
      agent_profile: profile,
      metadata: { guide_of: space_id },
      ...limitsOf(space_id),
    })
    keys.set(actor_id, api_key)
    await client.participant.add.mutate({ space_id, actor_id })
  } catch (error) {
    // A sample needs its guide. Reports this failure, even if the cleanup fails, too.
    await removeSample(client, space_id).catch(() => undefined)
    throw error
  }
  return space_id
}

/** Removes guides, then the space. Every step can be retried. */
async function removeSample(client: Client, space_id: string): Promise<void> {
  const guides = (await client.actor.myAgents.query()).filter((agent) => guidedBy(agent) === space_id)
  for (const { actor_id } of guides) {
    await client.actor.delete.mutate({ actor_id })
    keys.delete(actor_id)
  }
  const { status } = await client.space.status.query({ space_id })
  if (status !== 'archived') await client.space.archive.mutate({ space_id })
  await client.participant.leave.mutate({ space_id })
}

/** An act of the guide. Its key makes it idempotent across tabs. */
export interface GuideAct {
  readonly key: string
  readonly text: string
  /** Whether the text is proposed as a decision instead of posted. */
  readonly isProposal?: true
  /** The step of the tour, and the event that it replies to. */
  readonly step?: string
  readonly answers?: { readonly event_id: string; readonly thread_id: string | null }
}

/** Performs an act as the guide of a space. */
export const useActAsGuide = (spaceId: string, guideId: string, humanId: string) =>
  useChange(
    (client, act: GuideAct) =>
      asGuide(client, { spaceId, guideId }, async (guide) => {
        const { key: idempotency_key, text, step, answers, isProposal } = act
        const write = { space_id: spaceId, text, idempotency_key }
        if (isProposal) {
          await guide.decision.propose.mutate({ ...write, proposed_by: guideId, assignees: [humanId] })
        } else {
          const { event_id: parent_event_id = null, thread_id = null } = answers ?? {}
          const metadata = { mentions: [humanId], ...(step !== undefined && { guide: step }) }
          await guide.event.response.mutate({ ...write, parent_event_id, thread_id, metadata })
        }
      }),
    () => undefined,
  )

interface GuideRef {
  readonly spaceId: string
  readonly guideId: string
}

/** The rotations per call, as another tab may rotate the key concurrently. */
const MAX_KEYS = 4

/** Calls with the guide's key. Rotates it if it is missing or no longer valid. */
async function asGuide(sponsor: Client, place: GuideRef, call: (guide: Client) => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    const key = keys.get(place.guideId) ?? (await newKey(sponsor, place))
    try {
      return await call(clientFor(key))
    } catch (error) {
      if (!hasStatus(error, 401) || tries === MAX_KEYS) throw error
      keys.delete(place.guideId)
    }
  }
}

async function newKey(sponsor: Client, { spaceId, guideId }: GuideRef): Promise<string> {
  const { api_key } = await sponsor.actor.rotateKey.mutate({ actor_id: guideId, ...limitsOf(spaceId) })
  keys.set(guideId, api_key)
  return api_key
}
