import { randomBytes } from 'node:crypto'
import { databaseClock } from '@collab-spaces/db'
import { DEFAULT_LINK_TYPE, linkTarget, prefixedId, unknown, type Viewer } from '@collab-spaces/domain'
import { z } from 'zod'
import { presentLink } from '../presenters/space.js'
import { RenderedOutput } from '../procedure/output.js'
import { procedure, router } from '../procedure/trpc.js'
import { requireSpace } from '../require-space.js'
import { Done } from '../schemas/actor.js'
import { CreateLink, Link, LinkId, ListLinks } from '../schemas/link.js'
import type { Services } from '../services.js'

async function requireTarget({ database }: Services, viewer: Viewer, spaceId: string): Promise<void> {
  if (!(await database.spaces.find(viewer, spaceId))) throw unknown('Target space')
}

export const linkRouter = router({
  list: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'row',
      route: 'GET /api/spaces/{space_id}/links',
      tags: ['Links'],
      summary: 'List the links of a space, oldest first',
      description: '`direction` is `out` by default, `in` (links of other spaces to this one) or `both`.',
      returns: 'links',
    })
    .input(ListLinks)
    .output(z.array(Link))
    .query(async ({ ctx: { caller, services }, input: { space_id, link_type, direction } }) => {
      const space = await requireSpace(services, caller, space_id)
      const wanted = { linkType: link_type, direction }
      return RenderedOutput.list(await services.database.links.list(caller, space, wanted), presentLink)
    }),

  create: procedure
    .meta({
      caller: 'actor',
      scope: 'write',
      cost: 'change',
      route: 'POST /api/spaces/{space_id}/links',
      tags: ['Links'],
      summary: 'Link a space to another space or a URL',
      description:
        'Either `target_id`, another space of the tenant, or `target_uri`, an absolute URL; `link_type` is by ' +
        'default `related`, `attributes` `{}`. Both, neither or the space itself: 400. The same target and type ' +
        'again: 409.',
      returns: 'link',
      errors: [409],
      example: { target_uri: 'https://example.org/timetable', link_type: 'related' },
    })
    .input(CreateLink)
    .output(Link)
    .mutation(async ({ ctx: { caller, services }, input }) => {
      const target = linkTarget(input.space_id, input.target_id, input.target_uri)
      const space = await requireSpace(services, caller, input.space_id)
      if ('spaceId' in target) await requireTarget(services, caller, target.spaceId)
      const link = await services.database.links.create(caller, space, {
        linkId: prefixedId('lnk', randomBytes),
        target,
        linkType: input.link_type ?? DEFAULT_LINK_TYPE,
        attributes: JSON.stringify(input.attributes ?? {}),
        createdBy: caller.actorId,
        createdAt: databaseClock.now(),
      })
      return presentLink(link)
    }),

  delete: procedure
    .meta({
      caller: 'actor',
      scope: 'write',
      cost: 'change',
      route: 'DELETE /api/spaces/{space_id}/links/{link_id}',
      tags: ['Links'],
      summary: 'Remove a link',
    })
    .input(LinkId)
    .output(Done)
    .mutation(async ({ ctx: { caller, services }, input: { space_id, link_id } }) => {
      const { links, spaces } = services.database
      const space = await spaces.find(caller, space_id)
      if (!space || !(await links.delete(caller, space, link_id))) throw unknown('Link')
      return { ok: true }
    }),
})
