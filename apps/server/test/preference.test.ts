import { spaceIdOf } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { useServer } from './support/server.js'

const h = useServer()

const DEFAULTS = { pinned: false, notices: 'mentions' }

describe('PUT /api/spaces/{space_id}/preferences', () => {
  it('changes the given fields for the caller only, also in lists and the status', async () => {
    const [ada, bob] = [await h.registerHuman('Ada'), await h.registerHuman('Bob')]
    const space = await h.openSpace(ada, 'preferred')
    const preferencesOf = async (by: typeof ada) => {
      const listed = await h.as(by).get('/api/spaces').expect(200)
      const { preferences } = await h.as(by).get(`${space}/status`).expect(200)
      const inList = listed.find(({ space_id }: { space_id: string }) => space_id === spaceIdOf(space))
      expect(inList.preferences).toEqual(preferences)
      return preferences
    }
    expect(await preferencesOf(ada)).toEqual(DEFAULTS)
    const prefer = (body: object) => h.as(ada).put(`${space}/preferences`, body)
    expect(await prefer({ pinned: true }).expect(200)).toEqual({ ...DEFAULTS, pinned: true })
    expect(await prefer({ notices: 'none' }).expect(200)).toEqual({ pinned: true, notices: 'none' })
    expect(await prefer({}).expect(200)).toEqual({ pinned: true, notices: 'none' })
    expect(await preferencesOf(ada)).toEqual({ pinned: true, notices: 'none' })
    expect(await preferencesOf(bob)).toEqual(DEFAULTS)
    await prefer({ notices: 'some' }).expect(400)
  })

  it('returns 404 for a private space that the caller is not in', async () => {
    const [ada, bob] = [await h.registerHuman('Ada'), await h.registerHuman('Bob')]
    await h.as(ada).post('/api/spaces', { space_id: 'preferred-privately', visibility: 'private' }).expect(200)
    await h.as(bob).put('/api/spaces/preferred-privately/preferences', { pinned: true }).expect(404, 'Space not found')
  })
})
