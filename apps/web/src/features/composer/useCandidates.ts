import { useState } from 'react'

interface CandidatesOptions<T> {
  readonly found: readonly T[]
  readonly choose: (one: T) => void
  readonly close: () => void
}

/** The keys of a list of candidates, while the focus stays in the field: arrows select, Enter and Tab choose. */
export function useCandidates<T>({ found, choose, close }: CandidatesOptions<T>) {
  const [active, setActive] = useState(0)
  /** Returns whether the list handled the key. */
  const onKey = ({ key }: { readonly key: string }): boolean => {
    const highlighted = found[active]
    if (!highlighted) return false
    if (key === 'ArrowDown') setActive((active + 1) % found.length)
    else if (key === 'ArrowUp') setActive((active + found.length - 1) % found.length)
    else if (key === 'Enter' || key === 'Tab') choose(highlighted)
    else if (key === 'Escape') close()
    else return false
    return true
  }
  return { active, restart: () => setActive(0), onKey }
}
