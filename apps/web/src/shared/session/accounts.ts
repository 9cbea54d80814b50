import { Cell } from '../cell'

/** The actor that somebody is signed in as, with the credential. */
export interface Account {
  readonly actorId: string
  readonly name: string
  readonly kind: 'human' | 'agent'
  /** An API key, a personal access token, or that of a session. */
  readonly token: string
  /** Whether it ends when somebody signs out. */
  readonly isSession?: boolean
  /** Whether it outlives the tab. */
  readonly isRemembered: boolean
}

export interface AccountsState {
  readonly accounts: readonly Account[]
  /** The account of this tab; null when nobody is signed in. */
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
  readonly state: Cell<AccountsState>

  constructor(
    private readonly tab: Storage,
    private readonly device: Storage,
  ) {
    this.state = new Cell(this.#read(null))
  }

  /** As it is by now. Undefined if nobody is signed in as that. */
  find(actorId: string): Account | undefined {
    return this.#stored().find((one) => one.actorId === actorId)
  }

  /** Signs in, and makes it the active one. An account is there once, with the newest of its credentials. */
  add(account: Account): void {
    const others = this.#stored().filter(({ actorId }) => actorId !== account.actorId)
    this.#write([...others, account], account.actorId)
  }

  activate(actorId: string): void {
    this.#write(this.#stored(), actorId)
  }

  /** After a key was rotated: the account goes on with the new one, also if the old one was refused before that was known. */
  replaceToken(account: Account, token: string): void {
    const accounts = this.#stored().map((one) =>
      one.actorId === account.actorId ? { ...one, token, isSession: false } : one,
    )
    const isThere = accounts.some(({ actorId }) => actorId === account.actorId)
    this.#write(
      isThere ? accounts : [...accounts, { ...account, token, isSession: false }],
      this.state.value.active?.actorId ?? account.actorId,
    )
  }

  signOut(actorId: string): void {
    this.#goOnWith(
      this.#stored().filter((one) => one.actorId !== actorId),
      null,
    )
  }

  /**
   * A credential is no longer valid. If the account has another one by now, perhaps from another tab, it goes on with
   * that: the answer to a call that was made with the old one may come late.
   */
  end(actorId: string, token: string): void {
    const stored = this.#stored()
    const ended = stored.find((one) => one.actorId === actorId && one.token === token)
    if (!ended) {
      this.refresh()
      return
    }
    const left = stored.filter((one) => one !== ended)
    this.#goOnWith(left, left.some((one) => one.actorId === actorId) ? null : ended.name)
  }

  /** Whether this name in the storage of the device is theirs; null is all of it. */
  isKeptAs(name: string | null): boolean {
    return name === null || name === LIST
  }

  /** Another tab has changed what the device keeps. */
  refresh(): void {
    this.state.set(this.#read(this.state.value.ended))
  }

  #goOnWith(accounts: readonly Account[], ended: string | null): void {
    const active = accounts.find(({ actorId }) => actorId === this.state.value.active?.actorId) ?? accounts[0]
    this.#write(accounts, active?.actorId ?? null, ended)
  }

  #write(accounts: readonly Account[], active: string | null, ended: string | null = null): void {
    const kept = (isRemembered: boolean) => JSON.stringify(accounts.filter((one) => one.isRemembered === isRemembered))
    this.tab.setItem(LIST, kept(false))
    this.device.setItem(LIST, kept(true))
    if (active === null) this.tab.removeItem(ACTIVE)
    else this.tab.setItem(ACTIVE, active)
    this.state.set(this.#read(ended))
  }

  /** As they are kept by now: what another tab has just changed may not have been told here yet. */
  #stored(): readonly Account[] {
    return [...accountsIn(this.tab), ...accountsIn(this.device)]
  }

  #read(ended: string | null): AccountsState {
    const accounts = this.#stored()
    const wanted = this.tab.getItem(ACTIVE)
    const active = accounts.find(({ actorId }) => actorId === wanted) ?? accounts[0] ?? null
    return { accounts, active, ended }
  }
}

/** The stored value may have been written by another version, or by hand. */
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
