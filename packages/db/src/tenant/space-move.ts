import {
  beyondLimit,
  DEFAULT_TENANT,
  firstReason,
  type Initiator,
  type StayReason,
  type TenantId,
} from '@collab-spaces/domain'
import { checkpointText, openNote, originOf, parseCheckpoint, type Signer } from '@collab-spaces/merkle'
import { LIVE } from '../access/record.js'
import { mayRead } from '../access/view.js'
import { record } from '../audit/audit.js'
import type { Transaction } from '../connection/store-context.js'
import { type Place, type Reference, readReferences } from '../integrity/references.js'
import { signatureProblem } from '../tree/growth.js'
import { placeOf, type SpaceTree } from '../tree/key.js'

/** A space of a human who founds a tenant, or of the human's agents. */
export interface MovableSpace {
  readonly spaceId: string
  readonly title: string | null
  readonly eventCount: number
}

export interface StayingSpace extends MovableSpace {
  readonly reason: StayReason
}

/** The contents of a move into a new tenant, and the remainder. */
export interface SpaceMove {
  readonly moves: readonly MovableSpace[]
  readonly stays: readonly StayingSpace[]
  /** Links between a moving and a staying space, made by the founder or its agents: they are deleted. */
  readonly linksRemoved: number
  /** Moving webhooks: they are disabled, because their secrets change. */
  readonly webhooksDisabled: number
}

/** The founder of a tenant, in the old tenant. */
export interface Founder {
  readonly actorId: string
  readonly tenantId: TenantId
}

/** The reason that a space stays if a row of it, in one of these tables, is of or about another person. */
export const REASON_OF: Readonly<Record<string, StayReason>> = {
  spaces: 'creator',
  participants: 'participants',
  space_owners: 'participants',
  space_policies: 'participants',
  events: 'events',
  reactions: 'events',
  threads: 'events',
  decisions: 'decisions',
  decision_acts: 'decisions',
  attention: 'addressed',
  attention_heads: 'addressed',
  done_marks: 'addressed',
  snoozes: 'addressed',
  notices: 'addressed',
  work_claims: 'claims',
  links: 'links',
  webhooks: 'webhooks',
  incoming_webhooks: 'webhooks',
  read_cursors: 'readers',
  space_preferences: 'readers',
}

/** The parameters of all statements here: the tenant, the spaces, and the moving actors. */
const [SCOPE, SPACES, ACTORS] = ['$1::uuid', '$2::text[]', '$3::text[]']

/** With memberships of the moving actors alone, references to other actors would dangle. */
const OF_MOVERS: Place = {
  rows: (table) =>
    table === 'memberships'
      ? `(SELECT * FROM memberships WHERE tenant_id = ${SCOPE} AND actor_id = ANY (${ACTORS}))`
      : table,
  others: () => [],
  where: () => `s.tenant_id = ${SCOPE} AND s.space_id = ANY (${SPACES})`,
  line: '0',
}

/** Other references to a space: rows of people outside it. */
const NAMED_BY_OTHERS = `
  SELECT l.target_id, 'links' FROM links l
  WHERE l.tenant_id = ${SCOPE} AND l.target_id = ANY (${SPACES}) AND l.created_by <> ALL (${ACTORS})
  UNION SELECT i.default_space_id, 'participants' FROM invites i
  WHERE i.tenant_id = ${SCOPE} AND i.default_space_id = ANY (${SPACES})
    AND NOT coalesce(i.created_by = ANY (${ACTORS}) AND coalesce(i.redeemed_by = ANY (${ACTORS}), true), false)
  UNION SELECT a.default_space_id, 'participants' FROM actors a
  WHERE a.tenant_id = ${SCOPE} AND a.default_space_id = ANY (${SPACES}) AND a.actor_id <> ALL (${ACTORS})
  UNION SELECT e.space_id, 'deletion' FROM erasures e
  WHERE e.tenant_id = ${SCOPE} AND e.space_id = ANY (${SPACES}) AND e.event_id IS NULL AND e.completed_at IS NULL`

