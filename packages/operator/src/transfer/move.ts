import { type ConnectionOptions, inTransaction, type ObjectStore, recordOfOperator } from '@collab-spaces/db'
import { INSTALLATION, type TenantId } from '@collab-spaces/domain'
import type pg from 'pg'
import type { Progress } from '../backup/backup.js'
import { OperatorError } from '../session/operator-error.js'
import { freeze, thaw } from './freeze.js'
import { pass, type Route } from './pass.js'
import { announceTenant, fingerprintOf, isInService, type Standing, standingOf, withTenant } from './session.js'
import { makeStages } from './stage.js'
import { carriedTables } from './tables.js'

export interface MoveRequest {
  readonly tenantId: string
  readonly from: ConnectionOptions
  readonly to: ConnectionOptions
  /** The base URL of the destination. */
  readonly location: string
  /** The bucket of the source for the bytes of files, if it has one. */
  readonly bucket: ObjectStore | null
  /** Whether webhooks may be disabled, as their secrets change with the server key. */
  readonly disablesWebhooks: boolean
}

export interface Move {
  readonly spaces: number
  readonly events: number
  /** The number of disabled webhooks. */
  readonly disabledWebhooks: number
  /** The downtime of the tenant in milliseconds; null if an earlier attempt began it. */
  readonly frozenMs: number | null
}

/** Receives the progress of a move. */
export interface Watcher {
  readonly progress: Progress
  /** A sentence. */
  say(line: string): void
}

/** The maximum number of events, exclusive, left to copy while the tenant is out of service. */
const FEW = 1_000
/** The maximum number of passes to reach it. */
const MAX_PASSES = 8

/**
 * Moves a tenant from one database to another. Copies and compares it in service, then takes it out of service for the
 * remaining changes, and puts it into service at the destination before the source marks it as moved. So it is never in
 * service at both. Resumes after an interruption.
 */
export async function moveTenant(request: MoveRequest, watcher: Watcher, signal: AbortSignal): Promise<Move> {
  let isFrozen = false
  try {
    return await withBoth(request, async (from, to) => {
      const { tenantId, location } = request
      const [here, there] = [await requireTenant(from, tenantId), await standingOf(to, tenantId)]
      const isResumed = here.status === 'moving'
      if (here.status === 'moved') throw alreadyMoved(here, there)
      if (isResumed && isInService(there)) return complete(request, from, to, { disabledWebhooks: 0, frozenMs: null })
      requireMovable(here, there, location)
      await requireWebhooksMayMove(request, from, to)
      await makeStages(to)
      const route = await routeOf(request, watcher, signal, from, to)
      if (!isResumed) await copyBeside(route, watcher)
      signal.throwIfAborted()
      const began = performance.now()
      isFrozen = true
      watcher.say('The tenant is out of service: copying what has come since')
      await freeze(from, tenantId, { stage: 'moving', location }, signal)
      await pass(route, { whole: isResumed })
      const disabledWebhooks = await activate(request, from, to, route)
      const frozenMs = isResumed ? null : Math.round(performance.now() - began)
      return complete(request, from, to, { disabledWebhooks, frozenMs })
    })
  } catch (error) {
    if (isFrozen) await bringBack(request, signal.aborted ? signal.reason : error)
    throw error
  }
}

/** Cancels an incomplete move: the tenant returns to service at the source. */
export async function cancelMove(request: Pick<MoveRequest, 'tenantId' | 'from' | 'to'>): Promise<void> {
  await withBoth(request, async (from, to) => {
    const { tenantId } = request
    const [here, there] = [await requireTenant(from, tenantId), await standingOf(to, tenantId)]
    if (here.status === 'moved')
      throw new OperatorError(`The tenant has moved to ${here.location}: move it back from there`)
    if (here.status !== 'moving') throw new OperatorError(`The tenant is ${here.status}: there is no move to cancel`)
    if (isInService(there)) {
      throw new OperatorError('The tenant is in service there already: run the move again, which completes it')
    }
    await thaw(from, tenantId)
  })
}

const withBoth = <T>(
  { from, to, tenantId }: Pick<MoveRequest, 'tenantId' | 'from' | 'to'>,
  work: (from: pg.Client, to: pg.Client) => Promise<T>,
): Promise<T> =>
  withTenant(from, tenantId, (source) => withTenant(to, tenantId, (destination) => work(source, destination)))

async function requireTenant(client: pg.Client, tenantId: string): Promise<Standing> {
  const standing = await standingOf(client, tenantId)
  if (standing) return standing
  throw new OperatorError('Tenant not found')
}

function alreadyMoved({ location }: Standing, there: Standing | null): OperatorError {
  return new OperatorError(
    isInService(there)
      ? `The tenant has moved already: it is at ${location}`
      : `The tenant has moved to ${location}, which has another database than this one: move it from there`,
  )
}

