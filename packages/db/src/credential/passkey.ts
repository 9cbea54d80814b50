import { conflict, LIMITS, signInFailed } from '@collab-spaces/domain'
import { lineageOf } from '../access/lineage.js'
import { lockBearer } from '../access/lock.js'
import { record } from '../audit/audit.js'
import type { StoreContext } from '../connection/store-context.js'
import type { Bearer } from './credential.js'
import { beginSession, lockSigningIn, type NewSession, type SignedIn } from './session.js'
import { type OneTimeCode, useUp } from './used-code.js'

export interface PasskeyRecord {
  readonly passkeyId: string
  readonly actorId: string
  /** The credential id of the authenticator. */
  readonly credentialId: Uint8Array
  readonly publicKey: Uint8Array
  readonly counter: number
}

export interface NewPasskey extends Omit<PasskeyRecord, 'actorId'> {
  readonly name: string
  readonly createdAt: Date
}

export const passkeyStore = ({ prisma }: StoreContext) => ({
  /** The credential ids of a human's passkeys, to exclude at a registration. */
  async idsOf(actorId: string): Promise<Uint8Array[]> {
    const rows = await prisma.passkey.findMany({ where: { actorId }, select: { credentialId: true } })
    return rows.map(({ credentialId }) => credentialId)
  },

  /** Throws if the credential has ended, the challenge was used, or beyond the limit of passkeys. */
  add: (bearer: Bearer, challenge: OneTimeCode, { counter, credentialId, publicKey, ...passkey }: NewPasskey) =>
    prisma.$transaction(async (tx) => {
      const { actorId, tenantId } = await lockBearer(tx, bearer)
      await useUp(tx, challenge)
      const others = await tx.passkey.count({ where: { actorId } })
      if (others >= LIMITS.passkeys)
        throw conflict(`An account has at most ${LIMITS.passkeys} passkeys: remove one first`)
      const id = new Uint8Array(credentialId)
      if ((await tx.passkey.count({ where: { credentialId: id } })) > 0) throw conflict('This passkey is there already')
      const createdWith = await lineageOf(tx, bearer)
      await tx.passkey.create({
        data: {
          ...passkey,
          actorId,
          counter: BigInt(counter),
          credentialId: id,
          publicKey: new Uint8Array(publicKey),
          createdWith,
        },
      })
      await record(tx, bearer, tenantId, 'passkey.added', [passkey.passkeyId], { name: passkey.name })
    }),

  async find(credentialId: Buffer): Promise<PasskeyRecord | null> {
    const row = await prisma.passkey.findFirst({ where: { credentialId: new Uint8Array(credentialId) } })
    if (!row) return null
    const { passkeyId, actorId, publicKey } = row
    return { passkeyId, actorId, credentialId, publicKey, counter: Number(row.counter) }
  },

  /**
   * Begins a session with a passkey that signed a challenge. `newCounter` is the signature counter of the authenticator.
   * Throws if the challenge was used, or the passkey was used or removed concurrently.
   */
  signIn: (
    { passkeyId, actorId, counter }: PasskeyRecord,
    newCounter: number,
    challenge: OneTimeCode,
    session: NewSession,
  ): Promise<SignedIn> =>
    prisma.$transaction(async (tx) => {
      const actor = await lockSigningIn(tx, actorId)
      await useUp(tx, challenge)
      const { count } = await tx.passkey.updateMany({
        where: { passkeyId, counter: BigInt(counter) },
        data: { counter: BigInt(newCounter), lastUsedAt: session.createdAt },
      })
      if (count === 0) throw signInFailed()
      const { createdWith } = await tx.passkey.findUniqueOrThrow({ where: { passkeyId } })
      return beginSession(tx, actor, session, [passkeyId, ...createdWith])
    }),
})
