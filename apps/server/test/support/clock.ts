import { databaseClock } from '@collab-spaces/db'
import { onTestFinished, vi } from 'vitest'

/** Stops the clock that servers in this process go by, until the test ends. */
export function setTime(time: string | number): void {
  const clock = vi.spyOn(databaseClock, 'now').mockImplementation(() => new Date(time))
  onTestFinished(() => clock.mockRestore())
}

/** Moves it on. */
export const later = (ms: number): void => setTime(databaseClock.now().getTime() + ms)
