import { readFile } from 'node:fs/promises'
import { appRouter } from '@collab-spaces/api'
import { expect, it } from 'vitest'
import { operations } from './support/document.js'

const reference = (await readFile(new URL('../../../docs/api.md', import.meta.url), 'utf8')).replaceAll(/\s+/g, ' ')

/** Streams are a function of the client itself. */
const STREAMS: Readonly<Record<string, string>> = { event_stream: 'stream', actor_stream: 'actorStream' }

const callOf = (id: string) => STREAMS[id] ?? id.replace('_', '.')

it.each(operations.map(({ id, method, path }) => [id, `${method} ${path}`] as const))(
  '%s: the reference names the call of %s',
  (id, route) => {
    const call = `(\`${callOf(id)}\`)`
    const isAlone = reference.includes(`- \`${route}\` ${call}`)
    // A row may name several paths that end differently.
    const isBeside = reference.includes(`, \`…${route.slice(route.lastIndexOf('/'))}\` ${call}`)
    expect({ route, call, isDocumented: isAlone || isBeside }).toMatchObject({ isDocumented: true })
  },
)

it('every call that the reference names exists', () => {
  const named = [...reference.matchAll(/- `[A-Z]+ \/api[^`]*` \(`([^`]+)`\)/g)].map(([, call]) => call)
  expect(named.length).toBeGreaterThan(100)
  const calls = [...Object.keys(appRouter._def.procedures), ...Object.values(STREAMS)]
  expect(named.filter((call) => !calls.includes(call as string))).toEqual([])
})
