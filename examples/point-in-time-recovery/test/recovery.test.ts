import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client, describeWith, freePorts, programPath, startProgram } from '@collab-spaces/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'

/** Debian's packages of PostgreSQL; the newest one that pgBackRest supports is used. */
const VERSIONS = '/usr/lib/postgresql'
const bin = existsSync(VERSIONS) ? join(VERSIONS, readdirSync(VERSIONS).sort().at(-1) ?? '', 'bin') : ''

/** PostgreSQL does not run as root. */
const isRoot = process.getuid?.() === 0
const idOf = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout)
const user = isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : {}

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const CONFIGURATION = readFileSync(new URL('../pgbackrest.conf', import.meta.url), 'utf8')

/** Returns the README's block in a language below a heading. */
function blockOf(heading: string, language: string): string {
  const [, section = ''] = README.split(`## ${heading}\n`)
  const [, block] = section.split(`\`\`\`${language}\n`)
  if (block === undefined) throw new Error(`The README has no ${language} below ${heading}`)
  return block.split('```')[0] as string
}

describeWith(['pgbackrest', ...(bin === '' ? ['postgresql'] : [])], 'a PostgreSQL that pgBackRest archives', () => {
  // A short path, since that of a socket has a maximum length.
  const directory = mkdtempSync('/tmp/recovery-')
  const at = (name: string) => join(directory, name)
  let port: number
  let environment: Record<string, string>

  /** Runs a script as PostgreSQL's user, and stops at the first failure. */
  function run(script: string, more: Record<string, string> = {}): string {
    const env = { ...environment, ...more }
    const { status, stdout, stderr } = spawnSync('sh', ['-euc', script], {
      cwd: directory,
      env,
      encoding: 'utf8',
      timeout: 60_000,
      ...user,
    })
    expect(status, stdout + stderr).toBe(0)
    return stdout
  }

  beforeAll(async () => {
    port = await freePorts(1)
    if (isRoot) chownSync(directory, idOf('-u'), idOf('-g'))
    // The documented configuration, except for two paths.
    const paths = CONFIGURATION.replace(/^(repo1-path)=.*$/m, `$1=${at('repository')}`)
      .replace(/^(pg1-path)=.*$/m, `$1=${at('data')}`)
      .replace('[global]', `[global]\nlog-path=${directory}\nlock-path=${directory}\nspool-path=${directory}`)
      .replace('[spaces]', `[spaces]\npg1-port=${port}\npg1-socket-path=${directory}`)
    writeFileSync(at('pgbackrest.conf'), paths)
    environment = {
      PATH: [bin, programPath()].join(delimiter),
      PGDATA: at('data'),
      PGHOST: directory,
      PGPORT: String(port),
      PGUSER: 'postgres',
      PGBACKREST_CONFIG: at('pgbackrest.conf'),
      PGCTLTIMEOUT: '60',
      LC_ALL: 'C.UTF-8',
    }
    run('initdb --auth trust --username postgres --encoding UTF8 --no-sync >initdb.log')
    const settings = `
      listen_addresses = '127.0.0.1'
      port = ${port}
      unix_socket_directories = '${directory}'
      fsync = off
      logging_collector = on
      ${blockOf('Once', 'conf')}`
    run(`cat >>"$PGDATA/postgresql.conf" <<END\n${settings}\nEND\npg_ctl start -w >start.log`)
    run(`psql -qc 'CREATE ROLE spaces LOGIN' -c 'CREATE DATABASE spaces OWNER spaces'`)
    run(blockOf('Once', 'sh'))
  })
  afterAll(() => {
    spawnSync('pg_ctl', ['stop', '-m', 'immediate'], { env: environment, stdio: 'ignore', ...user })
    rmSync(directory, { recursive: true, force: true })
  })

  const url = () => `postgres://spaces@127.0.0.1:${port}/spaces`
  const SERVER_KEY = '5a'.repeat(32)
  const serve = async () => {
    const server = startProgram({ DATABASE_URL: url(), SERVER_KEY })
    return { server, client: new Client(await server.url()) }
  }

  it('is restored to a moment, with exactly the events until then', async () => {
    const before = await serve()
    const ada = await before.client.registerHuman()
    const path = await before.client.openSpace(ada)
    const say = (client: Client, text: string) => client.as(ada).post(`${path}/speech`, { text }).expect(200)
    for (let n = 1; n <= 20; n++) await say(before.client, `Event ${n}`)
    const kept = await before.client.as(ada).get(`${path}/events`).expect(200)
    const moment = run(`psql -Atc 'SELECT clock_timestamp()'`).trim()
    await delay(100)
    for (let n = 1; n <= 5; n++) await say(before.client, `Too late ${n}`)
    await before.server.kill('SIGTERM')
    run(`psql -q spaces -c 'DELETE FROM attention' -c 'DELETE FROM mentions' -c 'DROP TABLE webhook_attempts'`)

    run(blockOf('To go back', 'sh'), { MOMENT: moment })

    const operate = async (command: string) => {
      const program = startProgram({ DATABASE_URL: url(), SERVER_KEY }, command.split(' '))
      expect(await program.end(), program.stderr).toBe(0)
      return program.stdout
    }
    const [checked, sealed] = Array.from(
      README.split('## To go back')[1]?.matchAll(/`operate ([^`]+)`/g) ?? [],
      ([, command]) => command,
    )
    expect(await operate(checked ?? '')).toContain('20 events')
    // Checkpoints of later entries were signed, so the same epoch would fork.
    expect(await operate(sealed ?? '')).toContain('in epoch 2')
    const after = await serve()
    expect(await after.client.as(ada).get(`${path}/events`).expect(200)).toEqual(kept)
    await say(after.client, 'It goes on')
    const [last] = await after.client.as(ada).get(`${path}/events?tail=true&limit=1`).expect(200)
    expect(last.text).toBe('It goes on')
  })
})
