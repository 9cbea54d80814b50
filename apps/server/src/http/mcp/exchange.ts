import { type Caller, type Context, type Operation, RenderedOutput, valueBudget } from '@collab-spaces/api'
import { DomainError } from '@collab-spaces/domain'
import type { Request } from 'express'
import { answerTo, type ErrorAnswer, type ReportFault } from '../errors.js'
import { whenSent } from '../gone.js'

/** The maximum JSON of a tool's result, in characters: a model's context holds no more. */
const MAX_RESULT_SIZE = 1024 * 1024

/** An HTTP request to the MCP server, with its sender. */
export interface Exchange {
  readonly request: Request
  readonly caller: Caller
  readonly context: Context
  readonly report: ReportFault
}

/** The result of a procedure, or its refusal. */
export type Outcome = { readonly value: unknown } | { readonly refused: ErrorAnswer }

/** Calls a procedure for the sender of the request. `read` makes another value of its result. */
export async function call(
  exchange: Exchange,
  operation: Operation,
  input: object,
  read?: (result: unknown) => unknown,
): Promise<Outcome> {
  const { request, context } = exchange
  request.operation = operation.name
  // For older clients, sends the head of the response before its value is made.
  const values = valueBudget({ size: MAX_RESULT_SIZE, whenAnswered: (callback) => whenSent(request, callback) })
  try {
    const result = await operation.run({ ctx: { ...context, values }, getRawInput: async () => input })
    if (read) return { value: (await values.read(async () => read(result))) ?? refuseLarge() }
    return { value: result instanceof RenderedOutput ? ((await result.parse(values)) ?? refuseLarge()) : result }
  } catch (error) {
    return refusalOf(exchange, error)
  }
}

export const refusalOf = ({ request, report }: Exchange, error: unknown): Outcome => ({
  refused: answerTo(error, request.id, report),
})

function refuseLarge(): never {
  throw new DomainError('too_large', 'The answer is too large for a tool: ask for less, such as with a smaller `limit`')
}
