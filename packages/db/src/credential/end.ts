import { randomBytes } from 'node:crypto'
import {
  type AuditAction,
  type Initiator,
  type MadeItem,
  type MadeKind,
  type Stop,
  TOKEN_ACTS,
} from '@collab-spaces/domain'
import { record } from '../audit/audit.js'
import type { Transaction } from '../connection/store-context.js'
import { removeChannels } from '../notification/channel.js'
import { mark } from '../stop/stop.js'
import { endWebhooks } from '../webhook/end.js'
import { type Maker, readMade } from './made.js'

export interface Ending {
  /** The names of the ending credentials; null for all of the actor. */
  readonly names: readonly string[] | null
  /** The stop for agents, at the time and by the actor of the end. */
  readonly stop: Stop
  /** Whether the key of the actor stays, even if it was issued with one of the credentials. */
  readonly keepsKey: boolean
}

/**
 * Ends everything made with credentials of an actor, which the caller has locked. Every transaction that makes something
 * with them holds that lock, or the lock of one of the agents, which are locked here: so nothing escapes, and the order
 * prevents deadlocks. Returns the ended descendants.
 */
export async function endMade(
  tx: Transaction,
  by: Initiator,
  maker: Maker,
  { names, stop, keepsKey }: Ending,
): Promise<MadeItem[]> {
  await lockMadeAgents(tx, maker, names)
  const rows = await readMade(tx, maker, stop.stoppedBy, names)
  const made = rows.filter(({ kind }) => kind !== 'api_key' || !keepsKey)
  const ended = new Set<string>()
  for (const kind of Object.keys(ENDS) as MadeKind[]) {
    const ids = made.filter((one) => one.kind === kind).map(({ id }) => id)
    if (ids.length === 0) continue
    for (const id of await endSome(tx, kind, ids, { by, maker, stop })) ended.add(`${kind} ${id}`)
  }
  return made.filter(({ kind, id }) => ended.has(`${kind} ${id}`)).map(withoutLineage)
}

/** Ends descendants of a kind, with entries in the security log. Returns the ids of those that were active. */
export async function endSome(
  tx: Transaction,
  kind: MadeKind,
  ids: readonly string[],
  context: EndContext,
): Promise<string[]> {
  const [action, end] = ENDS[kind]
  const ended = await end(tx, ids, context)
  if (action) await record(tx, context.by, context.maker.tenantId, action, ended)
  return ended
}

export const withoutLineage = ({ kind, id, name, actorId }: MadeItem): MadeItem => ({ kind, id, name, actorId })

async function lockMadeAgents(tx: Transaction, { actorId }: Maker, names: readonly string[] | null): Promise<void> {
  await tx.$queryRaw`
    SELECT FROM actors a LEFT JOIN api_keys k USING (actor_id)
    WHERE a.sponsor_id = ${actorId} AND a.deleted_at IS NULL
      AND (${names}::text[] IS NULL OR array_cat(a.created_with, k.created_with) && ${names}::text[])
    ORDER BY a.actor_id FOR NO KEY UPDATE OF a`
}

interface EndContext {
  readonly by: Initiator
  readonly maker: Maker
  readonly stop: Stop
}

/** Ends descendants of a kind. Returns the ids of those that were active. */
type End = (tx: Transaction, ids: readonly string[], context: EndContext) => Promise<string[]>

const endTokens: End = (tx, ids, { stop }) => revokeTokens(tx, ids, stop.stoppedAt)

/** The statement and the audit action for each kind of descendant, in the global order of row locks. */
const ENDS: Readonly<Record<MadeKind, readonly [action: AuditAction | null, end: End]>> = {
  // Writes its own entries in the security log.
  agent: [null, (tx, ids, { by, maker, stop }) => mark(tx, by, maker.tenantId, ids, stop)],
  api_key: ['actor.key_revoked', (tx, ids, { stop }) => revokeKeys(tx, ids, stop.stoppedAt)],
  token: [TOKEN_ACTS.token.revoked, endTokens],
  session: [TOKEN_ACTS.session.revoked, endTokens],
  grant: [TOKEN_ACTS.grant.revoked, endTokens],
  passkey: [
    'passkey.removed',
    (tx, ids) =>
      changed(tx.$queryRaw`DELETE FROM passkeys WHERE passkey_id = ANY (${[...ids]}) RETURNING passkey_id AS id`),
  ],
  identity: [
    'identity.removed',
    (tx, ids) =>
      changed(tx.$queryRaw`DELETE FROM identities WHERE identity_id = ANY (${[...ids]}) RETURNING identity_id AS id`),
  ],
  agent_code: [
    'agent_code.revoked',
    (tx, ids, { stop }) =>
      changed(tx.$queryRaw`
        UPDATE agent_codes SET revoked_at = ${stop.stoppedAt}
        WHERE code_id = ANY (${[...ids]}) AND revoked_at IS NULL AND redeemed_at IS NULL RETURNING code_id AS id`),
  ],
  invite: [
    'invite.revoked',
    (tx, ids, { stop }) =>
      changed(tx.$queryRaw`
        UPDATE invites SET revoked_at = ${stop.stoppedAt}
        WHERE invite_id = ANY (${[...ids]}) AND revoked_at IS NULL AND redeemed_at IS NULL RETURNING invite_id AS id`),
  ],
  notification_channel: [
    'notification_channel.removed',
    (tx, ids, { maker }) => removeChannels(tx, maker.tenantId, ids),
  ],
  webhook: ['webhook.changed', (tx, ids, { maker, stop }) => endWebhooks(tx, maker.tenantId, ids, stop.stoppedAt)],
}

async function changed(updated: PromiseLike<unknown>): Promise<string[]> {
  return ((await updated) as { readonly id: string }[]).map(({ id }) => id)
}

export const revokeTokens = (tx: Transaction, ids: readonly string[], now: Date): Promise<string[]> =>
  changed(tx.$queryRaw`
    UPDATE personal_access_tokens SET revoked_at = ${now}
    WHERE pat_id = ANY (${[...ids]}) AND revoked_at IS NULL RETURNING pat_id AS id`)

/** Replaces the hashes with one that no key has; the rows stay for the next keys. Returns the actors. */
async function revokeKeys(tx: Transaction, actorIds: readonly string[], now: Date): Promise<string[]> {
  const revoked: string[] = []
  for (const actorId of actorIds) {
    const data = { keyHash: new Uint8Array(randomBytes(32)), revokedAt: now }
    const { count } = await tx.apiKey.updateMany({ where: { actorId, revokedAt: null }, data })
    if (count > 0) revoked.push(actorId)
  }
  return revoked
}
