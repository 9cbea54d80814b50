import { databaseClock } from '@collab-spaces/db'
import { onTestFinished, vi } from 'vitest'

/** Stops the clock of servers in this process until the test ends. */
export function setTime(time: string | number): void {
  const clock = vi.spyOn(databaseClock, 'now').mockImplementation(() => new Date(time))
  onTestFinished(() => clock.mockRestore())
}

/** Advances the stopped clock. */
export const later = (ms: number): void => setTime(databaseClock.now().getTime() + ms)
