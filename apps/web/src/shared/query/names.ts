import type { SpaceDetails } from '@collab-spaces/client'
import { useMemo } from 'react'
import type { ActorKind } from '../components/Avatar'
import { useSession } from '../session/session'
import { texts } from '../texts'
import { useMyAgents } from './agent'
import { useMySpaces, useSpace } from './space'
import { useAwaitsMembers, useMembers } from './tenant'

/** An actor with a known name. */
export interface Person {
  readonly actorId: string
  readonly name: string
  readonly kind: ActorKind
  /** The sponsor of an agent, if known. */
  readonly sponsorId: string | null
  /** Whether it is a stopped agent. */
  readonly isStopped: boolean
}

/** The actors that this account can name: participants of a space, members of its tenant, its agents and itself. */
export interface Names {
  readonly all: readonly Person[]
  /** Whether more are loading. */
  readonly isAwaited: boolean
  find(actorId: string): Person | undefined
  /** Returns the name of an actor, or a placeholder. */
  nameOf(actorId: string): string
  /** Returns the kind of an actor, by its ID if it is unknown. */
  kindOf(actorId: string): ActorKind
}

export function useNames(spaceId: string): Names {
  const { data: space, isLoading } = useSpace(spaceId)
  return useNamesWith(space?.participants, isLoading)
}

/** Returns names outside of a space. */
export const useActorNames = (): Names => useNamesWith(undefined)

function useNamesWith(participants: SpaceDetails['participants'] | undefined, awaitsThem = false): Names {
  const { account } = useSession()
  const { data: agents, isLoading: awaitsAgents } = useMyAgents({ isWatched: false })
  const { data: members } = useMembers()
  const awaitsMembers = useAwaitsMembers()
  const isAwaited = awaitsThem || awaitsAgents || awaitsMembers
  return useMemo(() => {
    const { actorId, name, kind } = account
    const known = new Map<string, Person>([[actorId, { actorId, name, kind, sponsorId: null, isStopped: false }]])
    for (const { actor_id, name, participant_type, is_stopped } of participants ?? []) {
      known.set(actor_id, { actorId: actor_id, name, kind: participant_type, sponsorId: null, isStopped: is_stopped })
    }
    for (const { actor_id, display_name, actor_type, sponsor_id, stopped } of [...(members ?? []), ...(agents ?? [])]) {
      // Participants are refetched more often than members.
      const isStopped = known.get(actor_id)?.isStopped ?? stopped !== null
      known.set(actor_id, { actorId: actor_id, name: display_name, kind: actor_type, sponsorId: sponsor_id, isStopped })
    }
    return {
      all: [...known.values()],
      isAwaited,
      find: (id) => known.get(id),
      nameOf: (id) => known.get(id)?.name ?? texts.people.unknown,
      kindOf: (id) => known.get(id)?.kind ?? kindOfId(id),
    }
  }, [account, participants, agents, members, isAwaited])
}

/** Returns the actors that this account can start a conversation with, people first. */
export function usePartners(): { readonly partners: readonly Person[]; readonly isAwaited: boolean } {
  const { account } = useSession()
  const { all, isAwaited } = useActorNames()
  const { data: members } = useMembers()
  const { data: spaces } = useMySpaces()
  return useMemo(() => {
    const disabled = new Set(members?.filter((member) => member.disabled !== null).map(({ actor_id }) => actor_id))
    const known = new Map(all.map((person) => [person.actorId, person]))
    // In the shared tenant, whose members are not listed, those of earlier conversations.
    for (const { actor_id, name } of spaces?.flatMap(({ partners }) => partners) ?? []) {
      if (known.has(actor_id)) continue
      known.set(actor_id, { actorId: actor_id, name, kind: kindOfId(actor_id), sponsorId: null, isStopped: false })
    }
    const rank = ({ kind }: Person) => (kind === 'human' ? 0 : 1)
    const partners = [...known.values()]
      .filter(({ actorId }) => actorId !== account.actorId && !disabled.has(actorId))
      .toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))
    return { partners, isAwaited }
  }, [account, all, members, spaces, isAwaited])
}

/** Returns the kind of an actor by its ID. */
export const kindOfId = (actorId: string): ActorKind => (actorId.startsWith('usr_') ? 'human' : 'agent')
