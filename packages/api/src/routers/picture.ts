import { createHash } from 'node:crypto'
import type { ActorRecord, NewPicture, PictureRecord } from '@collab-spaces/db'
import {
  canMeet,
  pictureOf,
  pictureTypeOf,
  requireCanOperate,
  requireSameTenant,
  unknownPicture,
} from '@collab-spaces/domain'
import { z } from 'zod'
import { presentActor } from '../presenters/actor.js'
import type { Caller } from '../procedure/credential.js'
import { Download } from '../procedure/download.js'
import { procedure, router } from '../procedure/trpc.js'
import { Actor } from '../schemas/actor.js'
import { ListPictures, Picture, PictureId, ReadPicture, SetPicture } from '../schemas/picture.js'
import type { Services } from '../services.js'

/** How long a reader may keep a picture that it named by its hash: one that was removed is gone everywhere after a week. */
const MAX_AGE_SECONDS = 7 * 86_400

/** A blue pixel. */
const EXAMPLE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mMwTjsDAAI1AWa0b5eeAAAAAElFTkSuQmCC'

export const pictureRouter = router({
  list: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'row',
      route: 'GET /api/pictures',
      tags: ['Actors', 'Extensions'],
      summary: 'List which of some actors have a picture',
      description: '`actor_ids` are up to 100, separated by commas. Those without a picture, or a card, are left out.',
      returns: 'pictures, each with `actor_id` and `picture`, its SHA-256',
    })
    .input(ListPictures)
    .output(z.array(Picture))
    .query(async ({ ctx: { caller, services }, input: { actor_ids } }) => {
      const found = await services.database.pictures.list(caller, [...new Set(actor_ids)])
      return found
        .filter((picture) => canMeet(caller, picture))
        .map(({ actorId, sha256 }) => ({ actor_id: actorId, picture: sha256 }))
    }),

  content: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'row',
      bytes: 'out',
      route: 'GET /api/actors/{actor_id}/picture',
      tags: ['Actors', 'Extensions'],
      summary: 'Get the picture of an actor',
      description:
        'For callers that may see its card. With `sha256`, clients may keep it for a week; without, it has an `ETag` ' +
        'for `If-None-Match`.',
      returns: 'its bytes, of the type that they are of',
      headers: { 'If-None-Match': 'if_none_match' },
    })
    .input(ReadPicture)
    .output(z.string())
    .query(async ({ ctx: { caller, services }, input: { actor_id, sha256, if_none_match: ifNoneMatch } }) => {
      const [picture] = await services.database.pictures.list(caller, [actor_id])
      if (!picture || !canMeet(caller, picture)) throw unknownPicture()
      if (sha256 !== undefined && sha256 !== picture.sha256) throw unknownPicture()
      return downloadOf(services, picture, ifNoneMatch, sha256 !== undefined)
    }),

  set: procedure
    .meta({
      caller: 'actor',
      scope: 'account',
      scopeOfAgents: 'write',
      cost: 'change',
      route: 'PUT /api/actors/{actor_id}/picture',
      tags: ['Actors', 'Extensions'],
      summary: 'Set the picture of the caller, or of an agent it sponsors',
      description:
        'A PNG, JPEG or WebP image by its bytes, of up to 64 KiB and 1,024 × 1,024 pixels. What does not show is left ' +
        'out, such as where a photo was taken. Counts towards the quota of `file_bytes`.',
      returns: 'actor',
      example: { content: EXAMPLE },
    })
    .input(SetPicture)
    .output(Actor)
    .mutation(async ({ ctx: { caller, services }, input: { actor_id, content } }) => {
      const bytes = pictureOf(Buffer.from(content, 'base64'))
      const sha256 = createHash('sha256').update(bytes).digest()
      return change(services, caller, actor_id, { bytes, sha256 })
    }),

  remove: procedure
    .meta({
      caller: 'actor',
      scope: 'account',
      scopeOfAgents: 'write',
      cost: 'change',
      alwaysWorks: true,
      route: 'DELETE /api/actors/{actor_id}/picture',
      tags: ['Actors', 'Extensions'],
      summary: 'Remove the picture of the caller, or of an agent it sponsors',
      returns: 'actor',
    })
    .input(PictureId)
    .output(Actor)
    .mutation(({ ctx: { caller, services }, input: { actor_id } }) => change(services, caller, actor_id, null)),
})

async function change(services: Services, caller: Caller, actorId: string, picture: NewPicture | null) {
  const quota = services.quotas.of(caller.tenantId, 'fileBytes')
  const allow = (actor: ActorRecord) => {
    requireSameTenant(caller, actor)
    requireCanOperate(caller, actor)
  }
  return presentActor(await services.database.pictures.change(actorId, caller, allow, picture, quota), caller)
}

/** The whole picture: it is read before the response begins, which is of the type that its bytes are of. */
async function downloadOf(
  { database }: Services,
  { actorId, sha256 }: PictureRecord,
  ifNoneMatch: string | undefined,
  isNamed: boolean,
): Promise<Download> {
  const bytes = await database.pictures.bytes({ actorId, sha256 })
  const imageType = bytes && pictureTypeOf(bytes)
  if (!bytes || imageType === null) throw unknownPicture()
  const file = { name: 'picture', contentType: imageType, imageType, size: bytes.length, sha256, spaceId: null }
  return new Download(
    { ...file, ...(isNamed && { maxAge: MAX_AGE_SECONDS }) },
    { range: undefined, ifRange: undefined, ifNoneMatch },
    async function* ({ from, to }) {
      yield bytes.subarray(from, to)
    },
  )
}
