import { useCallback } from 'react'
import { useSearchParams } from 'wouter'

/** Returns whether the query string opens a dialog, as in `/?new`, and a setter. Links can open it, and Back closes it. */
export function useAsked(name: string): readonly [isAsked: boolean, ask: (isAsked: boolean) => void] {
  const [search, setSearch] = useSearchParams()
  const ask = useCallback(
    (isAsked: boolean) =>
      setSearch((before) => {
        const after = new URLSearchParams(before)
        if (isAsked) after.set(name, '')
        else after.delete(name)
        return after
      }),
    [name, setSearch],
  )
  return [search.has(name), ask]
}

/** Returns the path of a page with a dialog open. */
export const asking = (path: string, name: string): string => `${path}?${name}`
