import { useRead } from './call'

/** The newest checkpoint of the history of a space; an error while none is signed. */
export const useCheckpoint = (spaceId: string) =>
  useRead(['checkpoint', spaceId], (client, how) => client.log.checkpoint.query({ space_id: spaceId }, how), {
    staleTime: 0,
  })
