#!/usr/bin/env node
import { connect } from 'node:net'
import type { Answer, Question } from './messages.js'
import { MARK, micros, STAMP_LENGTH } from './stamp.js'

/**
 * Reads many streams at once and says how late their events were. It shares its cores with the server, so it does as
 * little as it can: bytes come into one buffer, and of an event only its stamp is looked at. Driven by messages of
 * `readers.ts`, which has started it.
 */

const OPENED_AT_ONCE = 100
const LATENESS_STEP = 100
const mark = Buffer.from(MARK)
const firstOfMark = MARK.charCodeAt(0)

/** How many events were late by so many steps of a tenth of a millisecond; the last one by more. */
const lateness = new Uint32Array(100_000)
const streams: Stream[] = []
const buffer = Buffer.allocUnsafe(256 * 1024)

class Stream {
  seen = 0
  isOpen = false
  /** What may be the beginning of a stamp. */
  #rest: Buffer | null = null

  constructor(
    host: string,
    port: number,
    request: string,
    private readonly onOpen: () => void,
  ) {
    const callback = (length: number) => {
      this.#take(buffer.subarray(0, length))
      return true
    }
    const socket = connect({ host, port, onread: { buffer, callback } })
    socket.write(request)
    socket.on('error', fail)
    socket.on('close', () => fail(new Error('a stream was closed by the server')))
  }

  #take(chunk: Buffer): void {
    const now = micros()
    if (!this.isOpen) this.#open(chunk)
    const bytes = this.#rest === null ? chunk : Buffer.concat([this.#rest, chunk])
    this.#rest = null
    let from = 0
    for (let at = bytes.indexOf(mark); at !== -1 && at + STAMP_LENGTH <= bytes.length; at = bytes.indexOf(mark, from)) {
      this.#note(now - microsAt(bytes, at + mark.length))
      from = at + STAMP_LENGTH
    }
    const cut = bytes.indexOf(firstOfMark, Math.max(from, bytes.length - STAMP_LENGTH + 1))
    if (cut !== -1) this.#rest = Buffer.from(bytes.subarray(cut))
  }

  #open(head: Buffer) {
    const text = head.toString('latin1')
    if (!text.startsWith('HTTP/1.1 200')) return fail(new Error(`a stream was refused: ${text.slice(0, 300)}`))
    this.isOpen = true
    this.onOpen()
  }

  #note(late: number): void {
    this.seen++
    const step = Math.min(lateness.length - 1, Math.floor(late / LATENESS_STEP))
    lateness[step] = Number(lateness[step]) + 1
  }
}

function microsAt(bytes: Buffer, from: number): number {
  let value = 0
  for (let at = from; at < from + STAMP_LENGTH - mark.length; at++) value = value * 10 + Number(bytes[at]) - 48
  return value
}

const answer = (message: Answer) => process.send?.(message)

function fail(error: Error): void {
  answer({ kind: 'failed', message: error.message })
}

function open({ host, port, requests, count }: Extract<Question, { kind: 'open' }>): void {
  let opened = 0
  const openNext = () => {
    if (streams.length === count) return
    const request = String(requests[streams.length % requests.length])
    const onOpen = () => {
      opened++
      if (opened === count) answer({ kind: 'open' })
      openNext()
    }
    streams.push(new Stream(host, port, request, onOpen))
  }
  for (let n = 0; n < OPENED_AT_ONCE; n++) openNext()
}

process.on('message', (question: Question) => {
  if (question.kind === 'open') return open(question)
  const late = [...lateness.entries()].filter(([, events]) => events > 0)
  answer({
    kind: 'seen',
    seen: streams.map(({ seen }) => seen),
    lateness: late.map(([step, events]) => ({ ms: ((step + 1) * LATENESS_STEP) / 1_000, events })),
  })
})
process.on('disconnect', () => process.exit())
