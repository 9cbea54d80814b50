import type { ComponentType } from 'react'
import { HomePage } from '../features/home/HomePage'
import { SpacePage } from '../features/space/SpacePage'
import { later } from '../shared/lazy-preload'
import { AGENTS, COMMAND, CONNECT, CREDENTIALS, DEVICE, INBOX, NOTIFICATIONS, TENANT } from '../shared/navigation/paths'

interface Route {
  readonly path: string
  readonly page: ComponentType
}

/** Every page of a signed-in account. Add a page here, and to `menu/navigation.ts` if the navigation lists it. */
export const ROUTES: readonly Route[] = [
  { path: '/', page: HomePage },
  { path: INBOX, page: later(async () => (await import('../features/inbox/InboxPage')).InboxPage) },
  { path: AGENTS, page: later(async () => (await import('../features/agent/AgentsPage')).AgentsPage) },
  { path: TENANT, page: later(async () => (await import('../features/tenant/TenantPage')).TenantPage) },
  {
    path: CREDENTIALS,
    page: later(async () => (await import('../features/credential/CredentialsPage')).CredentialsPage),
  },
  {
    path: NOTIFICATIONS,
    page: later(async () => (await import('../features/notification/NotificationsPage')).NotificationsPage),
  },
  { path: CONNECT, page: later(async () => (await import('../features/connect/ConnectPage')).ConnectPage) },
  { path: COMMAND, page: later(async () => (await import('../features/session/CommandPage')).CommandPage) },
  { path: DEVICE, page: later(async () => (await import('../features/session/DevicePage')).DevicePage) },
  {
    path: '/webhooks/:webhookId',
    page: later(async () => (await import('../features/webhook/WebhookPage')).WebhookPage),
  },
  {
    path: '/s/:spaceId/decisions/:decisionId?',
    page: later(async () => (await import('../features/decision/DecisionsPage')).DecisionsPage),
  },
  { path: '/s/:spaceId/*?', page: SpacePage },
]