/** Returns a statement for the spaces with rows of or about other people, with the reason that each stays. */
function obstacles(references: readonly Reference[]): string {
  const about = references
    .filter(({ targetTable, table }) => targetTable === 'memberships' && table in REASON_OF)
    .map((reference) => `SELECT s.space_id, '${REASON_OF[reference.table]}' ${reference.broken(OF_MOVERS)}`)
  return `SELECT space_id AS "spaceId", reason FROM (${[...about, NAMED_BY_OTHERS].join(' UNION ')}) o(space_id, reason)`
}

/** The human and all its past and present agents here. Deleted agents still count as authors. */
export async function moversOf(tx: Transaction, { actorId, tenantId }: Founder): Promise<string[]> {
  const rows = await tx.membership.findMany({
    where: { tenantId, OR: [{ actorId }, { actor: { sponsorId: actorId } }] },
    select: { actorId: true },
  })
  return rows.map((row) => row.actorId)
}

/** The spaces that the moving actors created or participate in. */
const CANDIDATES = `
  SELECT s.space_id AS "spaceId", s.title, s.head::int AS "eventCount" FROM spaces s
  WHERE s.tenant_id = $1::uuid AND (
    s.created_by = ANY ($2::text[])
    OR EXISTS (SELECT FROM participants p
      WHERE p.tenant_id = s.tenant_id AND p.space_id = s.space_id AND p.actor_id = ANY ($2::text[])))
  ORDER BY s.started_at DESC, s.space_id DESC`

/** The spaces among these that the human may still read. */
const READABLE = `
  SELECT s.space_id AS "spaceId" FROM spaces s JOIN actors f ON f.actor_id = $3
  WHERE s.tenant_id = ${SCOPE} AND s.space_id = ANY (${SPACES})
    AND ${mayRead({ actor: 'f.actor_id', isGuest: 'f.is_guest' })}`

/**
 * Returns the moving and the visible staying spaces of a human who founds a tenant. `signer` signs histories; null if this server
 * cannot sign.
 */
export async function planMove(
  tx: Transaction,
  founder: Founder,
  movers: readonly string[],
  signer: Signer | null,
): Promise<SpaceMove> {
  const candidates = await tx.$queryRawUnsafe<MovableSpace[]>(CANDIDATES, founder.tenantId, movers)
  const reasons = new Map<string, StayReason[]>()
  const add = (spaceId: string, reason: StayReason) => reasons.set(spaceId, [...(reasons.get(spaceId) ?? []), reason])
  const ids = candidates.map(({ spaceId }) => spaceId)
  if (await hasOtherMembers(tx, founder.tenantId, movers)) for (const spaceId of ids) add(spaceId, 'tenant')
  const found = await tx.$queryRawUnsafe<{ spaceId: string; reason: StayReason }[]>(
    obstacles(await referencesOf(tx)),
    founder.tenantId,
    ids,
    movers,
  )
  for (const { spaceId, reason } of found) add(spaceId, reason)
  for (const tree of await treesOf(tx, founder.tenantId, ids))
    if (!canSign(tree, founder.tenantId, signer)) add(tree.spaceId, 'seal')
  for (const { spaceId } of beyondLimit(candidates.filter(({ spaceId }) => !reasons.has(spaceId)))) add(spaceId, 'size')
  const moves = candidates.filter(({ spaceId }) => !reasons.has(spaceId))
  const { tenantId, actorId } = founder
  const readable = await tx.$queryRawUnsafe<{ spaceId: string }[]>(READABLE, tenantId, ids, actorId)
  const isReadable = new Set(readable.map(({ spaceId }) => spaceId))
  const stays = candidates.flatMap((space) => {
    const reason = firstReason(reasons.get(space.spaceId) ?? [])
    return reason === null || !isReadable.has(space.spaceId) ? [] : [{ ...space, reason }]
  })
  const [counts] = await tx.$queryRawUnsafe<[Pick<SpaceMove, 'linksRemoved' | 'webhooksDisabled'>]>(
    COUNTS,
    founder.tenantId,
    moves.map(({ spaceId }) => spaceId),
    movers,
  )
  return { moves, stays, ...counts }
}

