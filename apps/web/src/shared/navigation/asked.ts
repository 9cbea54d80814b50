import { useCallback } from 'react'
import { useSearchParams } from 'wouter'

/** Whether the address asks for a dialog, such as `/?new`: so it can be opened from anywhere, and Back closes it. */
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

/** The address of a page with one of its dialogs open. */
export const asking = (path: string, name: string): string => `${path}?${name}`
