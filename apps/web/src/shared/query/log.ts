import { useRead } from './call'

/** Returns the newest checkpoint of a space; an error while none is signed. */
export const useCheckpoint = (spaceId: string) =>
  useRead(['checkpoint', spaceId], (client, how) => client.log.checkpoint.query({ space_id: spaceId }, how), {
    staleTime: 0,
  })
