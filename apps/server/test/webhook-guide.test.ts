import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eventually, freePorts, spaceIdOf, useDirectory } from '@collab-spaces/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { useServer } from './support/server.js'

/** The receivers of the guide, unchanged except for their port. */
const GUIDE = readFileSync(new URL('../../../docs/guides/webhooks.md', import.meta.url), 'utf8')
const MODULES = fileURLToPath(new URL('../node_modules', import.meta.url))

const codeIn = (file: string): string =>
  new RegExp(`\`\`\`\\w+\\n(?:#|//) ${file.replace('.', '\\.')}\\n([\\s\\S]*?)\`\`\``).exec(GUIDE)?.[1] ?? ''

const RECEIVERS = [
  ['receiver.mjs', process.execPath],
  ['receiver.py', 'python3'],
] as const

describe.each(RECEIVERS)('the receiver %s of the guide', (file, program) => {
  const h = useServer()
  const directory = useDirectory()

  it.skipIf(spawnSync(program, ['--version']).status !== 0)(
    'returns the challenge and accepts deliveries',
    async () => {
      const ada = await h.registerHuman()
      const space = await h.openSpace(ada)
      const port = await freePorts(1)
      const url = `http://127.0.0.1:${port}/`
      const made = await h
        .as(ada)
        .post('/api/webhooks', { url, space_id: spaceIdOf(space) })
        .expect(200)
      expect(made.verified_at).toBeNull()

      await symlink(MODULES, join(directory.path, 'node_modules'))
      await writeFile(join(directory.path, file), codeIn(file).replace('3000', String(port)))
      const env = { WEBHOOK_SECRET: made.secret, PATH: '/usr/local/bin:/usr/bin:/bin' }
      const receiver = spawn(program, [join(directory.path, file)], { env })
      onTestFinished(() => void receiver.kill())
      let log = ''
      for (const output of [receiver.stdout, receiver.stderr]) {
        output.on('data', (text) => {
          log += text
        })
      }

      const test = () => h.as(ada).post(`/api/webhooks/${made.webhook_id}/test`).expect(200)
      // It takes a moment to start.
      await eventually(async () => (await test()).ok)
      expect(await test(), log).toMatchObject({ type: 'webhook.test', ok: true })
      const { event_id } = await h.as(ada).post(`${space}/speech`, { text: 'Hello' }).expect(200)
      await eventually(() => log.includes(event_id))
      const refused = await fetch(url, {
        method: 'POST',
        body: '{"type":"webhook.challenge","data":{"challenge":"x"}}',
      })
      expect(refused.status).toBe(401)
    },
  )
})
