import { describe, it } from 'vitest'
import { useServer } from './support/server.js'

const h = useServer()

describe('POST /api/spaces', () => {
  it('refuses an id that is taken', async () => {
    const ada = await h.registerHuman()
    const path = await h.openSpace(ada, 'plans')
    ;(await h.as(ada).post('/api/spaces', { space_id: 'plans' })).be(409, 'space_id is already taken')
    ;(await h.as(ada).get(`${path}/status`)).be(200)
  })
})
