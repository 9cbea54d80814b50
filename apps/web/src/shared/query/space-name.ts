import type { Space } from '@collab-spaces/client'
import { useMemo } from 'react'
import { useSession } from '../session/session'
import { texts } from '../texts'
import { useRead } from './call'
import { useMySpaces, useSpaces } from './space'
import { spaceKey } from './space-cache'

/** Returns whether a space is a conversation, which has no title and is named after its partners. */
export const isConversation = (spaceId: string): boolean => /^conversation-[0-9a-f]{32}$/.test(spaceId)

type NamedSpace = Pick<Space, 'space_id' | 'title' | 'partners'>

/** Returns the name of a space: its title, its partners, or its ID. */
export const spaceName = ({ space_id, title, partners }: NamedSpace): string =>
  title ?? (isConversation(space_id) ? texts.conversations.between(partners.map(({ name }) => name)) : space_id)

/** The ID of a conversation means nothing to readers. */
const unknownName = (spaceId: string): string => (isConversation(spaceId) ? texts.conversations.one : spaceId)

/** Returns a space as a select option, with its ID if it has a title, as titles are not unique. */
export const spaceOption = (space: NamedSpace): { readonly value: string; readonly label: string } => ({
  value: space.space_id,
  label: space.title === null ? spaceName(space) : `${space.title} · ${space.space_id}`,
})

/** Titles rarely change. */
const STALE_MS = 60_000

/** Returns the name of a space. Fetches it only if the account has not joined the space. */
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

/** Returns a lookup of the names of all visible spaces. */
export function useSpaceNames(): (spaceId: string) => string {
  const { data: spaces } = useSpaces()
  return useMemo(() => {
    const names = new Map(spaces?.map((space) => [space.space_id, spaceName(space)]))
    return (spaceId) => names.get(spaceId) ?? unknownName(spaceId)
  }, [spaces])
}
