#!/usr/bin/env node
import { connect } from 'node:net'
import { MARK, micros, STAMP_LENGTH } from './stamp.mjs'

/**
 * Reads many streams at once and says how late their events were. It shares its cores with the server, so it does as
 * little as it can: bytes come into one buffer, and of an event only its stamp is looked at. Driven by messages of
 * `readers.mjs`, which has started it.
 */

/** @import { Ask, Told } from './readers.mjs' */

const OPENED_AT_ONCE = 100
const LATENESS_STEP = 100
const mark = Buffer.from(MARK)
const SIGN = mark[0]

/** How many events were late by so many steps of a tenth of a millisecond; the last one by more. */
const lateness = new Uint32Array(100_000)
/** @type {Stream[]} */
const streams = []
const buffer = Buffer.allocUnsafe(256 * 1024)

class Stream {
  seen = 0
  isOpen = false
  /** What may be the beginning of a stamp. @type {Buffer | null} */
  #rest = null

  /** @param {string} host @param {number} port @param {string} request @param {() => void} onOpen */
  constructor(host, port, request, onOpen) {
    const take = (/** @type {number} */ length) => this.#take(buffer.subarray(0, length), onOpen)
    const socket = connect({
      host,
      port,
      onread: {
        buffer,
        callback: (length) => {
          take(length)
          return true
        },
      },
    })
    socket.write(request)
    socket.on('error', fail)
    socket.on('close', () => fail(new Error('a stream was closed by the server')))
  }

  /** @param {Buffer} chunk @param {() => void} onOpen */
  #take(chunk, onOpen) {
    const now = micros()
    if (!this.isOpen) {
      if (!chunk.toString('latin1').startsWith('HTTP/1.1 200')) {
        return fail(new Error(`a stream was refused: ${chunk.toString('latin1').slice(0, 300)}`))
      }
      this.isOpen = true
      onOpen()
    }
    const bytes = this.#rest === null ? chunk : Buffer.concat([this.#rest, chunk])
    this.#rest = null
    let from = 0
    for (let at = bytes.indexOf(mark); at !== -1 && at + STAMP_LENGTH <= bytes.length; at = bytes.indexOf(mark, from)) {
      this.#note(now - microsAt(bytes, at + mark.length))
      from = at + STAMP_LENGTH
    }
    const cut = bytes.indexOf(/** @type {number} */ (SIGN), Math.max(from, bytes.length - STAMP_LENGTH + 1))
    if (cut !== -1) this.#rest = Buffer.from(bytes.subarray(cut))
  }

  /** @param {number} late In microseconds. */
  #note(late) {
    this.seen++
    const step = Math.min(lateness.length - 1, Math.floor(late / LATENESS_STEP))
    lateness[step] = /** @type {number} */ (lateness[step]) + 1
  }
}

/** @param {Buffer} bytes @param {number} from */
function microsAt(bytes, from) {
  let value = 0
  for (let at = from; at < from + STAMP_LENGTH - mark.length; at++) {
    value = value * 10 + /** @type {number} */ (bytes[at]) - 48
  }
  return value
}

/** @param {Error} error */
function fail(error) {
  tell({ kind: 'failed', message: error.message })
}

/** @param {Told} told */
const tell = (told) => process.send?.(told)

/** @param {Extract<Ask, { kind: 'open' }>} ask */
function open({ host, port, requests, count }) {
  let opened = 0
  const openNext = () => {
    if (streams.length === count) return
    const request = /** @type {string} */ (requests[streams.length % requests.length])
    streams.push(
      new Stream(host, port, request, () => {
        opened++
        if (opened === count) tell({ kind: 'open' })
        openNext()
      }),
    )
  }
  for (let n = 0; n < OPENED_AT_ONCE; n++) openNext()
}

process.on('message', (/** @type {Ask} */ ask) => {
  if (ask.kind === 'open') return open(ask)
  const late = [...lateness.entries()].filter(([, events]) => events > 0)
  tell({
    kind: 'seen',
    seen: streams.map(({ seen }) => seen),
    lateness: late.map(([step, events]) => ({ ms: ((step + 1) * LATENESS_STEP) / 1_000, events })),
  })
})
process.on('disconnect', () => process.exit())
