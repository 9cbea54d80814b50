import { useEffect } from 'react'
import { PictureLoader } from '../../shared/query/picture-loader'
import { useSession } from '../../shared/session/session'

/** Loads the pictures of the actors whose faces are shown. */
export function Pictures() {
  const { client } = useSession()
  useEffect(() => new PictureLoader(client).start(), [client])
  return null
}
