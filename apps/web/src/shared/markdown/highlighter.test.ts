import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type Colours,
  HIGHLIGHT_TIMEOUT_MS,
  Highlighter,
  type HighlightRequest,
  type HighlightWorker,
} from './highlighter'

const RED: Colours = [{ type: 'text', value: 'red' }]

class FakeWorker implements HighlightWorker {
  onmessage: HighlightWorker['onmessage'] = null
  onerror: HighlightWorker['onerror'] = null
  readonly requests: HighlightRequest[] = []
  isTerminated = false
  postMessage(request: HighlightRequest): void {
    this.requests.push(request)
  }
  terminate(): void {
    this.isTerminated = true
  }
  says(data: Colours | 'ready'): void {
    this.onmessage?.({ data } as MessageEvent<Colours | 'ready'>)
  }
  fails(): void {
    this.onerror?.({} as ErrorEvent)
  }
}

let workers: FakeWorker[]
let highlighter: Highlighter
let found: (readonly [string, Colours])[]

beforeEach(() => {
  vi.useFakeTimers()
  workers = []
  found = []
  highlighter = new Highlighter(() => {
    const worker = new FakeWorker()
    workers.push(worker)
    return worker
  })
})
afterEach(() => {
  vi.useRealTimers()
})

const ask = (text: string) => highlighter.highlight(text, 'c', (colours) => found.push([text, colours]))
const worker = (n = 0) => workers[n] as FakeWorker
const textsAsked = (n = 0) => worker(n).requests.map(({ text }) => text)

describe('a highlighter', () => {
  it('starts one worker with the first block, and sends it blocks one by one', () => {
    for (const text of ['one', 'two']) ask(text)
    expect([workers.length, textsAsked()]).toEqual([1, []])
    worker().says('ready')
    expect(textsAsked()).toEqual(['one'])
    worker().says(RED)
    worker().says(null)
    expect(textsAsked()).toEqual(['one', 'two'])
    expect(found).toEqual([
      ['one', RED],
      ['two', null],
    ])
  })

  it('leaves a block plain that times out, and continues with another worker', () => {
    for (const text of ['endless', 'two']) ask(text)
    worker().says('ready')
    vi.advanceTimersByTime(HIGHLIGHT_TIMEOUT_MS - 1)
    expect([found, worker().isTerminated]).toEqual([[], false])
    vi.advanceTimersByTime(1)
    expect(found).toEqual([['endless', null]])
    expect(worker().isTerminated).toBe(true)
    worker(1).says('ready')
    worker(1).says(RED)
    expect(found.at(-1)).toEqual(['two', RED])
  })

  it('does not count the time that the worker takes to load', () => {
    ask('one')
    vi.advanceTimersByTime(60_000)
    worker().says('ready')
    worker().says(RED)
    expect(found).toEqual([['one', RED]])
  })

  it('skips cancelled blocks', () => {
    ask('one')
    ask('two')()
    worker().says('ready')
    worker().says(RED)
    expect(textsAsked()).toEqual(['one'])
  })

  it('continues after a block that makes the worker fail', () => {
    for (const text of ['bad', 'two']) ask(text)
    worker().says('ready')
    worker().fails()
    worker(1).says('ready')
    worker(1).says(RED)
    expect(found).toEqual([
      ['bad', null],
      ['two', RED],
    ])
  })

  it('leaves blocks plain if the worker cannot load, and retries with the next one', () => {
    ask('one')
    worker().fails()
    expect([workers.length, found]).toEqual([1, []])
    ask('two')
    worker(1).says('ready')
    worker(1).says(RED)
    expect(found).toEqual([['two', RED]])
  })
})
