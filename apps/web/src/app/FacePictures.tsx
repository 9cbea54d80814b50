import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSession } from '../shared/session/session'

/** The time to show the first answers. */
const SHOW_MS = 100

/** Loads the pictures of the actors whose faces are shown, after the first view, which shows initials. */
export function FacePictures() {
  const { client } = useSession()
  const cache = useQueryClient()
  const [isShown, setIsShown] = useState(false)
  useEffect(() => {
    if (isShown) return
    return cache.getQueryCache().subscribe(({ type }) => {
      if (type === 'updated' && cache.isFetching() === 0) setTimeout(setIsShown, SHOW_MS, true)
    })
  }, [cache, isShown])
  useEffect(() => {
    if (!isShown) return
    const started = import('../shared/query/picture-loader')
      .then(({ PictureLoader }) => new PictureLoader(client).start())
      // Offline, initials stay.
      .catch(() => null)
    return () => void started.then((end) => end?.())
  }, [client, isShown])
  return null
}
