import { type Caller, type Context, type Operation, Rendered, type ValueBudget, valueBudget } from '@collab-spaces/api'
import { DomainError } from '@collab-spaces/domain'
import type { Request } from 'express'
import { answerTo, type ErrorAnswer, type ReportFault } from '../errors.js'
import { whenSent } from '../gone.js'

/** How much JSON a tool may return: a model has no room for more. In characters. */
const LARGEST_ANSWER = 1024 * 1024

/** An HTTP request to the MCP server, and who sent it. */
export interface Exchange {
  readonly request: Request
  readonly caller: Caller
  readonly context: Context
  readonly report: ReportFault
}

/** The result of a procedure, or why it was refused. */
export type Outcome = { readonly value: unknown } | { readonly refused: ErrorAnswer }

/** Calls a procedure for the sender of the request. */
export async function call(exchange: Exchange, operation: Operation, input: object): Promise<Outcome> {
  const { request, context, report } = exchange
  request.operation = operation.name
  // For older clients, the head of the answer goes out before its value is made.
  const values = valueBudget({ size: LARGEST_ANSWER, whenAnswered: (callback) => whenSent(request, callback) })
  try {
    const result = await operation.run({ ctx: { ...context, values }, getRawInput: async () => input })
    return { value: result instanceof Rendered ? await parsed(result, values) : result }
  } catch (error) {
    return { refused: answerTo(error, request.id, report) }
  }
}

async function parsed(result: Rendered<unknown>, values: ValueBudget): Promise<unknown> {
  const value = await result.parse(values)
  if (value === null)
    throw new DomainError(
      'too_large',
      'The answer is too large for a tool: ask for less, such as with a smaller `limit`',
    )
  return value
}
