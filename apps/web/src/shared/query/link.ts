import type { RouterInputs } from '@collab-spaces/client'
import { refresh, useChange, useRead } from './call'

const linksKey = (spaceId: string) => ['links', spaceId] as const

/** Returns the links from and to a space, oldest first. */
export const useLinks = (spaceId: string) =>
  useRead(linksKey(spaceId), (client, how) => client.link.list.query({ space_id: spaceId, direction: 'both' }, how))

export const useCreateLink = (spaceId: string) =>
  useChange(
    (client, link: Omit<RouterInputs['link']['create'], 'space_id'>) =>
      client.link.create.mutate({ ...link, space_id: spaceId }),
    refresh(linksKey(spaceId)),
  )

export const useDeleteLink = (spaceId: string) =>
  useChange(
    (client, linkId: string) => client.link.delete.mutate({ space_id: spaceId, link_id: linkId }),
    refresh(linksKey(spaceId)),
  )
