import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, signedInAs, spaces, useServer } from './support/index.js'

const server = useServer()
let ada: Actor
let env: Record<string, string>

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
  env = signedInAs(server, ada)
  for (const id of ['plans', 'budget']) await server.openSpace(ada, id)
})

const set = (name: string, expansion: string) => spaces(['alias', 'set', name, expansion], { env })

describe('an alias', () => {
  it('expands to a command line, with arguments in their places', async () => {
    await set('ids', 'space list --jq ".[].space_id"').expect(0)
    expect((await spaces(['ids'], { env }).expect(0)).stdout).toBe('budget\nplans\n')
    await set('tell', "say $1 'Heard: $2'").expect(0)
    const run = await spaces(['tell', 'plans', 'a b', '--json'], { env }).expect(0)
    expect(run.json.text).toBe('Heard: a b')
    await spaces(['tell', 'plans'], { env }).expect(2, 'Alias tell needs 2 arguments')
  })

  it('cannot have the name of a command, and must expand to one', async () => {
    await set('space', 'say plans').expect(2, 'space is a command of its own')
    await set('oops', 'spcae list').expect(2, 'spcae is not a spaces command')
    await set('-x', 'space list').expect(2)
  })

  it('is listed and deleted', async () => {
    await set('mine', 'space list --mine').expect(0)
    expect((await spaces(['alias', 'list', '--json'], { env }).expect(0)).json).toContainEqual({
      name: 'mine',
      expansion: 'space list --mine',
    })
    await spaces(['alias', 'delete', 'mine'], { env }).expect(0)
    await spaces(['mine'], { env }).expect(2, "unknown command 'mine'")
    await spaces(['alias', 'delete', 'mine'], { env }).expect(2, 'There is no alias mine')
  })
})
