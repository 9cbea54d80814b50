import { type Client, LIMITS } from '@collab-spaces/client'
import { faces, newFace, pictures } from '../pictures'

/** Faces that appear together share a request. */
const BATCH_DELAY_MS = 50
/** How long it takes until the new picture of another actor shows. */
const REFRESH_INTERVAL_MS = 5 * 60_000
/** Requests for images at a time, so that they delay no others. */
const AT_ONCE = 3
/** The pictures that are kept for faces that are no longer shown. */
const MAX_KEPT = 300

/** Actors whose pictures have just been changed here. */
const changed = new Set<string>()

/** Loads the picture of an actor again, after a change. */
export function pictureChanged(actorId: string): void {
  changed.add(actorId)
  newFace.set({})
}

/** Loads the pictures of all actors whose faces are shown: asks once for many, and loads each image once. */
export class PictureLoader {
  /** The actors that were asked for. */
  readonly #known = new Set<string>()
  /** The hashes of the pictures that are shown. */
  readonly #hashes = new Map<string, string>()
  /** The images by their hashes. */
  readonly #images = new Map<string, Promise<string>>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #isStopped = false

  constructor(private readonly client: Pick<Client, 'picture' | 'rest'>) {}

  /** Returns a function that ends it. */
  start(): () => void {
    const soon = () => {
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => void this.#load(), BATCH_DELAY_MS)
    }
    const again = () => {
      if (document.visibilityState !== 'visible') return
      this.#known.clear()
      soon()
    }
    const unsubscribe = newFace.subscribe(soon)
    const interval = setInterval(again, REFRESH_INTERVAL_MS)
    soon()
    return () => {
      this.#isStopped = true
      unsubscribe()
      clearInterval(interval)
      clearTimeout(this.#timer)
      pictures.set(new Map())
    }
  }

  async #load(): Promise<void> {
    for (const actorId of changed) this.#known.delete(actorId)
    changed.clear()
    const shown = [...faces].filter(([actorId, count]) => count > 0 && isActor(actorId)).map(([actorId]) => actorId)
    const missing = shown.filter((actorId) => !this.#known.has(actorId))
    for (const actorId of missing) this.#known.add(actorId)
    for (let at = 0; at < missing.length; at += LIMITS.pictures)
      await this.#ask(missing.slice(at, at + LIMITS.pictures))
    this.#forgetUnseen()
  }

  async #ask(actorIds: readonly string[]): Promise<void> {
    try {
      const found = await this.client.picture.list.query({ actor_ids: actorIds.join(',') })
      const hashes = new Map(found.map(({ actor_id, picture }) => [actor_id, picture]))
      for (const actorId of actorIds) if (!hashes.has(actorId)) this.#show(actorId, null)
      const left = found.filter(({ actor_id, picture }) => this.#hashes.get(actor_id) !== picture)
      const work = async () => {
        for (let next = left.shift(); next; next = left.shift()) await this.#loadImage(next.actor_id, next.picture)
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))
    } catch {
      // Initials show meanwhile. The next face, or refresh, asks again.
      for (const actorId of actorIds) this.#known.delete(actorId)
    }
  }

  async #loadImage(actorId: string, hash: string): Promise<void> {
    const image = this.#images.get(hash) ?? this.#read(actorId, hash)
    this.#images.set(hash, image)
    try {
      this.#show(actorId, { hash, address: await image })
    } catch {
      this.#images.delete(hash)
      this.#known.delete(actorId)
    }
  }

  async #read(actorId: string, hash: string): Promise<string> {
    const read = (response: Response) => response.blob()
    const address = await addressOf(
      await this.client.rest('picture.content', { actor_id: actorId, sha256: hash }, { read }),
    )
    const image = new Image()
    image.src = address
    // Rejects for an image that this browser cannot show.
    await image.decode()
    return address
  }

  #show(actorId: string, picture: { readonly hash: string; readonly address: string } | null): void {
    // Another account may see others.
    if (this.#isStopped || (picture === null && !this.#hashes.has(actorId))) return
    const next = new Map(pictures.value)
    if (picture) {
      this.#hashes.set(actorId, picture.hash)
      next.set(actorId, picture.address)
    } else {
      this.#hashes.delete(actorId)
      next.delete(actorId)
    }
    pictures.set(next)
  }

  /** The oldest first. */
  #forgetUnseen(): void {
    for (const [actorId, count] of faces) if (count === 0) faces.delete(actorId)
    for (const [actorId, hash] of this.#hashes) {
      if (this.#hashes.size <= MAX_KEPT) return
      if (faces.has(actorId)) continue
      this.#images.delete(hash)
      this.#known.delete(actorId)
      this.#show(actorId, null)
    }
  }
}

/** Examples have other ids. */
const isActor = (actorId: string) => /^(usr|agt)_/.test(actorId)

/** Returns an address that has the image itself: pages may show no other ones. */
export const addressOf = (image: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(image)
  })
