import type { RouterInputs, Space } from '@collab-spaces/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSession } from '../session/session'

const LISTS = ['spaces'] as const
export const spaceKey = (spaceId: string) => ['space', spaceId] as const

/** How often lists are read again while they are looked at: who waits for a certain space opens it. */
const LIST_EVERY_MS = 15_000

/** All spaces that this account can see, those with the latest activity first, and archived ones last. */
export function useSpaces() {
  const { client } = useSession()
  return useQuery({
    queryKey: [...LISTS, 'all'],
    queryFn: ({ signal }) => client.space.list.query({}, { signal }),
    select: byActivity,
    refetchInterval: LIST_EVERY_MS,
  })
}

/** The spaces that this account has joined. */
export function useMySpaces() {
  const { client } = useSession()
  return useQuery({
    queryKey: [...LISTS, 'mine'],
    queryFn: ({ signal }) => client.actor.mySpaces.query({}, { signal }),
    select: byActivity,
    refetchInterval: LIST_EVERY_MS,
  })
}

const lastActivity = ({ last_event_at, started_at }: Space) => last_event_at ?? started_at

/** What is archived is looked up now and then; it need not be passed by every day. */
const rank = ({ status }: Space) => (status === 'archived' ? 1 : 0)

const byActivity = (spaces: readonly Space[]): readonly Space[] =>
  spaces.toSorted((a, b) => rank(a) - rank(b) || lastActivity(b).localeCompare(lastActivity(a)))

/** One space, with who takes part. */
export function useSpace(spaceId: string) {
  const { client } = useSession()
  return useQuery({
    queryKey: spaceKey(spaceId),
    queryFn: ({ signal }) => client.space.status.query({ space_id: spaceId }, { signal }),
    refetchInterval: LIST_EVERY_MS,
  })
}

export function useCreateSpace() {
  const { client } = useSession()
  const refresh = useRefresh()
  return useMutation({
    // Who opens a space means to take part in it.
    mutationFn: async (input: RouterInputs['space']['create']) => {
      const created = await client.space.create.mutate(input)
      await client.participant.join.mutate({ space_id: input.space_id })
      return created
    },
    onSuccess: ({ space_id }) => refresh(space_id),
  })
}

export function useChangeSpace(spaceId: string) {
  const { client } = useSession()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (change: Omit<RouterInputs['space']['change'], 'space_id'>) =>
      client.space.change.mutate({ ...change, space_id: spaceId }),
    onSuccess: () => refresh(spaceId),
  })
}

export function useArchiveSpace(spaceId: string) {
  const { client } = useSession()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: () => client.space.archive.mutate({ space_id: spaceId }),
    onSuccess: () => refresh(spaceId),
  })
}

export function useUnarchiveSpace(spaceId: string) {
  const { client } = useSession()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: () => client.space.unarchive.mutate({ space_id: spaceId }),
    onSuccess: () => refresh(spaceId),
  })
}

export function useJoinSpace(spaceId: string) {
  const { client } = useSession()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: () => client.participant.join.mutate({ space_id: spaceId }),
    onSuccess: () => refresh(spaceId),
  })
}

/** Reads a space and the lists again. */
function useRefresh() {
  const cache = useQueryClient()
  return (spaceId: string) =>
    Promise.all([
      cache.invalidateQueries({ queryKey: spaceKey(spaceId) }),
      cache.invalidateQueries({ queryKey: LISTS }),
    ])
}
