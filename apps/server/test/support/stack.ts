import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { openServices, type Services } from '@collab-spaces/api'
import { type ConnectionOptions, openDatabase } from '@collab-spaces/db'
import {
  DATABASE_PATIENCE_MS,
  eventually,
  SHARED_MAIL_SETTINGS,
  servingConnection,
  sharedMail,
} from '@collab-spaces/testing'
import { SHARED_PORT, settingsFor } from '@collab-spaces/testing/identity-provider'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { createApp } from '../../src/app.js'
import type { ReaderLimits } from '../../src/http/connection/slow-readers.js'
import { closeGracefully, createHttpServer } from '../../src/http/server.js'
import { listen } from '../../src/listen.js'
import { SmtpMailer } from '../../src/notifications/mailer.js'
import { WebPusher } from '../../src/notifications/pusher.js'
import { LOG_SIGNATURES, ServerKey } from '../../src/server-key.js'
import { readSettings } from '../../src/settings.js'
import { OpenIdProvider, type ProviderSettings } from '../../src/sign-in/provider.js'
import { AddressGuard } from '../../src/webhooks/address-guard.js'
import { Networks } from '../../src/webhooks/networks.js'
import { Sender } from '../../src/webhooks/sender.js'
import { WEBHOOKS } from './server.js'

/** The whole server, with adjustable timeouts and access to its parts. */
export class Stack {
  readonly sockets: Socket[] = []
  services!: Services
  url = ''
  server!: Server
  #close!: () => Promise<void>

  constructor(private readonly limits: ReaderLimits = {}) {}

  /** `site` returns the address of the page; by default, that of the server. */
  async start(connection: ConnectionOptions, site = () => this.url): Promise<void> {
    const database = await openDatabase({
      connection: servingConnection(connection),
      poolSize: 8,
      timeoutMs: DATABASE_PATIENCE_MS,
      log: () => {},
    })
    const key = ServerKey.parse(WEBHOOKS.SERVER_KEY) as ServerKey
    const guard = new AddressGuard(Networks.parse(WEBHOOKS.WEBHOOK_NETWORKS) as Networks)
    const webhooks = new Sender(key, guard, database.webhookDeliveries)
    await sharedMail()
    const { oidc, mail } = readSettings({ ...settingsFor(SHARED_PORT), ...SHARED_MAIL_SETTINGS })
    this.services = openServices({
      database,
      registration: 'open',
      registrationLimit: 0,
      webhooks,
      mail: mail ? { transport: new SmtpMailer(mail), secret: key.derive('mailboxes'), onFailure: () => {} } : null,
      pusher: new WebPusher({
        secret: key.derive('web push'),
        contact: () => 'mailto:root@localhost',
        guard,
        hosts: WEBHOOKS.PUSH_HOSTS.split(','),
      }),
      ticketSecret: key.derive('stream tickets'),
      logSecret: key.derive(LOG_SIGNATURES),
      signIn: {
        secret: key.derive('sign-in'),
        provider: new OpenIdProvider(oidc as ProviderSettings, site, () => {}),
        site,
      },
      onFault: () => {},
    })
    const app = createApp({
      services: this.services,
      log: pino({ level: 'silent' }),
      metrics: null,
      publicUrl: () => 'http://localhost',
      hosts: [],
      trustProxy: 0,
      mcpOrigins: [],
      oauth: 'not in tests',
      pageDirectory: null,
      isStopping: () => false,
    })
    this.server = createHttpServer(app, { tickMs: 20, ...this.limits })
    this.server.on('connection', (socket) => this.sockets.push(socket))
    this.url = `http://127.0.0.1:${await listen(this.server, 0, '127.0.0.1')}`
    this.#close = async () => {
      this.services.hub.close()
      this.services.actorHub.close()
      this.services.longPolls.close()
      await closeGracefully(this.server, 0)
      await database.close()
    }
  }

  stop = () => this.#close()

  /** Sends a request on a paused connection, and returns both ends of the connection. */
  async ask(path: string, key: string): Promise<{ socket: Socket; server: Socket }> {
    const known = this.sockets.length
    const socket = connect(Number(new URL(this.url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.pause()
    socket.on('error', () => {})
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`)
    const server = await eventually(() => this.sockets[known])
    return { socket, server }
  }
}

/** Starts a server for one test. */
export async function startStack(connection: ConnectionOptions, limits?: ReaderLimits): Promise<Stack> {
  const stack = new Stack(limits)
  await stack.start(connection)
  onTestFinished(() => stack.stop())
  return stack
}
