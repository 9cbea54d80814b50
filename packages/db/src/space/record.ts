import type { ActAuthor, ReadableSpace, SpaceStatus, Viewer, Visibility } from '@collab-spaces/domain'
import type { Bearer } from '../credential/credential.js'
import type { Space } from '../generated/client.js'

export interface SpaceRecord {
  readonly spaceId: string
  /** Null for a space without a name, which is shown by its id. */
  readonly title: string | null
  readonly description: string
  readonly status: SpaceStatus
  readonly visibility: Visibility
  readonly links: readonly string[]
  readonly startedAt: Date
  readonly endedAt: Date | null
  readonly eventCount: number
  readonly lastEventAt: Date | null
}

/** A space with the sorted ids of its owners in its tenant. */
export type OwnedSpace = SpaceRecord & { readonly owners: readonly string[] }

export type SpaceKey = Pick<ReadableSpace, 'tenantId' | 'spaceId'>

/** An actor that may change a space. */
export type SpaceGovernor = Viewer & Bearer & ActAuthor

export function spaceRecord(row: Space): SpaceRecord {
  return {
    spaceId: row.spaceId,
    title: row.title,
    description: row.description,
    status: row.status as SpaceStatus,
    visibility: row.visibility as Visibility,
    links: row.links,
    startedAt: row.startedAt,
    endedAt: row.endedAt,
    eventCount: Number(row.head),
    lastEventAt: row.lastEventAt,
  }
}