/** Whether other members remain in the old tenant. The actors of the shared tenant are not a team in this sense. */
async function hasOtherMembers(tx: Transaction, tenantId: TenantId, movers: readonly string[]): Promise<boolean> {
  if (tenantId === DEFAULT_TENANT) return false
  const other = await tx.actor.findFirst({
    where: { tenantId, actorId: { notIn: [...movers] }, ...LIVE },
    select: { actorId: true },
  })
  return other !== null
}

const CROSSING = `l.tenant_id = ${SCOPE} AND l.target_id IS NOT NULL
  AND (l.space_id = ANY (${SPACES})) <> (l.target_id = ANY (${SPACES}))
  AND (l.space_id = ANY (${SPACES}) OR l.target_id = ANY (${SPACES}))`

const COUNTS = `
  SELECT (SELECT count(*)::int FROM links l WHERE ${CROSSING}) AS "linksRemoved",
    (SELECT count(*)::int FROM webhooks w WHERE w.tenant_id = ${SCOPE} AND w.disabled_at IS NULL AND (
      w.space_id = ANY (${SPACES})
      OR cardinality(${SPACES}) > 0 AND w.inbox_of = ANY (${ACTORS}) AND w.owner_id = ANY (${ACTORS}))) AS "webhooksDisabled"`

const referencesOf = (tx: Transaction): Promise<Reference[]> =>
  readReferences({ query: async (text) => ({ rows: await tx.$queryRawUnsafe(text) }) })

/** The move of spaces into a tenant founded by the transaction. */
interface Route {
  readonly from: TenantId
  readonly to: TenantId
  readonly movers: readonly string[]
}

/**
 * Locks the spaces of a human, and moves the eligible ones into a tenant founded by the transaction, with all their
 * contents. Must run before the actors leave the tenant.
 */
export async function moveSpaces(
  tx: Transaction,
  by: Initiator,
  founder: Founder,
  to: TenantId,
  signer: Signer | null,
): Promise<SpaceMove> {
  const from = founder.tenantId
  const movers = await moversOf(tx, founder)
  const route = { from, to, movers }
  await lockSpaces(tx, from, movers)
  const move = await planMove(tx, founder, movers, signer)
  const ids = move.moves.map(({ spaceId }) => spaceId)
  if (ids.length === 0) return move
  await addMemberships(tx, route)
  await tx.$executeRawUnsafe(`DELETE FROM links l WHERE ${CROSSING}`, from, ids)
  await tx.invite.updateMany({ where: { tenantId: from, defaultSpaceId: { in: ids } }, data: { defaultSpaceId: null } })
  await tx.$queryRawUnsafe(
    'SELECT move_spaces($1::uuid, $2::uuid, $3::text[], $4::text[])::text',
    from,
    to,
    ids,
    movers,
  )
  await moveLimits(tx, route, ids)
  if (signer) for (const tree of await treesOf(tx, to, ids)) await renameTree(tx, tree, route, signer)
  await record(tx, by, from, 'space.left', ids)
  await record(tx, by, to, 'space.arrived', ids, { from })
  return move
}

/**
 * Locks the actors, so that they create and join no more spaces, and then the locks of an append and of sealing, in the
 * lock order of an append: from then on, nothing is written in the spaces.
 */
