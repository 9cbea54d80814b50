import type { Bus, Database, Held, SpaceKey } from '@collab-spaces/db'
import { type DomainError, refusalOfTenant, tokenExpired, unauthenticated, unknown } from '@collab-spaces/domain'
import type { Caller } from '../procedure/credential.js'
import { oneAtATime } from './one-at-a-time.js'

/** How late a stream ends at worst when no signal comes through. Promised: within a second. */
const SWEEP_INTERVAL_MS = 700

/** How many credentials are asked for in a statement; requests want the database too. */
const CREDENTIALS_AT_ONCE = 1_000

/** Something that lasts as long as the rights of its caller stay the same. */
export interface Revocable {
  readonly caller: Caller
  /** The space that it looks into, if it is one. */
  readonly space?: SpaceKey | null
  /** Whether it lasts until its reader leaves; an answer, however long, comes to an end by itself. */
  readonly isLive: boolean
  /**
   * The credential no longer opens it, or its space is not there for its caller any more, who is refused for this
   * reason from now on. Null if the credential is valid with other rights: its actor was moved to another tenant, or
   * became a guest, an admin, or no longer is one. Then the caller can ask again.
   */
  revoke(reason: DomainError | null): void
  /** The agent behind it has been stopped since. May be called again. */
  stop?(): void
}

/** Streams and waits that were opened with one credential, while it gave the same rights. */
interface Group extends Held {
  readonly streams: Set<Revocable>
}

/**
 * Ends streams, waits and long answers whose caller no longer has the rights with which they began, on whatever instance
 * that was done. The credential was rotated, revoked or expired; its actor was deleted, disabled, moved to another tenant,
 * made a guest, an admin, or none any more; its tenant was suspended or moved; or their space is hidden from the caller,
 * who was removed from it, or was not in it when it was closed. Nothing else decides what a stream carries.
 */
export class RevocationWatcher {
  /** However many streams a credential has opened, it is asked for once. */
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

  /** It has ended by itself. */
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

  /** How many live streams are open. */
  get streams(): number {
    let count = 0
    for (const { streams } of this.#groups.values()) for (const { isLive } of streams) if (isLive) count++
    return count
  }

  /** Ends what was opened with a credential that is refused now. False if it is not refused, but gives other rights. */
  async #endRefused(held: Group): Promise<boolean> {
    const reason = await reasonOf(this.credentials, held)
    if (reason) for (const stream of held.streams) stream.revoke(reason)
    return reason !== null
  }

  readonly #check = oneAtATime(async () => {
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
        for (const { streams } of await this.spaces.hidden(looks.slice(i, i + CREDENTIALS_AT_ONCE))) {
          for (const stream of streams) stream.revoke(unknown('Space'))
        }
      }
      // After the look at spaces, as a caller is told of a space that it no longer sees.
      for (const { streams } of withOtherRights) for (const stream of streams) stream.revoke(null)
    } catch (error) {
      // The database is not there to ask. Streams stay, as nothing can be read from it either; the sweep asks again.
      this.onFault(error)
    }
  })
}

/** Why a credential is refused, whatever is asked for with it; null if it is not. */
async function reasonOf(credentials: Database['credentials'], { credentialHash }: Held): Promise<DomainError | null> {
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

/** The pairs of an actor and a space that it looks into: asked for once, however many streams there are. */
function looksOf(groups: Iterable<Group>) {
  const looks = new Map<string, { readonly space: SpaceKey; readonly actorId: string; readonly streams: Revocable[] }>()
  for (const { streams } of groups) {
    for (const stream of streams) {
      const { space, caller } = stream
      if (!space) continue
      const key = `${space.tenantId}/${space.spaceId}/${caller.actorId}`
      const look = looks.get(key)
      if (look) look.streams.push(stream)
      else looks.set(key, { space, actorId: caller.actorId, streams: [stream] })
    }
  }
  return [...looks.values()]
}
