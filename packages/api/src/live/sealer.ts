import type { Bus, CommittedEvent, Database, TreeKey } from '@collab-spaces/db'
import type { TenantId } from '@collab-spaces/domain'
import type { Signer } from '@collab-spaces/merkle'
import { coalesced } from './coalesced.js'
import { TreeSet } from './tree-set.js'

/** The debounce of sealing. */
const SEAL_AFTER_MS = 1_000
/** The duration of one run, unless one transaction takes longer. The rest is sealed in the next run. */
const GO_MS = 500
/** The maximum number of trees in one transaction. */
const TOGETHER = 64
/** The maximum number of remembered trees; beyond it, all trees are scanned. */
const MAX_REMEMBERED = 10_000

/**
 * Seals histories in the background: a moment after a history has grown, signs the root of its tree. Writers do nothing for
 * it, and an unchanged history costs nothing. All instances scan; each tree is sealed by one.
 */
export class Sealer {
  readonly #grown = new TreeSet()
  readonly #broken = new Set<string>()
  #isAudited = false
  /** Whether any tree may be stale: at the start, after lost signals, and beyond `MAX_REMEMBERED`. */
  #isAllStale = true
  #timer: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(
    private readonly trees: Pick<Database['trees'], 'seal' | 'behind' | 'auditsBehind'>,
    bus: Bus,
    private readonly signer: Signer,
    private readonly onFault: (error: unknown) => void,
  ) {
    bus.subscribe((signal) => {
      if (signal.kind === 'head') this.#grew({ tenantId: signal.tenantId, spaceId: signal.spaceId, tree: 'events' })
      if (signal.kind === 'decision' || signal.kind === 'space')
        this.#grew({ tenantId: signal.tenantId, spaceId: signal.spaceId, tree: 'decisions' })
      // The cause of a broken tree may be fixed.
      if (signal.kind === 'resumed') this.#broken.clear()
      if (signal.kind === 'audited' || signal.kind === 'resumed') this.#markAll()
    })
  }

  open(): void {
    this.#later()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer) clearTimeout(this.#timer)
    await this.#sealing
  }

  /** Call after a commit of events. */
  written(committed: readonly CommittedEvent[]): void {
    for (const { tenantId, spaceId } of committed) this.#grew({ tenantId, spaceId, tree: 'events' })
  }

  /** Call after a commit of an act or an entry of the security log. */
  changed(tenantId: TenantId, spaceId: string | undefined): void {
    this.#isAudited = true
    if (spaceId !== undefined) this.#grew({ tenantId, spaceId, tree: 'decisions' })
    this.#later()
  }

  #grew(key: TreeKey): void {
    if (this.#grown.size < MAX_REMEMBERED) this.#grown.add(key)
    else this.#isAllStale = true
    this.#later()
  }

  #markAll(): void {
    this.#isAllStale = true
    this.#later()
  }

  #later(): void {
    if (this.#isClosed) return
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.#sealing = this.#seal()
    }, SEAL_AFTER_MS).unref()
  }

  #sealing: Promise<void> = Promise.resolve()

  readonly #seal = coalesced(async () => {
    try {
      await this.#findStale()
      await this.#sealGathered()
    } catch (error) {
      this.onFault(error)
    }
    if (this.#grown.size > 0 || this.#isAllStale || this.#isAudited) this.#later()
  })

  async #findStale(): Promise<void> {
    if (this.#isAllStale) {
      const behind = this.#markSealable(await this.trees.behind())
      this.#isAllStale = behind.length > 0
    } else if (this.#isAudited) {
      this.#isAudited = false
      const behind = await this.trees.auditsBehind().catch((error) => {
        this.#isAudited = true
        throw error
      })
      this.#markSealable(behind)
    }
  }

  /** Marks the trees that are not broken, and returns them. */
  #markSealable(keys: readonly TreeKey[]): TreeKey[] {
    const whole = keys.filter((key) => !this.#broken.has(nameOf(key)))
    for (const key of whole) this.#grown.add(key)
    return whole
  }

  /** Seals the marked trees. Those that grow meanwhile wait for the next run, so that a busy tree is signed once a run. */
  async #sealGathered(): Promise<void> {
    const gathered = this.#grown.take()
    const end = performance.now() + GO_MS
    while (gathered.length > 0 && performance.now() < end && !this.#isClosed) {
      const keys = gathered.splice(0, TOGETHER)
      try {
        gathered.push(...(await this.#sealThese(keys)))
      } catch (error) {
        this.onFault(error)
        gathered.push(...(await this.#sealApart(keys)))
        break
      }
    }
    for (const key of gathered) this.#grown.add(key)
  }

  /** Seals trees one by one, so that one failure does not stop the other trees. Returns those to retry. */
  async #sealApart(keys: readonly TreeKey[]): Promise<readonly TreeKey[]> {
    const again: TreeKey[] = []
    for (const key of keys) {
      const left = this.#isClosed ? [key] : await this.#sealAlone(key)
      again.push(...left)
    }
    return again
  }

  async #sealAlone(key: TreeKey): Promise<readonly TreeKey[]> {
    try {
      return await this.#sealThese([key])
    } catch (error) {
      this.onFault(new Error(`${nameOf(key)} cannot be sealed`, { cause: error }))
      return [key]
    }
  }

  /** Returns the trees that are not sealed to their end yet. */
  async #sealThese(keys: readonly TreeKey[]): Promise<readonly TreeKey[]> {
    const { behind, broken } = await this.trees.seal(this.signer, keys, this.#isAllStale)
    for (const { key, problem } of broken) {
      const name = nameOf(key)
      if (!this.#broken.has(name)) this.onFault(new Error(`${name} is not signed any more: ${problem}`))
      this.#broken.add(name)
    }
    return behind
  }
}

const nameOf = ({ tenantId, spaceId, tree }: TreeKey) => `${tenantId}/${spaceId ?? ''}/${tree}`
