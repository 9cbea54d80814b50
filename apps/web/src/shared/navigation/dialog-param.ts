import { useCallback } from 'react'
import { useSearchParams } from 'wouter'

/**
 * Returns whether the query string opens a dialog, as in `/?new`, and a setter. Links can open it, and Back closes it.
 */
export function useDialogParam(name: string): readonly [isOpen: boolean, setIsOpen: (isOpen: boolean) => void] {
  const [search, setSearch] = useSearchParams()
  const setIsOpen = useCallback(
    (isOpen: boolean) =>
      setSearch((before) => {
        const after = new URLSearchParams(before)
        if (isOpen) after.set(name, '')
        else after.delete(name)
        return after
      }),
    [name, setSearch],
  )
  return [search.has(name), setIsOpen]
}

/** Returns the path of a page with a dialog open. */
export const dialogPath = (path: string, name: string): string => `${path}?${name}`
