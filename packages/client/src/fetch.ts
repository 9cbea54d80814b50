/** The part of `fetch` that the client needs. */
export type Fetch = (url: string, init: FetchInit) => Promise<Answer>

/** The arguments of a call. */
export interface FetchInit {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array>
  /** With a stream as the body. */
  readonly duplex?: 'half'
  readonly signal?: AbortSignal
}

/** The part of a `Response` that the client needs. */
export interface Answer {
  readonly ok: boolean
  readonly status: number
  readonly headers: Pick<Headers, 'get'> & Iterable<[name: string, value: string]>
  readonly body: ReadableStream<Uint8Array> | null
  text(): Promise<string>
}
