import type { Space } from '@collab-spaces/client'
import { useMemo } from 'react'
import { useSession } from '../session/session'
import { texts } from '../texts'
import { useRead } from './call'
import { useMySpaces, useSpaces } from './space'
import { spaceKey } from './space-cache'

/** Whether a space is a conversation: nobody has named it, so it is called after those whom it is between. */
export const isConversation = (spaceId: string): boolean => /^conversation-[0-9a-f]{32}$/.test(spaceId)

type Named = Pick<Space, 'space_id' | 'title' | 'partners'>

/** The name of a space: its title, those whom it is with, or its id. */
export const spaceName = ({ space_id, title, partners }: Named): string =>
  title ?? (isConversation(space_id) ? texts.conversations.between(partners.map(({ name }) => name)) : space_id)

/** Nobody reads the id of a conversation. */
const unknownName = (spaceId: string): string => (isConversation(spaceId) ? texts.conversations.one : spaceId)

/** A space in a list to choose from: those with a title say their id, too, as titles may be alike. */
export const spaceOption = (space: Named): { readonly value: string; readonly label: string } => ({
  value: space.space_id,
  label: space.title === null ? spaceName(space) : `${space.title} · ${space.space_id}`,
})

/** Titles change seldom. */
const STALE_MS = 60_000

/** The name of one space. Only for one that this account has not joined is it asked for. */
export function useSpaceName(spaceId: string): string {
  const { account } = useSession()
  const { data: mine } = useMySpaces()
  const joined = mine?.find(({ space_id }) => space_id === spaceId)
  const { data: space } = useRead(
    spaceKey(spaceId),
    (client, how) => client.space.status.query({ space_id: spaceId }, how),
    { enabled: mine !== undefined && !joined, staleTime: STALE_MS },
  )
  if (joined) return spaceName(joined)
  if (!space) return unknownName(spaceId)
  return spaceName({ ...space, partners: space.participants.filter(({ actor_id }) => actor_id !== account.actorId) })
}

/** The names of spaces, where there are many of them. */
export function useSpaceNames(): (spaceId: string) => string {
  const { data: spaces } = useSpaces()
  return useMemo(() => {
    const names = new Map(spaces?.map((space) => [space.space_id, spaceName(space)]))
    return (spaceId) => names.get(spaceId) ?? unknownName(spaceId)
  }, [spaces])
}