async function lockSpaces(tx: Transaction, tenantId: TenantId, movers: readonly string[]): Promise<void> {
  await tx.$queryRaw`
    SELECT FROM actors WHERE actor_id = ANY (${[...movers]}) ORDER BY actor_id FOR NO KEY UPDATE`
  await tx.$queryRawUnsafe(
    `SELECT FROM spaces s WHERE (s.tenant_id, s.space_id) IN (
       SELECT $1::uuid, c."spaceId" FROM (${CANDIDATES}) c) ORDER BY s.tenant_id, s.space_id FOR UPDATE`,
    tenantId,
    movers,
  )
  await tx.$queryRawUnsafe(
    `SELECT FROM log_trees t WHERE t.tenant_id = $1::uuid AND t.space_id IN (SELECT c."spaceId" FROM (${CANDIDATES}) c)
     ORDER BY t.tenant_id, t.space_id, t.tree FOR UPDATE`,
    tenantId,
    movers,
  )
}

/** The history also names deleted agents: the new tenant keeps their last names. */
const addMemberships = (tx: Transaction, { to, movers }: Route) =>
  tx.$executeRaw`
    INSERT INTO memberships (tenant_id, actor_id, left_as)
    SELECT ${to}::uuid, actor_id, CASE WHEN deleted_at IS NOT NULL THEN display_name END
    FROM actors WHERE actor_id = ANY (${[...movers]})`

/** Credentials that are limited to certain spaces open those that moved. */
async function moveLimits(tx: Transaction, { from, to, movers }: Route, ids: readonly string[]): Promise<void> {
  for (const table of ['api_keys', 'personal_access_tokens']) {
    await tx.$executeRawUnsafe(
      `UPDATE ${table} c SET limits = c.limits || jsonb_build_object('tenant_id', $2::text, 'space_ids', k.space_ids)
       FROM ${table} o CROSS JOIN LATERAL (
         SELECT jsonb_agg(e.value) AS space_ids FROM jsonb_array_elements_text(
           CASE jsonb_typeof(o.limits -> 'space_ids') WHEN 'array' THEN o.limits -> 'space_ids' ELSE '[]' END) e
         WHERE e.value = ANY ($4::text[])) k
       WHERE o.ctid = c.ctid AND c.actor_id = ANY ($3::text[]) AND c.limits ->> 'tenant_id' = $1::text
         AND k.space_ids IS NOT NULL`,
      from,
      to,
      movers,
      ids,
    )
  }
}

interface StoredTree {
  readonly spaceId: string
  readonly tree: SpaceTree
  readonly epoch: number
  readonly size: number
  readonly checkpoint: string | null
  readonly signedBy: string | null
}

/** The sealed trees of spaces. */
const treesOf = (tx: Transaction, tenantId: TenantId, spaceIds: readonly string[]): Promise<StoredTree[]> =>
  tx.$queryRaw<StoredTree[]>`
    SELECT space_id AS "spaceId", tree, epoch, size::int, checkpoint, signed_by AS "signedBy" FROM log_trees
    WHERE tenant_id = ${tenantId}::uuid AND space_id = ANY (${[...spaceIds]}) AND size > 0`

/** Whether the checkpoint of a tree is signed by this key, so that it can be signed again under another name. */
const canSign = ({ spaceId, tree, ...stored }: StoredTree, tenantId: TenantId, signer: Signer | null): boolean =>
  signer !== null && signatureProblem({ ...stored, key: { tenantId, spaceId, tree } }, signer.key) === null

/**
 * Signs the newest checkpoint of a tree under its name in the new tenant. The tree is unchanged, so proofs from earlier
 * checkpoints stay valid.
 */
async function renameTree(tx: Transaction, stored: StoredTree, { to }: Route, signer: Signer): Promise<void> {
  const { spaceId, tree, epoch, checkpoint } = stored
  const says = parseCheckpoint(openNote(checkpoint ?? '', signer.key) ?? '')
  if (!says) throw new Error('a tree without a checkpoint of ours has moved')
  const renamed = signer.sign(checkpointText({ ...says, origin: originOf({ tenantId: to, spaceId, tree, epoch }) }))
  await tx.$executeRaw`
    UPDATE log_trees SET checkpoint = ${renamed}
    WHERE tenant_id = ${to}::uuid AND space_id = ${placeOf({ spaceId })} AND tree = ${tree}`
}
