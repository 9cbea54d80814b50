import type { Stop } from '@collab-spaces/domain'

/** How it is stored that an agent is stopped, in the row of the actor. */
export interface StopColumns {
  readonly stoppedAt: Date | null
  readonly stoppedBy: string | null
  readonly stopReason: string | null
}

export const stopColumns = (stop: Stop | null): StopColumns => ({
  stoppedAt: stop?.stoppedAt ?? null,
  stoppedBy: stop?.stoppedBy ?? null,
  stopReason: stop?.reason ?? null,
})

export const stopIn = ({ stoppedAt, stoppedBy, stopReason }: StopColumns): Stop | null =>
  stoppedAt === null || stoppedBy === null ? null : { reason: stopReason, stoppedBy, stoppedAt }
