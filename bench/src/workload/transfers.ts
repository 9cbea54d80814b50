import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request as open } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Human, Service } from '../service/service.js'

/** A human's own space for its files. */
export interface Place {
  readonly human: Human
  readonly spaceId: string
}

/** An uploaded file. */
export interface UploadedFile {
  readonly path: string
  readonly key: string
}

/** Makes a space for each of some humans, as one human has few uploads at a time. */
export async function openPlaces(service: Service, count: number): Promise<Place[]> {
  const places: Place[] = []
  for (let n = 0; n < count; n++) {
    const human = await service.registerHuman(`Uploader ${n}`)
    places.push({ human, spaceId: await service.openSpace(human, `files-${n}`) })
  }
  return places
}

const PIECE_BYTES = 64 * 1024
const PIECE = randomBytes(PIECE_BYTES)

/** Uploads bytes that no other file has, as fast as they are taken, or at a pace in bytes per second. */
export async function upload(
  url: string,
  { human, spaceId }: Place,
  bytes: number,
  pace?: number,
): Promise<UploadedFile> {
  const path = `/api/spaces/${spaceId}/files`
  const request = ask(url, 'POST', `${path}?name=a.bin`, human.key, { 'content-length': String(bytes) })
  const answer = answerTo(request)
  // Read at the end, unless it comes before.
  answer.catch(() => {})
  request.write(randomUUID())
  for (let at = 36; at < bytes; at += PIECE_BYTES) {
    if (!request.write(PIECE.subarray(0, bytes - at))) await Promise.race([once(request, 'drain'), answer])
    if (pace !== undefined) await delay((PIECE_BYTES / pace) * 1_000)
  }
  request.end()
  const { file_id } = JSON.parse(await textOf(await answer)) as { file_id: string }
  return { path: `${path}/${file_id}`, key: human.key }
}

/** Downloads a file, and returns the number of its bytes. */
export async function download(url: string, { path, key }: UploadedFile): Promise<number> {
  const request = ask(url, 'GET', `${path}/content`, key)
  request.end()
  let bytes = 0
  for await (const piece of await answerTo(request)) bytes += piece.length
  return bytes
}

export async function remove(url: string, { path, key }: UploadedFile): Promise<void> {
  const request = ask(url, 'DELETE', path, key)
  request.end()
  await textOf(await answerTo(request))
}

function ask(url: string, method: string, path: string, key: string, headers = {}): ClientRequest {
  return open(url + path, { method, agent: false, headers: { authorization: `Bearer ${key}`, ...headers } })
}

async function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${await textOf(response)}`)
  return response
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of response) text += piece
  return text
}
