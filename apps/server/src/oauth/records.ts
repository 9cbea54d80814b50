import { createHash, createHmac } from 'node:crypto'
import { fairKeyOf, hashOf, refusalOf, type Services, statusOf } from '@collab-spaces/api'
import { databaseClock, type OauthPayload, type OauthPlace } from '@collab-spaces/db'
import {
  CLIENT_LENGTH,
  CONSENT_SECONDS,
  prefixedId,
  REFRESH_TOKEN_SECONDS,
  randomOf,
  readAccessToken,
  UNUSED_CLIENT_SECONDS,
} from '@collab-spaces/domain'
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'

/** The request that the library is serving. */
export interface ServedRequest {
  address(): string | null
  /** Whether it is a revocation by the client. */
  readonly isRevocation: boolean
  /** Notes the code or refresh token that it uses. */
  use(place: OauthPlace): void
}

export interface RecordOptions {
  readonly services: Services
  /** The secret from which client secrets are derived. */
  readonly secret: Buffer
  asking(): ServedRequest
}

/** Returns the credential ID of a grant, derived from the library's secret ID. */
export const credentialIdOf = (grantId: string): string =>
  prefixedId('pat', () => createHash('sha256').update(grantId).digest())

/** Returns the secret of a confidential client, derived from its ID: none is stored. */
export const clientSecret = (secret: Buffer, clientId: string): string =>
  createHmac('sha256', secret).update(clientId).digest('base64url')

const hasSecret = ({ token_endpoint_auth_method: method }: OauthPayload) => method !== 'none'

/**
 * The library's storage in the database, shared by all instances. Of issued codes and tokens, only the SHA-256 is stored. Each
 * access takes a slot of the gate, shared with all unauthenticated callers.
 */
export function recordsOf({ services, secret, asking }: RecordOptions): (kind: string) => Adapter {
  const { gate, revocations } = services
  const { oauthRecords: records, grants } = services.database

  return (kind) => {
    const placeOf = (id: string, of = kind) => ({ kind: of, idHash: hashOf(of === 'AccessToken' ? keyOf(id) : id) })

    async function upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
      const grantId = typeof payload.grantId === 'string' ? payload.grantId : null
      const record = {
        ...placeOf(id),
        grantId: kind === 'Grant' ? credentialIdOf(id) : grantId && credentialIdOf(grantId),
        payload: storedOf(kind, payload),
        lastsSeconds: lifetimeOf(kind, expiresIn),
      }
      await records.store(record)
      if (kind !== 'RefreshToken') return
      // Grant and client last as long as their token.
      await records.prolong(placeOf(grantId ?? '', 'Grant'), REFRESH_TOKEN_SECONDS)
      await records.prolong(placeOf(payload.clientId ?? '', 'Client'), REFRESH_TOKEN_SECONDS)
    }

    async function find(id: string): Promise<AdapterPayload | undefined> {
      const payload = await records.find(placeOf(id))
      if (!payload) return undefined
      // Its human may have revoked it like any other credential.
      if (kind === 'Grant' && !(await grants.find(credentialIdOf(id)))) return undefined
      if (kind !== 'Client') return { ...payload, jti: kind === 'AccessToken' ? keyOf(id) : id }
      return hasSecret(payload) ? { ...payload, client_secret: clientSecret(secret, id) } : payload
    }

    async function destroy(id: string): Promise<void> {
      await records.delete(placeOf(id))
      if (kind !== 'Grant') return
      const { address, isRevocation } = asking()
      const reason = isRevocation ? 'Its program gave it back' : 'A code or a refresh token was used twice'
      if (await grants.end(credentialIdOf(id), databaseClock.now(), address, reason)) revocations.announce()
    }

    /** Runs an access in a slot of the gate, and converts a refusal to the library's form. */
    async function withSlot<T>(cost: 'row' | 'change', work: () => Promise<T>): Promise<T> {
      const { address } = asking()
      try {
        return await gate.run(cost, { fairKey: fairKeyOf(null), address }, work)
      } catch (error) {
        const refused = refusalOf(error)
        if (!refused) throw error
        throw Object.assign(new errors.CustomOIDCProviderError('temporarily_unavailable', refused.detail), {
          cause: refused,
          status: statusOf(refused),
          statusCode: statusOf(refused),
        })
      }
    }

    return {
      upsert: (id, payload, expiresIn) => withSlot('change', () => upsert(id, payload, expiresIn)),
      find: (id) => withSlot('row', () => find(id)),
      // It counts as used when its successor is stored, so that a request that failed can be repeated.
      consume: async (id) => asking().use(placeOf(id)),
      destroy: (id) => withSlot('change', () => destroy(id)),
      revokeByGrantId: (grantId) => withSlot('change', () => records.deleteOf(kind, credentialIdOf(grantId))),
      // There are no sessions and no device codes.
      findByUid: async () => undefined,
      findByUserCode: async () => undefined,
    }
  }
}

/** Access tokens have our form; the library knows a part of them. */
const keyOf = (token: string) => (readAccessToken(token) ? randomOf(token) : token)

/** Returns a payload without its keys. Throws for a client with too much metadata. */
function storedOf(kind: string, { jti: _id, client_secret: _secret, ...payload }: AdapterPayload): OauthPayload {
  if (kind === 'Client' && JSON.stringify(payload).length > CLIENT_LENGTH) {
    throw new errors.InvalidClientMetadata(`the metadata must be at most ${CLIENT_LENGTH} characters`)
  }
  return payload
}

function lifetimeOf(kind: string, expiresIn = CONSENT_SECONDS): number {
  if (kind === 'Client') return UNUSED_CLIENT_SECONDS
  // Until the client has fetched its tokens.
  return kind === 'Grant' ? CONSENT_SECONDS : expiresIn
}
