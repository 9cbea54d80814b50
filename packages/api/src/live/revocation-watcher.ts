import type { Bus, Credentials, Principal } from '@collab-spaces/db'
import type { Caller } from '../procedure/credential.js'

/** How late a stream ends at worst when no hint comes through. Promised: within a second. */
const SWEEP_EVERY_MS = 700

/** How many credentials are asked for at once; requests want the database too. */
const LOOK_UPS_AT_ONCE = 200

/** Something that lasts as long as its caller's credential. */
export interface Revocable {
  readonly caller: Caller
  /** Whether it lasts until its reader leaves; an answer, however long, comes to an end by itself. */
  readonly isLive: boolean
  /** The credential has ended. */
  revoke(): void
  /** The agent behind it has been stopped since. May be called again. */
  stop?(): void
}

/**
 * Ends streams and long answers whose credential has ended, be it rotated, revoked, expired, its actor deleted or moved to another tenant,
 * or its tenant suspended, on whatever instance that was done.
 */
export class RevocationWatcher {
  readonly #watched = new Set<Revocable>()
  #sweep: NodeJS.Timeout | null = null
  #checking = false
  #again = false

  constructor(
    private readonly credentials: Credentials,
    private readonly bus: Bus,
    private readonly onFault: (error: unknown) => void,
  ) {
    bus.subscribe(({ kind }) => {
      if (kind === 'revoked' || kind === 'resumed') void this.#check()
    })
  }

  watch(stream: Revocable): void {
    this.#watched.add(stream)
    this.#sweep ??= setInterval(() => void this.#check(), SWEEP_EVERY_MS).unref()
  }

  /** It has ended by itself. */
  unwatch(stream: Revocable): void {
    this.#watched.delete(stream)
    if (this.#watched.size === 0 && this.#sweep) {
      clearInterval(this.#sweep)
      this.#sweep = null
    }
  }

  /** Call after a change that may have ended credentials, or stopped agents, is committed. */
  announce(): void {
    void this.#check()
    this.bus.publish({ kind: 'revoked' })
  }

  /** How many live streams are open. */
  get streams(): number {
    let count = 0
    for (const { isLive } of this.#watched) if (isLive) count++
    return count
  }

  async #check(): Promise<void> {
    // A check under way may have asked before the change: it is followed by another one.
    if (this.#checking) {
      this.#again = true
      return
    }
    this.#checking = true
    try {
      do {
        this.#again = false
        const credentials = [...this.#byCredential().values()]
        for (let i = 0; i < credentials.length; i += LOOK_UPS_AT_ONCE) {
          const some = credentials.slice(i, i + LOOK_UPS_AT_ONCE)
          await Promise.all(some.map((stream) => this.#endIfOver(stream)))
        }
      } while (this.#again)
    } catch (error) {
      // The database is not there to ask. Streams stay, as nothing can be read from it either; the sweep asks again.
      this.onFault(error)
    } finally {
      this.#checking = false
    }
  }

  /** However many streams a credential has opened, it is asked for once. */
  #byCredential(): Map<string, Revocable[]> {
    const groups = new Map<string, Revocable[]>()
    for (const stream of this.#watched) {
      const key = stream.caller.credentialHash.toString('latin1')
      const group = groups.get(key)
      if (group) group.push(stream)
      else groups.set(key, [stream])
    }
    return groups
  }

  async #endIfOver(group: readonly Revocable[]): Promise<void> {
    const [first] = group
    const now = first ? await this.credentials.lookUp(first.caller.credentialHash) : null
    for (const stream of group) {
      if (!stillOpens(now, stream.caller)) stream.revoke()
      else if (now?.stopped && !stream.caller.stopped) stream.stop?.()
    }
  }
}

const stillOpens = (now: Principal | null, then: Caller) =>
  now !== null && !now.isExpired && now.scope === then.scope && now.tenantStatus === 'active'
