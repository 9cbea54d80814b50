import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, configIn, environment, freshHome, keptIn, spaces, stubServer, useServer } from './support/index.js'

const server = useServer()
let ada: Actor

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
})

/** A fake of libsecret's tool, with a file for each secret. Fails while a file called `locked` exists. */
const SECRET_TOOL = `#!/bin/sh
cd "$(dirname "$0")"
[ ! -e locked ] || exit 1
verb=$1
for last; do :; done
file=secret-$(printf %s "$last" | cksum | tr -d ' ')
case $verb in
  store) echo "$@" >> arguments; cat > "$file" ;;
  lookup) [ -e "$file" ] && cat "$file" ;;
  clear) rm -f "$file" ;;
esac`

/** Creates a home with a desktop and a fake keyring. */
async function desktop() {
  const home = await freshHome()
  const bin = join(home, 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'secret-tool'), SECRET_TOOL)
  await chmod(join(bin, 'secret-tool'), 0o755)
  const session = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere', DISPLAY: ':0', SPACES_KEYRING: undefined }
  const env = { ...session, SPACES_URL: server.url, PATH: bin + delimiter + environment({}).PATH }
  return { home, env, lock: () => writeFile(join(bin, 'locked'), ''), bin }
}

const login = ['login', '--profile', 'me']

describe.skipIf(process.platform !== 'linux')('a keyring', () => {
  it('stores the token, which is in neither the config file nor an argument', async () => {
    const { home, env, bin } = await desktop()
    await spaces(login, { home, env, stdin: ada.api_key }).expect(0)
    expect(await readFile(configIn(home), 'utf8')).not.toContain('svc_')
    expect(await readFile(join(bin, 'arguments'), 'utf8')).not.toContain('svc_')
    expect((await spaces(['whoami', '--json'], { home, env }).expect(0)).json.display_name).toBe('Ada')
  })

  it('stores the token under the new address of a moved tenant, and deletes the old entry', async () => {
    const { home, env, bin } = await desktop()
    let hasMoved = false
    const { url } = await stubServer(async ({ url = '', headers }, response) => {
      const { authorization = '' } = headers
      const answer = hasMoved
        ? Response.json({ detail: 'Moved', error: 'moved', location: server.url }, { status: 421 })
        : await fetch(server.url + url, { headers: { authorization } })
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    })
    const there = { ...env, SPACES_URL: undefined, SPACES_MAY_MOVE_TO: server.url }
    await spaces([...login, '--url', url], { home, env: there, stdin: ada.api_key }).expect(0)
    const secrets = async () =>
      (await readdir(bin)).filter((name) => name.startsWith('secret-') && name !== 'secret-tool')
    const before = await secrets()
    hasMoved = true
    await spaces(['whoami'], { home, env: there }).expect(0)
    expect((await keptIn(home)).profiles.me).toMatchObject({ url: server.url, token: 'keyring' })
    await spaces(['whoami'], { home, env: there }).expect(0)
    const after = await secrets()
    expect([before.length, after.length]).toEqual([1, 1])
    expect(after).not.toEqual(before)
  })

  it('stores the new key after a rotation, and nothing after a logout', async () => {
    const { home, env } = await desktop()
    const grace = await server.registerHuman('Grace')
    await spaces(login, { home, env, stdin: grace.api_key }).expect(0)
    await spaces(['account', 'rotate-key', '--yes'], { home, env }).expect(0)
    expect((await keptIn(home)).profiles.me.token).toBe('keyring')
    await spaces(['whoami'], { home, env }).expect(0)
    await spaces(['logout', '--yes'], { home, env }).expect(0)
    await writeFile(configIn(home), JSON.stringify({ current: 'me', profiles: { me: lost(grace) } }), { mode: 0o600 })
    await spaces(['whoami'], { home, env }).expect(4, 'cannot be read from the keyring')
  })

  it('is reported when it is locked and has the token; a new token goes into the file', async () => {
    const { home, env, lock } = await desktop()
    await spaces(login, { home, env, stdin: ada.api_key }).expect(0)
    await lock()
    await spaces(['whoami'], { home, env }).expect(4, 'Unlock the keyring')
    await spaces(login, { home, env, stdin: ada.api_key }).expect(0)
    expect((await keptIn(home)).profiles.me.token).toBe(ada.api_key)
    await spaces(['whoami'], { home, env }).expect(0)
  })

  it('is not used with SPACES_KEYRING=off or without a display', async () => {
    const { home, env } = await desktop()
    for (const without of [{ SPACES_KEYRING: 'off' }, { DISPLAY: undefined }]) {
      await spaces(login, { home, env: { ...env, ...without }, stdin: ada.api_key }).expect(0)
      expect((await keptIn(home)).profiles.me.token).toBe(ada.api_key)
    }
  })
})

const lost = ({ actor_id }: Actor) => ({ url: server.url, token: 'keyring', actor_id, display_name: 'Grace' })
