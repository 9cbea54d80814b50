/** What the client needs of `fetch`. */
export type Fetch = (url: string, init: FetchInit) => Promise<Answer>

/** What it is called with. */
export interface FetchInit {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
}

/** What the client needs of a `Response`. */
export interface Answer {
  readonly ok: boolean
  readonly status: number
  readonly headers: Pick<Headers, 'get'> & Iterable<[name: string, value: string]>
  readonly body: ReadableStream<Uint8Array> | null
  text(): Promise<string>
}
