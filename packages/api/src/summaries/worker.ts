import { parentPort } from 'node:worker_threads'
import type { ByteString } from '@collab-spaces/db/byte-string'
import { type SummaryLanguage, summarizeExtractively } from '@collab-spaces/summarizer'
import { eventsOf, type WindowDecisions } from './writer.js'

/**
 * The worker thread of the built-in summarizer, which keeps it off the event loop. It receives the decisions, requests one
 * piece after the other until there are no more, and returns the summary.
 */

export type ToWorker =
  | { readonly kind: 'start'; readonly decided: WindowDecisions; readonly language: SummaryLanguage }
  | { readonly kind: 'piece'; readonly piece: ByteString | null }

export type FromWorker = { readonly kind: 'next' } | { readonly kind: 'done'; readonly text: string }

const port = parentPort
if (!port) throw new Error('This is a worker thread')
const send = (message: FromWorker) => port.postMessage(message)

let take: (piece: ByteString | null) => void = () => {}

async function* pieces(): AsyncGenerator<ByteString> {
  while (true) {
    const piece = await new Promise<ByteString | null>((resolve) => {
      take = resolve
      send({ kind: 'next' })
    })
    if (piece === null) return
    yield piece
  }
}

port.on('message', async (message: ToWorker) => {
  if (message.kind === 'piece') return take(message.piece)
  const { decided, language } = message
  const text = await summarizeExtractively({ events: eventsOf(pieces()), ...decided, language })
  send({ kind: 'done', text })
})
