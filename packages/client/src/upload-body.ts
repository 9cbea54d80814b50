/** Bytes that come in pieces, which can be read once. */
export type Bytes = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

/**
 * The bytes of an upload. A stream is sent once; a function that opens it is called for each attempt, so that a failed one
 * can be repeated.
 */
export type UploadContent = Uint8Array<ArrayBuffer> | Blob | Bytes | (() => Bytes | Promise<Bytes>)

/** What is said of the bytes while they are sent. */
export interface Sending {
  /** All bytes until now are taken; the next ones are waited for, or not. */
  onTaken(sent: number): void
  onSourceWait(isWaiting: boolean): void
  /** The source of the bytes failed. */
  onFailure(error: unknown): void
}

export type SentBytes = Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array>

/** The body of an upload. */
export interface UploadBody {
  /** In bytes; null if that is unknown. */
  readonly size: number | null
  readonly isRepeatable: boolean
  readonly isStreamed: boolean
  /** Returns the body of one attempt, and a function that closes its source. */
  open(sending: Sending): Promise<{ readonly sent: SentBytes; close(): void }>
}

/** As large as a piece of a stream is: a larger one would look like a connection that stands still. */
const PIECE_BYTES = 64 * 1024

/** Browsers stream no body over HTTP/1.1, and some none at all. */
const canStream = !('document' in globalThis) && !('WorkerGlobalScope' in globalThis)

/** Returns the body for a content. Browsers gather a stream in a blob first. `isWatched` streams bytes that are there. */
export async function bodyOf(
  content: UploadContent,
  size: number | undefined,
  isWatched: boolean,
): Promise<UploadBody> {
  if (content instanceof Uint8Array)
    return isWatched && canStream ? streamed(() => [content], content.length) : whole(content, content.length)
  if (content instanceof Blob)
    return isWatched && canStream ? streamed(() => content.stream(), content.size) : whole(content, content.size)
  if (!canStream) {
    const blob = await gathered(typeof content === 'function' ? await content() : content)
    return whole(blob, blob.size)
  }
  return typeof content === 'function'
    ? streamed(content, size ?? null)
    : { ...streamed(once(content), size ?? null), isRepeatable: false }
}

const whole = (sent: Uint8Array<ArrayBuffer> | Blob, size: number): UploadBody => ({
  size,
  isRepeatable: true,
  isStreamed: false,
  open: async () => ({ sent, close: () => {} }),
})

type Pieces = Bytes | Iterable<Uint8Array>

const streamed = (openSource: () => Pieces | Promise<Pieces>, size: number | null): UploadBody => ({
  size,
  isRepeatable: true,
  isStreamed: true,
  open: async (sending) => {
    const pieces = piecesOf(await openSource())
    // Not awaited: a source may be waiting for ever.
    const close = () => void pieces.return(undefined).catch(() => {})
    return { sent: streamOf(pieces, sending, close), close }
  },
})

function once(content: Bytes): () => Bytes {
  let isTaken = false
  return () => {
    if (isTaken) throw new TypeError('A stream cannot be sent a second time: pass a function that opens it')
    isTaken = true
    return content
  }
}

async function* piecesOf(source: Pieces): AsyncGenerator<Uint8Array, undefined> {
  for await (const piece of source) {
    for (let at = 0; at < piece.length; at += PIECE_BYTES) yield piece.subarray(at, at + PIECE_BYTES)
  }
}

function streamOf(
  pieces: AsyncGenerator<Uint8Array, undefined>,
  sending: Sending,
  cancel: () => void,
): ReadableStream<Uint8Array> {
  let sent = 0
  return new ReadableStream(
    {
      pull: async (controller) => {
        sending.onTaken(sent)
        sending.onSourceWait(true)
        try {
          const { done, value } = await pieces.next()
          if (done) return controller.close()
          sent += value.length
          controller.enqueue(value)
        } catch (error) {
          sending.onFailure(error)
          throw error
        } finally {
          sending.onSourceWait(false)
        }
      },
      cancel,
    },
    { highWaterMark: 0 },
  )
}

async function gathered(content: Bytes): Promise<Blob> {
  if (content instanceof ReadableStream) return new Response(content as ReadableStream<Uint8Array<ArrayBuffer>>).blob()
  const pieces: Uint8Array<ArrayBuffer>[] = []
  for await (const piece of content) pieces.push(new Uint8Array(piece))
  return new Blob(pieces)
}
