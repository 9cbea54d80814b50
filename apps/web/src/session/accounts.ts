/** Who somebody is signed in as, and with which credential. */
export interface Account {
  readonly actorId: string
  readonly name: string
  readonly kind: 'human' | 'agent'
  /** An API key or a personal access token. */
  readonly token: string
  /** Whether it outlives the tab. */
  readonly isRemembered: boolean
}

export interface AccountsState {
  readonly accounts: readonly Account[]
  /** Whose eyes this tab sees with; null when nobody is signed in. */
  readonly active: Account | null
  /** The name on a credential that has ended, until somebody signs in. */
  readonly ended: string | null
}

const LIST = 'spaces.accounts'
const ACTIVE = 'spaces.active'

/**
 * The accounts of this tab. A credential is kept for the tab alone, or on the device if its owner says so, and nowhere
 * else: not in an address, not in a cookie. Each tab has an active account of its own.
 */
export class Accounts {
  readonly #listeners = new Set<() => void>()
  #state: AccountsState

  constructor(
    private readonly tab: Storage,
    private readonly device: Storage,
  ) {
    this.#state = this.#read(null)
  }

  get state(): AccountsState {
    return this.#state
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Signs in, and makes it the active one. An account is there once, with the newest of its credentials. */
  add(account: Account): void {
    const others = this.#state.accounts.filter(({ actorId }) => actorId !== account.actorId)
    this.#write([...others, account], account.actorId)
  }

  activate(actorId: string): void {
    this.#write(this.#state.accounts, actorId)
  }

  /** After a key was rotated: the account goes on with the new one. */
  replaceToken(actorId: string, token: string): void {
    const accounts = this.#state.accounts.map((one) => (one.actorId === actorId ? { ...one, token } : one))
    this.#write(accounts, this.#state.active?.actorId ?? null)
  }

  signOut(actorId: string): void {
    this.#remove(actorId, null)
  }

  /** Its credential is no longer valid. */
  end(actorId: string): void {
    const account = this.#state.accounts.find((one) => one.actorId === actorId)
    if (account) this.#remove(actorId, account.name)
  }

  /** Whether this name in the storage of the device is theirs; null is all of it. */
  isKeptAs(name: string | null): boolean {
    return name === null || name === LIST
  }

  /** Another tab has changed what the device keeps. */
  refresh(): void {
    this.#set(this.#read(this.#state.ended))
  }

  #remove(actorId: string, ended: string | null): void {
    const accounts = this.#state.accounts.filter((one) => one.actorId !== actorId)
    const { active } = this.#state
    const next = active?.actorId === actorId ? (accounts[0]?.actorId ?? null) : (active?.actorId ?? null)
    this.#write(accounts, next, ended)
  }

  #write(accounts: readonly Account[], active: string | null, ended: string | null = null): void {
    const kept = (isRemembered: boolean) => JSON.stringify(accounts.filter((one) => one.isRemembered === isRemembered))
    this.tab.setItem(LIST, kept(false))
    this.device.setItem(LIST, kept(true))
    if (active === null) this.tab.removeItem(ACTIVE)
    else this.tab.setItem(ACTIVE, active)
    this.#set(this.#read(ended))
  }

  #read(ended: string | null): AccountsState {
    const accounts = [...accountsIn(this.tab), ...accountsIn(this.device)]
    const wanted = this.tab.getItem(ACTIVE)
    const active = accounts.find(({ actorId }) => actorId === wanted) ?? accounts[0] ?? null
    return { accounts, active, ended }
  }

  #set(state: AccountsState): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}

/** What is there may have been written by another version, or by hand. */
function accountsIn(storage: Storage): Account[] {
  try {
    const list: unknown = JSON.parse(storage.getItem(LIST) ?? '[]')
    return Array.isArray(list) ? list.filter(isAccount) : []
  } catch {
    return []
  }
}

function isAccount(value: unknown): value is Account {
  const { actorId, name, token } = (value ?? {}) as Partial<Account>
  return [actorId, name, token].every((field) => typeof field === 'string')
}
