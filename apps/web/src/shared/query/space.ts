import type { RouterInputs, Space } from '@collab-spaces/client'
import { refresh, useChange, useInterval, useRead } from './call'
import { mentionsKey, SPACES, spaceKey } from './space-cache'

/** The refetch interval of lists without signals. */
const LIST_INTERVAL_MS = 15_000

/** Returns all spaces that this account can see, by latest activity, archived ones last. */
export const useSpaces = () =>
  useRead([...SPACES, 'all'], (client, how) => client.space.list.query({}, how), {
    select: byActivity,
    refetchInterval: useInterval(LIST_INTERVAL_MS),
  })

/** Returns the spaces that this account has joined. */
export const useMySpaces = () =>
  useRead([...SPACES, 'mine'], (client, how) => client.actor.mySpaces.query({}, how), {
    select: byActivity,
    refetchInterval: useInterval(LIST_INTERVAL_MS),
  })

const lastActivity = ({ last_event_at, started_at }: Space) => last_event_at ?? started_at

/** Archived spaces come last. */
const rank = ({ status }: Space) => (status === 'archived' ? 1 : 0)

const byActivity = (spaces: readonly Space[]): readonly Space[] =>
  spaces.toSorted((a, b) => rank(a) - rank(b) || lastActivity(b).localeCompare(lastActivity(a)))

/** Returns a space with its participants. Refetches when it is opened, for a current unread count. */
export const useSpace = (spaceId: string, { isOpened = false } = {}) =>
  useRead(spaceKey(spaceId), (client, how) => client.space.status.query({ space_id: spaceId }, how), {
    refetchInterval: useInterval(LIST_INTERVAL_MS),
    ...(isOpened && { staleTime: 0 }),
  })

export const useCreateSpace = () =>
  useChange(
    // The creator joins the space.
    async (client, input: RouterInputs['space']['create']) => {
      const created = await client.space.create.mutate(input)
      await client.participant.join.mutate({ space_id: input.space_id })
      return created
    },
    (cache, { space_id }) => refresh(spaceKey(space_id), SPACES)(cache),
  )

export const useChangeSpace = (spaceId: string) =>
  useChange(
    (client, change: Omit<RouterInputs['space']['change'], 'space_id'>) =>
      client.space.change.mutate({ ...change, space_id: spaceId }),
    refresh(spaceKey(spaceId), SPACES),
  )

export const useArchiveSpace = (spaceId: string) =>
  useChange((client) => client.space.archive.mutate({ space_id: spaceId }), refresh(spaceKey(spaceId), SPACES))

export const useUnarchiveSpace = (spaceId: string) =>
  useChange((client) => client.space.unarchive.mutate({ space_id: spaceId }), refresh(spaceKey(spaceId), SPACES))

export const useJoinSpace = (spaceId: string) =>
  useChange((client) => client.participant.join.mutate({ space_id: spaceId }), refresh(spaceKey(spaceId), SPACES))

export const useLeaveSpace = (spaceId: string) =>
  useChange((client) => client.participant.leave.mutate({ space_id: spaceId }), refresh(SPACES))

export const useAddParticipant = (spaceId: string) =>
  useChange(
    (client, actorId: string) => client.participant.add.mutate({ space_id: spaceId, actor_id: actorId }),
    refresh(spaceKey(spaceId), SPACES, mentionsKey(spaceId)),
  )

export const useRemoveParticipant = (spaceId: string) =>
  useChange(
    (client, actorId: string) => client.participant.remove.mutate({ space_id: spaceId, actor_id: actorId }),
    refresh(spaceKey(spaceId), SPACES),
  )

/** Starts or finds the conversation with actors. */
export const useConversation = () =>
  useChange(
    (client, actorIds: readonly string[]) => client.conversation.start.mutate({ actor_ids: [...actorIds] }),
    refresh(SPACES),
  )

/** Returns the newest checkpoint of a space; an error while none is signed. */
export const useCheckpoint = (spaceId: string) =>
  useRead(['checkpoint', spaceId], (client, how) => client.log.checkpoint.query({ space_id: spaceId }, how), {
    staleTime: 0,
  })
