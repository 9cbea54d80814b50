import { shorten } from '../cut.js'
import { filledTemplate, type IncomingRequest } from '../incoming-webhook.js'
import type { JsonObject } from '../json.js'
import { LIMITS } from '../limits.js'
import { paragraphs, plain, textAt } from './field.js'

/** The longest data that a message without a template shows. */
const MAX_DATA = 4_000

/** A request of Standard Webhooks, `{type, timestamp, data}`: by a template, or as it is. */
export function fromStandard(body: JsonObject, template: string | null): IncomingRequest {
  const type = textAt(body, 'type') || 'message'
  const filled = template === null ? shownData(type, body) : filledTemplate(template, body).trim()
  const text = shorten(filled, LIMITS.text)
  return { kind: type, message: text === '' ? null : { text } }
}

function shownData(type: string, { data }: JsonObject): string {
  const json = data === undefined ? '' : shorten(JSON.stringify(data, null, 2), MAX_DATA).replaceAll('```', '` ` `')
  return paragraphs(`**${plain(type)}**`, json && `\`\`\`json\n${json}\n\`\`\``)
}
