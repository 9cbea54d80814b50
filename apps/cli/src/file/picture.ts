import { readFile, stat } from 'node:fs/promises'
import { type Actor, type Client, LIMITS, type RouterInputs } from '@collab-spaces/client'
import { usage } from '../failure.js'

/** The options `--picture <file>` and `--no-picture`. */
type PictureOption = string | false | undefined

type Change = RouterInputs['actor']['change']

/** Reads a picture in base64. Null to remove it, and undefined without an option. */
async function pictureIn(path: PictureOption): Promise<string | null | undefined> {
  if (path === undefined) return undefined
  if (path === false) return null
  const found = await stat(path).catch((error: Error) => {
    throw usage(`Cannot read ${path}`, error.message)
  })
  if (!found.isFile()) throw usage(`Cannot read ${path}`, 'It must be a file')
  if (found.size > LIMITS.pictureBytes) {
    const limit = LIMITS.pictureBytes.toLocaleString('en')
    const size = found.size.toLocaleString('en')
    throw usage(
      `${path} has ${size} bytes, and a picture at most ${limit}`,
      'Scale it down, such as to 256 × 256 pixels',
    )
  }
  return (await readFile(path)).toString('base64')
}

/** Changes the picture and the other fields of an actor. An agent may change its picture, and no other field. */
export async function changeActor(client: Client, change: Change, option: PictureOption): Promise<Actor> {
  const { actor_id, ...fields } = change
  const picture = await pictureIn(option)
  const pictured =
    picture === undefined
      ? null
      : await (picture === null
          ? client.picture.remove.mutate({ actor_id })
          : client.picture.set.mutate({ actor_id, content: picture }))
  const isMore = Object.values(fields).some((value) => value !== undefined)
  return pictured && !isMore ? pictured : client.actor.change.mutate(change)
}
