import type { ComponentType } from 'react'
import { HomePage } from '../features/home/HomePage'
import { inSpace, SpacePage } from '../features/space/SpacePage'
import {
  AGENTS,
  COMMAND,
  CONNECT,
  CREDENTIALS,
  DECISIONS,
  DEVICE,
  INBOX,
  NOTIFICATIONS,
  TENANT,
} from '../shared/navigation/paths'
import { lazyPreload } from '../shared/session/lazy-preload'

interface Route {
  readonly path: string
  readonly page: ComponentType
}

/** Every page of a signed-in account. Add a page here, and to `menu/navigation.ts` if the navigation lists it. */
export const ROUTES: readonly Route[] = [
  { path: '/', page: HomePage },
  { path: INBOX, page: lazyPreload(async () => (await import('../features/inbox/InboxPage')).InboxPage) },
  {
    path: DECISIONS,
    page: lazyPreload(async () => (await import('../features/decision/AllDecisionsPage')).AllDecisionsPage),
  },
  { path: AGENTS, page: lazyPreload(async () => (await import('../features/agent/AgentsPage')).AgentsPage) },
  { path: TENANT, page: lazyPreload(async () => (await import('../features/tenant/TenantPage')).TenantPage) },
  {
    path: CREDENTIALS,
    page: lazyPreload(async () => (await import('../features/credential/CredentialsPage')).CredentialsPage),
  },
  {
    path: NOTIFICATIONS,
    page: lazyPreload(async () => (await import('../features/notification/NotificationsPage')).NotificationsPage),
  },
  { path: CONNECT, page: lazyPreload(async () => (await import('../features/connect/ConnectPage')).ConnectPage) },
  { path: COMMAND, page: lazyPreload(async () => (await import('../features/session/CommandPage')).CommandPage) },
  { path: DEVICE, page: lazyPreload(async () => (await import('../features/session/DevicePage')).DevicePage) },
  {
    path: '/webhooks/:webhookId',
    page: lazyPreload(async () => (await import('../features/webhook/WebhookPage')).WebhookPage),
  },
  {
    path: '/s/:spaceId/decisions/:decisionId?',
    page: inSpace(lazyPreload(async () => (await import('../features/decision/DecisionsPage')).DecisionsPage)),
  },
  {
    path: '/s/:spaceId/incoming',
    page: inSpace(lazyPreload(async () => (await import('../features/incoming/IncomingPage')).IncomingPage)),
  },
  { path: '/s/:spaceId/*?', page: inSpace(SpacePage) },
]
