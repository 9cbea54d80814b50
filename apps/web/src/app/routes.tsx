import type { ComponentType } from 'react'
import { HomePage } from '../home/HomePage'
import { SpacePage } from '../space/SpacePage'
import { later } from './later'
import { AGENTS, COMMAND, CONNECT, CREDENTIALS, DEVICE, INBOX, NOTIFICATIONS, TENANT } from './paths'

interface Route {
  readonly path: string
  readonly page: ComponentType
}

/** Every page behind the door. A new one is a line here, and in `navigation.ts` if it is to be found from everywhere. */
export const ROUTES: readonly Route[] = [
  { path: '/', page: HomePage },
  { path: INBOX, page: later(async () => (await import('../inbox/InboxPage')).InboxPage) },
  { path: AGENTS, page: later(async () => (await import('../agent/AgentsPage')).AgentsPage) },
  { path: TENANT, page: later(async () => (await import('../tenant/TenantPage')).TenantPage) },
  { path: CREDENTIALS, page: later(async () => (await import('../credential/CredentialsPage')).CredentialsPage) },
  {
    path: NOTIFICATIONS,
    page: later(async () => (await import('../notification/NotificationsPage')).NotificationsPage),
  },
  { path: CONNECT, page: later(async () => (await import('../connect/ConnectPage')).ConnectPage) },
  { path: COMMAND, page: later(async () => (await import('../session/CommandPage')).CommandPage) },
  { path: DEVICE, page: later(async () => (await import('../session/DevicePage')).DevicePage) },
  { path: '/webhooks/:webhookId', page: later(async () => (await import('../webhook/WebhookPage')).WebhookPage) },
  {
    path: '/s/:spaceId/decisions/:decisionId?',
    page: later(async () => (await import('../decision/DecisionsPage')).DecisionsPage),
  },
  { path: '/s/:spaceId/*?', page: SpacePage },
]
