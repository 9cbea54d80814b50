import type { WebhookMessageType } from '@collab-spaces/domain'

/** A piece of JSON, as it is sent. */
type Json = string

/** The body of a request: its fields in the order of Standard Webhooks, the data as JSON that is there already. */
export const messageBody = (type: WebhookMessageType, at: Date, data: Json): string =>
  `{"type":"${type}","timestamp":"${at.toISOString()}","data":${data}}`

/** An object, some of whose fields are JSON already. */
export const withList = (fields: object, name: string, items: readonly Json[]): Json =>
  `${JSON.stringify(fields).slice(0, -1)},"${name}":[${items.join(',')}]}`
