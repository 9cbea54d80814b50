import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request as open } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { insist, insistOn } from '../service/insist.js'
import { type Human, register } from '../service/people.js'
import type { Trial } from '../trial.js'

const PATIENCE_MS = 30_000
const AGAIN_AFTER_MS = 50
const MAX_BYTES = 600_000
/** The contents that several files have. */
const SHARED = Array.from({ length: 5 }, (_, n) => randomBytes(1 + n * 100_000))

/** A file as its uploader knows it. */
interface NotedFile {
  readonly name: string
  readonly fileId: string
  readonly sha256: string
  isDeleted: boolean
}

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

interface Content {
  readonly status: number
  readonly sha256: string
}

/** A human that uploads one file after the other, and notes the answers. */
export class Uploader {
  /** The files of acknowledged uploads. */
  readonly files: NotedFile[] = []
  /** The names of uploads that this client broke off. */
  readonly brokenOff = new Set<string>()
  /** The number of uploads that were sent as a whole and not answered, or with a refusal for a limited time. */
  unknown = 0
  isStopped = false
  #done: Promise<void> | null = null

  private constructor(
    private readonly trial: Trial,
    private readonly urls: readonly string[],
    readonly human: Human,
    private readonly space: string,
  ) {}

  static async at(trial: Trial, urls: readonly string[], space: string): Promise<Uploader> {
    return new Uploader(trial, urls, await register(urls[0] as string), space)
  }

  start(): void {
    this.#done = this.#upload()
  }

  async stop(): Promise<void> {
    this.isStopped = true
    await this.#done
  }

  async #upload(): Promise<void> {
    while (!this.isStopped) {
      const { trial } = this
      const bytes = trial.random() < 0.3 ? trial.pick(SHARED) : randomBytes(trial.between(0, MAX_BYTES))
      const file = await this.#insistOn(randomUUID(), bytes)
      if (!file) continue
      this.files.push(file)
      const choice = trial.random()
      if (choice < 0.2) await this.#delete(file)
      else if (choice < 0.5) await this.#attach(file)
    }
  }

  /** Uploads a file, and repeats that with the same key until it is answered, or gives up. */
  async #insistOn(name: string, bytes: Buffer): Promise<NotedFile | null> {
    const { trial } = this
    const isBrokenOff = trial.random() < 0.15
    const isRepeated = trial.random() < 0.7
    if (isBrokenOff) this.brokenOff.add(name)
    for (;;) {
      const answer = await this.#send(name, bytes, isBrokenOff).catch(() => null)
      if (isBrokenOff) return null
      if (answer?.statusCode === 200) {
        const { file_id: fileId, sha256 } = JSON.parse(await textOf(answer))
        trial.require(sha256 === digestOf(bytes), `the upload ${name} was answered with another hash`)
        return { name, fileId, sha256, isDeleted: false }
      }
      if (answer && ![429, 503].includes(answer.statusCode ?? 0)) {
        trial.require(false, `the upload ${name} was answered with ${answer.statusCode}: ${await textOf(answer)}`)
        return null
      }
      if (!isRepeated) {
        this.unknown++
        return null
      }
      await delay(AGAIN_AFTER_MS)
    }
  }

  async #send(name: string, bytes: Buffer, isBrokenOff: boolean): Promise<IncomingMessage> {
    const hasSize = this.trial.random() < 0.7
    const request = open(`${this.trial.pick(this.urls)}/api/spaces/${this.space}/files?name=${name}`, {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${this.human.key}`,
        'Idempotency-Key': name,
        ...(hasSize && { 'content-length': String(bytes.length + (isBrokenOff ? 1 : 0)) }),
      },
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const answer = once(request, 'response').then(([response]) => response as IncomingMessage)
    if (isBrokenOff) {
      request.write(bytes, () => request.destroy())
    } else {
      request.end(bytes)
    }
    return answer
  }

  async #delete(file: NotedFile): Promise<void> {
    await insistOn(this.urls, { method: 'DELETE', path: this.pathOf(file), key: this.human.key })
    file.isDeleted = true
  }

  async #attach({ fileId, sha256 }: NotedFile): Promise<void> {
    const event = await insistOn<{ files: { sha256: string }[] }>(this.urls, {
      path: `/api/spaces/${this.space}/speech`,
      key: this.human.key,
      headers: { 'Idempotency-Key': randomUUID() },
      body: { text: 'Look', file_ids: [fileId] },
    })
    this.trial.require(event.files[0]?.sha256 === sha256, `an event names ${fileId} with another hash`)
  }

  pathOf({ fileId }: Pick<NotedFile, 'fileId'>): string {
    return `/api/spaces/${this.space}/files/${fileId}`
  }

  /** Downloads a file from one server after the other until one of them answers. */
  async download(file: Pick<NotedFile, 'fileId'>): Promise<Content> {
    for (;;) {
      const answer = await this.#content(file).catch(() => null)
      if (answer && answer.status < 500) return answer
      await delay(AGAIN_AFTER_MS)
    }
  }

  async #content(file: Pick<NotedFile, 'fileId'>): Promise<Content> {
    const request = open(`${this.trial.pick(this.urls)}${this.pathOf(file)}/content`, {
      agent: false,
      headers: { authorization: `Bearer ${this.human.key}` },
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    request.end()
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    const hash = createHash('sha256')
    for await (const piece of response) hash.update(piece)
    return { status: response.statusCode ?? 0, sha256: hash.digest('hex') }
  }

  /** Returns the files of this uploader that it sees, deleted ones included. */
  async list(): Promise<{ file_id: string; name: string; sha256: string; deleted_at: string | null }[]> {
    const own = []
    for (let before = ''; ; ) {
      const path = `/api/spaces/${this.space}/files?limit=200${before}`
      const { text } = await insist(this.urls, { path, key: this.human.key })
      const page = JSON.parse(text)
      own.push(...page.filter(({ uploaded_by }: { uploaded_by: string }) => uploaded_by === this.human.actorId))
      if (page.length === 0) return own
      before = `&before=${page.at(-1).file_id}`
    }
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of response) text += piece
  return text
}
