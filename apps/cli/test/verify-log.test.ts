import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describeWith, startProgram, urlOf } from '@collab-spaces/testing'
import { beforeAll, expect, it } from 'vitest'
import { type Actor, eventually, homeOfFile, spaces, useServer } from './support/index.js'

const VERIFIER = join(import.meta.dirname, '../../../examples/verify-log/verify.py')

const run = promisify(execFile)

const DEFAULT_SCOPE = '00000000-0000-4000-8000-000000000000'

describeWith(['python3', 'openssl'], 'the example verifier', () => {
  const server = useServer({ SERVER_KEY: '5a'.repeat(32) })
  let ada: Actor
  let key: string

  beforeAll(async () => {
    ada = await server.registerHuman('Ada')
    key = (await server.get('/log/keys')).text.trim()
    await server.openSpace(ada, 'plans')
  })

  const database = () => ({ DATABASE_URL: urlOf(server.connection) })

  async function verify(text: string): Promise<string> {
    const path = join(homeOfFile(), 'file')
    await writeFile(path, text)
    const { stdout } = await run('python3', [VERIFIER, path, key])
    return stdout
  }

  const sealed = (size: number, tree: string, path = '/api/spaces/plans') =>
    eventually(async () => {
      const { status, body } = await server.as(ada).get(`${path}/log/checkpoint?tree=${tree}`)
      return status === 200 && body.size >= size
    })

  it('proves an exported log, and detects a changed entry', async () => {
    for (let done = 0; done < 300; done += 100) {
      const events = Array.from({ length: 100 }, (_, at) => ({
        speaker_id: 'a source',
        speaker_name: 'A source',
        speaker_type: 'human',
        text: `Grüße ${done + at}`,
      }))
      await server.as(ada).post('/api/spaces/plans/events/batch', { events }).expect(200)
    }
    await sealed(300, 'events')
    const { text } = await server.as(ada).get('/api/spaces/plans/log/export')
    expect(await verify(text)).toMatch(/^PROVED: collaboration-spaces\/\S+\/spaces\/plans\/events\/1, 300 entries\n$/)
    await expect(verify(text.replace('Grüße 280', 'Grüße 281'))).rejects.toThrow('are not the 300 that were sealed')
    await expect(verify(text.replace('Grüße 28"', 'Grüße 29"'))).rejects.toThrow('one of positions 1 to 256')
  })

  it('rejects a changed end of the file', async () => {
    await server.openSpace(ada, 'ended')
    await server.as(ada).post('/api/spaces/ended/speech', { text: 'One' }).expect(200)
    await sealed(1, 'events', '/api/spaces/ended')
    const { text } = await server.as(ada).get('/api/spaces/ended/log/export')
    const offline = ['log', 'verify', join(homeOfFile(), 'file'), '--key', key]
    expect(await verify(text)).toContain('PROVED')
    await spaces(offline).expect(0)
    const [, last = ''] = /(\S)=\\n"}\n$/.exec(text) ?? []
    const spare = String.fromCharCode(last.charCodeAt(0) + 1)
    for (const changed of [
      `${text}more`,
      `${text}more\n`,
      text.replace(/}\n$/, ',"note":"all is well"}\n'),
      text.replace('{"end":', '{"end": '),
      text.replace(/=\\n"}\n$/, '!=\\n"}\n'),
      text.replace(/\S=\\n"}\n$/, `${spare}=\\n"}\n`),
      text.replace(/\\n"}\n$/, '"}\n'),
      text.replace(/\n$/, ''),
    ]) {
      expect(changed).not.toBe(text)
      await expect(verify(changed), changed.slice(-120)).rejects.toThrow('NOT PROVED')
      await spaces(offline).expect(1)
    }
  })

  it('proves redacted entries, and rejects them if they still have a text', async () => {
    const path = '/api/spaces/redacted'
    await server.openSpace(ada, 'redacted')
    const { event_id } = await server.as(ada).post(`${path}/speech`, { text: 'Oops' }).expect(200)
    const proposal = { proposed_by: 'Ada', text: 'Oops' }
    const { decision_id } = await server.as(ada).post(`${path}/decisions`, proposal).expect(200)
    await sealed(1, 'events', path)
    await sealed(1, 'decisions', path)
    for (const words of [
      ['event', 'redact', DEFAULT_SCOPE, 'redacted', event_id],
      ['decision', 'redact', DEFAULT_SCOPE, 'redacted', decision_id],
    ])
      expect(await startProgram(database(), [...words, '--by', 'Ada', '--yes']).end()).toBe(0)
    for (const file of [
      'export?tree=events',
      'export?tree=decisions',
      `proof?event_id=${event_id}`,
      `proof?decision_id=${decision_id}`,
    ]) {
      const { text } = await server.as(ada).get(`${path}/log/${file}`)
      expect(await verify(text)).toMatch(/^PROVED: .*, redacted: \[1\]\n$/)
      await expect(verify(text.replace('[redacted]', 'I agree'))).rejects.toThrow('still says something')
    }
  })

  it('proves the security log', async () => {
    const grace = await server.registerHuman('Grace')
    await server.as(grace).post('/api/tenants', { name: 'Acme' }).expect(200)
    const [entry] = await server.as(grace).get('/api/audit?action=member.joined').expect(200)
    await eventually(
      async () => (await server.as(grace).get(`/api/audit/log/proof?entry_id=${entry.entry_id}`)).status === 200,
    )
    for (const file of ['export', `proof?entry_id=${entry.entry_id}`]) {
      const { text } = await server.as(grace).get(`/api/audit/log/${file}`)
      expect(await verify(text)).toMatch(/^PROVED: \S+\/audit\/1, \d+ entr(y|ies)\n$/)
      await expect(verify(text.replace('member.joined', 'member.joinee'))).rejects.toThrow('NOT PROVED')
    }
  })

  it('proves the receipt of a decision', async () => {
    const proposal = { proposed_by: 'Ada', text: 'Über' }
    const { decision_id } = await server.as(ada).post('/api/spaces/plans/decisions', proposal).expect(200)
    await sealed(1, 'decisions')
    const { text } = await server.as(ada).get(`/api/spaces/plans/log/proof?decision_id=${decision_id}`)
    expect(await verify(text)).toContain('PROVED')
    await expect(verify(text.replace('Über', 'Uber'))).rejects.toThrow('position 1 is not what was sealed')
  })
})
