import { checkJson, requireActiveTenant, requireAdmin, requireHuman, unauthenticated } from '@collab-spaces/domain'
import { initTRPC, type TRPC_ERROR_CODE_KEY, type TRPC_ERROR_CODE_NUMBER, type TRPCRouterBuilder } from '@trpc/server'
import type { z } from 'zod'
import { authenticate, type Caller } from './auth.js'
import { asTrpcError, refusalOf } from './fault.js'
import { Rendered } from './rendered.js'
import type { Services } from './services.js'

/** A request as a procedure sees it, through whichever door it came. */
export interface Context {
  readonly services: Services
  /** The credential as it was shown; undefined when there was none. */
  readonly token: string | undefined
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
  readonly errors?: readonly (404 | 409)[]
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

/** A tRPC answer is one value in memory; anything larger is read over REST, which writes page by page. */
const LARGEST_VALUE = 32 * 1024 * 1024

/** Runs outermost: refusals get their code, and rendered answers become values where the door needs them. */
const answers = t.middleware(async ({ ctx, next }) => {
  const result = await next()
  if (!result.ok) {
    const refused = refusalOf(result.error)
    if (refused) throw asTrpcError(refused)
    return result
  }
  if (ctx.door === 'trpc' && result.data instanceof Rendered) {
    return { ...result, data: await result.data.parse(LARGEST_VALUE) }
  }
  return result
})

/** Comes after the checks of the caller, so that a stranger learns nothing about the input. */
const cleanInput = t.middleware(async ({ getRawInput, next }) => {
  checkJson(await getRawInput())
  return next()
})

export async function requireCaller({ services, token }: Context): Promise<Caller> {
  const caller = await authenticate(services.database.credentials, token)
  if (!caller) throw unauthenticated()
  requireActiveTenant(caller.tenantStatus)
  return caller
}

const authenticated = t.middleware(async ({ ctx, next }) => next({ ctx: { caller: await requireCaller(ctx) } }))

const human = t.middleware(async ({ ctx, next }) => {
  const caller = await requireCaller(ctx)
  requireHuman(caller)
  return next({ ctx: { caller } })
})

/** Open to anybody. `who` may look at the raw input to decide that this request is not. */
export const openProcedure = (who: (ctx: Context, rawInput: unknown) => Promise<Caller | null>) =>
  t.procedure
    .use(answers)
    .use(async ({ ctx, getRawInput, next }) => next({ ctx: { caller: await who(ctx, await getRawInput()) } }))
    .use(cleanInput)

export const actorProcedure = t.procedure.use(answers).use(authenticated).use(cleanInput)
const admin = t.middleware(async ({ ctx, next }) => {
  const caller = await requireCaller(ctx)
  requireHuman(caller)
  requireAdmin(caller)
  return next({ ctx: { caller } })
})

export const adminProcedure = t.procedure.use(answers).use(admin).use(cleanInput)
export const humanProcedure = t.procedure.use(answers).use(human).use(cleanInput)

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