function requireMovable(here: Standing, there: Standing | null, location: string): void {
  if (here.status === 'arriving') throw new OperatorError('The tenant is still arriving here: complete that move first')
  if (here.status === 'deleting') throw new OperatorError('The tenant is being deleted')
  if (here.status === 'moving' && (here.location !== location || !there)) {
    throw new OperatorError(
      `A move of the tenant to ${here.location} has begun: run it again with that location and its database, or with --cancel`,
    )
  }
  if (isInService(there))
    throw new OperatorError('The tenant is in service there already: one of the two has to be deleted')
  if (there?.status === 'moving' || there?.status === 'deleting') {
    throw new OperatorError(`The tenant is ${there.status} there: complete that first`)
  }
}

async function requireWebhooksMayMove(
  { tenantId, disablesWebhooks }: MoveRequest,
  from: pg.Client,
  to: pg.Client,
): Promise<void> {
  if (disablesWebhooks || (await fingerprintOf(from)) === (await fingerprintOf(to))) return
  const { rows } = await from.query('SELECT count(*)::int AS count FROM webhooks WHERE tenant_id = $1', [tenantId])
  if (rows[0].count > 0) throw otherServerKey(rows[0].count)
}

/** Webhook secrets are derived from the server key. */
export const otherServerKey = (webhooks: number) =>
  new OperatorError(
    `The tenant has webhooks (${webhooks}), and the other installation has another server key, or none, from which their ` +
      'secrets are made: give it the same SERVER_KEY, or add --disable-webhooks and have their owners rotate the secrets',
  )

async function routeOf(
  { tenantId, bucket }: MoveRequest,
  { progress }: Watcher,
  signal: AbortSignal,
  from: pg.Client,
  to: pg.Client,
): Promise<Route> {
  const tables = await carriedTables(from)
  await carriedTables(to)
  return { tenantId, tables, from, to, bucket, progress, signal, erased: new Set() }
}

/** Copies and compares until few events are left. */
async function copyBeside(route: Route, { say }: Watcher): Promise<void> {
  say('Copying, while the tenant stays in service')
  for (let passes = 0; passes < MAX_PASSES; passes++) {
    route.signal.throwIfAborted()
    if ((await pass(route, { whole: passes === 0 })) < FEW) return
  }
}

/** From here on the tenant is at the destination. Returns the number of disabled webhooks. */
async function activate(
  { tenantId, location }: MoveRequest,
  from: pg.Client,
  to: pg.Client,
  { erased }: Route,
): Promise<number> {
  const status = (await requireTenant(from, tenantId)).statusBefore
  const keysDiffer = (await fingerprintOf(from)) !== (await fingerprintOf(to))
  const disabled = await inTransaction(to, async () => {
    const disabled = keysDiffer ? await disableWebhooks(to, tenantId) : 0
    const { rowCount } = await to.query(
      `UPDATE tenants SET status = $2, status_before = NULL, location = NULL
       WHERE tenant_id = $1 AND status IN ('arriving', 'moved')`,
      [tenantId, status],
    )
    if (rowCount !== 1) throw new OperatorError('The tenant at the destination has changed meanwhile')
    await recordOfOperator(to, tenantId as TenantId, 'tenant.arrived', tenantId, { location })
    return disabled
  })
  await announceTenant(to, tenantId, erased)
  return disabled
}

/** Their receivers would reject signatures with another secret. */
export async function disableWebhooks(client: pg.Client, tenantId: string): Promise<number> {
  const { rowCount } = await client.query(
    `UPDATE webhooks SET disabled_at = now(), disabled_reason = 'disabled' WHERE tenant_id = $1 AND disabled_at IS NULL`,
    [tenantId],
  )
  return rowCount ?? 0
}

/** Marks the tenant at the source as moved to the destination. */
async function complete(
  { tenantId, location }: MoveRequest,
  from: pg.Client,
  to: pg.Client,
  done: Pick<Move, 'disabledWebhooks' | 'frozenMs'>,
): Promise<Move> {
  await inTransaction(from, async () => {
    await from.query(
      `UPDATE tenants SET status = 'moved', status_before = NULL, location = $2 WHERE tenant_id = $1 AND status = 'moving'`,
      [tenantId, location],
    )
    await recordOfOperator(from, INSTALLATION, 'tenant.moved', tenantId, { location })
  })
  await announceTenant(from, tenantId)
  const { rows } = await to.query<Pick<Move, 'spaces' | 'events'>>(
    'SELECT count(*)::int AS spaces, coalesce(sum(head), 0)::int8 AS events FROM spaces WHERE tenant_id = $1',
    [tenantId],
  )
  return { ...(rows[0] as Pick<Move, 'spaces' | 'events'>), ...done }
}

/**
 * After a failure, puts the tenant back into service, unless it is at the destination, or this is unknown. The earlier
 * connections are closed, and their queries aborted.
 */
async function bringBack(request: MoveRequest, cause: Error): Promise<void> {
  const isAtDestination = await withBoth(request, async (from, to) => {
    if (isInService(await standingOf(to, request.tenantId))) return true
    await thaw(from, request.tenantId)
    return false
  }).catch(() => {
    throw new OperatorError(`${cause.message}. The tenant may be out of service: run the move again, or with --cancel`)
  })
  throw new OperatorError(
    isAtDestination
      ? `${cause.message}. The tenant is in service there, and not marked here: run the move again, which completes it`
      : `${cause.message}. The tenant is in service where it was`,
  )
}
