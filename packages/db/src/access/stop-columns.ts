import type { Stop } from '@collab-spaces/domain'

/** The columns of a stop in the row of an agent. */
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
