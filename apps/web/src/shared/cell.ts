import { useSyncExternalStore } from 'react'

/** An observable value outside of React, shared by components. */
export class Cell<T> {
  readonly #listeners = new Set<() => void>()
  #value: T

  constructor(value: T) {
    this.#value = value
  }

  get value(): T {
    return this.#value
  }

  set(value: T): void {
    if (Object.is(value, this.#value)) return
    this.#value = value
    for (const listener of this.#listeners) listener()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

export const useCell = <T>(cell: Cell<T>): T => useSyncExternalStore(cell.subscribe, () => cell.value)
