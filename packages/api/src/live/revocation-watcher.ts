import type { Bus, Database, Held, SpaceKey } from '@collab-spaces/db'
import { type DomainError, refusalOfTenant, tokenExpired, unauthenticated, unknown } from '@collab-spaces/domain'
import type { Caller } from '../procedure/credential.js'
import { oneAtATime } from './one-at-a-time.js'

/** How late a stream ends at worst when no hint comes through. Promised: within a second. */
const SWEEP_EVERY_MS = 700

/** How many credentials are asked for in a statement; requests want the database too. */
const CREDENTIALS_AT_ONCE = 1_000

/** Something that lasts as long as its caller's credential. */
export interface Revocable {
  readonly caller: Caller
  /** The space that it looks into, if it is one. */
  readonly space?: SpaceKey | null
  /** Whether it lasts until its reader leaves; an answer, however long, comes to an end by itself. */
  readonly isLive: boolean
  /**
   * The credential no longer opens it, or its space is not there for its caller any more, who is refused for this
   * reason from now on; null if the credential is valid elsewhere, as its actor was moved to another tenant.
   */
  revoke(reason: DomainError | null): void
  /** The agent behind it has been stopped since. May be called again. */
  stop?(): void
}

/** Streams and waits that were opened with one credential, in one tenant, before its agent was stopped or after. */
interface Group extends Held {
  readonly streams: Set<Revocable>
}

/**
 * Ends streams, waits and long answers whose caller has been removed from their space, or whose credential has ended,
 * be it rotated, revoked, expired, its actor deleted or moved to another tenant, or its tenant suspended or moved to
 * another installation, on whatever instance that was done.
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
    this.#sweep ??= setInterval(() => void this.#check(), SWEEP_EVERY_MS).unref()
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

  /** Call after a change that may have ended credentials, stopped agents, or hidden a space from somebody, is committed. */
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

  async #end(held: Group): Promise<void> {
    const reason = await reasonOf(this.credentials, held)
    for (const stream of held.streams) stream.revoke(reason)
  }

  async #stop({ streams }: Group): Promise<void> {
    for (const stream of streams) stream.stop?.()
  }

  readonly #check = oneAtATime(async () => {
    try {
      const groups = [...this.#groups.values()]
      for (let i = 0; i < groups.length; i += CREDENTIALS_AT_ONCE) {
        const changes = await this.credentials.changed(groups.slice(i, i + CREDENTIALS_AT_ONCE))
        await Promise.all(changes.map(({ held, hasEnded }) => (hasEnded ? this.#end(held) : this.#stop(held))))
      }
      const looks = looksOf(this.#groups.values())
      for (let i = 0; i < looks.length; i += CREDENTIALS_AT_ONCE) {
        for (const { streams } of await this.spaces.hidden(looks.slice(i, i + CREDENTIALS_AT_ONCE))) {
          for (const stream of streams) stream.revoke(unknown('Space'))
        }
      }
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

const keyOf = ({ caller: { credentialHash, scope, stopped } }: Revocable) =>
  `${credentialHash.toString('latin1')}/${scope}/${stopped === null}`

const groupOf = (stream: Revocable): Group => {
  const { credentialHash, scope, stopped } = stream.caller
  return { credentialHash, scope, wasStopped: stopped !== null, streams: new Set([stream]) }
}

/** The pairs of an actor and a space that it looks into: asked for once, however many streams there are. */
function looksOf(groups: Iterable<Group>) {
  const looks = new Map<string, { readonly space: SpaceKey; readonly actorId: string; readonly streams: Revocable[] }>()
  for (const { streams } of groups) {
    for (const stream of streams) {
      const { space, caller } = stream
      if (!space) continue
      const key = `${space.scope}/${space.spaceId}/${caller.actorId}`
      const look = looks.get(key)
      if (look) look.streams.push(stream)
      else looks.set(key, { space, actorId: caller.actorId, streams: [stream] })
    }
  }
  return [...looks.values()]
}
