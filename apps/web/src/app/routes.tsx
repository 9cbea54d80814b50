import { type ComponentType, lazy } from 'react'
import { HomePage } from '../home/HomePage'
import { AGENTS, CREDENTIALS, TENANT } from './paths'

interface Route {
  readonly path: string
  readonly page: ComponentType
}

/** A page that is loaded when it is first opened. */
const page = (load: () => Promise<ComponentType>): ComponentType => lazy(async () => ({ default: await load() }))

/** Every page behind the door. A new one is a line here, and in `navigation.ts` if it is to be found from everywhere. */
export const ROUTES: readonly Route[] = [
  { path: '/', page: HomePage },
  { path: AGENTS, page: page(async () => (await import('../agent/AgentsPage')).AgentsPage) },
  { path: TENANT, page: page(async () => (await import('../tenant/TenantPage')).TenantPage) },
  { path: CREDENTIALS, page: page(async () => (await import('../credential/CredentialsPage')).CredentialsPage) },
  { path: '/webhooks/:webhookId', page: page(async () => (await import('../webhook/WebhookPage')).WebhookPage) },
  {
    path: '/s/:spaceId/decisions/:decisionId?',
    page: page(async () => (await import('../decision/DecisionsPage')).DecisionsPage),
  },
  { path: '/s/:spaceId/*?', page: page(async () => (await import('../space/SpacePage')).SpacePage) },
]
