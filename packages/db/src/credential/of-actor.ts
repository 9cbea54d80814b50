import {
  API_KEY_ID,
  type CredentialLimits,
  humanOf,
  type JsonObject,
  type Lineage,
  lineageName,
  type MadeItem,
  NO_LIMITS,
  type Stop,
  type TokenKind,
  unknown,
} from '@collab-spaces/domain'
import { lockAdmins } from '../access/admins.js'
import { WITH_AGENTS } from '../access/agents-of.js'
import { limitsIn } from '../access/limits.js'
import { lockFor } from '../access/lock.js'
import type { ActorRecord, AllowActor } from '../access/record.js'
import { databaseClock } from '../connection/clock.js'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import { type NewNotice, raiseNotices } from '../notice/notice.js'
import { letWritersOfEnd } from '../stop/stop.js'
import type { Bearer } from './credential.js'
import { endMade, endSome, withoutLineage } from './end.js'
import { type MadeRow, readMade } from './made.js'

/** The kinds of credentials: an identity lets the provider begin sessions, a passkey an authenticator. */
type CredentialKind = 'api_key' | TokenKind | 'passkey' | 'identity'

/** A credential of an actor, without its secret. */
export interface CredentialRecord {
  readonly actorId: string
  /** The id of a token, a passkey or an identity, or `api_key`. */
  readonly credentialId: string
  readonly kind: CredentialKind
  /** The verified address of an identity, for its owner; null for the key. */
  readonly name: string | null
  readonly createdAt: Date
  /** Null for the key, whose use is not recorded. */
  readonly lastUsedAt: Date | null
  readonly revokedAt: Date | null
  readonly limits: CredentialLimits
  readonly createdWith: Lineage
  /** The descendants that end with its revocation. */
  readonly ends: readonly MadeItem[]
  /** For the key, the descendants that end with all credentials of the actor; otherwise null. */
  readonly everything: readonly MadeItem[] | null
}

/** The outcome of revoking a credential. */
export interface Revocation {
  readonly actor: ActorRecord
  /** Empty if it was already revoked. */
  readonly ended: readonly MadeItem[]
}

export const actorCredentialStore = ({ prisma }: StoreContext) => ({
  /**
   * The active credentials of an actor: the key, tokens from the newest, passkeys, identities. `viewer` is the actor that
   * may revoke them.
   */
  async list(actor: ActorRecord, viewer: Bearer): Promise<CredentialRecord[]> {
    const { actorId, tenantId } = actor
    const made = await readMade(prisma, actor, viewer.actorId)
    const key = await prisma.apiKey.findUniqueOrThrow({ where: { actorId } })
    const tokens = await prisma.token.findMany({
      where: {
        actorId,
        revokedAt: null,
        NOT: { kind: 'session' satisfies TokenKind, expiresAt: { lte: databaseClock.now() } },
      },
      orderBy: [{ createdAt: 'desc' }, { patId: 'desc' }],
    })
    const others = isKeyOf(viewer, actorId) ? made.filter(({ kind }) => kind !== 'api_key') : made
    const descendants = byAncestor(others)
    const ended = (credentialId: string) =>
      (descendants.get(lineageName({ actorId, credentialId })) ?? []).filter(
        ({ kind }) => kind !== 'api_key' || credentialId !== API_KEY_ID,
      )
    return [
      {
        ...key,
        credentialId: API_KEY_ID,
        kind: 'api_key',
        name: null,
        lastUsedAt: null,
        limits: limitsIn(key, tenantId),
        ends: ended(API_KEY_ID),
        everything: made.filter(({ kind }) => kind !== 'api_key').map(withoutLineage),
      },
      ...tokens.map((token) => ({
        ...token,
        credentialId: token.patId,
        kind: token.kind as TokenKind,
        limits: limitsIn(token, tenantId),
        ends: ended(token.patId),
        everything: null,
      })),
      ...(await ways(prisma, actorId, viewer)).map((way) => ({
        ...way,
        ends: ended(way.credentialId),
        everything: null,
      })),
    ]
  },

  /**
   * Revokes a credential of an actor, and ends its descendants. Idempotent. 404 for an unknown actor or credential. Throws
   * if the caller's credential has ended.
   */
  async revoke(by: Bearer, actorId: string, credentialId: string, now: Date, allow: AllowActor): Promise<Revocation> {
    const revoked = await prisma.$transaction(async (tx) => {
      // Prevents a deadlock between admins that revoke each other's credentials.
      if (by.actorId !== actorId) await lockAdmins(tx, by.tenantId)
      const actor = await lockFor(tx, by, actorId)
      allow(actor)
      return { actor, ended: await revoke(tx, by, actor, credentialId, now) }
    }, WITH_AGENTS)
    await letWritersOfEnd(prisma, revoked.ended)
    return revoked
  },
})

