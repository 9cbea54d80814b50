import {
  checkJson,
  DomainError,
  requireActiveTenant,
  requireAdmin,
  requireHuman,
  unauthenticated,
} from '@collab-spaces/domain'
import { initTRPC, type TRPC_ERROR_CODE_KEY, type TRPC_ERROR_CODE_NUMBER, type TRPCRouterBuilder } from '@trpc/server'
import type { z } from 'zod'
import type { Services } from '../services.js'
import { authenticate, type Caller } from './caller.js'
import { asTrpcError, refusalOf } from './fault.js'
import { Rendered } from './rendered.js'

/** A request as a procedure sees it, through whichever door it came. */
export interface Context {
  readonly services: Services
  /** The credential as it was shown; undefined when there was none. */
  readonly token: string | undefined
  /** What registrations are counted by; null for this machine itself, whose are not. */
  address(): string | null
  /** The REST door writes rendered JSON as it is; the tRPC door has to have values. */
  readonly door: 'rest' | 'trpc'
}

/** The nouns of the document, in its order. */
export type Tag =
  | 'Actors'
  | 'Spaces'
  | 'Participants'
  | 'Events'
  | 'Threads'
  | 'Decisions'
  | 'Links'
  | 'Activity'
  | 'Summaries'
  | 'Search'
  | 'Personal access tokens'
  | 'Tenants'
  | 'Invites'

/** How a procedure is reached over REST; the typed path is the procedure's own. */
export interface Meta {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Path parameters in braces, named as the input's fields. */
  readonly path: `/api/${string}`
  readonly tag: Tag
  readonly summary: string
  readonly description?: string
  /** Not in the reference: what this service adds. */
  readonly extension?: true
  /** Input fields that REST clients send as headers: header name to field. */
  readonly headers?: Readonly<Record<string, string>>
  /** Refusals beyond 400, 401 and 403 that a caller should expect. */
  readonly errors?: readonly (404 | 409 | 429)[]
}

/** An error as tRPC clients get it. */
export interface ErrorShape {
  code: TRPC_ERROR_CODE_NUMBER
  message: string
  data: {
    code: TRPC_ERROR_CODE_KEY
    httpStatus: number
    path?: string
    detail: string
  }
}

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    sse: { ping: { enabled: true, intervalMs: 15_000 } },
    errorFormatter({ shape, error }): ErrorShape {
      const refused = refusalOf(error)
      const { stack: _, ...data } = shape.data as typeof shape.data & { stack?: string }
      // What tRPC itself refuses, such as an unknown procedure, is told; a fault of ours is not.
      const isFault = !refused && error.code === 'INTERNAL_SERVER_ERROR'
      const detail = refused?.detail ?? (isFault ? 'Internal server error' : error.message)
      return { ...shape, message: detail, data: { ...data, ...refused?.fields, detail } }
    },
  })

/** What a router's type tells to those who import it: nothing of what its procedures work with. */
export interface RouterTypes {
  ctx: object
  meta: object
  errorShape: ErrorShape
  transformer: false
}

export const router = t.router as unknown as TRPCRouterBuilder<RouterTypes>

/** How a door calls a procedure. The input is asked for once the caller is known. */
export interface Call {
  readonly ctx: Context
  readonly getRawInput: () => Promise<unknown>
  /** Fires when the caller is gone, for a stream that is iterated over. */
  readonly signal?: AbortSignal | undefined
}

/** Who is calling; refuses whoever may not. It may look at the input to decide that. */
type Who<C> = (ctx: Context, getRawInput: Call['getRawInput']) => Promise<C>

/** What tRPC's builder has gathered of a procedure. */
interface Definition {
  readonly inputs: readonly z.ZodType[]
  resolver(options: { ctx: object; input: unknown; signal: AbortSignal | undefined }): Promise<unknown>
}

/**
 * A request through a procedure, whichever door it came by: who calls, what no input may hold, the shape of this one,
 * the work. So a stranger learns nothing about the input.
 */
async function perform<C>(who: Who<C>, { inputs, resolver }: Definition, { ctx, getRawInput, signal }: Call) {
  const caller = await who(ctx, getRawInput)
  const rawInput = await getRawInput()
  checkJson(rawInput)
  const input = inputs[0]?.parse(rawInput)
  const { services, address } = ctx
  return resolver({ ctx: { services, address, caller }, input, signal })
}

/** A tRPC answer is one value in memory; anything larger is read over REST, which writes page by page. */
const LARGEST_VALUE = 32 * 1024 * 1024

/** What tRPC's envelope takes: refusals with its codes, and values instead of rendered answers. */
async function enveloped(result: Promise<unknown>, meta: Meta | undefined): Promise<unknown> {
  try {
    const value = await result
    if (!(value instanceof Rendered)) return value
    const parsed: unknown = await value.parse(LARGEST_VALUE)
    if (parsed === null) throw answerTooLarge(meta)
    return parsed
  } catch (error) {
    const refused = refusalOf(error)
    throw refused ? asTrpcError(refused) : error
  }
}

function answerTooLarge(meta: Meta | undefined): DomainError {
  const route = meta ? `: ${meta.method} ${meta.path}` : ''
  return new DomainError('too_large', `The answer is too large for a typed call; read it over REST${route}`)
}

/**
 * Procedures for some kind of caller. tRPC's builder describes them; their calls are ours. Its own, a chain of
 * middlewares with a copy of the call for each, takes several times as long as the checks themselves.
 */
function procedureFor<C extends Caller | null>(who: Who<C>) {
  // Only for its type: the work finds the caller in its context.
  const typed = t.procedure.use(({ next }) => next({ ctx: { caller: null as C } }))
  const called = typed.experimental_caller(async ({ args, _def }) => {
    const call = args[0] as Call
    const result = perform(who, _def as unknown as Definition, call)
    return call.ctx.door === 'trpc' ? enveloped(result, _def.meta as Meta | undefined) : result
  })
  return called as unknown as typeof typed
}

export async function requireCaller({ services, token }: Context): Promise<Caller> {
  const caller = await authenticate(services.database.credentials, token)
  if (!caller) throw unauthenticated()
  requireActiveTenant(caller.tenantStatus)
  return caller
}

async function human(ctx: Context): Promise<Caller> {
  const caller = await requireCaller(ctx)
  requireHuman(caller)
  return caller
}

async function admin(ctx: Context): Promise<Caller> {
  const caller = await human(ctx)
  requireAdmin(caller)
  return caller
}

/** Open to anybody. `who` may look at the raw input to decide that this request is not. */
export const openProcedure = (who: (ctx: Context, rawInput: unknown) => Promise<Caller | null>) =>
  procedureFor(async (ctx, getRawInput) => who(ctx, await getRawInput()))

export const actorProcedure = procedureFor(requireCaller)
export const humanProcedure = procedureFor(human)
export const adminProcedure = procedureFor(admin)

/**
 * The output of a procedure: checked by the compiler, put into the document, and not parsed again at run time,
 * which tests do instead. `Rendered` text stands for the value that it spells.
 */
export function returns<T extends z.ZodType>(shape: T) {
  return {
    shape,
    parse: (value: unknown) => value as z.infer<T> | Rendered<z.infer<T>>,
  } as unknown as OutputOf<z.infer<T>> & { readonly shape: T }
}

/** A tRPC parser whose procedure may return rendered text, and whose client gets the value. */
interface OutputOf<T> {
  readonly _input: T | Rendered<T>
  readonly _output: T
  parse(value: unknown): T
}
