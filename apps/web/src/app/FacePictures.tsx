import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { lazyPreload } from '../shared/session/lazy-preload'

const Pictures = lazyPreload(async () => (await import('../features/picture/Pictures')).Pictures)

/** The time to show the first answers. */
const SHOW_MS = 100

/** Loads the pictures of actors after the first view, which shows initials. */
export function FacePictures() {
  const cache = useQueryClient()
  const [isShown, setIsShown] = useState(false)
  useEffect(() => {
    if (isShown) return
    return cache.getQueryCache().subscribe(({ type }) => {
      if (type === 'updated' && cache.isFetching() === 0) setTimeout(setIsShown, SHOW_MS, true)
    })
  }, [cache, isShown])
  return <Suspense>{isShown && <Pictures />}</Suspense>
}
