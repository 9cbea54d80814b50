import { SpacesError } from '@collab-spaces/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type DoneMarks, DoneQueue, merged, UNDO_MS } from './done'

class MemoryStorage implements Storage {
  [name: string]: unknown
  get length() {
    return Object.keys(this).length
  }
  getItem = (name: string) => (typeof this[name] === 'string' ? this[name] : null)
  setItem = (name: string, value: string) => {
    this[name] = value
  }
  removeItem = (name: string) => {
    delete this[name]
  }
  clear = () => undefined
  key = () => null
}

const upTo = (event_id: string, space_id = 'plans'): DoneMarks => ({ through: [{ space_id, event_id }], notices: [] })

/** Creates a queue that records sent marks and refusals. */
function queueOn(storage: Storage, name = 'one', refuses: (marked: DoneMarks) => boolean = () => false) {
  const sent: DoneMarks[] = []
  const last: DoneMarks[] = []
  const refused: unknown[] = []
  const queue = new DoneQueue(storage, `done ${name}`, 'done ', {
    send: async (marked) => {
      if (refuses(marked)) throw new SpacesError({ status: 404, detail: 'Event not found', mayPass: false })
      sent.push(marked)
    },
    sendLast: (marked) => last.push(marked),
    onRefused: (error) => refused.push(error),
  })
  return { queue, sent, last, refused }
}

describe('a done mark', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

  it('is sent when the time to undo has passed', async () => {
    const { queue, sent } = queueOn(new MemoryStorage())
    queue.add(upTo('a'))
    await pass(UNDO_MS - 1)
    expect(sent).toEqual([])
    await pass(1)
    expect(sent).toEqual([upTo('a')])
    expect(queue.undo()).toBeUndefined()
    expect(queue.entries.value).toMatchObject([{ state: 'sent' }])
  })

  it('is not sent if it is undone, the last one first', async () => {
    const { queue, sent } = queueOn(new MemoryStorage())
    queue.add(upTo('a'))
    queue.add(upTo('b'))
    expect(queue.undo()).toMatchObject(upTo('b'))
    await pass(UNDO_MS)
    expect(sent).toEqual([upTo('a')])
  })

  it('is sent immediately when the reader leaves, merged by space', async () => {
    const { queue, sent } = queueOn(new MemoryStorage())
    for (const marked of [upTo('a'), upTo('b'), upTo('c', 'old'), { through: [], notices: ['n'] }]) queue.add(marked)
    queue.flush()
    await pass(0)
    expect(sent).toEqual([merged([upTo('b'), upTo('c', 'old'), { through: [], notices: ['n'] }])])
  })

  it('is removed without the rest if the server refuses it', async () => {
    const isGone = ({ through }: DoneMarks) => through.some(({ event_id }) => event_id === 'gone')
    const { queue, sent, refused } = queueOn(new MemoryStorage(), 'one', isGone)
    queue.add(upTo('gone'))
    queue.add(upTo('c', 'old'))
    queue.flush()
    await pass(0)
    expect(sent).toEqual([upTo('c', 'old')])
    expect(refused).toHaveLength(1)
    expect(queue.entries.value).toMatchObject([{ ...upTo('c', 'old'), state: 'sent' }])
  })

  it('is sent on unload, and again by the next page, as the answer is unknown', async () => {
    const storage = new MemoryStorage()
    const before = queueOn(storage)
    before.queue.add(upTo('a'))
    before.queue.leave()
    expect(before.last).toEqual([upTo('a')])
    const next = queueOn(storage, 'two')
    await pass(0)
    expect(next.sent).toEqual([upTo('a')])
    expect(Object.keys(storage).filter((name) => name.startsWith('done '))).toEqual([])
  })

  it('of an open tab is left to it, and that of a crashed one is adopted', async () => {
    const storage = new MemoryStorage()
    const open = queueOn(storage)
    open.queue.add(upTo('a'))
    // Stores what a crashed tab leaves.
    storage.setItem(
      'done crashed',
      JSON.stringify({ entries: [{ ...upTo('b'), id: 1, at: Date.now() }], isLeft: false }),
    )
    const other = queueOn(storage, 'two')
    await pass(UNDO_MS - 1)
    expect(open.queue.undo()).toMatchObject(upTo('a'))
    await pass(10_000)
    expect(open.sent).toEqual([])
    expect(other.sent).toEqual([upTo('b')])
  })

  it('is sent and deleted when its account signs out', async () => {
    const storage = new MemoryStorage()
    const { queue, sent, last } = queueOn(storage)
    queue.add(upTo('a'))
    queue.forget()
    await pass(UNDO_MS)
    expect([last, sent]).toEqual([[upTo('a')], []])
    expect(storage.getItem('done one')).toBeNull()
  })
})
