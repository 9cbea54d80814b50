import { Cell } from '../cell'

/** A signed-in actor with its credential. */
export interface Account {
  readonly actorId: string
  readonly name: string
  readonly kind: 'human' | 'agent'
  /** An API key, a personal access token or a session token. */
  readonly token: string
  /** Whether signing out ends the token. */
  readonly isSession?: boolean
  /** The URL that ends the session at the identity provider; null for none. */
  readonly logoutUrl?: string | null
  /** Whether it outlives the tab. */
  readonly isRemembered: boolean
}

export interface AccountsState {
  readonly accounts: readonly Account[]
  /** The active account of this tab; null if none is signed in. */
  readonly active: Account | null
  /** The name of the account whose credential has ended, until the next sign-in. */
  readonly ended: string | null
}

const LIST = 'spaces.accounts'
const ACTIVE = 'spaces.active'

/**
 * The accounts of this tab. A credential is in session storage, or in local storage if its owner wants to be
 * remembered, and nowhere else: not in an address or cookie. Each tab has its own active account.
 */
export class Accounts {
  readonly state: Cell<AccountsState>

  constructor(
    private readonly tab: Storage,
    private readonly device: Storage,
  ) {
    this.state = new Cell(this.#read(null))
  }

  /** Returns the stored account; undefined if it is not signed in. */
  find(actorId: string): Account | undefined {
    return this.#stored().find((one) => one.actorId === actorId)
  }

  /** Signs an account in and activates it. Replaces an earlier credential of the account. */
  add(account: Account): void {
    const others = this.#stored().filter(({ actorId }) => actorId !== account.actorId)
    this.#write([...others, account], account.actorId)
  }

  rename(actorId: string, name: string): void {
    this.#write(
      this.#stored().map((one) => (one.actorId === actorId ? { ...one, name } : one)),
      this.state.value.active?.actorId ?? actorId,
    )
  }

  activate(actorId: string): void {
    this.#write(this.#stored(), actorId)
  }

  /** Replaces a rotated key, also if the old one was refused and removed before the new one arrived. */
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
   * Removes an account whose credential is no longer valid. Keeps it if it has another credential by now, perhaps from
   * another tab: the refusal of the old one may arrive late.
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

  /** Returns whether a key of local storage holds the accounts; null stands for all keys. */
  isStorageKey(name: string | null): boolean {
    return name === null || name === LIST
  }

  /** Reads the accounts again after another tab has changed them. */
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

  /** Reads the stored accounts, as the `storage` event of another tab's change may still be pending. */
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

/** Validates the stored value, which another version may have written. */
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
