import type { Tenant } from '@collab-spaces/client'
import { cleanLine } from '../terminal/clean.js'
import type { Style } from '../terminal/style.js'
import { fields } from '../terminal/table.js'
import { relativeTime } from '../terminal/time.js'

const COLOURS = { active: 'green', suspended: 'red' } as const

export const oneTenant = (tenant: Tenant, style: Style): string =>
  fields(style, [
    ['tenant', style.bold(tenant.tenant_id)],
    ['name', cleanLine(tenant.name)],
    ['status', style[COLOURS[tenant.status]](tenant.status)],
    ['schema', tenant.schema_name],
    ['created', relativeTime(tenant.created_at)],
  ])

export const oneTenantOrNone = (tenant: Tenant | null, style: Style): string =>
  tenant
    ? oneTenant(tenant, style)
    : 'You are in no tenant: you share spaces with everybody on this server who is in none.\n' +
      'Create one: spaces tenant create NAME. Have an invite? Run: spaces invite redeem'
