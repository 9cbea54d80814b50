import type { Bus, Database, HeldCredential, SpaceKey } from '@collab-spaces/db'
import { type DomainError, refusalOfTenant, tokenExpired, unauthenticated, unknown } from '@collab-spaces/domain'
import type { Caller } from '../procedure/credential.js'
import { coalesced } from './coalesced.js'

/** The worst delay of an end when signals are lost. The promise is one second. */
const SWEEP_INTERVAL_MS = 700

/** The maximum number of credentials in one statement, which must not delay requests. */
const CREDENTIALS_AT_ONCE = 1_000

/** A stream or wait that lasts as long as the rights of its caller stay the same. */
export interface Revocable {
  readonly caller: Caller
  /** The space that it reads, if it is one. */
  readonly space?: SpaceKey | null
  /** Whether it lasts until its reader disconnects; a response, however long, ends by itself. */
  readonly isLive: boolean
  /**
   * The credential no longer opens it, or the caller no longer sees its space: requests are refused for this reason from
   * now on. Null if the credential is valid with other rights, as its actor has moved to another tenant, or has become or
   * ceased to be a guest or an admin. Then the caller can retry.
   */
  revoke(reason: DomainError | null): void
  /** The agent behind it was stopped. May be called repeatedly. */
  stop?(): void
}

/** Streams and waits that were opened with one credential, while it gave the same rights. */
interface Group extends HeldCredential {
  readonly streams: Set<Revocable>
}

/**
 * Ends streams, waits and long responses whose caller no longer has the rights with which they began, whichever instance
 * changed them. The credential was rotated, revoked or expired; its actor was deleted, disabled, moved to another tenant,
 * or has become or ceased to be a guest or an admin; its tenant was suspended or moved; or the space became private or the
 * caller was removed from it. Nothing else decides what a stream carries.
 */
export class RevocationWatcher {
  /** One per credential, however many streams it has opened. */
  readonly #groups = new Map<string, Group>()
  #sweep: NodeJS.Timeout | null = null

  constructor(
    private readonly credentials: Database['credentials'],
    private readonly spaces: Pick<Database['spaces'], 'hidden'>,
    private readonly bus: Bus,
    private readonly onFault: (error: unknown) => void,
  ) {
    bus.subscribe(({ kind }) => {
      if (kind === 'revoked' || kind === 'resumed') void this.#check()
    })
  }

  watch(stream: Revocable): void {
    const key = keyOf(stream)
    const group = this.#groups.get(key)
    if (group) group.streams.add(stream)
    else this.#groups.set(key, groupOf(stream))
    this.#sweep ??= setInterval(() => void this.#check(), SWEEP_INTERVAL_MS).unref()
  }

  /** Call when it has ended by itself. */
  unwatch(stream: Revocable): void {
    const key = keyOf(stream)
    const streams = this.#groups.get(key)?.streams
    if (streams?.delete(stream) && streams.size === 0) this.#groups.delete(key)
    if (this.#groups.size === 0 && this.#sweep) {
      clearInterval(this.#sweep)
      this.#sweep = null
    }
  }

  /** Call after the commit of any change of rights. Without it, streams end at the next sweep. */
  announce(): void {
    void this.#check()
    this.bus.publish({ kind: 'revoked' })
  }

  /** The number of open live streams. */
  get streams(): number {
    let count = 0
    for (const { streams } of this.#groups.values()) for (const { isLive } of streams) if (isLive) count++
    return count
  }

  /** Ends everything opened with a credential if that is refused now. False if it is valid with other rights. */
  async #endRefused(held: Group): Promise<boolean> {
    const reason = await reasonOf(this.credentials, held)
    if (reason) for (const stream of held.streams) stream.revoke(reason)
    return reason !== null
  }

  readonly #check = coalesced(async () => {
    try {
      const groups = [...this.#groups.values()]
      const withOtherRights: Group[] = []
      for (let i = 0; i < groups.length; i += CREDENTIALS_AT_ONCE) {
        const changes = await this.credentials.changed(groups.slice(i, i + CREDENTIALS_AT_ONCE))
        await Promise.all(
          changes.map(async ({ held, hasEnded }) => {
            if (!hasEnded) for (const stream of held.streams) stream.stop?.()
            else if (!(await this.#endRefused(held))) withOtherRights.push(held)
          }),
        )
      }
      const looks = looksOf(this.#groups.values())
      for (let i = 0; i < looks.length; i += CREDENTIALS_AT_ONCE) {
        for (const { space, streams } of await this.spaces.hidden(looks.slice(i, i + CREDENTIALS_AT_ONCE))) {
          for (const stream of streams) if (stream.space?.spaceId === space.spaceId) stream.revoke(unknown('Space'))
        }
      }
      // After the spaces, so that a caller learns which space it no longer sees.
      for (const { streams } of withOtherRights) for (const stream of streams) stream.revoke(null)
    } catch (error) {
      // The database is unavailable. Streams stay, as nothing can be read from it either; the next sweep retries.
      this.onFault(error)
    }
  })
}

/** Returns why every request with a credential is refused; null if it is valid. */
async function reasonOf(
  credentials: Database['credentials'],
  { credentialHash }: HeldCredential,
): Promise<DomainError | null> {
  const principal = await credentials.lookUp(credentialHash)
  if (!principal) return unauthenticated()
  if (principal.isExpired) return tokenExpired()
  return refusalOfTenant(principal)
}

const keyOf = ({ caller: { credentialHash, tenantId, stopped, isGuest, isAdmin } }: Revocable) =>
  `${credentialHash.toString('latin1')}/${tenantId}/${stopped === null}/${isGuest}/${isAdmin}`

const groupOf = (stream: Revocable): Group => {
  const { credentialHash, tenantId, stopped, isGuest, isAdmin } = stream.caller
  return { credentialHash, tenantId, isGuest, isAdmin, wasStopped: stopped !== null, streams: new Set([stream]) }
}

/** A space that a credential reads, with all streams of the credential. */
interface Look {
  readonly space: SpaceKey
  readonly actorId: string
  readonly streams: ReadonlySet<Revocable>
}

/** Returns each space of each credential once. It allocates little, however many streams there are. */
function looksOf(groups: Iterable<Group>): Look[] {
  const looks: Look[] = []
  for (const { streams } of groups) {
    const known = new Set<string>()
    for (const { space, caller } of streams) {
      if (!space || known.has(space.spaceId)) continue
      known.add(space.spaceId)
      looks.push({ space, actorId: caller.actorId, streams })
    }
  }
  return looks
}
