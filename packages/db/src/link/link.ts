import { createHash } from 'node:crypto'
import {
  type LinkDirection,
  type LinkTarget,
  linkTaken,
  type ReadableSpace,
  unknown,
  type Viewer,
} from '@collab-spaces/domain'
import { readableOf } from '../access/view.js'
import type { Writer } from '../access/writer.js'
import { isUniqueViolation } from '../connection/fault.js'
import { type Listing, listing } from '../connection/listing.js'
import type { StoreContext } from '../connection/store-context.js'
import { type Link, Prisma } from '../generated/client.js'
import { writeIn } from '../space/lock.js'
import type { SpaceRecord } from '../space/record.js'

/** A link; its attributes are JSON text. */
export type LinkRecord = Omit<Link, 'tenantId' | 'targetKey'>

export interface NewLink {
  readonly linkId: string
  readonly target: LinkTarget
  readonly linkType: string
  readonly attributes: string
  readonly createdBy: string
  readonly createdAt: Date
}

export interface WantedLinks {
  readonly linkType?: string | undefined
  /** Outgoing links by default. */
  readonly direction?: LinkDirection | undefined
}

/** Rows per page. Attributes may take 64 KiB each. */
const PAGE_SIZE = 100

/** Whether a viewer sees the target of a link `l`: an external URI, or a visible space. */
const leadsWithin = (viewer: Viewer) => Prisma.sql`(
  l.target_id IS NULL
  OR EXISTS (SELECT FROM spaces s WHERE s.tenant_id = l.tenant_id AND s.space_id = l.target_id AND ${readableOf(viewer)}))`

/** Whether a viewer sees the source of a link `l`. */
const comesFromWithin = (viewer: Viewer) => Prisma.sql`
  EXISTS (SELECT FROM spaces s WHERE s.tenant_id = l.tenant_id AND s.space_id = l.space_id AND ${readableOf(viewer)})`

/** The outgoing links of a space, the incoming ones, or both, if the viewer sees the other end. */
function directed(direction: LinkDirection, viewer: Viewer, { spaceId }: ReadableSpace): Prisma.Sql {
  const out = Prisma.sql`l.space_id = ${spaceId} AND ${leadsWithin(viewer)}`
  const into = Prisma.sql`l.target_id = ${spaceId} AND ${comesFromWithin(viewer)}`
  if (direction === 'both') return Prisma.sql`(${out}) OR (${into})`
  return direction === 'in' ? into : out
}

const after = (row: LinkRecord | null) =>
  row ? Prisma.sql`AND (l.created_at, l.link_id) > (${row.createdAt}, ${row.linkId})` : Prisma.empty

const ofType = (linkType: string | undefined) =>
  linkType === undefined ? Prisma.empty : Prisma.sql`AND l.link_type = ${linkType}`

export const linkStore = ({ prisma }: StoreContext) => ({
  /** The caller checks that the spaces exist. 409 for a duplicate link. */
  async create(writer: Writer, space: SpaceRecord & ReadableSpace, { target, ...link }: NewLink): Promise<LinkRecord> {
    const data = {
      ...link,
      tenantId: space.tenantId,
      spaceId: space.spaceId,
      targetId: 'spaceId' in target ? target.spaceId : null,
      targetUri: 'uri' in target ? target.uri : null,
      targetKey: targetKey(target),
    }
    try {
      const link = await writeIn(prisma, writer, space, (client) => client.link.create({ data }))
      if (!link) throw unknown('Space')
      return link
    } catch (error) {
      throw isUniqueViolation(error) ? linkTaken() : error
    }
  },

  /** By `created_at` ascending. Omits links whose other end is a space that the viewer does not see. */
  list: (
    viewer: Viewer,
    space: ReadableSpace,
    { linkType, direction = 'out' }: WantedLinks = {},
  ): Promise<Listing<LinkRecord>> =>
    listing(
      PAGE_SIZE,
      (last: LinkRecord | null, take) => prisma.$queryRaw<LinkRecord[]>`
        SELECT l.space_id AS "spaceId", l.link_id AS "linkId", l.target_id AS "targetId", l.target_uri AS "targetUri",
          l.link_type AS "linkType", l.attributes, l.created_by AS "createdBy", l.created_at AS "createdAt"
        FROM links l
        WHERE l.tenant_id = ${space.tenantId}::uuid AND (${directed(direction, viewer, space)})
          ${ofType(linkType)} ${after(last)}
        ORDER BY l.created_at, l.link_id LIMIT ${take}`,
    ),

  /** False for an unknown link, or one that `list` omits. */
  async delete(writer: Writer, space: SpaceRecord & ReadableSpace, linkId: string): Promise<boolean> {
    const deleted = await writeIn(
      prisma,
      writer,
      space,
      (client) => client.$executeRaw`
        DELETE FROM links l
        WHERE l.tenant_id = ${space.tenantId}::uuid AND l.space_id = ${space.spaceId} AND l.link_id = ${linkId}
          AND ${leadsWithin(writer)}`,
    )
    return deleted !== null && deleted > 0
  },

  /** The visible spaces one link away, in either direction. */
  async neighboursOf(viewer: Viewer, { tenantId, spaceId }: ReadableSpace): Promise<string[]> {
    const rows = await prisma.$queryRaw<{ id: string }[]>`
      SELECT s.space_id AS id FROM spaces s WHERE s.tenant_id = ${tenantId}::uuid AND s.space_id IN (
        SELECT target_id FROM links
        WHERE tenant_id = ${tenantId}::uuid AND space_id = ${spaceId} AND target_id IS NOT NULL
        UNION SELECT space_id FROM links WHERE tenant_id = ${tenantId}::uuid AND target_id = ${spaceId}
      ) AND ${readableOf(viewer)}`
    return rows.map(({ id }) => id)
  },
})

/** Hashes a URI, which may be too long for an index entry. */
const targetKey = (target: LinkTarget) =>
  'spaceId' in target ? `space:${target.spaceId}` : `uri:${createHash('sha256').update(target.uri).digest('hex')}`
