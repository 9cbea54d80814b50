import type { RouterInputs } from '@collab-spaces/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSession } from '../session/session'

const linksKey = (spaceId: string) => ['links', spaceId] as const

/** The links from a space to others and to pages, the oldest first. */
export function useLinks(spaceId: string) {
  const { client } = useSession()
  return useQuery({
    queryKey: linksKey(spaceId),
    queryFn: ({ signal }) => client.link.list.query({ space_id: spaceId }, { signal }),
  })
}

export function useCreateLink(spaceId: string) {
  const { client } = useSession()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (link: Omit<RouterInputs['link']['create'], 'space_id'>) =>
      client.link.create.mutate({ ...link, space_id: spaceId }),
    onSuccess: () => cache.invalidateQueries({ queryKey: linksKey(spaceId) }),
  })
}

export function useDeleteLink(spaceId: string) {
  const { client } = useSession()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (linkId: string) => client.link.delete.mutate({ space_id: spaceId, link_id: linkId }),
    onSuccess: () => cache.invalidateQueries({ queryKey: linksKey(spaceId) }),
  })
}
