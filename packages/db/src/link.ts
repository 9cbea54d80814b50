import { createHash } from 'node:crypto'
import type { LinkTarget, Scope } from '@collab-spaces/domain'
import { type Writer, writeAs } from './actor/stop.js'
import { isUniqueViolation } from './connection/fault.js'
import { type Listing, listing } from './connection/listing.js'
import type { StoreContext } from './connection/store-context.js'
import type { Link } from './generated/client.js'

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

/** Rows of a list that are read at once. Attributes may be 64 KiB each. */
const PAGE_SIZE = 100

/** The rows after one, in the order of lists. */
const behind = (row: LinkRecord) => ({
  OR: [{ createdAt: { gt: row.createdAt } }, { createdAt: row.createdAt, linkId: { gt: row.linkId } }],
})

export const linkStore = ({ prisma }: StoreContext) => ({
  /** The spaces have to exist; the caller checks that. */
  async create(writer: Writer, spaceId: string, { target, ...link }: NewLink): Promise<LinkRecord | 'taken'> {
    const data = {
      ...link,
      tenantId: writer.scope,
      spaceId,
      targetId: 'spaceId' in target ? target.spaceId : null,
      targetUri: 'uri' in target ? target.uri : null,
      targetKey: targetKey(target),
    }
    try {
      return await writeAs(prisma, writer, (client) => client.link.create({ data }))
    } catch (error) {
      if (isUniqueViolation(error)) return 'taken'
      throw error
    }
  },

  /** By `created_at` ascending. Links to other spaces than `within` are left out; null for none of them. */
  list: (
    scope: Scope,
    spaceId: string,
    within: readonly string[] | null,
    linkType?: string,
  ): Promise<Listing<LinkRecord>> =>
    listing(PAGE_SIZE, (after, take) =>
      prisma.link.findMany({
        where: {
          tenantId: scope,
          spaceId,
          ...(linkType !== undefined && { linkType }),
          AND: [leadsWithin(within), after ? behind(after) : {}],
        },
        orderBy: [{ createdAt: 'asc' }, { linkId: 'asc' }],
        take,
      }),
    ),

  /** False when there is no such link, or none that `list` shows. */
  async delete(writer: Writer, spaceId: string, within: readonly string[] | null, linkId: string): Promise<boolean> {
    const where = { tenantId: writer.scope, spaceId, linkId, ...leadsWithin(within) }
    const { count } = await writeAs(prisma, writer, (client) => client.link.deleteMany({ where }))
    return count > 0
  },

  /** The spaces one link away, in either direction. */
  async neighboursOf(scope: Scope, spaceId: string): Promise<string[]> {
    const rows = await prisma.$queryRaw<{ id: string }[]>`
      SELECT target_id AS id FROM links
      WHERE tenant_id = ${scope}::uuid AND space_id = ${spaceId} AND target_id IS NOT NULL
      UNION SELECT space_id FROM links WHERE tenant_id = ${scope}::uuid AND target_id = ${spaceId}`
    return rows.map(({ id }) => id)
  },
})

/** Links to the outside, and to some of the spaces. */
const leadsWithin = (spaceIds: readonly string[] | null) =>
  spaceIds === null ? {} : { OR: [{ targetId: null }, { targetId: { in: [...spaceIds] } }] }

/** A URI may be too long for an index entry, so its hash is used. */
const targetKey = (target: LinkTarget) =>
  'spaceId' in target ? `space:${target.spaceId}` : `uri:${createHash('sha256').update(target.uri).digest('hex')}`
