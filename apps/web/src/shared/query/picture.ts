import { refresh, useChange } from './call'
import { addressOf, pictureChanged } from './picture-loader'

/** Sets the picture of this account or of one of its agents; null removes it. */
export const useChangePicture = (actorId: string) =>
  useChange(
    async (client, image: Blob | null) => {
      if (image === null) return client.picture.remove.mutate({ actor_id: actorId })
      const address = await addressOf(image)
      return client.picture.set.mutate({ actor_id: actorId, content: address.slice(address.indexOf(',') + 1) })
    },
    (cache) => {
      pictureChanged(actorId)
      return refresh(['me'], ['card'], ['agents'])(cache)
    },
  )
