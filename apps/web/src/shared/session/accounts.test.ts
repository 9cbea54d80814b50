import { describe, expect, it } from 'vitest'
import { type Account, Accounts } from './accounts'

/** An in-memory storage. */
class MemoryStorage implements Storage {
  readonly #items = new Map<string, string>()
  get length() {
    return this.#items.size
  }
  clear = () => this.#items.clear()
  key = (index: number) => [...this.#items.keys()][index] ?? null
  getItem = (key: string) => this.#items.get(key) ?? null
  setItem = (key: string, value: string) => void this.#items.set(key, value)
  removeItem = (key: string) => void this.#items.delete(key)
}

const account = (actorId: string, isRemembered = false): Account => ({
  actorId,
  name: actorId,
  kind: 'human',
  token: `svc_${actorId}`,
  isRemembered,
})

describe('accounts', () => {
  it('are stored for the tab only, unless remembered', () => {
    const [tab, device] = [new MemoryStorage(), new MemoryStorage()]
    const accounts = new Accounts(tab, device)
    accounts.add(account('ada'))
    accounts.add(account('bob', true))

    expect(
      JSON.stringify([...Array(device.length).keys()].map((at) => device.getItem(device.key(at) ?? ''))),
    ).not.toContain('svc_ada')
    const otherTab = new Accounts(new MemoryStorage(), device)
    expect(otherTab.state.value.accounts.map(({ actorId }) => actorId)).toEqual(['bob'])
    const sameTab = new Accounts(tab, device)
    expect(sameTab.state.value.active?.actorId).toBe('bob')
    expect(sameTab.state.value.accounts).toHaveLength(2)
  })

  it('are stored once each', () => {
    const accounts = new Accounts(new MemoryStorage(), new MemoryStorage())
    accounts.add(account('ada'))
    accounts.add(account('bob'))
    accounts.add({ ...account('ada'), token: 'svc_new' })
    expect(accounts.state.value.accounts).toHaveLength(2)
    expect(accounts.state.value.active?.token).toBe('svc_new')
    accounts.activate('bob')
    expect(accounts.state.value.active?.actorId).toBe('bob')
  })

  it('are deleted from storage on sign-out', () => {
    const [tab, device] = [new MemoryStorage(), new MemoryStorage()]
    const accounts = new Accounts(tab, device)
    accounts.add(account('ada', true))
    accounts.signOut('ada')
    expect(accounts.state.value).toEqual({ accounts: [], active: null, ended: null })
    expect(device.getItem('spaces.accounts')).toBe('[]')
  })

  it('name the account whose credential has ended, and activate another one', () => {
    const accounts = new Accounts(new MemoryStorage(), new MemoryStorage())
    accounts.add(account('ada'))
    accounts.add(account('bob'))
    accounts.end('bob', 'svc_bob')
    expect(accounts.state.value.active?.actorId).toBe('ada')
    expect(accounts.state.value.ended).toBe('bob')
    accounts.add(account('bob'))
    expect(accounts.state.value.ended).toBeNull()
  })

  it('continue with a rotated key from any tab', () => {
    const device = new MemoryStorage()
    const accounts = new Accounts(new MemoryStorage(), device)
    accounts.add(account('ada', true))
    const otherTab = new Accounts(new MemoryStorage(), device)
    accounts.replaceToken(account('ada', true), 'svc_new')
    // Both had calls in flight with the old key, and the other tab has no `storage` event yet.
    for (const tab of [accounts, otherTab]) {
      tab.end('ada', 'svc_ada')
      expect(tab.state.value).toMatchObject({ active: { token: 'svc_new' }, ended: null })
    }
    accounts.end('ada', 'svc_new')
    expect(accounts.state.value).toEqual({ accounts: [], active: null, ended: 'ada' })
  })

  it('return with a new key if the old one was refused first', () => {
    const accounts = new Accounts(new MemoryStorage(), new MemoryStorage())
    accounts.add(account('ada'))
    accounts.end('ada', 'svc_ada')
    accounts.replaceToken(account('ada'), 'svc_new')
    expect(accounts.state.value).toMatchObject({ active: { actorId: 'ada', token: 'svc_new' }, ended: null })
  })

  it('keep accounts that another tab signed in meanwhile', () => {
    const device = new MemoryStorage()
    const [accounts, otherTab] = [1, 2].map(() => new Accounts(new MemoryStorage(), device)) as [Accounts, Accounts]
    accounts.add(account('ada', true))
    otherTab.add(account('bob', true))
    expect(otherTab.state.value.accounts.map(({ actorId }) => actorId)).toEqual(['ada', 'bob'])
  })

  it('survive invalid stored values', () => {
    const tab = new MemoryStorage()
    tab.setItem('spaces.accounts', '{"no":')
    expect(new Accounts(tab, new MemoryStorage()).state.value.accounts).toEqual([])
    tab.setItem('spaces.accounts', '[null, 3, {"actorId": "x"}]')
    expect(new Accounts(tab, new MemoryStorage()).state.value.accounts).toEqual([])
  })
})
