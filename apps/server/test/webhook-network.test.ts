import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fetchDocument } from '../src/oauth/document.js'
import { AddressGuard, AddressRefused } from '../src/webhooks/address-guard.js'
import { Networks } from '../src/webhooks/networks.js'
import { post } from '../src/webhooks/post.js'
import { type Resolve, resolveHost } from '../src/webhooks/resolve.js'

/** Spellings of the loopback address. */
const HERE = [
  ...['127.0.0.1', '2130706433', '0x7f.1', '0x7f000001', '0177.0.0.1', '127.1', '127.0.0.1.', '%31%32%37.0.0.1'],
  ...[
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:0:0:1]',
    'localhost',
    'hooks.localhost.',
    '１２７.0.0.1',
  ],
]

const networks = (text: string) => Networks.parse(text) as Networks

describe('the networks', () => {
  it.each([
    ['public', ['1.1.1.1', '93.184.216.34', '2606:4700::1111', '::ffff:1.1.1.1']],
    ['private', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fd12::1', '::ffff:10.0.0.1']],
    ['loopback', ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1']],
    ['100.64.0.0/10', ['100.64.0.1', '::ffff:100.64.0.1']],
    ['169.254.169.254', ['169.254.169.254']],
    ['fd00:ec2::/32', ['fd00:ec2::254']],
  ])('%s include their addresses', (name, addresses) => {
    for (const address of addresses) expect(networks(name).allows(address), address).toBe(true)
    expect(addresses.filter((address) => networks('198.51.100.7').allows(address))).toEqual([])
  })

  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '168.63.129.16',
    '::ffff:168.63.129.16',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:10.0.0.1',
    '::ffff:a9fe:a9fe',
    '::ffff:0:127.0.0.1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::a00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '4000::1',
    '',
    'localhost',
    '1.1.1.1.example.org',
  ])('public do not include %s', (address) => {
    expect(networks('public').allows(address)).toBe(false)
  })

  it('are parsed from names, addresses and ranges only', () => {
    const some = networks('loopback, 10.1.0.0/16')
    expect(['127.0.0.1', '10.1.2.3', '10.2.0.1', '1.1.1.1'].map((address) => some.allows(address))).toEqual([
      true,
      true,
      false,
      false,
    ])
    for (const text of ['', 'all', 'public,', '10.0.0.0/33', '10.0.0', 'example.org']) {
      expect(Networks.parse(text), text).toBeUndefined()
    }
  })
})

describe('a host', () => {
  it.each([
    ['127.0.0.1', ['127.0.0.1']],
    ['[::1]', ['::1']],
    ['localhost', ['127.0.0.1', '::1']],
    ['hooks.localhost.', ['127.0.0.1', '::1']],
  ])('%s is resolved without DNS', async (host, addresses) => {
    expect(await resolveHost(host)).toEqual(addresses)
  })

  it.each([
    'https://2130706433/',
    'https://0x7f.1/',
    'https://127.1/',
    'https://[::ffff:127.0.0.1]/',
    'https://localhost/',
    'https://0/',
    'https://169.254.169.254/',
  ])('in %s is checked by its address', async (url) => {
    await expect(new AddressGuard(networks('public')).requireAllowed(new URL(url))).rejects.toThrow(/WEBHOOK_NETWORKS/)
  })
})

describe('a request', () => {
  /** A local server that reports whether a client has connected. */
  async function inside() {
    let requests = 0
    const server = createServer((_request, response) => response.writeHead(204).end())
    server.on('connection', () => requests++)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.close()
    })
    return { port: (server.address() as AddressInfo).port, requests: () => requests }
  }

  const send = (url: string, guard: AddressGuard) =>
    post({ url: new URL(url), headers: {}, body: '{}' }, guard, new AbortController().signal)

  const refused = { status: null, error: expect.stringContaining('WEBHOOK_NETWORKS'), text: '', retryAfterMs: null }

  it('is sent to an allowed address', async () => {
    const { port, requests } = await inside()
    const guard = new AddressGuard(networks('loopback'), async () => ['127.0.0.1'])
    expect(await send(`http://hooks.example.org:${port}/`, guard)).toEqual({
      status: 204,
      error: null,
      text: '',
      retryAfterMs: null,
    })
    expect(await send(`http://127.0.0.1:${port}/`, new AddressGuard(networks('loopback')))).toMatchObject({
      status: 204,
    })
    expect(requests()).toBe(2)
  })

  it('is not sent to a refused address in any spelling', async () => {
    const { port, requests } = await inside()
    for (const host of HERE) {
      expect(await send(`http://${host}:${port}/`, new AddressGuard(networks('public')))).toEqual(refused)
      expect(await send(`https://${host}:${port}/`, new AddressGuard(networks('private')))).toEqual(refused)
      const document = fetchDocument(
        `https://${host}:${port}/`,
        new AddressGuard(networks('public')),
        AbortSignal.timeout(5_000),
      )
      await expect(document).rejects.toThrow(AddressRefused)
    }
    expect(requests()).toBe(0)
  })

  it('is sent only to the allowed addresses of a name', async () => {
    const { port, requests } = await inside()
    const guard = new AddressGuard(networks('loopback'), async () => ['10.255.255.1', '127.0.0.1'])
    expect(await send(`http://hooks.example.org:${port}/`, guard)).toMatchObject({ status: 204 })
    expect(requests()).toBe(1)
  })

  it('is refused if the name resolves to another address by then', async () => {
    const { port, requests } = await inside()
    let lookups = 0
    const rebinding: Resolve = async () => (lookups++ === 0 ? ['1.1.1.1'] : ['127.0.0.1'])
    const guard = new AddressGuard(networks('public'), rebinding)
    const url = new URL(`https://hooks.example.org:${port}/`)
    await guard.requireAllowed(url)
    expect(await send(url.href, guard)).toEqual(refused)
    expect(lookups).toBe(2)
    expect(requests()).toBe(0)
  })

  it('is sent to other machines only over TLS', async () => {
    const guard = new AddressGuard(networks('public,private,loopback'), async () => ['10.255.255.1'])
    expect(await send('http://hooks.localhost:9/', guard)).toEqual(refused)
  })

  it('fails with a reason that does not contain the URL', async () => {
    const { port } = await inside()
    const guard = new AddressGuard(networks('loopback'))
    const { error } = await send(`https://127.0.0.1:${port}/secret?key=secret`, guard)
    expect(error).toMatch(/^The /)
    expect(error).not.toMatch(/secret|127/)
  })
})
