import { useEffect, useSyncExternalStore } from 'react'
import { Cell } from './cell'

/** How many faces of each actor are shown. */
export const faces = new Map<string, number>()

/** Set anew when a face appears. */
export const newFace = new Cell({})

/** The pictures that are loaded, by actor, as addresses for an `<img>`. */
export const pictures = new Cell<ReadonlyMap<string, string>>(new Map())

/** Returns the picture of an actor, once it is loaded. */
export function usePicture(actorId: string): string | undefined {
  useEffect(() => {
    const add = (count: number) => faces.set(actorId, (faces.get(actorId) ?? 0) + count)
    add(1)
    newFace.set({})
    return () => void add(-1)
  }, [actorId])
  return useSyncExternalStore(pictures.subscribe, () => pictures.value.get(actorId))
}
