import type { Exchange } from './exchange.js'

const JSON_FORM = 'application/json'
const STREAM_FORM = 'text/event-stream'

/** The forms of a response: one message as JSON, or a stream whose last message it is. */
export const FORMS = [JSON_FORM, STREAM_FORM] as const

/** Whether a client accepts a media type. Without `Accept`, it accepts any. */
export function accepts({ request: { headers } }: Exchange, type: string): boolean {
  const ranges = (headers.accept ?? '*/*').split(',').map((range) => range.split(';')[0]?.trim().toLowerCase())
  return [type, `${type.split('/')[0]}/*`, '*/*'].some((range) => ranges.includes(range))
}

/** Converts a response to the other form if the client accepts only that. */
export async function inAcceptedForm(exchange: Exchange, answer: Response): Promise<Response> {
  const [form = ''] = answer.headers.get('content-type')?.split(';') ?? []
  if (form === STREAM_FORM && !accepts(exchange, STREAM_FORM)) {
    // A text may have U+2028, at which `.` and `$` would end the line.
    const messages = (await answer.text()).matchAll(/^data: ?([^\n]*)/gm)
    return withBody(answer, JSON_FORM, [...messages].at(-1)?.[1] ?? '')
  }
  if (form === JSON_FORM && answer.ok && !accepts(exchange, JSON_FORM)) {
    return withBody(answer, STREAM_FORM, `event: message\ndata: ${await answer.text()}\n\n`)
  }
  return answer
}

function withBody({ status, headers }: Response, type: string, body: string): Response {
  const others = [...headers].filter(([name]) => !['content-type', 'content-length'].includes(name))
  return new Response(body, { status, headers: [...others, ['content-type', type]] })
}