const isKeyOf = (bearer: Bearer, actorId: string) => bearer.actorId === actorId && bearer.credentialId === API_KEY_ID

function byAncestor(made: readonly MadeRow[]): Map<string, MadeItem[]> {
  const descendants = new Map<string, MadeItem[]>()
  for (const one of made) {
    for (const name of new Set(one.createdWith ?? [])) {
      const some = descendants.get(name)
      if (some) some.push(withoutLineage(one))
      else descendants.set(name, [withoutLineage(one)])
    }
  }
  return descendants
}

/** The passkeys and identities of an actor, which begin sessions and last until they are revoked. */
async function ways(prisma: Transaction, actorId: string, viewer: Bearer) {
  const newest = { where: { actorId }, orderBy: { createdAt: 'desc' } } as const
  const [passkeys, identities] = [await prisma.passkey.findMany(newest), await prisma.identity.findMany(newest)]
  const common = { revokedAt: null, limits: NO_LIMITS }
  return [
    ...passkeys.map((row) => ({ ...common, ...row, kind: 'passkey' as const, credentialId: row.passkeyId })),
    ...identities.map((row) => ({
      ...common,
      ...row,
      kind: 'identity' as const,
      credentialId: row.identityId,
      name: viewer.actorId === actorId ? row.email : null,
    })),
  ]
}

/** A credential of an actor other than its key. */
async function namedOf(
  tx: Transaction,
  actorId: string,
  credentialId: string,
): Promise<{ readonly kind: Exclude<CredentialKind, 'api_key'>; readonly name: string } | null> {
  if (credentialId.startsWith('pky_')) {
    const passkey = await tx.passkey.findFirst({ where: { passkeyId: credentialId, actorId } })
    return passkey && { kind: 'passkey', name: passkey.name }
  }
  if (credentialId.startsWith('idn_')) {
    const identity = await tx.identity.findFirst({ where: { identityId: credentialId, actorId } })
    return identity && { kind: 'identity', name: identity.email }
  }
  const token = await tx.token.findFirst({ where: { patId: credentialId, actorId } })
  return token && { kind: token.kind as TokenKind, name: token.name }
}

/** Revokes a credential of a locked actor. */
async function revoke(
  tx: Transaction,
  by: Bearer,
  actor: ActorRecord,
  credentialId: string,
  now: Date,
): Promise<readonly MadeItem[]> {
  const { actorId } = actor
  const isKey = credentialId === API_KEY_ID
  const token = isKey ? null : await namedOf(tx, actorId, credentialId)
  if (!isKey && !token) throw unknown('Token')
  // The name of an identity is an address, which is for its owner alone.
  const name = token?.kind === 'identity' ? '' : ` "${token?.name}"`
  const what = token ? `${token.kind}${name} (${credentialId})` : `API key of ${actor.displayName}`
  const stop: Stop = { reason: `The ${what} that made it was revoked`, stoppedBy: by.actorId, stoppedAt: now }
  const revoked = await endSome(tx, token?.kind ?? 'api_key', [isKey ? actorId : credentialId], {
    by,
    maker: actor,
    stop,
  })
  if (revoked.length === 0) return []
  // A caller that uses the key holds it, so the key was not obtained with the token.
  const keepsKey = isKey || isKeyOf(by, actorId)
  const ended = await endMade(tx, by, actor, { names: [lineageName({ actorId, credentialId })], stop, keepsKey })
  await raiseNotices(tx, noticesOf(by, actor, { credential_id: credentialId, name: token?.name ?? null }, ended))
  return ended
}

/** Notifies the human behind the credential of an end by another actor. */
export function noticesOf(
  by: Pick<Bearer, 'actorId'>,
  actor: ActorRecord,
  credential: JsonObject & { readonly credential_id: string },
  ended: readonly MadeItem[],
): NewNotice[] {
  const { actorId, tenantId } = actor
  const humanId = humanOf(actor)
  if (humanId === by.actorId) return []
  const details = { actor_id: actorId, ...credential, revoked_by: by.actorId, ended: ended.length }
  const subject = `${actorId}/${credential.credential_id}`
  return [
    { tenantId, actorId: humanId, kind: 'credential_revoked', subject, sourceId: by.actorId, spaceId: null, details },
  ]
}
