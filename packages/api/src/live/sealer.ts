import type { Bus, Committed, Database, TreeKey } from '@collab-spaces/db'
import type { TenantId } from '@collab-spaces/domain'
import type { Signer } from '@collab-spaces/merkle'
import { oneAtATime } from './one-at-a-time.js'
import { TreeSet } from './tree-set.js'

/** How long what comes gathers before it is sealed. */
const SEAL_AFTER_MS = 1_000
/** How long one go of sealing takes, unless one transaction takes longer. The rest is sealed in the next. */
const GO_MS = 500
/** Trees that one transaction seals. */
const TOGETHER = 64
/** More are not remembered: then all trees are looked at. */
const MAX_REMEMBERED = 10_000

/**
 * Seals histories beside the writers: a moment after something has come into one, it signs the root of its tree. Nothing
 * is written for it before, and where nothing happens it does nothing. All servers look; each tree is sealed by one.
 */
export class Sealer {
  readonly #grown = new TreeSet()
  readonly #broken = new Set<string>()
  #isAudited = false
  /** Nobody knows what is behind: at the start, after signals were lost, and when too much has grown to remember. */
  #looksAtAll = true
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
      if (signal.kind === 'decision')
        this.#grew({ tenantId: signal.tenantId, spaceId: signal.spaceId, tree: 'decisions' })
      // The cause that kept a tree from being sealed may be mended.
      if (signal.kind === 'resumed') this.#broken.clear()
      if (signal.kind === 'audited' || signal.kind === 'resumed') this.#lookAtAll()
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

  /** Events were written. */
  written(committed: readonly Committed[]): void {
    for (const { tenantId, spaceId } of committed) this.#grew({ tenantId, spaceId, tree: 'events' })
  }

  /** Something else was changed, perhaps in a space: by a decision, or what the security log tells. */
  changed(tenantId: TenantId, spaceId: string | undefined): void {
    this.#isAudited = true
    if (spaceId !== undefined) this.#grew({ tenantId, spaceId, tree: 'decisions' })
    this.#later()
  }

  #grew(key: TreeKey): void {
    if (this.#grown.size < MAX_REMEMBERED) this.#grown.add(key)
    else this.#looksAtAll = true
    this.#later()
  }

  #lookAtAll(): void {
    this.#looksAtAll = true
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

  readonly #seal = oneAtATime(async () => {
    try {
      await this.#findBehind()
      await this.#sealGathered()
    } catch (error) {
      this.onFault(error)
    }
    if (this.#grown.size > 0 || this.#looksAtAll || this.#isAudited) this.#later()
  })

  async #findBehind(): Promise<void> {
    if (this.#looksAtAll) {
      const behind = this.#whole(await this.trees.behind())
      this.#looksAtAll = behind.length > 0
    } else if (this.#isAudited) {
      this.#isAudited = false
      this.#whole(await this.trees.auditsBehind())
    }
  }

  /** Remembers the trees that can be sealed. */
  #whole(keys: readonly TreeKey[]): TreeKey[] {
    const whole = keys.filter((key) => !this.#broken.has(nameOf(key)))
    for (const key of whole) this.#grown.add(key)
    return whole
  }

  /** Trees that grow meanwhile gather for the next go: one that never stops growing is not signed again and again. */
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

  /** One tree must not keep the others from being sealed. Returns those that the next go tries again. */
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

  /** Returns those that are not at their end yet. */
  async #sealThese(keys: readonly TreeKey[]): Promise<readonly TreeKey[]> {
    const { behind, broken } = await this.trees.seal(this.signer, keys, this.#looksAtAll)
    for (const { key, problem } of broken) {
      const name = nameOf(key)
      if (!this.#broken.has(name)) this.onFault(new Error(`${name} is not signed any more: ${problem}`))
      this.#broken.add(name)
    }
    return behind
  }
}

const nameOf = ({ tenantId, spaceId, tree }: TreeKey) => `${tenantId}/${spaceId ?? ''}/${tree}`
